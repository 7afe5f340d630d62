"""What a tool was found to need bounds its next call, is kept in the ledger, and lets nothing exceed the tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel.allotting.allot import narrowed
from kernel.limits import LEARNED, MemoryLimits
from memory.model import Draft, Event
from permissions.model import CellOutcome, CellSpec, CellStatus, Level, Limits

Bench = Any  # tests/kernel/conftest.py
MIB = 1 << 20
GIB = 1 << 30
ASKED = Limits(memory_bytes=GIB)


def outcome(peak_mib: int, status: CellStatus = CellStatus.RETURNED, **more: Any) -> CellOutcome:
    return CellOutcome(status, Level.L3, peak_bytes=peak_mib * MIB, **more)


def learnt(*calls: CellOutcome, reads: tuple[str, ...] = ()) -> tuple[MemoryLimits, list[Draft]]:
    written: list[Draft] = []
    limits = MemoryLimits(written.append, machine_bytes=8 * GIB)
    for call in calls:
        limits.note("data.join", CellSpec(read_paths=reads, limits=ASKED), call, GIB)
    return limits, written


def as_events(drafts: list[Draft]) -> list[Event]:
    return [Event(n, n, draft.kind, None, None, draft.body, None, "") for n, draft in enumerate(drafts, 1)]


def test_the_next_call_begins_with_what_the_last_ones_needed() -> None:
    limits, _ = learnt(*[outcome(300)] * 3)
    assert limits.wanted("data.join", (), ASKED).reserve_bytes == 384 * MIB
    assert limits.wanted("data.total", (), ASKED).reserve_bytes == 256 * MIB, "another tool learns nothing from it"


def test_only_news_is_written_and_a_start_knows_it_again() -> None:
    limits, written = learnt(*[outcome(300)] * 6, outcome(700))
    assert [draft.kind for draft in written] == [LEARNED, LEARNED]
    again = MemoryLimits(written.append, machine_bytes=8 * GIB)
    again.replay(as_events(written))
    assert again.wanted("data.join", (), ASKED) == limits.wanted("data.join", (), ASKED)
    assert again.view("data.join", GIB) == limits.view("data.join", GIB)


@pytest.mark.parametrize("body", [None, {}, {"tool": "x", "shape": "no", "peaks": []}, {"tool": "x", "shape": 1,
    "peaks": 3}, {"tool": "x", "shape": 1, "peaks": [[1]], "reserve_bytes": 1, "most_bytes": 1}])  # fmt: skip
def test_an_event_that_cannot_be_read_is_learnt_again(body: Any) -> None:
    limits = MemoryLimits(lambda _: None, machine_bytes=8 * GIB)
    limits.replay([Event(1, 1, LEARNED, None, None, body, None, "")])
    assert limits.wanted("x", (), ASKED).reserve_bytes == 256 * MIB


def test_a_killed_call_doubles_what_the_tool_asks_for_and_the_tree_still_narrows_it() -> None:
    limits, _ = learnt(outcome(1020, CellStatus.OUT_OF_MEMORY))
    wanted = limits.wanted("data.join", (), ASKED)
    assert (wanted.reserve_bytes, wanted.memory_bytes) == (2 * GIB, 2 * GIB)
    bound = narrowed(wanted, {"memory": (512 * MIB, "root/user")}, "data.join")
    assert (bound.reserve_bytes, bound.memory_bytes) == (512 * MIB, 512 * MIB)
    (shown,) = limits.view("data.join", GIB, 512 * MIB)
    assert (shown["most_bytes"], shown["killed"]) == (512 * MIB, 1)


def test_a_call_that_found_the_machine_full_widens_nothing() -> None:
    limits, _ = learnt(outcome(300, CellStatus.OUT_OF_MEMORY, starved=True))
    assert limits.wanted("data.join", (), ASKED).memory_bytes == GIB


def test_large_files_and_small_ones_are_learnt_apart(tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(40 * MIB)
    limits, _ = learnt(outcome(800), reads=(str(large),))
    limits.note("data.join", CellSpec(limits=ASKED), outcome(20), GIB)
    assert limits.wanted("data.join", (), ASKED).reserve_bytes == 64 * MIB
    assert limits.wanted("data.join", (str(large),), ASKED).reserve_bytes == 1024 * MIB


async def test_a_real_call_is_remembered_shown_and_taken_up_by_the_next_kernel(bench: Bench) -> None:
    view = await bench.ask("find the three largest files in ~/Downloads")
    assert view["resolution"] == "confirmed", view["answer"]
    (learned,) = bench.kernel.rights.explain("files.largest", "memory")["learned"]
    assert (learned["tool"], learned["calls"], learned["reserve_bytes"]) == ("files.largest", 1, 64 * MIB)
    assert 0 < learned["peak_bytes"] <= 64 * MIB
    (done,) = [event["body"] async for event in bench.kernel.stream(run=view["run"]) if event["kind"] == "task.done"]
    assert done["peak_bytes"] == learned["peak_bytes"]
    assert done["reserved_bytes"] == 256 * MIB, "the first call began with what nobody had learnt yet"
    line = next(one for one in bench.kernel.doctor() if one["name"] == "memory limits")
    assert "files.largest" in line["state"]
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert bench.kernel.rights.explain("files.largest", "memory")["learned"] == [learned]
    await bench.kernel.rights.limit("files", "memory", "60MB")
    (bound,) = bench.kernel.rights.explain("files.largest", "memory")["learned"]
    assert bound["reserve_bytes"] == bound["most_bytes"] == 60_000_000
