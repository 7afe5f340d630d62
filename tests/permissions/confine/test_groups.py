"""The control group of a call, held against what the kernel says about it: bounds, gauges, and where one can be had."""

from __future__ import annotations

import asyncio
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from permissions.confine import Cells, cgroup
from permissions.confine.gauge import NOTHING_IS_BOUNDED, UnifiedGauge, open_gauge
from permissions.confine.reservation import Reservation
from permissions.errors import WallUnavailable
from permissions.model import CellSpec, Level, Limits, Raised

pytestmark = pytest.mark.sandbox
MIB = 1 << 20
ROOT = str(Path(cgroup.__file__).parents[2])


@pytest.fixture
def groups() -> cgroup.Groups:
    found = cgroup.find_groups()
    if not (found.memory or found.unified):
        pytest.skip("needs a control group of our own: run as root, or under systemd with Delegate=yes")
    return found


def made(groups: cgroup.Groups) -> cgroup.Leaf:
    leaf = cgroup.make_leaf(groups, f"{cgroup.owner_of(os.getpid())}-{time.monotonic_ns() % 10**6}")
    assert leaf is not None
    return leaf


@pytest.fixture
def leaf(groups: cgroup.Groups) -> Iterator[cgroup.Leaf]:
    one = made(groups)
    yield one
    one.remove()


def place_of(leaf: cgroup.Leaf) -> tuple[str, bool]:
    place = leaf.where()
    assert place is not None
    return place


def entering(*files: Path) -> Callable[[], None]:
    """Return what a child does before it becomes its program: it enters groups by these files."""

    def enter() -> None:
        for file in files:
            file.write_text("0")

    return enter


def test_what_the_kernel_holds_a_group_to_is_what_was_said(leaf: cgroup.Leaf) -> None:
    leaf.limit(96 * MIB, 10)
    memory, unified = place_of(leaf)
    assert cgroup.read(f"{memory}/memory.{'max' if unified else 'limit_in_bytes'}").strip() == str(96 * MIB)
    pids = leaf.own.unified or leaf.own.pids
    assert pids is None or cgroup.read(pids / "pids.max").strip() == "11", "ten, and the init of the cell"
    if unified:
        assert cgroup.read(f"{memory}/memory.oom.group").strip() == "1"
        assert cgroup.read(f"{memory}/memory.swap.max").strip() in ("0", "")


def test_a_call_neither_enters_another_group_nor_changes_a_limit(wall: Any, leaf: cgroup.Leaf) -> None:
    """Whoever was delegated a group may do both to every group in it, so no call may reach them."""
    folder, unified = place_of(leaf)
    limit = "memory.max" if unified else "memory.limit_in_bytes"
    for act, file in (("enter_group", "cgroup.procs"), ("limit_group", limit)):
        path = os.path.join(folder, file)
        if wall.outside(act, path=path) not in ("moved", "limited"):
            pytest.skip("to this user no group is delegated")
        assert wall.inside(act, path=path) in ("ENOENT", "EACCES")


GROWING = """
import sys, time
parts = [bytearray(b"x") * (200 << 20)]
print("holds", flush=True)
sys.stdin.readline()
longest, before = 0.0, time.monotonic()
for _ in range(300):
    parts.append(bytearray(b"x") * (1 << 20))
    now = time.monotonic()
    longest, before = max(longest, now - before), now
    time.sleep(0.001)
print(longest, flush=True)
"""


@contextmanager
def inside(leaf: cgroup.Leaf, code: str) -> Iterator[subprocess.Popen[str]]:
    """A program in the group, which has said its first line."""
    enter = entering(*(folder / "cgroup.procs" for folder in leaf.folders))
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          preexec_fn=enter) as process:  # noqa: PLW1509 - no threads here  # fmt: skip
        assert process.stdout
        assert process.stdout.readline()
        yield process
        process.kill()


def grow(process: subprocess.Popen[str]) -> float:
    """Let it go on, and return the longest time in seconds that one step took."""
    return float(process.communicate("\n")[0])


async def test_who_has_more_than_it_began_with_is_raised_before_it_is_slowed_down(leaf: cgroup.Leaf) -> None:
    """The mark lies behind already when watching begins: in version 2 a page more would wait for two seconds."""
    leaf.limit(1 << 30, 64)
    raised: list[Raised] = []
    one = Reservation(Limits(memory_bytes=1 << 30, reserve_bytes=64 * MIB), raised.append)

    with inside(leaf, GROWING) as process:
        one.begin(leaf.where(), process.kill)
        longest_s = await asyncio.to_thread(grow, process)
        one.stop()
    assert raised[0].now_bytes >= 200 * MIB
    assert raised[-1].now_bytes >= 500 * MIB
    assert longest_s < 1


HOLDING = """
import sys
print("begins", flush=True)
part = bytearray(b"x") * (64 << 20)
print("holds", flush=True)
sys.stdin.read()
"""


