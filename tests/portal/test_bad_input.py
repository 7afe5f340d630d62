"""Bad input through the real door: raw requests on the daemon's socket, and a hostile skill's words on a card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.portal.terminal import Terminal
from tests.skills.packages.wares import laid

Installation = Any  # tests/portal/conftest.py

pytestmark = pytest.mark.slow

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\ud800-\udfff]")
RIGHT = '"right":"fs.read:~/x"'

SKILL = r"""
version = "1.0.0"
title = "Evil \u001b[2J"
[tools.wobble]
effect = "pure"
examples.en = ["wobble the frobnicator"]
rights = [{ action = "fs.read", scope = "~/Wobble/**", reason = "\u001b[2J\u001b]0;owned\u0007 \u202egnp <b>y" }]
"""
CODE = '''"""Evil."""
from __future__ import annotations
from skills.sdk import Context

def wobble(ctx: Context) -> str:
    """Wobble the frobnicator."""
    return "done"
'''


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation with a skill whose every word is hostile, and its daemon."""
    from tests.portal.conftest import Installation as Made

    made = Made(tmp_path_factory.mktemp("evil"))
    about = "---\nname: evil\ndescription: says evil things\n---\n"
    files = {"SKILL.md": about, "steward.toml": SKILL.lstrip(), "skill.py": CODE}
    laid(made.root / "s" / "data" / "skills" / "evil", files)
    for place in (made.root / "s", made.root / "s" / "data", made.home):
        place.mkdir(exist_ok=True)
        place.chmod(0o700)
    (made.home / "Wobble").mkdir()
    with made.daemon():
        yield made


@pytest.fixture(scope="module")
def http(daemon: Installation) -> Iterator[httpx.Client]:
    transport = httpx.HTTPTransport(uds=str(daemon.places.socket))
    with httpx.Client(transport=transport, base_url="http://steward/api/v1", timeout=60) as client:
        yield client


def post(http: httpx.Client, path: str, raw: str) -> httpx.Response:
    return http.post(path, content=raw.encode(), headers={"content-type": "application/json"})


GRANTS = [
    r'{"skill":"files","right":"fs.read:/home/a\u0000b"}',
    r'{"skill":"files","right":"fs.read:~/../x"}',
    r'{"skill":"files","right":"fs.read:~/\ud800x"}',
    r'{"skill":"files","right":"\u001b[2J\u202e"}',
    '{"skill":"files","right":"' + "x" * 100_000 + '"}',
    '{"skill":"files","right":"fs.write:/**"}',
    '{"skill":"files","right":NaN}',
    '{"skill":"files","right":null}',
    '{"skill":["files"],' + RIGHT + "}",
    r'{"skill":"\u001b[2J",' + RIGHT + "}",
    r'{"skill":"files\u0000",' + RIGHT + "}",
    r'{"skill":"\ud800",' + RIGHT + "}",
    r'{"skill":"files","why":"\ud800",' + RIGHT + "}",
    '{"skill":"files","why":"' + "x" * 501 + '",' + RIGHT + "}",
    '{"skill":"files","lasting":"1e999h",' + RIGHT + "}",
    '{"skill":"files","lasting":"-5m",' + RIGHT + "}",
    '{"skill":"files","lasting":"999999999999999w",' + RIGHT + "}",
    r'{"skill":"files","until":"\ud800",' + RIGHT + "}",
    '{"skill":"files","until":"0001-01-01",' + RIGHT + "}",
    '{"skill":"files","mode":"always",' + RIGHT + "}",
    "[]",
    "",
    '{"skill":"files"',
]
LIMITS = ['"-1"', '"NaN"', "NaN", "-1", "1e999", '"Infinity"', r'"\u0000"', r'"\ud800"', '""', "null", '"9e99 MB"']


@pytest.mark.parametrize("raw", GRANTS, ids=range(len(GRANTS)))
def test_a_malformed_grant_is_refused_and_the_tree_is_as_before(http: httpx.Client, raw: str) -> None:
    before = http.get("/perms").json()
    answer = post(http, "/perms", raw)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert found["code"]
    assert 0 < len(found["detail"]) < 600
    assert not UNSEEN.search(found["detail"])
    assert http.get("/perms").json() == before
    if found["code"] != "request.invalid":
        last = http.get("/perms/history", params={"limit": 1}).json()["events"][-1]
        assert (last["kind"], last["body"]["code"]) == ("perms.refused", found["code"])


@pytest.mark.parametrize("value", LIMITS)
@pytest.mark.parametrize("total", ["true", "false"])
def test_a_budget_or_limit_that_is_no_amount_is_refused(http: httpx.Client, value: str, total: str) -> None:
    before = http.get("/perms").json()
    answer = post(http, "/perms/limits", f'{{"node":"user","controller":"disk","value":{value},"total":{total}}}')
    assert (answer.status_code, answer.json()["code"]) in {(400, "limit.amount"), (400, "request.invalid")}
    assert not UNSEEN.search(answer.json()["detail"])
    assert http.get("/perms").json() == before


