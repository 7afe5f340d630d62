"""One HTTP request and its answer over one link, as raw bytes: nothing is decompressed or decoded here.

What this stops: an answer whose headers never end, a body larger than asked for, a compressed body that unfolds in the
daemon; what is in an answer is the cell's affair.
What it does not: keep a connection for the next request; each has its own, and its own line in the ledger.

Source: RFC 9112, through ``h11``.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import h11

from permissions.egress.frames import LARGEST_CHUNK
from permissions.egress.headers import Headers
from permissions.egress.link import Link
from permissions.egress.targets import Target
from permissions.errors import Unreachable

_LARGEST_HEAD = 64 << 10


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of an answer. ``length`` is what it announces, None when it does not."""

    status: int
    headers: Headers
    length: int | None

    def header(self, name: str) -> str:
        """Return the first value of ``name`` (lower case), or nothing."""
        return next((value for key, value in self.headers if key == name), "")


class Exchange:
    """A request that is sent, and its answer that is read, once."""

    def __init__(self, link: Link, target: Target) -> None:
        self._link = link
        self._target = target
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LARGEST_HEAD)

    async def ask(self, method: str, headers: Headers, body: bytes) -> Head:
        """Send the request and return how the answer begins. Raises Unreachable (``net.protocol``)."""
        length = [("content-length", str(len(body)))] if body or method in ("POST", "PUT", "PATCH") else []
        ours = [("host", self._target.authority), ("connection", "close"), *length]
        request = h11.Request(method=method, target=self._target.path, headers=[*ours, *headers])
        try:
            parts = [self._http.send(request), self._http.send(h11.Data(data=body)) if body else b""]
            parts.append(self._http.send(h11.EndOfMessage()))
            await self._link.send(b"".join(part or b"" for part in parts))
            event = await self._next()
            while isinstance(event, h11.InformationalResponse):
                event = await self._next()
        except (OSError, h11.ProtocolError) as error:
            raise self._broken() from error
        assert isinstance(event, h11.Response)  # at anything else, a switch that nobody asked for too, ``h11`` raises
        found = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in event.headers)
        announced = next((value for name, value in found if name == "content-length"), "")
        return Head(event.status_code, found, int(announced) if announced.isdigit() else None)

    async def body(self) -> AsyncGenerator[bytes, None]:
        """Yield the body in parts of at most 64 KiB. Raises Unreachable (``net.protocol``)."""
        try:
            while isinstance(event := await self._next(), h11.Data):  # of a body that is cut off ``h11`` raises
                data = bytes(event.data)
                for start in range(0, len(data), LARGEST_CHUNK):
                    yield data[start : start + LARGEST_CHUNK]
        except (OSError, h11.ProtocolError) as error:
            raise self._broken() from error

    async def _next(self) -> object:
        event = self._http.next_event()
        while event is h11.NEED_DATA:
            self._http.receive_data(await self._link.receive())
            event = self._http.next_event()
        return event

    def _broken(self) -> Unreachable:
        return Unreachable("net.protocol", f"{self._target.place} broke off or sent what is no answer.",
                           subject=self._target.place, hint="Ask again.")  # fmt: skip