def test_a_gauge_wakes_at_its_mark_and_tells_what_is_needed(leaf: cgroup.Leaf) -> None:
    leaf.limit(1 << 30, 64)
    folder, unified = place_of(leaf)
    with closing(open_gauge(folder, unified=unified)) as gauge:
        gauge.wake_at(32 * MIB)
        assert not select.select([gauge.fileno()], [], [], 0.1)[0], "the control: nothing has happened"
        with inside(leaf, HOLDING) as process:
            assert select.select([gauge.fileno()], [], [], 30)[0]
            assert not gauge.woken(), "nobody was killed"
            gauge.wake_never()  # version 2 holds it back until then
            assert process.stdout
            assert process.stdout.readline() == "holds\n"
            used, needed = gauge.use()
            assert 64 * MIB <= needed <= used < 200 * MIB


@pytest.mark.parametrize("deep", [False, True])
def test_the_room_is_what_every_group_above_leaves(groups: cgroup.Groups, deep: bool) -> None:
    """A group above is bounded, as a person does with ``MemoryMax=``: directly above, or one above that."""
    top = groups.unified or groups.memory
    assert top is not None
    unified = groups.unified is not None
    above, inner = top / f"above-{os.getpid()}", top / f"above-{os.getpid()}" / "inner"
    with ExitStack() as until:
        for folder in (above, inner):
            if unified and "memory" not in cgroup.read(folder.parent / "cgroup.subtree_control"):
                cgroup.write(folder.parent / "cgroup.subtree_control", "+memory +pids")
            folder.mkdir()
            until.callback(folder.rmdir)
        leaf = made(cgroup.Groups(unified=inner) if unified else cgroup.Groups(memory=inner))
        until.callback(leaf.remove)
        gauge = until.enter_context(closing(open_gauge(place_of(leaf)[0], unified=unified)))
        before = gauge.room()
        bound = "memory.max" if unified else "memory.limit_in_bytes"
        cgroup.write((above if deep else inner) / bound, 300 * MIB)
        assert before > 300 * MIB, "the control"
        assert 290 * MIB < gauge.room() <= 300 * MIB
        assert gauge.room() < NOTHING_IS_BOUNDED


def test_a_group_that_is_removed_did_not_run_out_of_memory(groups: cgroup.Groups) -> None:
    leaf = made(groups)
    folder, unified = place_of(leaf)
    with closing(open_gauge(folder, unified=unified)) as gauge:
        leaf.remove()
        woken, _, _ = select.select([gauge.fileno()], [], [], 5.0)
        assert woken  # the control: the kernel does wake it
        with suppress(OSError):  # version 2: what has ended cannot be read
            assert not gauge.woken()


def test_a_gauge_that_cannot_be_opened_leaves_nothing_open(tmp_path: Path) -> None:
    (tmp_path / "memory.events").write_text("oom_kill 0\n")  # a plain file, which no poll takes
    before = sorted(os.listdir("/proc/self/fd"))
    with pytest.raises(OSError, match="not permitted"):
        UnifiedGauge(tmp_path)
    assert sorted(os.listdir("/proc/self/fd")) == before


FIND = "from permissions.confine import cgroup, survey; print(bool(cgroup.find_groups()), survey()[4])"


@pytest.mark.parametrize("crowded", [False, True])
def test_a_group_above_with_processes_of_its_own_is_not_promised(groups: cgroup.Groups, crowded: bool) -> None:
    """There the kernel refuses to divide it ("no internal processes"), and every call would go unbounded unnoticed."""
    if groups.unified is None:
        pytest.skip("needs version 2 of the control groups: make vm-cgroup2")
    above, own = groups.unified / f"above-{os.getpid()}", groups.unified / f"above-{os.getpid()}" / "own"
    with ExitStack() as until:
        for folder in (above, own):
            folder.mkdir()
            until.callback(folder.rmdir)
        if crowded:
            other = subprocess.Popen(["sleep", "600"], preexec_fn=entering(above / "cgroup.procs"))  # noqa: PLW1509 - no threads here
            until.callback(other.wait)
            until.callback(other.kill)
        said = subprocess.run(
            [sys.executable, "-c", FIND],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            preexec_fn=entering(own / "cgroup.procs"),
        ).stdout
        assert said.startswith(str(not crowded))
        assert ("no group is delegated" in said) == crowded


async def test_a_call_whose_group_cannot_be_made_does_not_run(groups: cgroup.Groups) -> None:
    worker = [sys.executable, str(Path(__file__).parent / "eaters.py")]
    request = json.dumps({"act": "hold", "mib": 1}).encode()
    cells = Cells(worker, environment={"PYTHONPATH": ROOT})

    async def several() -> None:
        for _ in range(20):  # those that stand by have their group
            await cells.call(CellSpec(), request)

    with ExitStack() as until:
        try:
            if await cells.start() is not Level.L3:
                pytest.skip("below L3 no group is made ahead of its call")
            assert (await cells.call(CellSpec(), request)).reply, "the control"
            for place in {*filter(None, (groups.memory, groups.unified))}:
                for number in range(1, 60):
                    taken = place / f"steward-{cgroup.owner_of(cells.pid or 0)}-{number}"
                    if not taken.exists():
                        taken.mkdir()
                        until.callback(taken.rmdir)
            with pytest.raises(WallUnavailable, match="its control group cannot be made"):
                await several()
        finally:
            await cells.close()
