"""A fault at every call on files, one at a time: killed, disk full, disk failing; then recover and look.

A run (ask to commit), an undo, a recovery and a forget are traced thread by thread. Each call that changes something is
met by SIGKILL and ENOSPC, each call on files by EIO. Whether the fault fired is asserted for every point. A fault that
the run outlived without telling is listed with the call that it hit.

python -m tests.proofs.faults [--sample N]
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random

from memory import Ledger
from permissions.transactions import leading
from tests.benchmarks.machine import publish, result
from tests.permissions.transactions.conftest import Snapshot
from tests.proofs import scene
from tests.proofs.scene import World
from tests.proofs.strace import Board, Call, own_thread, thread_named, traced

SEED = 20261122
MAIN, WRITER = "main", "ledger-writer"
_PLACES = (
    (r"/proc/", "/proc"),
    (r"/etc/passwd", "the accounts"),
    (r"-shm", "the shared index of SQLite's log"),
    (r"-wal", "SQLite's log"),
    (r"(ledger|keys)\.db", "SQLite's file"),
    (r"/dev/urandom", "/dev/urandom"),
    (r"/ledger", "the ledger's folder"),
    (r"/store", "store"),
    (r"Trash", "the trash"),
    (r"/\.[a-z]", "a never-written place"),
    (r"/home", "the home"),
    (r'"/"|</>', "/"),
)
FAULTS = {"SIGKILL": "signal=KILL", "ENOSPC": "error=ENOSPC", "EIO": "error=EIO"}
_AGAIN = "tidying up once the commit or undo stands; the next start does it"
_KEPT = "SQLite's log is whole: it is folded into the file, or the file's new keys made, the next time"
HARMLESS = (
    ("ioctl", ".*", "a text file asks whether it is a terminal, and takes no answer for no"),
    ("openat|read|listxattr", "/proc", "what /proc says about mounts, masks and lists has a stand-in"),
    ("openat|read", "/dev/urandom", "SQLite has other noise for the salt of its log"),
    ("openat|read", "the accounts", "the home is known; an account's second home is not"),
    ("openat2", "/|the home", "where openat2 seems absent, folders are opened one by one without following links"),
    ("fl?istxattr|listxattr|f?getxattr", ".*", "a thing whose attributes cannot be read has none"),
    (
        "openat|getdents64",
        "a never-written place",
        "what was known of it holds; it is read again before the next write",
    ),
    ("fchown", "SQLite's.*|the shared.*", "SQLite gives its log the owner that it has already"),
    ("mkdir", ".*", "the folder is there already"),
    ("fsync|fdatasync|openat", "the ledger's folder", "the name of SQLite's log is in the folder already, or is going"),
    ("unlink|ftruncate", "SQLite's.*|the shared.*", _KEPT),
    (".*", "SQLite's.*|the shared.*", _KEPT),
    ("openat|openat2|read|getdents64|unlinkat|fchmodat|fsync|rename", "store", _AGAIN),
)
"""Why the run may outlive, in silence, a fault of this call at this place (both are patterns, the first that fits
counts). What it outlived is held against the invariants as well."""


@dataclass(frozen=True, slots=True)
class Act:
    """What is traced: ``prepare`` makes the world as it is before, ``do`` is what a child then does.

    ``known`` is what was acknowledged before; unless ``settled``, an error may leave the home to the next start.
    """

    name: str
    thread: str
    prepare: Callable[[World], None]
    do: Callable[[World, Ledger, scene.Say], None]
    settled: bool = True
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """One fault in one act: ``call`` is where it is to hit."""

    act: str
    thread: str
    fault: str
    call: Call

    @property
    def inject(self) -> str:
        """In strace's words."""
        return f"{self.call.name}:{FAULTS[self.fault]}:when={self.call.number}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a point; ``hit`` is the call that failed, where one was told to."""

    point: Point
    hit: Call | None
    fired: bool
    absorbed: bool
    flaws: tuple[str, ...]

    @property
    def place(self) -> str:
        """What the call was about, without names that differ from run to run."""
        call = self.hit or self.point.call
        text = call.text.rpartition(" = ")[0] or call.text
        for pattern, place in _PLACES:
            if re.search(pattern, text):
                return place
        return "?"

    @property
    def why(self) -> str:
        """Why it is harmless that the fault was outlived, "" where nobody knows."""
        fits = (why for name, place, why in HARMLESS
                if re.fullmatch(name, self.point.call.name) and re.fullmatch(place, self.place))  # fmt: skip
        return next(fits, "")


