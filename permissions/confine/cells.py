"""The daemon's side of the wall: start the zygote when needed, hand it calls, keep the time, collect the answers.

What this stops: a call that runs past its time, floods its output, or is no longer wanted: its whole cell is killed.
Answers that are too large or malformed. A launcher that died or hangs: it is replaced.
What it does not: judge what a call answered. ``CellOutcome.reply`` is untrusted.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from permissions import errors
from permissions.confine import cgroup, launch, wire
from permissions.confine.granted import check_path
from permissions.confine.network import Line, Network
from permissions.confine.process import ZygoteProcess, not_built
from permissions.confine.questions import Answer, Questions
from permissions.confine.reservation import LEFT_TO_OTHERS_BYTES, Reservation
from permissions.confine.standing import Cell
from permissions.model import CellOutcome, CellSpec, CellStatus, Connection, Level, Raised

TAIL_BYTES = 16 << 10
OUTPUT_BYTES = 64 << 20
_STRENGTH = {Level.L1: 1, Level.L2: 2, Level.L3: 3}
_GRACE_S = 5.0
_CHUNK = 1 << 16


class Cells:
    """Runs calls in cells: one fresh, confined child of a warm worker for each. Belongs to one event loop."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        idle_s: float = 300.0,
        environment: Mapping[str, str] | None = None,
        network: Network | None = None,
        left_bytes: int = LEFT_TO_OTHERS_BYTES,
    ) -> None:
        """``command`` starts the worker; ``environment`` is added to its clean one. It ends after ``idle_s`` unused.

        Without ``network`` no call has any, whatever its spec says. No call is given more memory than it began with
        where the machine would keep less than ``left_bytes`` for others.
        """
        self._left_bytes = left_bytes
        self._network = network
        self._command = tuple(command)
        self._environment = dict(environment or {})
        self._idle_s = idle_s
        self._process: ZygoteProcess | None = None
        self._starting = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None
        self._calls = 0
        self._closing: set[asyncio.Task[None]] = set()
        self._found_weak: tuple[Level, str] | None = None

    @property
    def pid(self) -> int | None:
        """Process id of the worker, or ``None`` while none runs."""
        return self._process.pid if self._process and not self._process.gone else None

    @staticmethod
    def sweep() -> int:
        """Kill what a daemon that was killed left running in groups of its own; return how many processes that were."""
        return cgroup.sweep(cgroup.find_groups())

    def lower(self, level: Level, why: str) -> None:
        """From now on claim no more than ``level``: the self-test has found cells to be weaker than they say."""
        self._found_weak = level, why

    async def start(self) -> Level:
        """Start the worker if it does not run, and return the level that it gives; raise ``WallUnavailable``."""
        level = (await self._worker()).level
        self._rest()
        return level

    async def call(
        self,
        spec: CellSpec,
        request: bytes,
        *,
        on_progress: Callable[[bytes], None] | None = None,
        on_connection: Callable[[Connection], None] | None = None,
        on_raised: Callable[[Raised], None] | None = None,
        answer: Answer | None = None,
        most_questions: int | None = None,
    ) -> CellOutcome:
        """Run one call in a cell with the rights of ``spec``. Cancelling kills the cell and raises ``CancelledError``.

        ``on_connection`` is told of every connection at its end; none is left when this returns or raises.
        ``on_raised`` is told when the call needed more memory than it began with, and got it.
        ``answer`` is what a call that ``asks`` asks, one question after the other, each with the memory that the call
        has been given by then; it is cancelled when the call ends. After ``most_questions`` (1,000 if none is said)
        nobody listens any more.

        Raises:
            WallUnavailable: this machine gives less than ``spec.minimum``, or the worker does not start.
            BadScope: a path of ``spec`` is gone or is not to be shown.
            Refused: something else is in the place of one that is held.
        """
        layered = (path for layer in spec.layers for path in layer.places())
        for path in (*spec.read_paths, *spec.program_paths, *spec.write_paths, *layered):
            check_path(path)
        self._calls += 1
        try:
            worker = await self._worker()
            _require(worker, Level.L3 if spec.layers or spec.relays or spec.program_paths else spec.minimum)
            line = Line(self._network if spec.hosts else None, on_connection)
            memory = Reservation(spec.limits, on_raised, self._left_bytes)
            questions = Questions(answer if spec.asks else None, memory, most_questions)
            known = questions.known(line.known(spec))
            return await _Call(worker, known, on_progress, line, questions, memory).run(request)
        finally:
            self._calls -= 1
            self._rest()

    async def close(self) -> None:
        """End the worker and every cell that still runs."""
        async with self._starting:
            if self._idle:
                self._idle.cancel()
            process, self._process = self._process, None
            if process:
                await process.close()
        await asyncio.gather(*self._closing)

    async def _worker(self) -> ZygoteProcess:
        async with self._starting:
            if self._idle:
                self._idle.cancel()
                self._idle = None
            if self._process and self._process.gone:
                await self._process.close()
                self._process = None
            if self._process is None:
                self._process = await ZygoteProcess.start(self._command, self._environment)
            if self._found_weak and _STRENGTH[self._found_weak[0]] < _STRENGTH[self._process.level]:
                self._process.level, self._process.why = self._found_weak
            return self._process

    def _rest(self) -> None:
        if self._calls == 0 and self._process:
            if self._idle:
                self._idle.cancel()
            self._idle = asyncio.get_running_loop().call_later(self._idle_s, self._sleep)

    def _sleep(self) -> None:
        process, self._process = self._process, None
        if process:
            task = asyncio.get_running_loop().create_task(process.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)


