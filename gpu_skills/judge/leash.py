"""The judge's end of a racer: it starts it, gives orders, measures from outside, and ends it.

What this stops: a racer that crashes, exits, hangs, talks nonsense or too much, and one that says that it is done and
computes on (a lap ends when linux says that every thread of it sleeps, and processor time is counted without a gap from
one lap to the next). What it does not: tell a kernel that sleeps from one that computes by wall time alone; that is why
the gate is processor time.

Source: ``clock_getcpuclockid(3)`` (the clock of another process is its number, inverted), ``proc(5)``, ``unix(7)``.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType

from gpu_skills.errors import JudgeUnavailable
from gpu_skills.graph import Program, numbers_of, parameters_of
from gpu_skills.judge import racer
from gpu_skills.judge.arena import Arena, Place
from gpu_skills.judge.racer import DONE, OPEN, READY, RUN, SAID, WALLED, Start

_ROOT = str(Path(__file__).parents[2])
_START_S = 60.0
_SETTLE_S = 2.0
_ENDS_S = 2.0
_CALLS_A_PACKET = 64
_SPARE_BYTES = 3 << 29
_TOLD_BYTES = 4000
KEPT_PAGES = {
    "MALLOC_MMAP_THRESHOLD_": str(4 << 30), "MALLOC_TRIM_THRESHOLD_": str(16 << 30), "MALLOC_TOP_PAD_": str(64 << 20),
    "MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_MAX_": "0",
}  # fmt: skip
"""The allocation policy of every racer: glibc keeps the pages that it once had."""
_ENVIRONMENT = {"OMP_WAIT_POLICY": "PASSIVE", "OMP_DYNAMIC": "FALSE", "LC_ALL": "C", "PATH": "/usr/bin:/bin"}


class Fell(Exception):
    """A racer did not do what it was told: how it fell, in words. It has been ended."""

    def __init__(self, said: str, *, status: int | None = None) -> None:
        super().__init__(said)
        self.status = status


@dataclass(frozen=True, slots=True)
class Lap:
    """What an order cost, in nanoseconds, and how many of its calls said that they were not made for these numbers."""

    wall_ns: int
    cpu_ns: int
    declined: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: a program and where its tensors lie."""

    program: Program
    places: Mapping[str, Place]
    threads: int = 1

    def words(self) -> dict[str, object]:
        """Return it as a racer is told."""
        found = [self.places[one.name] for one in self.program.tensors]
        return {
            "tensors": [(int(one.taken), one.offset, one.size_bytes) for one in found],
            "numbers": list(numbers_of(self.program)),
            "parameters": [one.value for one in parameters_of(self.program)],
            "threads": self.threads,
        }


@dataclass(frozen=True, slots=True)
class Wish:
    """How a racer is started. ``library`` None: one that does nothing, to learn what an order costs."""

    library: Path | None
    threads: int = 1
    cpu_s: int = 120
    patience_s: float = 60.0
    exact: bool = False
    private: bool = False
    environment: Mapping[str, str] | None = None
    module: str = racer.__name__
    words: Mapping[str, object] | None = None
    walled: bool = True
    fenced: bool = False


