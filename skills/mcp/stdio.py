"""A server as a program: started in its cell, its lines read with bounds, its end told with its exit code.

What this stops: a line without an end filling the memory; more messages than anybody listens to.
What it does not: read what a message means; the protocol's library does, from here on.

Source: the stdio transport of MCP 2025-11-25: one JSON-RPC message a line, nothing else on standard output.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

MOST_LINE_BYTES = 16 << 20
_AT_ONCE = 64 << 10
_LEAVES_S = 3.0

Ended = Callable[[str], None]


@contextlib.asynccontextmanager
async def started(
    command: Sequence[str], environment: Mapping[str, str], folder: str, heard: Callable[[], None], ended: Ended
) -> AsyncIterator[tuple[_Said, _Told]]:
    """Start a program and yield the streams of its messages. Raises OSError where it cannot be started.

    ``heard`` is called for each message, and may raise; ``ended`` is told why nothing comes any more.
    """
    process = await asyncio.create_subprocess_exec(
        *command, env={**_plain_environment(), **environment}, cwd=folder or None, stdin=PIPE, stdout=PIPE,
        stderr=sys.stderr,
    )  # fmt: skip
    try:
        yield _Said(process, heard, ended), _Told(process)
    finally:
        with anyio.CancelScope(shield=True):
            await _leave(process)


def _plain_environment() -> dict[str, str]:
    """Return what every program is told: where programs lie, its own empty home, its language, and its proxy."""
    names = ("PATH", "HOME", "TMPDIR", "LANG", "USER", "LOGNAME")
    proxies = (name for name in os.environ if name.lower().endswith("_proxy"))
    return {name: os.environ[name] for name in (*names, *proxies) if name in os.environ}


class _Stream:
    """One direction, as the protocol's library holds it. Read and written where it is asked, with nothing between."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Nobody takes part in this any more."""


class _Said(_Stream):
    """What the program says, message for message."""

    def __init__(self, process: Process, heard: Callable[[], None], ended: Ended) -> None:
        super().__init__(process)
        self._heard, self._ended = heard, ended
        self._lines: deque[bytes] = deque()
        self._rest = bytearray()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message, or why a line is none. Raises EndOfStream; why there is no more was told before."""
        try:
            while not self._lines:
                await self._read()
            self._heard()
        except ValueError as error:
            self._ended(str(error))
            raise anyio.EndOfStream from None
        return _parsed(self._lines.popleft())

    async def _read(self) -> None:
        assert self._process.stdout
        chunk = await self._process.stdout.read(_AT_ONCE)
        if not chunk:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), 1.0)
            code = self._process.returncode
            raise ValueError("it closed its output" if code is None else f"it ended by itself, {_way(code)}")
        self._rest += chunk
        if b"\n" in chunk:
            *lines, rest = self._rest.split(b"\n")
            self._lines += map(bytes, lines)
            self._rest = bytearray(rest)
        if len(self._rest) > MOST_LINE_BYTES:
            raise ValueError(f"it sent a message of more than {MOST_LINE_BYTES >> 20} MiB")


class _Told(_Stream):
    """What the program is told."""

    async def send(self, one: SessionMessage, /) -> None:
        """Tell it. Raises BrokenResourceError where it listens no more."""
        assert self._process.stdin
        data = one.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        try:
            self._process.stdin.write(data)
            await self._process.stdin.drain()
        except OSError as error:
            raise anyio.BrokenResourceError from error


def _parsed(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


def _way(code: int) -> str:
    return f"by signal {-code}" if code < 0 else f"with exit code {code}"


async def _leave(process: Process) -> None:
    """Let a program end by itself, as the protocol has it: its input is closed; it is not waited for very long."""
    assert process.stdin
    process.stdin.close()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), _LEAVES_S)
    if process.returncode is None:
        process.kill()