def _require(worker: ZygoteProcess, minimum: Level) -> None:
    if _STRENGTH[worker.level] < _STRENGTH[minimum]:
        raise errors.WallUnavailable(
            "wall.too_weak",
            f"This call needs the wall at {minimum}, and this machine gives {worker.level}: {worker.why}.",
            subject=str(minimum),
            hint="Run `./steward doctor`; it names what is missing and the command that mends it.",
        )


class _Call:
    """One call: its pipes, its deadline, its memory, and the two streams that come out of its cell."""

    def __init__(
        self,
        worker: ZygoteProcess,
        spec: CellSpec,
        on_progress: Callable[[bytes], None] | None,
        line: Line,
        questions: Questions,
        memory: Reservation,
    ) -> None:
        self._line = line
        self._questions = questions
        self._memory = memory
        self._worker = worker
        self._spec = spec
        self._on_progress = on_progress
        self._loop = asyncio.get_running_loop()
        self._frames = bytearray()
        self._tail = bytearray()
        self._taken = 0
        self._reply: bytes | None = None
        self._fault = ""
        self._raised: Exception | None = None
        self._number = 0

    async def run(self, request: bytes) -> CellOutcome:
        async with AsyncExitStack() as until:
            outcome = await self._run(request, until)
        return self._line.counted(outcome)

    async def _run(self, request: bytes, until: AsyncExitStack) -> CellOutcome:
        began = time.monotonic()
        cell = await self._submitted(request, until)
        self._number = cell.number
        try:
            self._memory.begin(cell.leaf.where() if cell.leaf else None, partial(self._worker.kill_cell, cell.number))
            self._loop.add_reader(cell.result, self._on_readable, cell.result, self._take_result)
            self._loop.add_reader(cell.output, self._on_readable, cell.output, self._take_output)
            message, late = await self._until_done(cell)
            self._drain(cell.result, self._take_result)
            self._drain(cell.output, self._take_output)
        finally:
            self._memory.stop()
            for end in (cell.result, cell.output):
                self._loop.remove_reader(end)
            cell.close()
        if self._raised:
            raise self._raised
        return self._outcome(message, late, time.monotonic() - began)

    async def _submitted(self, request: bytes, until: AsyncExitStack) -> Cell:
        lines: list[int] = []
        try:
            lines += self._line.open(self._spec, until)
            lines += self._questions.open(until)
            return await self._worker.submit(self._spec, request, lines)
        finally:
            for end in lines:
                os.close(end)

    async def _until_done(self, cell: Cell) -> tuple[dict[str, Any], bool]:
        """Wait for the end of the cell; at the deadline, or when cancelled, make an end. True when it was late."""
        try:
            message = await cell.wait(self._spec.limits.wall_s)
            return (message, False) if message is not None else (await self._end_now(cell), True)
        except asyncio.CancelledError:
            await self._end_now(cell)
            raise

    async def _end_now(self, cell: Cell) -> dict[str, Any]:
        self._worker.kill_cell(cell.number)
        message = await cell.wait(_GRACE_S)
        while message is None:  # the launcher hangs; everything below it dies with it
            self._worker.kill()
            message = await cell.wait()
        return message

    def _on_readable(self, file: int, take: Callable[[bytes], None]) -> None:
        data = _read(file)
        if data:
            take(data)
        elif data == b"":
            self._loop.remove_reader(file)

    def _drain(self, file: int, take: Callable[[bytes], None]) -> None:
        """Read what is there, never waiting for the end: a process that got away may hold the pipe."""
        while self._taken <= OUTPUT_BYTES and (data := _read(file)):
            take(data)

    def _count(self, data: bytes) -> None:
        self._taken += len(data)
        if self._taken > OUTPUT_BYTES:
            self._stop(f"It put out more than {OUTPUT_BYTES >> 20} MiB and was stopped.")

    def _stop(self, fault: str) -> None:
        if not self._fault:
            self._fault = fault
            self._worker.kill_cell(self._number)

    def _take_output(self, data: bytes) -> None:
        self._count(data)
        self._tail += data
        del self._tail[:-TAIL_BYTES]

    def _take_result(self, data: bytes) -> None:
        self._count(data)
        if self._fault:
            return
        self._frames += data
        try:
            for kind, content in wire.take_frames(self._frames, most_bytes=OUTPUT_BYTES):
                if kind == wire.REPLY:
                    self._reply = content
                elif self._on_progress:
                    self._on_progress(content)
        except wire.BadFrame:
            self._stop("It wrote into its own answer channel and was stopped.")
        except Exception as problem:  # the listener's own fault: end the call and hand it to the caller
            self._raised = problem
            self._stop("Its listener failed.")

    def _outcome(self, message: dict[str, Any], late: bool, wall_s: float) -> CellOutcome:
        _raise_refusal(message)
        status = self._status(message, late)
        tail = self._tail.decode(errors="replace")
        fault = self._fault or message.get("lost", "")
        return CellOutcome(
            status=status,
            level=self._worker.level,
            reply=self._reply if status is CellStatus.RETURNED else None,
            exit_code=message.get("exit"),
            signal=message.get("signal"),
            stderr_tail=f"{tail}\n{fault}".strip() if fault else tail,
            wall_s=wall_s,
            cpu_s=float(message.get("cpu_s", 0.0)),
            peak_bytes=self._memory.peak(int(message.get("peak_bytes", 0))),
            reserved_bytes=self._memory.reserved,
            starved=self._memory.starved,
            refused_processes=int(message.get("refused_processes", 0)),
        )

    def _status(self, message: dict[str, Any], late: bool) -> CellStatus:
        killed_by = message.get("signal")
        if self._fault:
            return CellStatus.CRASHED
        if self._reply is not None and message.get("exit") == 0:
            return CellStatus.RETURNED
        if message.get("oom") or self._memory.ended or message.get("exit") == launch.OUT_OF_MEMORY_EXIT:
            return CellStatus.OUT_OF_MEMORY
        used_up = float(message.get("cpu_s", 0.0)) >= self._spec.limits.cpu_s
        if late or killed_by == signal.SIGXCPU or (killed_by == signal.SIGKILL and used_up):
            return CellStatus.OUT_OF_TIME
        return CellStatus.CRASHED


def _read(file: int) -> bytes | None:
    """Read a chunk; ``b""`` at the end, ``None`` when nothing is there now."""
    try:
        return os.read(file, _CHUNK)
    except BlockingIOError:
        return None


def _raise_refusal(message: dict[str, Any]) -> None:
    if "error" in message:
        name, code, text, subject, hint = message["error"]
        kind = {"BadScope": errors.BadScope, "Refused": errors.Refused}.get(name, errors.WallUnavailable)
        raise kind(code, text, subject=subject, hint=hint)
    if "failed" in message:
        raise not_built(message["failed"])
