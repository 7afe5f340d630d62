"""The one way out of a cell: socket pairs whose other ends are answered in the daemon, while the call lasts.

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

from permissions.confine.questions import end_answering
from permissions.model import RELAY_LINES, CellOutcome, CellSpec, Connection


class Network(Protocol):
    """What answers, outside, a call that may connect to hosts."""

    async def serve(self, end: socket.socket, spec: CellSpec, report: Callable[[Connection], None]) -> None:
        """Answer the cell at the other side of ``end`` within ``spec.hosts`` until cancelled; report connections."""


class Line:
    """The network of one call: socket pairs whose inner ends go into the cell, and what was reported of them.

    One is for what the tool asks for itself, the others, where it has them, for the connections of its programs.
    """

    def __init__(self, network: Network | None, on_connection: Callable[[Connection], None] | None) -> None:
        self._network = network
        self._on_connection = on_connection
        self._seen: list[Connection] = []

    def known(self, spec: CellSpec) -> CellSpec:
        """Return ``spec`` as it is; without a network it has no hosts."""
        return spec if self._network else replace(spec, hosts=(), relays=False)

    def open(self, spec: CellSpec, until: AsyncExitStack) -> list[int]:
        """Return the descriptors to hand in, and answer at the other end ``until`` the call has ended."""
        if self._network is None:
            return []
        return [self._line(self._network, spec, until) for _ in range(1 + (RELAY_LINES if spec.relays else 0))]

    def _line(self, network: Network, spec: CellSpec, until: AsyncExitStack) -> int:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        until.callback(ours.close)
        serving = asyncio.create_task(network.serve(ours, spec, self._note))
        until.push_async_callback(end_answering, serving)
        return theirs.detach()

    def _note(self, connection: Connection) -> None:
        self._seen.append(connection)
        if self._on_connection:
            self._on_connection(connection)

    def counted(self, outcome: CellOutcome) -> CellOutcome:
        """Return ``outcome`` with what went over the network."""
        up, down = (sum(getattr(one, name) for one in self._seen) for name in ("up_bytes", "down_bytes"))
        return replace(outcome, connections=len(self._seen), up_bytes=up, down_bytes=down)
