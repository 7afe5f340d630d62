"""Which endpoints a person has named: what is taken, and what is refused by name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kernel.errors import BadRequest
from kernel.models import Models
from kernel.models.book import Book, endpoint_of, read_book, write_book
from kernel.models.model import Endpoint, Role, Way

LOCAL = Endpoint("here", "http://127.0.0.1:11434/v1", "qwen3:8b", way=Way.SCHEMA, context_tokens=32_768)
FAR = Endpoint("far", "https://api.example.org/v1", "big", "model-far", price_in=2_000_000, price_out=8_000_000)
BOOK = Book({"here": LOCAL, "far": FAR}, {Role.PLANNER: ("here",), Role.REVIEWER: ("far",)})


def test_what_is_written_is_read_again_and_private(tmp_path: Path) -> None:
    file = tmp_path / "models.toml"
    write_book(file, BOOK)
    assert read_book(file) == BOOK
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("url", "host", "local"),
    [
        ("http://127.0.0.1:11434/v1", "127.0.0.1:11434", True),
        ("http://localhost:8080", "localhost:8080", True),
        ("http://[::1]:8000/v1", "[::1]:8000", True),
        ("https://api.example.org/v1", "api.example.org:443", False),
        ("http://192.168.1.9:8000", "192.168.1.9:8000", False),
        ("https://localhost.evil.example", "localhost.evil.example:443", False),
        ("https://127.0.0.1.evil.example/", "127.0.0.1.evil.example:443", False),
    ],
)
def test_a_host_is_named_and_this_machine_is_known(url: str, host: str, local: bool) -> None:
    endpoint = Endpoint("x", url, "m")
    assert (endpoint.host, endpoint.is_local) == (host, local)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("roles = 1", "roles is no table"),
        ("nonsense = 1", "nonsense, which is nothing"),
        ("= 1", "line 1"),
        ("[endpoints.x]\nmodel = 'm'", "has no url"),
        ("[endpoints.x]\nurl = 'http://127.0.0.1'", "has no model"),
        ("[endpoints.X]\nurl = 'http://127.0.0.1'\nmodel = 'm'", "a name has"),
        ("[endpoints.x]\nurl = 'ftp://a'\nmodel = 'm'", "url is no address"),
        ("[endpoints.x]\nurl = 'https://a:99999'\nmodel = 'm'", "url is no address"),
        ("[endpoints.x]\nurl = 'https://u:p@a'\nmodel = 'm'", "a key belongs into the vault"),
        ("[endpoints.x]\nurl = 'https://a?key=1'\nmodel = 'm'", "a key belongs into the vault"),
        ("[endpoints.x]\nurl = 'http://a.example'\nmodel = 'm'", "http to another machine"),
        ("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\nkey = 'k'", "key, which is nothing"),
        ("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\nway = 'magic'", "way is one of"),
        ("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\ncontext_tokens = true", "context_tokens is a whole number"),
        ("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\nprice_in = -1", "price_in is a whole number"),
        ("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\ntimeout_s = nan", "timeout_s is from"),
        ("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\ncurrency = 'euro'", "currency is none such as EUR"),
        ("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\nsecret = '../x'", "secret is none such as"),
        ("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\nsecret = 'mail'", "secret is none such as"),
        ("[roles]\nboss = ['x']", "there is no such role"),
        ("[roles]\nplanner = ['x']", "there is no endpoint x"),
    ],
)
def test_every_bad_line_is_named(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "models.toml"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(BadRequest, match=why) as bad:
        read_book(file)
    assert (bad.value.code, bad.value.hint) == ("model.config", f"Correct the file, or take it away: {file}")
    assert Models(file).endpoint(Role.PLANNER) is None, "a request goes on without a model"


def test_a_model_here_and_one_elsewhere_never_stand_in_for_each_other() -> None:
    with pytest.raises(BadRequest, match="never stand in"):
        BOOK.bound(Role.PLANNER, ("here", "far"))
    with pytest.raises(BadRequest, match="never stand in"):
        BOOK.bound(Role.PLANNER, ("far", "here"))
    other = endpoint_of("near", {"url": "http://localhost:8080/v1", "model": "m"})
    bound = BOOK.with_endpoint(other, plain=False).bound(Role.PLANNER, ("here", "near"))
    assert [one.name for one in bound.of(Role.PLANNER)] == ["here", "near"], "the control"


def test_an_endpoint_that_is_gone_is_bound_to_nothing() -> None:
    left = BOOK.without("here")
    assert left.of(Role.PLANNER) == ()
    assert left.of(Role.REVIEWER) == (FAR,)


def test_http_to_another_machine_is_said_by_a_person() -> None:
    plain = endpoint_of("lan", {"url": "http://192.168.1.9:8000/v1", "model": "m"})
    with pytest.raises(BadRequest, match="http to another machine"):
        BOOK.with_endpoint(plain, plain=False)
    assert BOOK.with_endpoint(plain, plain=True).plain == {"lan"}


def test_a_key_in_the_place_of_its_name_is_not_repeated(tmp_path: Path) -> None:
    file = tmp_path / "models.toml"
    file.write_text("[endpoints.x]\nurl = 'https://a'\nmodel = 'm'\nsecret = 'sk-canary-91ab'")
    file.chmod(0o600)
    with pytest.raises(BadRequest, match="secret is none such as") as bad:
        read_book(file)
    assert "canary" not in f"{bad.value} {bad.value.subject} {bad.value.hint}"


@pytest.mark.parametrize("url", ["https://192.168.1.9/v1", "http://localhost:8000/v1"])
def test_only_what_can_be_read_on_the_way_is_marked_so(tmp_path: Path, url: str) -> None:
    held = Book().with_endpoint(endpoint_of("lan", {"url": url, "model": "m"}), plain=True)
    assert held.plain == frozenset()
    file = tmp_path / "models.toml"
    file.write_text(f"[endpoints.lan]\nurl = '{url}'\nmodel = 'm'\nplain_http = true")
    file.chmod(0o600)
    assert read_book(file) == held


@pytest.mark.parametrize("how", ["open", "link"])
def test_a_file_that_others_can_change_is_not_believed(tmp_path: Path, how: str) -> None:
    file = tmp_path / "models.toml"
    write_book(file, BOOK)
    assert Models(file).endpoint(Role.PLANNER) == LOCAL, "the control"
    if how == "open":
        file.chmod(0o666)
    else:
        os.rename(file, tmp_path / "other")
        file.symlink_to(tmp_path / "other")
    assert Models(file).endpoint(Role.PLANNER) is None
    with pytest.raises(BadRequest):
        read_book(file)


def test_a_change_counts_at_once_and_the_environment_never(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "models.toml"
    models = Models(file)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert models.endpoint(Role.PLANNER) is None
    write_book(file, BOOK)
    assert models.endpoint(Role.PLANNER) == LOCAL
    write_book(file, BOOK.bound(Role.PLANNER, ("far",)))
    assert models.endpoint(Role.PLANNER) == FAR


@pytest.mark.parametrize(("mine", "theirs", "kin"), [
    ("qwen", "llama", "other"), ("qwen", "Qwen", "same"), ("", "qwen", "unknown"), ("", "", "unknown"),
])  # fmt: skip
def test_whether_two_are_of_one_family_is_what_a_person_said_of_them(mine: str, theirs: str, kin: str) -> None:
    one = Endpoint("a", "http://127.0.0.1:1/v1", "m", family=mine)
    other = Endpoint("b", "http://127.0.0.1:2/v1", "n", family=theirs)
    assert (one.kin_of(other), other.kin_of(one)) == (kin, kin)
    assert one.kin_of(None) == "unknown"
    assert Endpoint("c", one.url, "m", family="x").kin_of(one) == "same", "the very same model under two names"