class Leash:
    """A running racer. Raises Fell from ``define`` and ``run``; JudgeUnavailable where none can be started."""

    def __init__(self, wish: Wish, arena: Arena) -> None:
        self._wish = wish
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._orders = ours
        with theirs:
            self._process = self._started(wish, arena, theirs.fileno())
        self._clock = ((~self._process.pid) << 3) | 2
        self._defined = 0
        self._cpu_ns = 0
        try:
            self._greet()
        except BaseException:
            self.close()
            raise

    def _started(self, wish: Wish, arena: Arena, orders: int) -> subprocess.Popen[bytes]:
        held = arena.given.fd, arena.taken.fd
        most = None if wish.exact or not wish.walled else _SPARE_BYTES + arena.given.size_bytes + arena.taken.size_bytes
        start = Start(
            str(wish.library or ""), "steward_kernel", orders, (held[0], arena.given.size_bytes),
            (held[1], arena.taken.size_bytes), most, wish.cpu_s, wish.threads, wish.exact, wish.private,
            wish.fenced,
        )  # fmt: skip
        words = {**asdict(start), **(wish.words or {})}
        command = [sys.executable, "-P", "-m", wish.module, json.dumps(words)]
        environment = {**_ENVIRONMENT, **KEPT_PAGES, "OMP_NUM_THREADS": str(wish.threads), **(wish.environment or {}),
                       "PYTHONPATH": _ROOT}  # fmt: skip
        try:
            return subprocess.Popen(
                command, pass_fds=(orders, *held), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, start_new_session=True, env=environment,
            )  # fmt: skip
        except OSError as error:
            said = f"No process can be started: {error}."
            raise JudgeUnavailable("judge.start", said, hint="Try again later.") from error

    def _greet(self) -> None:
        try:
            first = self._heard(_START_S)
        except Fell as fell:
            raise JudgeUnavailable(
                "judge.wall",
                f"A racer could not be prepared: {fell}",
                hint="See ./steward doctor for the wall's parts.",
            ) from fell
        if first != (WALLED if self._wish.walled else OPEN):
            raise JudgeUnavailable(
                "judge.wall", f"A racer said {first[:40]!r} first.", hint="This is a bug; report it."
            )
        if self._heard(_START_S) != READY:
            raise self._end("it answered something else while it was loaded")
        self._settle()

    def define(self, asked: Sequence[Asked]) -> int:
        """Tell the racer of calls to come; return the number of the first."""
        first = self._defined
        for at in range(0, len(asked), _CALLS_A_PACKET):
            packet = asked[at : at + _CALLS_A_PACKET]
            self._send(b"call" + json.dumps([one.words() for one in packet]).encode())
            self._defined += len(packet)
            if self._answer(self._wish.patience_s) != self._defined:
                raise self._end("it lost count of what it was told")
        self._settle()
        self._cpu_ns = self._cpu()
        return first

    def run(self, first: int, count: int = 1) -> Lap:
        """Have calls made, in order, and measure them."""
        self._quiet()
        began = time.perf_counter_ns()
        self._send(RUN.pack(b"runs", first, count))
        declined = self._answer(self._wish.patience_s)
        self._settle()
        wall_ns = time.perf_counter_ns() - began
        cpu_ns = self._cpu()
        lap = Lap(wall_ns, cpu_ns - self._cpu_ns, declined)
        self._cpu_ns = cpu_ns
        if not 0 <= declined <= count:
            raise self._end("it answered nonsense")
        return lap

    def hand_over(self, index: int) -> None:
        """Have the outputs of a call of the last lap put where the judge reads them; for sides that own theirs."""
        self._send(RUN.pack(b"hand", index, 1))
        self._answer(self._wish.patience_s)
        self._settle()
        self._cpu_ns = self._cpu()

    def tasks(self) -> int:
        """Return how many threads it has; 1 where that cannot be seen."""
        try:
            return len(os.listdir(f"/proc/{self._process.pid}/task"))
        except OSError:
            return 1

    def idle_cpu_ns(self, wait_s: float) -> int:
        """Return the processor time that it uses while it has nothing to do."""
        before = self._cpu()
        time.sleep(wait_s)
        return self._cpu() - before

    def close(self) -> None:
        """End the racer and all that it started, while their number is still theirs."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()
        self._orders.close()
        if self._process.stderr:
            self._process.stderr.close()

    def __enter__(self) -> Leash:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _send(self, message: bytes) -> None:
        try:
            self._orders.sendall(message)
        except OSError:
            raise self._end("it closed its socket") from None

    def _quiet(self) -> None:
        """Make sure that nothing lies in the socket that was not asked for."""
        if select.select([self._orders], [], [], 0)[0]:
            raise self._end("it spoke without being asked")

    def _answer(self, timeout_s: float) -> int:
        said = self._heard(timeout_s)
        if len(said) != SAID.size or said[:4] != DONE:
            raise self._end("it answered nonsense")
        return int(SAID.unpack(said)[1])

    def _heard(self, timeout_s: float) -> bytes:
        try:
            if not select.select([self._orders], [], [], timeout_s)[0]:
                raise self._end(f"it did not answer within {timeout_s:g} s")
            said = self._orders.recv(4096)
        except OSError:
            said = b""
        if not said:
            raise self._end("")
        return said

    def _settle(self) -> None:
        """Wait until every thread of it sleeps."""
        until = time.monotonic() + _SETTLE_S
        while not self._sleeps():
            if time.monotonic() > until:
                raise self._end("it went on computing after it had said that it was done")

    def _sleeps(self) -> bool:
        folder = f"/proc/{self._process.pid}/task"
        try:
            return all(_state(f"{folder}/{one}/stat") not in "RD" for one in os.listdir(folder))
        except OSError:  # no /proc in this cell, or it has ended, which the next order tells
            before = self._cpu()
            time.sleep(1e-4)
            return self._cpu() == before

    def _cpu(self) -> int:
        try:
            return time.clock_gettime_ns(self._clock)
        except OSError:
            raise self._end("") from None

    def _end(self, said: str) -> Fell:
        """End it, and return how it fell."""
        by_itself = not said and self._has_ended()
        told = self._told() if by_itself else ""
        self.close()
        if said:
            return Fell(said)
        status = self._process.returncode if by_itself else None
        name = signal.Signals(-status).name if status is not None and status < 0 else f"status {status}"
        return Fell(f"it ended with {name}{': ' + told if told else ''}", status=status)

    def _has_ended(self) -> bool:
        """Tell whether it ends by itself. It keeps its number, by which what it started is ended, until ``close``."""
        if self._process.returncode is not None:
            return True
        until = time.monotonic() + _ENDS_S
        while os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() > until:
                return False
            time.sleep(1e-3)
        return True

    def _told(self) -> str:
        if self._process.stderr is None or not select.select([self._process.stderr], [], [], 0)[0]:
            return ""
        return os.read(self._process.stderr.fileno(), 1 << 16)[-_TOLD_BYTES:].decode(errors="replace").strip()


def _state(path: str) -> str:
    with open(path) as file:
        return file.read().rpartition(")")[2].split()[0]


def idle(wish: Wish) -> Wish:
    """Return how the racer that does nothing is started, all else equal."""
    return replace(wish, library=None, exact=False)


__all__ = ["KEPT_PAGES", "Asked", "Fell", "Lap", "Leash", "Wish", "idle"]
