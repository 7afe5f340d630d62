"""The zygote as the daemon sees it: a child process, a control socket, and the calls that are under way.

What this stops: secrets of the daemon reaching the worker: it is started with a clean environment, no descriptor but
its control socket, in a session of its own. Calls that wait for ever when it dies.
What it does not: confine the zygote itself; it runs our code and its imports only.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from permissions.confine import cgroup, wire
from permissions.confine.standing import Cell, Mounts
from permissions.errors import WallUnavailable
from permissions.model import CellSpec, Level

_START_S = 30.0
_LAST_WORDS_BYTES = 4096
_ENDS, _MOST_STANDING = 3, 4
"""Descriptors that come with a cell; cells that stand by at most (the zygote makes two ahead)."""
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONNOUSERSITE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "MPLBACKEND": "agg",
}


class ZygoteProcess:
    """A running zygote. ``level`` is what it gives, ``why`` says why it is not L3; ``gone`` once it has ended."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self.level = Level.L1
        self.why = ""
        self.gone = False
        self.pid = process.pid
        self._process = process
        self._control = control
        self._loop = asyncio.get_running_loop()
        self._prepares = False
        self._cells: dict[int, Cell] = {}
        """By number: all that have not ended."""
        self._prepared: dict[int, Cell] = {}
        """Of those, the ones that stand by, the oldest first."""
        self._wanted: deque[asyncio.Future[None]] = deque()
        """Calls for which a cell is being made; each takes whichever stands by first."""
        self._unsaid: deque[bytes] = deque()
        self._changes = 0
        """Of the machine's mounts."""
        self._mounts = Mounts(self._send_away)
        self._numbers = 0
        self._ready: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        self._said = bytearray()
        assert process.stderr
        os.set_blocking(process.stderr.fileno(), False)
        self._loop.add_reader(process.stderr.fileno(), self._on_said)
        self._loop.add_reader(control.fileno(), self._on_control)

    @classmethod
    async def start(cls, command: Sequence[str], environment: Mapping[str, str]) -> ZygoteProcess:
        """Start ``command`` and wait until it serves; raise ``WallUnavailable`` where it does not."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        with theirs:
            try:
                process = _spawn(command, environment, theirs)
            except OSError as problem:
                ours.close()
                raise _no_start(command, str(problem)) from problem
        self = cls(process, ours)
        try:
            message = await asyncio.wait_for(self._ready, _START_S)
        except BaseException as problem:
            self.kill()
            await self.close()
            if isinstance(problem, TimeoutError | ConnectionError):
                raise _no_start(command, self._said.decode(errors="replace").strip() or str(problem)) from problem
            raise
        self.level, self.why, self._prepares = Level(message["ready"]), message["why"], message["prepares"]
        return self

    async def submit(self, spec: CellSpec, request: bytes, lines: Sequence[int]) -> Cell:
        """Hand over one call, with its lines to the daemon; return its cell. Whoever asks closes that."""
        call = wire.pack_call(spec, request)
        if not self._prepares:
            return await self._call(spec, call, lines)
        bounds = spec.limits.memory_bytes, spec.limits.processes
        patience = self._loop.time() + spec.limits.wall_s + _START_S
        waited = False
        while True:
            if self._mounts.changed():
                self._send_away()
            while self._prepared:
                cell = self._prepared.pop(next(iter(self._prepared)))
                if self._takes(cell, call, lines, bounds) or waited:
                    return cell  # where one made for it has died, what it says when its end is seen is why
                cell.close()
            await self._another(patience)
            waited = True

    def _takes(self, cell: Cell, call: bytes, lines: Sequence[int], bounds: tuple[int, int]) -> bool:
        try:
            taken = cell.hand_in(call, lines, *bounds)
        except OSError as problem:  # limits that are refused, too many files: nothing of the call has run
            self.kill_cell(cell.number)
            cell.end({"failed": str(problem)})
            taken = True
        self._tell({"taken": cell.number})
        return taken

    async def _another(self, until_s: float) -> None:
        """Wait until a cell stands by that was asked for. It may be gone again: whoever comes first takes it."""
        wanted: asyncio.Future[None] = self._loop.create_future()
        self._wanted.append(wanted)
        try:
            await self._say({"make": True})
            await asyncio.wait([wanted], timeout=max(0.0, until_s - self._loop.time()))
            if not wanted.done():
                self.kill()
                raise _died()
            wanted.result()
        finally:
            wanted.cancel()

    async def _call(self, spec: CellSpec, call: bytes, lines: Sequence[int]) -> Cell:
        """Have a cell below L3 made for this call."""
        bounds = {"memory": spec.limits.memory_bytes, "processes": spec.limits.processes}
        self._numbers += 1
        cell = self._cells[self._numbers] = Cell(self._numbers, -1, -1)
        try:
            with ExitStack() as handed_over:
                cell.result, result_end = _pipe(handed_over)
                cell.output, output_end = _pipe(handed_over)
                file = wire.in_a_file(call)
                handed_over.callback(os.close, file)
                await self._say({"call": cell.number, **bounds}, (file, result_end, output_end, *lines))
        except BaseException as problem:
            self._cells.pop(cell.number, None)
            cell.close()
            if isinstance(problem, OSError):  # too many files
                raise not_built(str(problem)) from problem
            raise
        return cell

    async def _say(self, message: dict[str, Any], files: Sequence[int] = ()) -> None:
        """Say something to the zygote, after all that was told before. Raises WallUnavailable where it is gone."""
        while not self.gone:
            try:
                if not self._unsaid:
                    socket.send_fds(self._control, [wire.pack(message)], list(files))
                    return
            except BlockingIOError:  # hundreds of calls at once: the zygote is behind
                pass
            except OSError:
                self._lose()
            await asyncio.sleep(0.005)
        raise _died()

    def _tell(self, message: dict[str, Any]) -> None:
        """Say something to the zygote, soon at the latest."""
        self._unsaid.append(wire.pack(message))
        if not self.gone:
            self._say_the_rest()

    def _say_the_rest(self) -> None:
        try:
            while self._unsaid:
                self._control.send(self._unsaid[0])
                self._unsaid.popleft()
        except BlockingIOError:
            self._loop.add_writer(self._control.fileno(), self._say_the_rest)
            return
        except OSError:
            self._lose()
            return
        self._loop.remove_writer(self._control.fileno())

    def _send_away(self) -> None:
        """The machine's mounts have changed: let the cells go that were made before."""
        self._changes += 1
        self._tell({"mounts": self._changes})
        for cell in self._prepared.values():
            del self._cells[cell.number]
            cell.close()
        self._prepared.clear()

    def kill_cell(self, number: int) -> None:
        """Kill the cell of a call; its end is reported as always."""
        if number in self._cells:
            self._tell({"kill": number})

    def kill(self) -> None:
        """Kill the zygote; every cell dies with it."""
        self._process.kill()

    async def close(self) -> None:
        """Let the zygote end its cells and itself, and wait for it; where this is cancelled, kill it."""
        self._lose()
        try:
            await asyncio.wait_for(asyncio.to_thread(self._process.wait), 5.0)
        except TimeoutError:
            self.kill()
            await asyncio.to_thread(self._process.wait)
        finally:
            self._hang_up()
            if self._process.poll() is None:
                self.kill()
                self._process.wait()

    def _hang_up(self) -> None:
        assert self._process.stderr
        if not self._process.stderr.closed:
            self._on_said()
            self._loop.remove_reader(self._process.stderr.fileno())
            self._process.stderr.close()

    def _on_control(self) -> None:
        try:
            data, files, _, _ = socket.recv_fds(self._control, wire.CONTROL_BYTES, 3, socket.MSG_CMSG_CLOEXEC)
        except BlockingIOError:
            return
        except OSError:
            data, files = b"", []
        if not data:
            self._lose()
            return
        message = wire.unpack(data)
        if "cell" in message:
            self._take_in(message, files)
        elif "done" in message:
            self._on_done(message)
        elif not self._ready.done():
            self._ready.set_result(message)

    def _take_in(self, message: Mapping[str, Any], files: Sequence[int]) -> None:
        """Keep a cell that was made; one that is older than a change of the mounts is let go, as is one too many."""
        if len(files) != _ENDS:  # the kernel cuts off what there is no room for
            self._refuse(message["cell"], files)
            return
        door, result, output = files
        places = [Path(place) if place else None for place in message["group"]]
        leaf = cgroup.Leaf(own=cgroup.Groups(*places), limits=cgroup.USUAL) if any(places) else None
        cell = Cell(message["cell"], result, output, leaf)
        cell.watch(socket.socket(fileno=door))
        wanted = self._next_wanted()
        if message["mounts"] != self._changes:
            cell.close()
            if wanted:
                self._wanted.appendleft(wanted)
                self._tell({"make": True})
            return
        if wanted is None and len(self._prepared) >= _MOST_STANDING:  # who asked for it was cancelled
            cell.close()
            self._tell({"taken": cell.number})
            return
        self._cells[cell.number] = self._prepared[cell.number] = cell
        if wanted:
            wanted.set_result(None)

    def _refuse(self, number: int, files: Sequence[int]) -> None:
        for file in files:
            os.close(file)
        self._tell({"kill": number})
        self._tell({"taken": number})
        wanted = self._next_wanted()
        if wanted:
            wanted.set_exception(not_built("too many open files"))

    def _next_wanted(self) -> asyncio.Future[None] | None:
        while self._wanted:
            wanted = self._wanted.popleft()
            if not wanted.done():
                return wanted
        return None

    def _on_done(self, message: dict[str, Any]) -> None:
        """A cell has ended, or (0) none could be made."""
        if not message["done"]:
            wanted = self._next_wanted()
            if wanted:
                wanted.set_exception(not_built(message["failed"]))
            return
        cell = self._cells.pop(message["done"], None)
        if cell:
            cell.end(message)
        if cell and self._prepared.pop(cell.number, None):
            cell.close()  # it could not be prepared, or was killed: each call has its own made, and hears why
            self._tell({"broken": cell.number})

    def _lose(self) -> None:
        if self.gone:
            return
        self.gone = True
        self._loop.remove_reader(self._control.fileno())
        self._loop.remove_writer(self._control.fileno())
        self._control.close()
        if not self._ready.done():
            self._ready.set_exception(ConnectionError("it ended at once"))
        self._on_said()
        said = self._said.decode(errors="replace").strip()
        self._mounts.close()
        while wanted := self._next_wanted():
            wanted.set_exception(_died())
        for cell in self._cells.values():
            cell.end({"lost": f"The worker died during the call. {said}".strip()})
        for cell in self._prepared.values():
            cell.close()
        self._cells.clear()
        self._prepared.clear()

    def _on_said(self) -> None:
        assert self._process.stderr
        with suppress(BlockingIOError, ValueError):
            data = os.read(self._process.stderr.fileno(), 1 << 16)
            self._said += data
            del self._said[:-_LAST_WORDS_BYTES]
            if not data:
                self._loop.remove_reader(self._process.stderr.fileno())