def nothing(_world: World) -> None:
    """The world is ready as it is."""


def committed(world: World) -> None:
    """A run has been carried out."""
    world.commit()


def crashed_at(name: str) -> Callable[[World], None]:
    """Return what lets a run die when its transaction comes by ``name``, with the ledger open."""

    def prepare(world: World) -> None:
        child = os.fork()
        if not child:
            Ledger.open(world.ledger).append(scene.event(scene.STARTED))
            world.commit(world.lab.open(lambda at: os.kill(os.getpid(), signal.SIGKILL) if at == name else None))
            os._exit(0)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1])

    return prepare


ACTS = {
    (act.name, act.thread): act
    for act in (
        Act("commit", MAIN, nothing, scene.asks_and_commits),
        Act("commit", WRITER, nothing, scene.asks_and_commits),
        Act("undo", MAIN, committed, scene.undoes, known=("committed",)),
        Act("recovery back", MAIN, crashed_at("steps:done"), scene.recovers, settled=False),
        Act(
            "recovery forward",
            MAIN,
            crashed_at("journal:applied:durable"),
            scene.recovers,
            settled=False,
            known=("committed",),
        ),
        Act("forget", WRITER, nothing, scene.forgets),
    )
}


def perform(act: Act, world: World, board: Board) -> None:
    """Be the child: come to the line with the right thread, then act."""
    logging.disable()
    for word in act.known:
        board.say(word)

    def whole() -> None:
        if act.thread == MAIN:
            board.stand_at_the_line(own_thread())
        ledger = Ledger.open(world.ledger)
        if act.thread != MAIN:
            board.stand_at_the_line(thread_named(act.thread))
        act.do(world, ledger, board.say)

    scene.heard(whole, board.say)


def warm(top: Path) -> None:
    """Let this process do every act once, so that no child of it reads a module of Python's on its way."""
    for number, act in enumerate(ACTS.values()):
        world = World(top / f"warm-{os.getpid()}-{number}")
        act.prepare(world)
        said: list[str] = list(act.known)
        act.do(world, Ledger.open(world.ledger), said.append)
        assert not list(scene.flaws(world, tuple(said), reference(top / f"after-{os.getpid()}-{number}"), settled=True))


def count(act: Act, top: Path) -> tuple[Call, ...]:
    """Return the calls of an act, nothing being wrong."""
    world = World(top / "world")
    act.prepare(world)
    ended = traced(lambda board: perform(act, world, board), top / "log")
    assert ended.said[-1] == "end", ended.said
    return ended.calls


def points(act: Act, calls: Sequence[Call]) -> Iterator[Point]:
    """Yield every fault at every call that it concerns."""
    for call in calls:
        for fault in FAULTS:
            if call.changes or fault == "EIO":
                yield Point(act.name, act.thread, fault, call)


def try_point(point: Point, top: Path, after: Snapshot) -> Finding:
    """Make a world, let the fault happen, recover, and look."""
    act = ACTS[point.act, point.thread]
    with tempfile.TemporaryDirectory(dir=top) as place:
        world = World(Path(place, "world"))
        act.prepare(world)
        ended = traced(lambda board: perform(act, world, board), Path(place, "log"), point.inject)
        settled = act.settled and not ended.killed
        found = tuple(scene.flaws(world, ended.said, after, settled=settled))
        fired = ended.killed if point.fault == "SIGKILL" else ended.hit is not None
        absorbed = not ended.killed and fired and ended.said[-1:] == ("end",)
        return Finding(point, ended.hit, fired, absorbed, found)


def reference(top: Path) -> Snapshot:
    """Return the home after a whole commit."""
    world = World(top)
    world.commit()
    return world.lab.snapshot()


