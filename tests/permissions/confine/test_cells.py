"""Calls in cells: what comes back, how they end, and that nothing of them is left."""

from __future__ import annotations

import asyncio
import fcntl
import gc
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import permissions
from permissions.confine import Cells, cgroup
from permissions.confine.zygote import SPARE
from permissions.errors import BadScope, WallUnavailable
from permissions.model import CellOutcome, CellSpec, CellStatus, Level, Limits

pytestmark = pytest.mark.sandbox


def is_free(lock: Path) -> bool:
    """Tell whether nobody alive holds ``lock``; waits for nothing."""
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        await asyncio.sleep(0.01)


# -- what comes back --------------------------------------------------------------------------------------------------
def test_the_level_is_what_the_situation_gives(wall: Any) -> None:
    denied = "--without-namespaces" in wall.prefix
    outcome = wall.call("echo", text="hello")
    assert outcome.level is wall.level
    assert outcome.level is (Level.L2 if denied else Level.L3)


def test_a_call_returns_its_reply_and_what_it_used(wall: Any) -> None:
    outcome = wall.call("echo", text="hello")
    assert outcome.status is CellStatus.RETURNED
    assert outcome.reply == b'{"value": "hello"}'
    assert (outcome.exit_code, outcome.signal, outcome.stderr_tail) == (0, None, "")
    assert 0 < outcome.cpu_s < 5
    assert 0 < outcome.wall_s < 5
    assert outcome.peak_bytes > 100_000


def test_large_requests_and_replies_pass_whole(wall: Any) -> None:
    text = "steward" * 700_000
    assert wall.inside("echo", text=text) == text


def test_progress_arrives_in_order_and_before_the_reply(wall: Any) -> None:
    seen: list[bytes] = []
    outcome = wall.call("steps", on_progress=seen.append, count=500)
    assert seen == [str(number).encode() for number in range(500)]
    assert outcome.status is CellStatus.RETURNED


def test_a_granted_file_is_read_and_staging_is_written(wall: Any) -> None:
    letter, stage = wall.file("calls/letter.txt", "dear"), wall.folder("stage")
    spec = CellSpec(read_paths=(letter,), write_paths=(str(stage),))
    assert wall.inside("read", spec, path=letter) == "dear"
    assert wall.inside("write", spec, path=f"{stage}/0001") == "written"
    assert wall.inside("rename_away", spec, path=f"{stage}/0001") == "gone"
    made = stage / "0001.moved"
    assert (made.read_text(), made.stat().st_uid, made.stat().st_mode & 0o777) == ("written", wall.uid, 0o600)


def test_a_writable_folder_in_a_readable_tree_is_writable(wall: Any) -> None:
    tree = wall.folder("outer")
    inner = wall.folder("outer/inner")
    spec = CellSpec(read_paths=(str(tree),), write_paths=(str(inner),))
    assert wall.inside("write", spec, path=f"{inner}/new") == "written"
    assert wall.inside("write", spec, path=f"{tree}/new") in ("EROFS", "EACCES")


def test_names_with_spaces_and_umlauts_are_granted(wall: Any) -> None:
    path = wall.file("Büro Ordner/Rechnung für Öl.txt", "12 €")
    assert wall.inside("read", CellSpec(read_paths=(path,)), path=path) == "12 €"


def test_threads_and_child_programs_work(wall: Any) -> None:
    assert wall.inside("threads", count=8) == 28
    assert wall.inside("child_program") == "42"


def test_calls_run_at_the_same_time(wall: Any) -> None:
    async def both() -> list[Any]:
        calls = [wall.cells.call(CellSpec(), wall.request("echo", text=str(number))) for number in range(12)]
        return await asyncio.gather(*calls)

    assert [outcome.reply for outcome in wall.wait(both())] == [b'{"value": "%d"}' % number for number in range(12)]


# -- what is refused before it runs -----------------------------------------------------------------------------------
def test_a_vanished_path_is_named(wall: Any) -> None:
    gone = str(wall.home / "gone.txt")
    with pytest.raises(BadScope) as caught:
        wall.call("read", CellSpec(read_paths=(gone,)), path=gone)
    assert caught.value.code == "scope.vanished"
    assert gone in str(caught.value)
    assert caught.value.subject == gone
    assert caught.value.hint


def test_a_pipe_is_not_shown(wall: Any) -> None:
    pipe = wall.home / "pipe"
    if not pipe.exists():
        os.mkfifo(pipe)
    with pytest.raises(BadScope):
        wall.call("read", CellSpec(read_paths=(str(pipe),)), path=str(pipe))


