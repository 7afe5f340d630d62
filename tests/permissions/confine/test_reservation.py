"""A call begins with little memory and is given more while it needs it; where it may have no more, all of it ends."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import permissions
from permissions.confine import Cells, cgroup
from permissions.confine.reservation import LEFT_TO_OTHERS_BYTES, Reservation
from permissions.model import CellOutcome, CellSpec, CellStatus, Limits, Raised

pytestmark = pytest.mark.sandbox
EATERS = Path(__file__).with_name("eaters.py")
ROOT = str(Path(permissions.__file__).parents[1])
MIB = 1 << 20


class Kitchen:
    """Cells whose calls eat memory, and what was raised meanwhile."""

    def __init__(self, left_bytes: int) -> None:
        self.cells = Cells([sys.executable, str(EATERS)], environment={"PYTHONPATH": ROOT}, left_bytes=left_bytes)
        self.raised: list[Raised] = []

    async def call(self, act: str, *, reads: tuple[str, ...] = (), limits: Limits, **words: Any) -> CellOutcome:
        request = json.dumps({"act": act, **words}).encode()
        spec = CellSpec(read_paths=reads, limits=limits)
        return await self.cells.call(spec, request, on_raised=self.raised.append)


@pytest.fixture
def left_bytes() -> int:
    return LEFT_TO_OTHERS_BYTES


@pytest.fixture
async def kitchen(left_bytes: int) -> AsyncIterator[Kitchen]:
    groups = cgroup.find_groups()
    if not (groups.memory or groups.unified):
        pytest.skip("needs a control group of our own: run as root, or under systemd with Delegate=yes")
    one = Kitchen(left_bytes)
    yield one
    await one.cells.close()


async def test_a_call_that_needs_more_than_it_began_with_is_given_more(kitchen: Kitchen) -> None:
    outcome = await kitchen.call("hold", mib=400, limits=Limits(memory_bytes=1 << 30, reserve_bytes=64 * MIB))
    assert (outcome.status, outcome.reply) == (CellStatus.RETURNED, b"400")
    assert kitchen.raised[0].before_bytes == 64 * MIB
    assert all(one.now_bytes > one.before_bytes for one in kitchen.raised)
    assert outcome.reserved_bytes == kitchen.raised[-1].now_bytes <= 1 << 30
    assert 400 * MIB <= outcome.peak_bytes < 480 * MIB


async def test_a_call_that_keeps_to_what_it_began_with_is_left_alone(kitchen: Kitchen) -> None:
    outcome = await kitchen.call("hold", mib=32, limits=Limits(memory_bytes=1 << 30, reserve_bytes=128 * MIB))
    assert outcome.status is CellStatus.RETURNED
    assert (kitchen.raised, outcome.reserved_bytes) == ([], 128 * MIB)
    assert 32 * MIB <= outcome.peak_bytes < 64 * MIB


async def test_it_is_never_given_more_than_its_limit(kitchen: Kitchen) -> None:
    outcome = await kitchen.call("hold", mib=600, limits=Limits(memory_bytes=256 * MIB, reserve_bytes=64 * MIB))
    assert outcome.status is CellStatus.OUT_OF_MEMORY
    assert outcome.wall_s < 5
    assert max(one.now_bytes for one in kitchen.raised) == 256 * MIB
    assert outcome.peak_bytes <= 257 * MIB
    assert not outcome.starved


@pytest.mark.parametrize("left_bytes", [1 << 60])
async def test_where_the_machine_has_no_more_it_is_ended_and_that_is_said(kitchen: Kitchen) -> None:
    """The control is the first test: the same call with the same limits, on a machine that has more to give."""
    limits = Limits(memory_bytes=1 << 30, reserve_bytes=64 * MIB)
    outcome = await kitchen.call("hold", mib=400, stay_s=30.0, limits=limits)
    assert (outcome.status, outcome.starved, kitchen.raised) == (CellStatus.OUT_OF_MEMORY, True, [])
    assert outcome.wall_s < 2


async def test_pages_of_files_that_were_read_are_not_needed_memory(kitchen: Kitchen, tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        for _ in range(200):
            file.write(os.urandom(1024) * 1024)
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    limits = Limits(memory_bytes=1 << 30, reserve_bytes=64 * MIB)
    outcome = await kitchen.call("read_through", path=str(large), reads=(str(large),), limits=limits)
    assert (outcome.status, outcome.reply) == (CellStatus.RETURNED, b"600")
    assert (kitchen.raised, outcome.reserved_bytes) == ([], 64 * MIB)


async def test_when_a_part_is_killed_for_lack_of_memory_all_of_it_ends(kitchen: Kitchen) -> None:
    outcome = await kitchen.call("child_holds", mib=400, limits=Limits(memory_bytes=128 * MIB, wall_s=20))
    assert (outcome.status, outcome.reply) == (CellStatus.OUT_OF_MEMORY, None)
    assert outcome.wall_s < 5


async def test_processes_that_were_refused_are_counted(kitchen: Kitchen) -> None:
    outcome = await kitchen.call("many", count=60, limits=Limits(processes=10))
    assert outcome.status is CellStatus.RETURNED
    assert int(outcome.reply or b"0") < 20
    assert outcome.refused_processes >= 1
    free = await kitchen.call("many", count=10, limits=Limits(processes=30))
    assert free.refused_processes == 0


@pytest.mark.parametrize(("lasts_s", "opened"), [(0, []), (0.1, ["/nowhere"])])
async def test_a_call_that_ends_soon_is_not_watched(
    monkeypatch: pytest.MonkeyPatch, lasts_s: float, opened: list[str]
) -> None:
    found: list[str] = []

    def open_gauge(folder: str, *, unified: bool) -> None:
        found.append(folder)
        raise FileNotFoundError

    monkeypatch.setattr("permissions.confine.reservation.open_gauge", open_gauge)
    one = Reservation(Limits(reserve_bytes=64 * MIB))
    one.begin(("/nowhere", False), one.stop)
    await asyncio.sleep(lasts_s)
    one.stop()
    await asyncio.sleep(0.1)
    assert found == opened


@pytest.mark.parametrize(("used", "peak"), [(50, 50), (0, 0)])
def test_without_a_look_the_peak_is_what_was_used(used: int, peak: int) -> None:
    assert Reservation(Limits()).peak(used) == peak
