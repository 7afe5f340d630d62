"""Changes as lines: few are listed, of many every folder is counted and the first are named."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from portal.cli.changes import FEW, FIRST, ChangeSet, change_line, change_lines

KINDS = st.sampled_from(["created", "modified", "deleted", "moved"])
CHANGES = st.lists(
    st.fixed_dictionaries(
        {"kind": KINDS, "path": st.sampled_from([f"/h/{f}/{n}" for f in "abcdefghijkl" for n in "xyz"])}
    ),
    max_size=60,
)


def many(count: int) -> list[dict[str, Any]]:
    return [{"kind": "created" if n % 2 else "deleted", "path": f"/h/f{n % 3}/{n}"} for n in range(count)]


def test_few_are_listed_and_nothing_else() -> None:
    assert list(change_lines(ChangeSet.of(many(2)), "en", "r-1")) == ["- deleted  /h/f0/0", "+ created  /h/f1/1"]


def test_thousands_are_a_summary_the_first_ten_and_the_way_to_the_rest() -> None:
    lines = list(change_lines(ChangeSet.of(many(5000)), "en", "r-1"))
    assert lines[0] == "5000 changes"
    assert sum(line.startswith(("+", "-")) for line in lines) == FIRST
    assert lines[-1] == "… and 4990 more; all of them: ./steward runs r-1 --all"
    counted = [
        int(number) for line in lines if " in /h/f" in line for number in re.findall(r"(\d+) (?:created|del)", line)
    ]
    assert sum(counted) == 5000
    assert len(list(change_lines(ChangeSet.of(many(5000)), "en", "r-1", everything=True))) == 5000


def test_a_summary_that_was_sent_reads_the_same() -> None:
    whole = ChangeSet.of(many(5000))
    sent = {"count": 5000, "first": many(5000)[:FIRST], "folders": list(whole.folders)}
    assert list(change_lines(ChangeSet.of(sent), "de", "r")) == list(change_lines(whole, "de", "r"))


@given(CHANGES)
def test_no_change_is_neither_listed_nor_counted(changes: list[dict[str, str]]) -> None:
    lines = list(change_lines(ChangeSet.of(changes), "en"))
    if len(changes) <= FEW:
        assert len(lines) == len(changes)
        return
    inside = [line for line in lines if line.startswith("  ")]
    counted = [
        int(n) for line in inside for n in re.findall(r"(\d+) (?:created|changed|deleted|moved|in \d+ more)", line)
    ]
    assert sum(counted) == len(changes)


def test_words_of_a_line() -> None:
    assert change_line({"kind": "moved", "source": "/h/a", "path": "/h/b"}) == "→ moved    /h/a → /h/b"
    whole = {"kind": "deleted", "path": "/h/old", "folder": True, "files": 214, "size_bytes": 1_200_000_000}
    assert change_line(whole) == "- deleted  /h/old  with 214 files, 1.2 GB"
    assert change_line(whole, "de") == "- gelöscht /h/old  mit 214 Dateien, 1,2 GB"
    assert change_line({"kind": "of a later version", "path": "/h/x"}).startswith("• of a later version")