def sweep(top: Path, sample: int | None = None) -> list[Finding]:
    """Try every point, or a seeded sample of them, on all processors.

    Links are looked for each time: which calls are made must not hang on the time that others take.
    """
    usual, leading._JUST_NOW_NS = leading._JUST_NOW_NS, 1 << 62
    try:
        return _swept(top, sample)
    finally:
        leading._JUST_NOW_NS = usual


def _swept(top: Path, sample: int | None) -> list[Finding]:
    warm(top)
    after = reference(top / "reference")
    chosen: list[Point] = []
    for number, act in enumerate(ACTS.values()):
        (top / f"count{number}").mkdir()
        chosen += points(act, count(act, top / f"count{number}"))
    if sample is not None:
        chosen = Random(SEED).sample(chosen, min(sample, len(chosen)))
    with ProcessPoolExecutor(os.cpu_count(), get_context("fork")) as pool:
        return list(pool.map(try_point, chosen, [top] * len(chosen), [after] * len(chosen), chunksize=4))


def memory() -> str | None:
    """Return a file system in memory where there is one: a fault is the same there, and a sync costs nothing."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def report(findings: Sequence[Finding], wall_s: float) -> list[str]:
    """Return the page: points by act and fault, what was outlived in silence, and every violation."""
    rows = [__doc__.split("\n\n")[1].replace("\n", " ") if __doc__ else "", "",
            f"{len(findings)} points in {wall_s:.0f} s. After each: the transactions recover, the ledger verifies and "
            "holds what it acknowledged, the home is as before or as after to the byte, the run can be carried out or "
            "taken back.", "", "| act | thread | fault | points | fired | outlived | violations |",
            "|---|---|---|---|---|---|---|"]  # fmt: skip
    for (act, thread), fault in ((key, fault) for key in ACTS for fault in FAULTS):
        some = [f for f in findings if (f.point.act, f.point.thread, f.point.fault) == (act, thread, fault)]
        bad = sum(bool(f.flaws) for f in some)
        rows.append(f"| {act} | {thread} | {fault} | {len(some)} | {sum(f.fired for f in some)} | "
                    f"{sum(f.absorbed for f in some)} | {bad} |")  # fmt: skip
    rows += ["", "Outlived in silence, with nothing lost:", "", "| call | where | times | why that is harmless |",
             "|---|---|---|---|"]  # fmt: skip
    outlived = Counter((f.point.call.name, f.place, f.why) for f in findings if f.absorbed)
    rows += [f"| {name} | {place} | {times} | {why or '**not explained**'} |"
             for (name, place, why), times in sorted(outlived.items())]  # fmt: skip
    for finding in (f for f in findings if f.flaws or not f.fired):
        rows += ["", f"- **{finding.point.act} ({finding.point.thread}), {finding.point.inject}**"
                 f"{'' if finding.fired else ' did not fire'}: {'; '.join(finding.flaws)}"]  # fmt: skip
    return rows


def main() -> int:
    """Sweep, publish, and close with one RESULT line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="only so many points, for a quick look; nothing is published")
    wish = parser.parse_args()
    if shutil.which("strace") is None:
        raise SystemExit("faults: strace is not here: apt install strace")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=memory()) as top:
        findings = sweep(Path(top).resolve(), wish.sample)
    rows = report(findings, time.monotonic() - began)
    fired = 100 * sum(f.fired for f in findings) / len(findings)
    figures = {"fired_pct": round(fired, 2), "violations": float(sum(bool(f.flaws) for f in findings)),
               "points": float(len(findings)), "outlived": float(sum(f.absorbed for f in findings))}  # fmt: skip
    if wish.sample is None:
        publish("faults", "A fault at every call", rows, figures)
    else:
        print("\n".join(rows))
    unexplained = sum(f.absorbed and not f.why for f in findings)
    missed = {"missed_pct": 100 - figures["fired_pct"], "unexplained": float(unexplained)}
    return result("faults", {**figures, **missed}, {"violations": 0, "missed_pct": 0, "unexplained": 0})


if __name__ == "__main__":
    sys.exit(main())
