"""One connection to an address that was checked, encrypted where the URL says so, with its bytes counted.

What this stops: a second look at the name (the address is what is connected to), a server whose certificate is not for
the host, a connection that outlives its request.
What it does not: count the bytes of TLS and TCP themselves; these are those of HTTP.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence

from permissions.egress.targets import Target
from permissions.errors import Unreachable

_CONNECT_S = 8.0
CHUNK = 64 << 10


class Link:
    """An open connection. ``up_bytes`` and ``down_bytes`` count what went through it.

    It is ``closed`` by us, ``finished`` by whoever asked for it.
    """

    def __init__(self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.address = address
        self.up_bytes = 0
        self.down_bytes = 0
        self.closed = self.finished = False
        self._reader = reader
        self._writer = writer

    async def send(self, data: bytes) -> None:
        """Send ``data``; raises OSError."""
        self.up_bytes += len(data)
        self._writer.write(data)
        await self._writer.drain()

    async def receive(self) -> bytes:
        """Return what came next, empty at the end; raises OSError."""
        data = await self._reader.read(CHUNK)
        self.down_bytes += len(data)
        return data

    def finish(self) -> None:
        """Say that nothing more will be sent; what comes is still received."""
        self.finished = True
        if not self.closed and self._writer.can_write_eof():
            self._writer.write_eof()

    def close(self) -> None:
        """End the connection at once."""
        self.closed = True
        self._writer.transport.abort()


async def open_link(target: Target, addresses: Sequence[str], trust: ssl.SSLContext | None) -> Link:
    """Connect to the first of ``addresses`` that answers; with ``trust``, encrypted. Raises Unreachable."""
    problem: Exception | None = None
    for address in addresses:
        try:
            async with asyncio.timeout(_CONNECT_S):
                return await _connect(target, address, trust)
        except ssl.SSLError as error:
            raise _untrusted(target, error) from error
        except OSError as error:  # TimeoutError is one
            problem = error
    raise Unreachable("net.connect", f"{target.place} does not answer.", subject=target.place,
                      hint="Check the network, and ask again.") from problem  # fmt: skip


async def _connect(target: Target, address: str, trust: ssl.SSLContext | None) -> Link:
    name = target.host if trust else None
    reader, writer = await asyncio.open_connection(address, target.port, ssl=trust, server_hostname=name)
    return Link(address, reader, writer)


def _untrusted(target: Target, error: ssl.SSLError) -> Unreachable:
    why = getattr(error, "verify_message", "") or error.reason or "the handshake failed"
    return Unreachable("net.tls", f"{target.place} cannot be trusted: {why}.", subject=target.place,
                       hint="An authority of your own is set with: ./steward config set ca_file FILE")  # fmt: skip
