"""What raw events of files come to: one thing, when it is over."""

from __future__ import annotations

import pytest

from kernel.routines.model import Change
from kernel.routines.watching.settling import REST_S, UNCLOSED_S, Raw, Seen, Settling

HERE = "/home/x/Downloads/a.pdf"


def told(*events: tuple[Raw, float], known: bool = False, after: float = REST_S) -> list[Seen]:
    """What ``events`` come to so long after the last of them."""
    settling = Settling([HERE] if known else [])
    for raw, at in events:
        settling.take_in(raw, HERE, at)
    return settling.settled(events[-1][1] + after)


@pytest.mark.parametrize(("events", "known", "change"), [
    ([(Raw.MADE, 0.0), (Raw.CLOSED, 0.1)], False, Change.CREATED),
    ([(Raw.CLOSED, 0.0)], True, Change.CHANGED),
    ([(Raw.MOVED_HERE, 0.0)], True, Change.CHANGED),  # an editor puts a new file in the place of the old
    ([(Raw.GONE, 0.0), (Raw.MADE, 0.1), (Raw.CLOSED, 0.1)], True, Change.CHANGED),  # another takes it away first
    ([(Raw.GONE, 0.0)], True, Change.DELETED),
])  # fmt: skip
def test_one_thing_is_told(events: list[tuple[Raw, float]], known: bool, change: Change) -> None:
    assert told(*events, known=known) == [Seen(change, HERE)]


def test_what_came_and_went_is_nothing() -> None:
    assert told((Raw.MADE, 0.0), (Raw.CLOSED, 0.0), (Raw.GONE, 0.1)) == []


def test_nothing_is_told_while_it_goes_on() -> None:
    assert told((Raw.CLOSED, 0.0), known=True, after=REST_S / 2) == []
    assert told((Raw.MADE, 0.0), after=UNCLOSED_S / 2) == []
    assert told((Raw.MADE, 0.0), after=UNCLOSED_S) == [Seen(Change.CREATED, HERE)]


def test_a_writer_that_goes_on_is_waited_for() -> None:
    settling = Settling()
    settling.take_in(Raw.MADE, HERE, 0.0)
    assert settling.settled(UNCLOSED_S, lambda path: path == HERE) == []
    assert settling.next_at() == 2 * UNCLOSED_S
    settling.take_in(Raw.CLOSED, HERE, UNCLOSED_S + 1)
    assert settling.settled(UNCLOSED_S + 2, lambda _path: True) == [Seen(Change.CREATED, HERE)]


def test_moved_in_is_told_from_renamed() -> None:
    settling = Settling()
    settling.take_in(Raw.MOVED_HERE, HERE, 0.0)
    settling.take_in(Raw.MOVED_HERE, HERE + ".txt", 0.0, renamed=True)
    assert settling.settled(1.0) == [Seen(Change.CREATED, HERE, moved=True), Seen(Change.CREATED, HERE + ".txt")]


@pytest.mark.parametrize("name", ["a.pdf.part", "b.crdownload", ".hidden", "~$letter.docx", "c.txt~", ".goutput-X"])
def test_what_is_no_file_yet_is_none(name: str) -> None:
    settling = Settling()
    settling.take_in(Raw.CLOSED, f"/home/x/{name}", 0.0)
    assert settling.next_at() is None


def test_a_file_is_new_again_after_it_went() -> None:
    settling = Settling([HERE])
    settling.take_in(Raw.GONE, HERE, 0.0)
    assert [one.change for one in settling.settled(1.0)] == [Change.DELETED]
    settling.take_in(Raw.CLOSED, HERE, 2.0)
    assert [one.change for one in settling.settled(3.0)] == [Change.CREATED]
