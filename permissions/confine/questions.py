"""The daemon's end of the line at which a call asks for something: one question after the other, while the call lasts.

What this stops: an answer that is still being worked on when its call has ended: it is cancelled and waited for. More
than one question at a time. Questions that are too long, or too many. The line carries bytes only: descriptors that are
sent along are dropped by the kernel, and the filter refuses what would tell of the network that it was made in.
What it does not: know what is asked, or judge it; whoever hands in ``Answer`` does.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace

from permissions.confine.asker import HEAD, LARGEST_ANSWER, LARGEST_QUESTION
from permissions.confine.reservation import Reservation
from permissions.model import CellSpec

MOST_QUESTIONS = 1000
"""A call that asked so often is not listened to any more, where whoever makes it says nothing else."""

Answer = Callable[[bytes, int], Awaitable[bytes | None]]
"""Answers a question of a call that has been given so many bytes of memory by now; None closes the line."""


class Questions:
    """The line of one call: a socket pair whose inner end goes into the cell."""

    def __init__(self, answer: Answer | None, memory: Reservation, most: int | None = None) -> None:
        self._answer = answer
        self._most = MOST_QUESTIONS if most is None else most
        self._memory = memory

    def known(self, spec: CellSpec) -> CellSpec:
        """Return ``spec`` as it is; where nobody answers the call has nothing to ask at."""
        return spec if self._answer else replace(spec, asks=False)

    def open(self, until: AsyncExitStack) -> list[int]:
        """Return the descriptors to hand in, and answer at the other end ``until`` the call has ended."""
        if self._answer is None:
            return []
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        until.callback(ours.close)
        serving = asyncio.create_task(self._serve(ours, self._answer))
        until.push_async_callback(end_answering, serving)
        return [theirs.detach()]

    async def _serve(self, end: socket.socket, answer: Answer) -> None:
        reader, writer = await asyncio.open_unix_connection(sock=end.dup())
        try:
            for _ in range(self._most):
                question = await _read(reader)
                answered = None if question is None else await answer(question, self._memory.reserved)
                if answered is None or len(answered) > LARGEST_ANSWER:
                    return
                writer.write(HEAD.pack(len(answered)) + answered)
                await writer.drain()
        except ConnectionError:
            pass  # the cell has gone
        finally:
            writer.transport.abort()
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)  # whoever else holds this end, the cell is told now


async def _read(reader: asyncio.StreamReader) -> bytes | None:
    """Return the next question; None when the cell has closed its end, or its question is too long."""
    try:
        (length,) = HEAD.unpack(await reader.readexactly(HEAD.size))
        return await reader.readexactly(length) if length <= LARGEST_QUESTION else None
    except asyncio.IncompleteReadError:
        return None


async def end_answering(serving: asyncio.Task[None]) -> None:
    """Cancel the answering and wait for its end, however often this is cancelled meanwhile: nothing of it goes on."""
    serving.cancel()
    cancelled: asyncio.CancelledError | None = None
    while not serving.done():
        try:
            await asyncio.wait([serving])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    if not serving.cancelled() and (problem := serving.exception()):
        raise problem