@pytest.mark.parametrize(
    "path", ["/", "/proc", "/proc/self", "/sys/kernel", "/dev", "relative", "/a/../b", "/a/", "/a\0b", ""]
)
def test_places_that_are_never_shown(wall: Any, path: str) -> None:
    for spec in (
        CellSpec(read_paths=(path,)),
        CellSpec(write_paths=(path,)),
        CellSpec(hidden_paths=("/x",), read_paths=(path,)),
    ):
        with pytest.raises(BadScope):
            wall.call("echo", spec, text="never")


def test_a_machine_that_is_too_weak_is_refused_with_a_remedy(wall: Any) -> None:
    spec = CellSpec(minimum=Level.L3)
    if wall.level is Level.L3:
        assert wall.inside("echo", spec, text="strong") == "strong"
        return
    with pytest.raises(WallUnavailable) as caught:
        wall.call("echo", spec, text="never")
    assert caught.value.code == "wall.too_weak"
    assert "namespaces" in str(caught.value)
    assert "./steward doctor" in caught.value.hint


# -- how calls end ----------------------------------------------------------------------------------------------------
def test_a_crash_is_told_with_its_trace(wall: Any) -> None:
    outcome = wall.call("fail")
    assert (outcome.status, outcome.exit_code, outcome.reply) == (CellStatus.CRASHED, 1, None)
    assert "ValueError: as it was told" in outcome.stderr_tail
    assert "on its way" in outcome.stderr_tail


@pytest.mark.parametrize("act", ["leave", "leave_politely"])
def test_an_exit_without_reply_is_a_crash(wall: Any, act: str) -> None:
    outcome = wall.call(act, code=3)
    assert (outcome.status, outcome.exit_code, outcome.reply) == (CellStatus.CRASHED, 3, None)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_death_by_signal_is_told(wall: Any, number: int) -> None:
    outcome = wall.call("die_by", number=int(number))
    assert (outcome.status, outcome.signal, outcome.exit_code) == (CellStatus.CRASHED, number, None)


@pytest.mark.parametrize(("act", "words"), [("sleep", {"seconds": 600}), ("stop_itself", {})])
def test_the_wall_clock_ends_a_call_whatever_it_does(wall: Any, act: str, words: dict[str, Any]) -> None:
    outcome = wall.call(act, CellSpec(limits=Limits(wall_s=0.3)), **words)
    assert outcome.status is CellStatus.OUT_OF_TIME
    assert 0.3 <= outcome.wall_s < 5


@pytest.mark.parametrize("act", ["spin", "ignore_cpu_limit"])
def test_processor_time_is_limited(wall: Any, act: str) -> None:
    if act == "ignore_cpu_limit" and wall.prefix:
        pytest.skip("shown once is enough: it costs two seconds of processor time")
    outcome = wall.call(act, CellSpec(limits=Limits(cpu_s=1, wall_s=60)))
    assert outcome.status is CellStatus.OUT_OF_TIME
    assert outcome.cpu_s >= 0.5  # the kernel counts this clock in ticks


def test_memory_is_limited(wall: Any) -> None:
    outcome = wall.call("hog", CellSpec(limits=Limits(memory_bytes=128 << 20)), size=512 << 20)
    assert outcome.status is CellStatus.OUT_OF_MEMORY
    assert outcome.peak_bytes < 200 << 20
    assert wall.inside("hog", CellSpec(limits=Limits(memory_bytes=1 << 30)), size=256 << 20) == 16


def test_shared_memory_is_limited_where_there_is_a_group(wall: Any) -> None:
    groups = cgroup.find_groups()
    if wall.prefix or not (groups.memory or groups.unified):
        pytest.skip("needs a control group of our own: run as root, or under systemd with Delegate=yes")
    outcome = wall.call("hog_shared", CellSpec(limits=Limits(memory_bytes=96 << 20)), size=256 << 20)
    assert (outcome.status, outcome.signal) == (CellStatus.OUT_OF_MEMORY, signal.SIGKILL)
    assert outcome.peak_bytes <= 97 << 20


def test_a_fork_bomb_is_bounded(wall: Any) -> None:
    if wall.level is not Level.L3:
        pytest.skip("below L3 the kernel counts all processes of the user; the bound is there but wide")
    assert wall.inside("fork_many", CellSpec(limits=Limits(processes=16)), most=300) <= 18
    assert wall.inside("fork_many", CellSpec(limits=Limits(processes=120)), most=100) == 100


