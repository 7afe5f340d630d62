"""A tunnel: bytes of a program in a cell passed on to a host and back, until one side has enough.

What this stops: bytes going out before the greeting was looked at (``hello``); a tunnel that ends leaving the line out
of step: everything that the cell sends until its own end is read, and dropped where nobody wants it.
What it does not: see what is said in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from permissions.egress import frames
from permissions.egress.hello import ServerName
from permissions.egress.link import Link
from permissions.egress.questions import BadFrame

Tell = Callable[[bytes], Awaitable[None]]
_OF_A_TUNNEL = (frames.BODY, frames.END, frames.ABORT)


class Tunnel:
    """One tunnel over an open connection. ``name`` holds its first bytes back until they may go."""

    def __init__(self, link: Link, reader: asyncio.StreamReader, tell: Tell, name: ServerName) -> None:
        self._link = link
        self._reader = reader
        self._tell = tell
        self._name = name
        self._cell_ended = False

    async def carry(self) -> None:
        """Pass bytes on until the host has ended, or has been given up; then tell the cell that no more will come.

        Raises Refused where the greeting is not that of the host, BadFrame, ConnectionError where the cell has gone.
        """
        up, down = asyncio.create_task(self._up()), asyncio.create_task(self._down())
        try:
            await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
            if up.done():
                await up  # raises what is wrong; else the cell wants nothing more
            await self._tell(frames.frame(frames.END))
            if not self._cell_ended:
                await up
        finally:
            for job in (up, down):  # the cell has ended, or is not listened to any more: nothing is read by halves
                job.cancel()
            await asyncio.gather(up, down, return_exceptions=True)

    async def drain(self) -> None:
        """Read what the cell still sends until it has said its end; nobody wants it."""
        while not self._cell_ended:
            kind, _ = await self._frame()
            self._cell_ended = kind == frames.END

    async def _up(self) -> None:
        """Pass on what the cell sends. After its end it may only say that it wants nothing more."""
        while not (self._cell_ended and self._link.closed):
            kind, data = await self._frame()
            if kind == frames.ABORT:
                self._link.close()
            elif self._cell_ended:
                raise BadFrame("more in a tunnel after its end")
            elif kind == frames.END:
                self._cell_ended = True
                self._link.finish()
            elif not self._link.closed and (going := self._name.passed(data)):
                with suppress(OSError):  # the host has closed, which ends the other half
                    await self._link.send(going)

    async def _down(self) -> None:
        with suppress(OSError):
            while data := await self._link.receive():
                await self._tell(frames.frame(frames.BODY, data))
        self._link.close()

    async def _frame(self) -> tuple[bytes, bytes]:
        try:
            kind, length = frames.FRAME.unpack(await self._reader.readexactly(frames.FRAME.size))
            if kind not in _OF_A_TUNNEL or length > (frames.LARGEST_CHUNK if kind == frames.BODY else 0):
                raise BadFrame(f"{kind!r} of {length} bytes in a tunnel")
            return kind, await self._reader.readexactly(length)
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("the cell has gone") from error