@pytest.mark.parametrize("name", ["g-%00", "%1b%5b2J", "%ff", "skills/%00", "denies/%1b"])
def test_what_is_no_grant_cannot_be_taken_away(http: httpx.Client, name: str) -> None:
    answer = http.delete(f"/perms/{name}")
    assert answer.status_code == 404
    assert answer.json()["hint"]
    assert not UNSEEN.search(answer.json()["detail"])


@pytest.mark.parametrize(
    "text", [r"\u0000", r"\ud800", r"delete ~/\u0000", r"read ~/\ud800.txt", r"read ~/../../etc/shadow", "x " * 50_000]
)
def test_a_sentence_of_broken_characters_ends_like_any_other(http: httpx.Client, text: str) -> None:
    answer = post(http, "/runs", f'{{"text":"{text}"}}')
    if answer.status_code == 400:
        assert answer.json()["code"]
        return
    view = http.get(f"/runs/{answer.json()['run']}", params={"wait": True}).json()
    assert view["resolution"] in ("blocked", "declined", "clarify", "failed"), view
    assert not view["error"] or view["error"]["code"] not in ("kernel.fault", "task.fault"), view
    assert not UNSEEN.search(view["answer"])


def test_a_hostile_reason_is_shown_on_the_card_and_not_carried_out(daemon: Installation) -> None:
    terminal = Terminal(daemon, "ask", "wobble the frobnicator")
    shown = terminal.read("Allow?")
    terminal.type("n\n")
    assert terminal.end()[0] == 5
    assert "\\x1b[2J\\x1b]0;owned\\x07" in shown, "it is there to be seen"
    assert "\\u{202e}gnp" in shown
    for carried_out in ("\x1b[2J", "\x1b]0;", "\x07", "\u202e"):
        assert carried_out not in shown
    for command in (("runs",), ("skills",), ("log",)):
        found = daemon.steward(*command)
        assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", found.out + found.err), command


MANNERS = [
    '{"attention":NaN,"quiet_hours":""}', '{"attention":1.5,"quiet_hours":""}', '{"attention":-1,"quiet_hours":""}',
    '{"attention":99999999999999999999,"quiet_hours":""}', '{"attention":5,"quiet_hours":"25-26"}',
    r'{"attention":5,"quiet_hours":"\u001b[2J"}', r'{"attention":5,"quiet_hours":"\ud800"}',
    '{"attention":5,"quiet_hours":"' + "9" * 41 + '"}', '{"attention":5,"quiet_hours":null}', '{"attention":5}',
    '{"attention":5,"quiet_hours":"22-7","left":9}', "[]", "",
]  # fmt: skip


@pytest.mark.parametrize("raw", MANNERS, ids=range(len(MANNERS)))
def test_manners_that_are_none_are_refused_and_stay_as_they_were(http: httpx.Client, raw: str) -> None:
    before = http.get("/manners").json()
    answer = http.put("/manners", content=raw.encode(), headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) in {(400, "request.invalid"), (400, "config.value")}
    assert not UNSEEN.search(answer.json()["detail"])
    assert http.get("/manners").json() == before


@pytest.mark.parametrize("how", ["cannot be read", "cannot be written"])
def test_manners_that_cannot_be_kept_do_not_count(daemon: Installation, http: httpx.Client, how: str) -> None:
    file = daemon.places.config_file
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.write_text("attention = " if how == "cannot be read" else "")
    draft = file.with_suffix(".new")
    draft.mkdir(exist_ok=True)
    before = http.get("/manners").json()
    try:
        answer = http.put("/manners", json={"attention": 3, "quiet_hours": "1-2"})
        assert (answer.status_code, answer.json()["code"]) == (400, "config.file")
        assert how in answer.json()["detail"]
        assert http.get("/manners").json() == before
    finally:
        draft.rmdir()
        file.unlink()
    kept = http.put("/manners", json={"attention": 3, "quiet_hours": "1-2"}).json()
    assert (kept["attention"], kept["quiet_hours"]) == (3, "1-2"), "the control"


@pytest.mark.parametrize("route", ["", "/token", "/tries"])
def test_what_is_no_routine_is_said_so(http: httpx.Client, route: str) -> None:
    answer = http.delete("/routines/%1b%5b2J") if not route else post(http, f"/routines/%1b%5b2J{route}", "{}")
    assert (answer.status_code, answer.json()["code"]) == (404, "routine.unknown")
    assert answer.json()["hint"]
    assert not UNSEEN.search(answer.json()["detail"])


def test_after_all_that_the_daemon_stands_and_starts_again(daemon: Installation, http: httpx.Client) -> None:
    before = http.get("/perms").json()
    assert "Traceback" not in Path(daemon.places.log).read_text()
    assert daemon.steward("down").code == 0
    after = daemon.steward("perms", "--json").json
    assert after == before
    daemon.steward("down")