def test_a_flood_of_output_is_cut_and_never_kept(wall: Any) -> None:
    outcome = wall.call("flood", size=1 << 20)
    assert outcome.status is CellStatus.RETURNED
    assert 1000 < len(outcome.stderr_tail) <= 16 << 10
    outcome = wall.call("flood", size=1 << 40)
    assert outcome.status is CellStatus.CRASHED
    assert "64 MiB" in outcome.stderr_tail
    assert len(outcome.stderr_tail) < 17 << 10


def test_a_flood_of_progress_is_cut(wall: Any) -> None:
    outcome = wall.call("flood_progress", on_progress=lambda _: None)
    assert outcome.status is CellStatus.CRASHED
    assert "64 MiB" in outcome.stderr_tail


def test_a_forged_answer_is_no_answer(wall: Any) -> None:
    outcome = wall.call("forge")
    assert (outcome.status, outcome.reply) == (CellStatus.CRASHED, None)
    assert outcome.wall_s < 10


def test_a_survivor_of_another_session_dies_with_the_call(wall: Any) -> None:
    lock = wall.folder("survivor") / "lock"
    spec = CellSpec(write_paths=(str(lock.parent),))
    began = time.monotonic()
    assert wall.inside("leave_survivor", spec, lock=str(lock)) == "!"
    assert time.monotonic() - began < 10, "the daemon waited for a pipe that a grandchild holds"
    assert lock.exists()
    assert is_free(lock)


def test_a_call_that_says_it_leaves_and_stays_is_waited_for(wall: Any) -> None:
    late = wall.folder("staying") / "late"
    wall.call("say_leaving_and_stay", CellSpec(write_paths=(str(late.parent),)), file=str(late), late_s=0.5)
    assert late.read_text() == "late", "whoever reads now reads all that was written"
    late.unlink()
    time.sleep(0.6)
    assert not late.exists()


async def test_a_start_that_is_cancelled_again_and_again_leaves_nothing_behind() -> None:
    busy, loop = threading.Event(), asyncio.get_running_loop()
    threads = [loop.run_in_executor(None, busy.wait) for _ in range(64)]  # so that nothing is waited for in a thread
    gc.collect()  # what other tests left goes before it is counted
    before = set(os.listdir("/proc/self/fd"))
    cells = Cells([sys.executable, "-c", "import time; time.sleep(60)"])
    starting = asyncio.ensure_future(cells.start())
    await until(lambda: len(os.listdir("/proc/self/fd")) >= len(before) + 2)
    while not starting.done():
        starting.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert set(os.listdir("/proc/self/fd")) == before
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        del starting, cells
        gc.collect()
    busy.set()
    await asyncio.gather(*threads)
    assert not said, "a worker that nobody has waited for"


def test_cancelling_kills_the_cell(wall: Any) -> None:
    lock = wall.folder("cancelled") / "lock"
    spec = CellSpec(write_paths=(str(lock.parent),))

    async def cancelled() -> None:
        holding = asyncio.Event()
        call = asyncio.ensure_future(
            wall.cells.call(spec, wall.request("hold_lock", lock=str(lock)), on_progress=lambda _: holding.set())
        )
        await asyncio.wait_for(holding.wait(), 10)
        assert not is_free(lock)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    wall.wait(cancelled())
    assert is_free(lock)


def test_a_listener_that_fails_ends_the_call(wall: Any) -> None:
    def listener(_: bytes) -> None:
        raise KeyError("mine")

    lock = wall.folder("listener") / "lock"
    with pytest.raises(KeyError):
        wall.call("hold_lock", CellSpec(write_paths=(str(lock.parent),)), on_progress=listener, lock=str(lock))
    assert is_free(lock)


# -- the worker behind it ---------------------------------------------------------------------------------------------
def test_a_worker_that_dies_is_replaced_and_takes_its_cells_along(wall: Any) -> None:
    lock = wall.folder("worker") / "lock"
    spec = CellSpec(write_paths=(str(lock.parent),))

    async def killed() -> None:
        cells = wall.new_cells()
        try:
            holding = asyncio.Event()
            call = asyncio.ensure_future(
                cells.call(spec, wall.request("hold_lock", lock=str(lock)), on_progress=lambda _: holding.set())
            )
            await asyncio.wait_for(holding.wait(), 10)
            first = cells.pid
            assert first
            os.kill(first, signal.SIGKILL)
            outcome = await call
            assert outcome.status is CellStatus.CRASHED
            assert "worker died" in outcome.stderr_tail
            await until(lambda: is_free(lock))
            again = await cells.call(CellSpec(), wall.request("echo", text="back"))
            assert again.status is CellStatus.RETURNED
            assert not list(Path(tempfile.gettempdir()).glob(f"steward-cell-{first}-*")), "its private folder is left"
        finally:
            await cells.close()

    wall.wait(killed())


