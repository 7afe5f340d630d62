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
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from permissions.confine import wire
from permissions.errors import WallUnavailable
from permissions.model import CellSpec, Level

_START_S = 30.0
_LAST_WORDS_BYTES = 4096
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

Done = asyncio.Future[dict[str, Any]]


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
        self._waiting: dict[int, Done] = {}
        self._asked: dict[int, Done] = {}
        self._numbers = 0
        self._ready: Done = self._loop.create_future()
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
        self.level, self.why = Level(message["ready"]), message["why"]
        return self

    async def submit(self, spec: CellSpec, files: Sequence[int]) -> tuple[int, Done]:
        """Hand over one call (request, result, output, lines to the daemon); return its number and its end to come."""
        bounds = {"memory": spec.limits.memory_bytes, "processes": spec.limits.processes}
        self._numbers += 1
        number, done = self._numbers, self._loop.create_future()
        self._waiting[number] = done
        sent = False
        while not (sent or self.gone):
            try:
                sent = bool(socket.send_fds(self._control, [wire.pack({"call": number, **bounds})], list(files)))
            except BlockingIOError:  # hundreds of calls at once: the zygote is behind
                await asyncio.sleep(0.005)
            except OSError:
                self._lose()
        if sent:
            return number, done
        self._waiting.pop(number, None)
        raise WallUnavailable("wall.worker_died", "The worker ended before the call began.", hint="Ask again.")

    async def where(self, number: int) -> tuple[str, bool] | None:
        """Return the group that counts a call's memory: its folder, and whether it is of version 2. None: no such."""
        if number not in self._waiting:
            return None
        told = self._asked[number] = self._loop.create_future()
        try:
            self._control.send(wire.pack({"where": number}))
        except OSError:
            del self._asked[number]
            return None
        place = (await told).get("place")
        return (str(place[0]), bool(place[1])) if place else None

    def kill_cell(self, number: int) -> None:
        """Kill the cell of a call; its end is reported as always."""
        if number not in self._waiting:
            return
        try:
            self._control.send(wire.pack({"kill": number}))
        except OSError:
            self.kill()

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
            data = self._control.recv(wire.CONTROL_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lose()
            return
        message = wire.unpack(data)
        future = self._whose(message)
        if future and not future.done():
            future.set_result(message)

    def _whose(self, message: Mapping[str, Any]) -> Done | None:
        if "done" in message:
            return self._waiting.pop(message["done"], None)
        return self._asked.pop(message["where"], None) if "where" in message else self._ready

    def _lose(self) -> None:
        if self.gone:
            return
        self.gone = True
        self._loop.remove_reader(self._control.fileno())
        self._control.close()
        if not self._ready.done():
            self._ready.set_exception(ConnectionError("it ended at once"))
        self._on_said()
        said = self._said.decode(errors="replace").strip()
        for future in (*self._waiting.values(), *self._asked.values()):
            if not future.done():
                future.set_result({"lost": f"The worker died during the call. {said}".strip()})
        self._waiting.clear()
        self._asked.clear()

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


def _no_start(command: Sequence[str], said: str) -> WallUnavailable:
    lines = said.splitlines() or ["it said nothing"]
    return WallUnavailable(
        "wall.worker_failed",
        f"The worker `{' '.join(command)}` does not start: {lines[-1]}",
        subject=command[0],
        hint="Run that command by hand to see the whole message; `./steward setup` repairs the environment.",
    )
