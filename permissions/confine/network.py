"""The one way out of a cell: a socket pair whose other end is answered in the daemon, while the call lasts.

What this stops: a connection that outlives its call; a call that may not connect having anything to ask at.
What it does not: know what is said there, or judge it (``permissions.egress`` does). The pair carries bytes only: the
daemon takes no descriptors from it, and inside the filter refuses to ask the socket about the network it was made in.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Protocol

from permissions.model import CellOutcome, CellSpec, Connection


class Network(Protocol):
    """What answers, outside, a call that may connect to hosts."""

    async def serve(self, end: socket.socket, spec: CellSpec, report: Callable[[Connection], None]) -> None:
        """Answer the cell at the other side of ``end`` within ``spec.hosts`` until cancelled; report connections."""


class Line:
    """The network of one call: a socket pair whose inner end goes into the cell, and what was reported of it."""

    def __init__(self, network: Network | None, on_connection: Callable[[Connection], None] | None) -> None:
        self._network = network
        self._on_connection = on_connection
        self._seen: list[Connection] = []

    def known(self, spec: CellSpec) -> CellSpec:
        """Return ``spec`` as it is; without a network it has no hosts."""
        return spec if self._network else replace(spec, hosts=())

    def open(self, spec: CellSpec, until: AsyncExitStack) -> list[int]:
        """Return the descriptors to hand in, and answer at the other end ``until`` the call has ended."""
        if self._network is None:
            return []
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        until.callback(ours.close)
        serving = asyncio.create_task(self._network.serve(ours, spec, self._note))
        until.push_async_callback(_end, serving)
        return [theirs.detach()]

    def _note(self, connection: Connection) -> None:
        self._seen.append(connection)
        if self._on_connection:
            self._on_connection(connection)

    def counted(self, outcome: CellOutcome) -> CellOutcome:
        """Return ``outcome`` with what went over the network."""
        up, down = (sum(getattr(one, name) for one in self._seen) for name in ("up_bytes", "down_bytes"))
        return replace(outcome, connections=len(self._seen), up_bytes=up, down_bytes=down)


async def _end(serving: asyncio.Task[None]) -> None:
    serving.cancel()
    await asyncio.wait([serving])
    if not serving.cancelled() and (problem := serving.exception()):
        raise problem