def test_closing_ends_running_calls(wall: Any) -> None:
    lock = wall.folder("closing") / "lock"
    spec = CellSpec(write_paths=(str(lock.parent),))

    async def closed() -> None:
        cells = wall.new_cells()
        holding = asyncio.Event()
        call = asyncio.ensure_future(
            cells.call(spec, wall.request("hold_lock", lock=str(lock)), on_progress=lambda _: holding.set())
        )
        await asyncio.wait_for(holding.wait(), 10)
        await cells.close()
        assert (await call).status is CellStatus.CRASHED

    wall.wait(closed())
    assert is_free(lock)


def test_an_idle_worker_ends_and_the_next_call_starts_one(wall: Any) -> None:
    async def idle() -> None:
        cells = wall.new_cells(idle_s=0.05)
        try:
            assert (await cells.call(CellSpec(), wall.request("echo", text="a"))).status is CellStatus.RETURNED
            first = cells.pid
            await until(lambda: cells.pid is None)
            assert (await cells.call(CellSpec(), wall.request("echo", text="b"))).status is CellStatus.RETURNED
            assert cells.pid != first
        finally:
            await cells.close()

    wall.wait(idle())


async def test_a_worker_that_does_not_start_says_why() -> None:
    cells = Cells(["/usr/bin/env", "sh", "-c", "echo no such module >&2; exit 1"])
    with pytest.raises(WallUnavailable) as caught:
        await cells.call(CellSpec(), b"")
    assert "no such module" in str(caught.value)
    assert caught.value.code == "wall.worker_failed"
    with pytest.raises(WallUnavailable):
        await Cells(["/nowhere/python"]).call(CellSpec(), b"")
    await cells.close()


def test_no_groups_are_left_behind(wall: Any) -> None:
    assert wall.inside("echo", text="last") == "last"
    groups = cgroup.find_groups()
    for place in filter(None, (groups.memory, groups.pids, groups.unified)):
        left = [folder for folder in place.glob("steward-*") if folder.name.split("-")[1] == str(wall.cells.pid)]
        wall.wait(until(lambda left=left: sum(_is_empty(folder) for folder in left) == 0))
        assert sum(folder.exists() for folder in left) <= SPARE, "only prepared cells may have one"


def _is_empty(folder: Path) -> bool:
    try:
        return not (folder / "cgroup.procs").read_text()
    except OSError:
        return False


LATE = """
import sys
from permissions.confine import serve

def run(request, emit):
    import _late
    return _late.WORD.encode() + b" " + _late.__file__.encode()

serve(run)
"""
NATIVE = """
#include <Python.h>
static struct PyModuleDef late = {PyModuleDef_HEAD_INIT, "_late", 0, -1, 0};
PyMODINIT_FUNC PyInit__late(void) {
    PyObject *m = PyModule_Create(&late);
    PyModule_AddStringConstant(m, "WORD", "native");
    return m;
}
"""


@pytest.mark.parametrize("kind", ["source", "native"])
@pytest.mark.parametrize("granted", [False, True])
def test_code_is_seen_wherever_the_installation_lies(kind: str, granted: bool) -> None:
    """Below /tmp, which the cell covers with its own, and inside a granted path, whose files may not be run."""
    place = Path(tempfile.mkdtemp(dir="/tmp")).resolve()
    try:
        (place / "worker.py").write_text(LATE)
        if kind == "source":
            (place / "_late.py").write_text("WORD = 'source'\n")
        else:
            build_native(place)
        root = str(Path(permissions.__file__).parents[1])
        spec = CellSpec(read_paths=(str(place.parent / place.name),) if granted else ())

        async def call() -> CellOutcome:
            cells = Cells([sys.executable, str(place / "worker.py")], environment={"PYTHONPATH": root})
            try:
                return await cells.call(spec, b"")
            finally:
                await cells.close()

        outcome = asyncio.run(call())
        assert outcome.reply is not None, outcome.stderr_tail
        assert outcome.reply.decode().split()[0] == kind
    finally:
        shutil.rmtree(place)


def build_native(place: Path) -> None:
    include = sysconfig.get_paths()["include"]
    if shutil.which("cc") is None or not Path(include, "Python.h").exists():
        pytest.skip("needs a C compiler and Python's headers: apt install gcc python3-dev")
    (place / "late.c").write_text(NATIVE)
    target = place / f"_late{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run(["cc", "-shared", "-fPIC", f"-I{include}", str(place / "late.c"), "-o", str(target)], check=True)
