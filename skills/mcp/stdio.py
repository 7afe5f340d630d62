"""A server as a program: started in its cell, its lines read with bounds, its end told with its exit code.

What this stops: a line without an end filling the memory; more messages than anybody listens to.
What it does not: read what a message means; the protocol's library does, from here on.

Source: the stdio transport of MCP 2025-11-25: one JSON-RPC message a line, nothing else on standard output.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import anyio
import mcp_types as types
from anyio.abc import Process
from mcp.shared.message import SessionMessage

MOST_LINE_BYTES = 16 << 20
_LEAVES_S = 3.0

Ended = Callable[[str], None]


@contextlib.asynccontextmanager
async def started(
    command: Sequence[str], environment: Mapping[str, str], folder: str, heard: Callable[[], None], ended: Ended
) -> AsyncIterator[tuple[Any, Any]]:
    """Start a program and yield the streams of its messages. Raises OSError where it cannot be started.

    ``heard`` is called for each message, and may raise; ``ended`` is told why nothing comes any more.
    """
    process = await anyio.open_process(
        [*command], env={**_plain_environment(), **environment}, cwd=folder or None, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=sys.stderr,
    )  # fmt: skip
    sender, messages = anyio.create_memory_object_stream[Any](0)
    outgoing, sent = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, process, sender, heard, ended)
        group.start_soon(_write, process, sent)
        try:
            yield messages, outgoing
        finally:
            with anyio.CancelScope(shield=True):
                await _leave(process)
            group.cancel_scope.cancel()


def _plain_environment() -> dict[str, str]:
    """Return what every program is told: where programs lie, its own empty home, its language, and its proxy."""
    names = ("PATH", "HOME", "TMPDIR", "LANG", "USER", "LOGNAME")
    proxies = (name for name in os.environ if name.lower().endswith("_proxy"))
    return {name: os.environ[name] for name in (*names, *proxies) if name in os.environ}


async def _read(process: Process, sender: Any, heard: Callable[[], None], ended: Ended) -> None:
    """Hand on what comes; say why nothing does any more before whoever waits for an answer sees the stream's end."""
    with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # nobody listens any more
        async with sender:
            try:
                await _read_lines(process, sender, heard)
            except ValueError as error:
                ended(str(error))
                return
            with anyio.move_on_after(1.0):
                await process.wait()
            code = process.returncode
            ended("it closed its output" if code is None else f"it ended by itself, {_way(code)}")


def _way(code: int) -> str:
    return f"by signal {-code}" if code < 0 else f"with exit code {code}"


async def _read_lines(process: Process, sender: Any, heard: Callable[[], None]) -> None:
    assert process.stdout
    waiting = bytearray()
    async for chunk in process.stdout:
        waiting += chunk
        if b"\n" in chunk:
            *lines, rest = waiting.split(b"\n")
            waiting = bytearray(rest)
            for line in lines:
                heard()
                await sender.send(_parsed(bytes(line)))
        if len(waiting) > MOST_LINE_BYTES:
            raise ValueError(f"it sent a message of more than {MOST_LINE_BYTES >> 20} MiB")


def _parsed(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _write(process: Process, sent: Any) -> None:
    assert process.stdin
    with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        async with sent:
            async for one in sent:
                await process.stdin.send(
                    one.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                )


async def _leave(process: Process) -> None:
    """Let a program end by itself, as the protocol has it: its input is closed; it is not waited for very long."""
    assert process.stdin
    with contextlib.suppress(OSError, anyio.ClosedResourceError, anyio.BrokenResourceError):
        await process.stdin.aclose()
    with anyio.move_on_after(_LEAVES_S):
        await process.wait()
    if process.returncode is None:
        process.kill()
