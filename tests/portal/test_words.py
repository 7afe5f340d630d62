from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.cli.changes import change_line, told_in_line
from portal.cli.outcome import Failure, exit_code_of, failure_object, run_object
from portal.cli.words import homely, many, one_line, path_line, size, visible
from tests.portal.asked import PROMISED


@given(st.text())
def test_nothing_that_steers_a_terminal_or_turns_text_round_gets_through(text: str) -> None:
    for character in visible(text):
        assert character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"}


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_the_classic_disguises() -> None:
    assert visible("invoice\u202efdp.exe") == "invoice\\u{202e}fdp.exe"
    assert visible("\x1b[2J\x07") == "\\x1b[2J\\x07"
    assert one_line("a\nb\tc" + "x" * 500, 20) == "a b c" + "x" * 14 + "…"
    assert "\n" not in change_line({"kind": "created", "path": "/tmp/a\nb"})


def test_the_contract_object_has_every_key_whatever_happens() -> None:
    assert set(run_object({})) >= PROMISED
    failed = failure_object(Failure("daemon.start", "It cannot start.", "Look."), "c")
    assert set(failed) >= PROMISED
    assert failed["conversation"] == "c"
    assert failed["answer"] == "It cannot start. Look."


def test_exit_codes() -> None:
    codes = {name: exit_code_of({"resolution": name}) for name in ("executed", "confirmed", "failed", "rolled_back",
             "pending", "blocked", "declined", "clarify")}  # fmt: skip
    assert codes == {"executed": 0, "confirmed": 0, "failed": 3, "rolled_back": 3, "pending": 4, "blocked": 5,
                     "declined": 6, "clarify": 7}  # fmt: skip
    assert exit_code_of({"resolution": "something new"}) == 3


def test_sizes() -> None:
    assert [size(n) for n in (0, 12, 999, 1_000, 146_300, 5_242_880)] == [
        "0 bytes", "12 bytes", "999 bytes", "1 kB", "146 kB", "5.2 MB",
    ]  # fmt: skip
    assert size(5_242_880, "de") == "5,2 MB"
    assert [size(n, "de") for n in (1, 12)] == ["1 Byte", "12 Byte"]
    assert size(1) == "1 byte"


def test_one_thing_is_not_several() -> None:
    assert [many(count, "change") for count in (0, 1, 2)] == ["0 changes", "1 change", "2 changes"]
    assert [many(count, "entry", "entries") for count in (1, 2)] == ["1 entry", "2 entries"]


def test_paths_in_a_sentence_are_written_as_a_person_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    assert homely("1. /home/anna/a b.txt, /home/anna/Documents/c") == "1. ~/a b.txt, ~/Documents/c"
    assert homely("There is no /home/anna.") == "There is no ~."
    assert homely("run: fs.read:/home/anna/**") == "run: fs.read:~/**"
    for other in ("/home/annabel/x", "/mnt/home/anna/x", "/home/anna.old/x"):
        assert homely(f"It is {other} here") == f"It is {other} here"


TRICKY = st.text(st.sampled_from("ab /\\x0a2u{}\n\t\x1b\u00a0\u200b\u202e\u2028é"), max_size=12)


@given(TRICKY, TRICKY)
def test_two_paths_are_never_shown_alike(one: str, other: str) -> None:
    assert (path_line(f"/{one}") == path_line(f"/{other}")) is (one == other)


@given(TRICKY)
def test_the_line_of_a_path_says_what_a_skill_says(path: str) -> None:
    from permissions.naming import readable

    assert path_line(f"/{path}", longest=1000) == readable(f"/{path}")


def test_two_blanks_stay_two() -> None:
    assert one_line("copy  it \n to") == "copy  it to"
    assert change_line({"kind": "created", "path": "/tmp/a  b.txt"}).endswith(" /tmp/a  b.txt")
    assert told_in_line({"kind": "created", "path": "/tmp/a  b.txt"}) == "created /tmp/a  b.txt"
