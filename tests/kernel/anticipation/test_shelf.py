"""What is kept of calls that were made ahead: for one very call, for some minutes, and not too much of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from kernel.anticipation.shelf import MOST_BYTES, MOST_KEPT, Kept, Made, Shelf, key_of
from permissions.model import CellOutcome, CellSpec, CellStatus, Level, Limits
from skills.model import Call, CallResult, Holds, ToolId
from skills.runner import Ran

CALL = Call(ToolId("data.show"), "/skills/data", "show", {"table": {"path": "/home/u/a.csv"}}, "en", "/home/u",
            "/home/u", "2026-03-02T09:00:00+01:00", "Europe/Berlin", 7)  # fmt: skip
SPEC = CellSpec(read_paths=("/home/u/a.csv", "/skills/data"))


def _kept(holds: Holds = Holds.ALWAYS, size: int = 10, until_s: float = 100.0) -> Kept:
    ran = Ran(CallResult("value", holds=holds), CellOutcome(CellStatus.RETURNED, Level.L3))
    made = Made("data.show", "k", "sequence", datetime.now(UTC).isoformat(), size_bytes=size)
    return Kept(ran, "print", "2026-03-02", until_s, made)


def test_the_same_call_later_from_elsewhere_and_with_more_time_is_the_same() -> None:
    later = replace(CALL, now="2026-03-02T11:00:00+01:00", cwd="/home/u/Downloads", seed=9)
    roomy = replace(SPEC, limits=Limits(wall_s=99), in_background=True)
    assert key_of(later, roomy, "h", "L3") == key_of(CALL, SPEC, "h", "L3")


@pytest.mark.parametrize(
    ("call", "spec", "contents", "level"),
    [
        (replace(CALL, arguments={"table": {"path": "/home/u/b.csv"}}), SPEC, "h", "L3"),
        (replace(CALL, function="describe"), SPEC, "h", "L3"),
        (replace(CALL, language="de"), SPEC, "h", "L3"),
        (replace(CALL, timezone="Asia/Tokyo"), SPEC, "h", "L3"),
        (replace(CALL, view=({"op": "delete", "path": "/home/u/a.csv"},)), SPEC, "h", "L3"),
        (replace(CALL, called=True), SPEC, "h", "L3"),
        (CALL, replace(SPEC, hidden_paths=("/home/u/a.csv",)), "h", "L3"),
        (CALL, replace(SPEC, read_paths=("/home/u", "/skills/data")), "h", "L3"),
        (CALL, replace(SPEC, hosts=("example.org",)), "h", "L3"),
        (CALL, replace(SPEC, minimum=Level.L3), "h", "L3"),
        (CALL, SPEC, "another version of the skill", "L3"),
        (CALL, SPEC, "h", "L2"),
    ],
)
def test_another_call_code_right_or_wall_is_not_the_same(call: Call, spec: CellSpec, contents: str, level: str) -> None:
    assert key_of(call, spec, contents, level) != key_of(CALL, SPEC, "h", "L3")


def test_what_goes_by_the_day_holds_on_that_day() -> None:
    days = ("2026-03-02", "2026-03-03")
    assert [_kept(Holds.ALWAYS).holds_on(day) for day in days] == [True, True]
    assert [_kept(Holds.DAY).holds_on(day) for day in days] == [True, False]
    assert [_kept(Holds.MOMENT).holds_on(day) for day in days] == [False, False]


def test_what_is_taken_is_kept_no_longer() -> None:
    shelf, one = Shelf(), _kept()
    shelf.put("a", one)
    assert one.made.state == "kept"
    assert shelf.take("b", 0.0) is None
    assert shelf.take("a", 0.0) is one
    assert shelf.take("a", 0.0) is None


def test_what_was_kept_long_enough_goes() -> None:
    shelf, one = Shelf(), _kept(until_s=100.0)
    shelf.put("a", one)
    assert shelf.take("a", 100.0) is None
    assert (one.made.state, one.made.ended) == ("dropped", "old")


def test_the_oldest_go_where_there_are_too_many_or_too_much() -> None:
    shelf = Shelf()
    for at in range(MOST_KEPT + 2):
        shelf.put(str(at), _kept())
    assert list(shelf.kept) == [str(at) for at in range(2, MOST_KEPT + 2)]
    shelf.put("large", _kept(size=MOST_BYTES))
    assert list(shelf.kept) == ["large"]
    shelf.clear("forgotten")
    assert shelf.kept == {}