def _spawn(command: Sequence[str], environment: Mapping[str, str], control: socket.socket) -> subprocess.Popen[bytes]:
    home = {"HOME": os.environ["HOME"]} if "HOME" in os.environ else {}
    return subprocess.Popen(
        command,
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**_ENVIRONMENT, **home, **environment},
        start_new_session=True,
        cwd="/",
    )


def _pipe(handed_over: ExitStack) -> tuple[int, int]:
    """Return the ends of a pipe: ours never blocks, the other one is closed when it has been handed over."""
    ours, theirs = os.pipe2(os.O_CLOEXEC)
    handed_over.callback(os.close, theirs)
    os.set_blocking(ours, False)
    return ours, theirs


def _died() -> WallUnavailable:
    return WallUnavailable("wall.worker_died", "The worker ended before the call began.", hint="Ask again.")


def not_built(why: str) -> WallUnavailable:
    """Return the refusal of a call whose cell could not be built."""
    return WallUnavailable(
        "wall.launch_failed",
        f"The cell could not be built: {why}.",
        hint="Run `./steward doctor`; nothing of the call has run.",
    )


def _no_start(command: Sequence[str], said: str) -> WallUnavailable:
    lines = said.splitlines() or ["it said nothing"]
    return WallUnavailable(
        "wall.worker_failed",
        f"The worker `{' '.join(command)}` does not start: {lines[-1]}",
        subject=command[0],
        hint="Run that command by hand to see the whole message; `./steward setup` repairs the environment.",
    )
