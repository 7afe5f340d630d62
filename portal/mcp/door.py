"""The door: where MCP comes in. The library is loaded, in a thread, when the first client knocks, not at the start.

Each client has a server of its own, so that no session, stream or id of one can be used by another, and what it has
open can be ended by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from kernel import Kernel, UnknownRun
from portal.guard import MCP, Caller, Channel
from portal.mcp.pace import Pace
from portal.problems import problem
from portal.site import Site

if TYPE_CHECKING:
    from portal.mcp.server import ClientServer

STDIO = f"{MCP}/stdio"
"""Where ``./steward mcp serve`` passes a program's standard input and output on; on the Unix socket only."""

REFUSED = 4403
"""The WebSocket close code for a client that there is not (or no longer)."""


class Door:
    """The servers of the clients that have knocked, by their names."""

    def __init__(self, kernel: Kernel, site: Site) -> None:
        self._kernel = kernel
        self._site = site
        self._servers: dict[str, ClientServer] = {}
        self._paces: dict[str, Pace] = {}
        self._heard_at_s: dict[str, float] = {}
        self._making = asyncio.Lock()

    def routes(self) -> Sequence[BaseRoute]:
        """Return the two ways in."""
        return [Route(MCP, _Http(self)), WebSocketRoute(STDIO, self.stdio)]

    async def server(self, name: str) -> ClientServer:
        """Return the server of a client, made when it first knocks. Raises UnknownRun where there is no such client."""
        self._kernel.clients.known(name)
        async with self._making:
            if name not in self._servers:
                made = await asyncio.to_thread(_load)
                self._servers[name] = server = made(self._kernel, self._site, name, self.pace(name))
                await server.begin()
        self._heard_at_s[name] = time.time()
        return self._servers[name]

    def pace(self, name: str) -> Pace:
        """Return the pace of a client, whichever way in it takes; that of the person's programs is by no name."""
        return self._paces.setdefault(name, Pace())

    def presence(self, name: str) -> dict[str, Any]:
        """Return how many connections a client has open now, and when it was last heard of (None: not since the start).

        Over HTTP one request of the newer protocol is all there is of a connection: ``heard_at_s`` says it came.
        """
        server = self._servers.get(name)
        return {"open": server.connections if server else 0, "heard_at_s": self._heard_at_s.get(name)}

    async def end(self, name: str) -> None:
        """End everything that a client has open."""
        self._heard_at_s.pop(name, None)
        server = self._servers.pop(name, None)
        if server is not None:
            await server.end()

    async def stdio(self, socket: WebSocket) -> None:
        """Speak with the command of a program, over the person's own socket."""
        caller: Caller = socket.scope["steward.caller"]
        if caller.channel is not Channel.PEER:
            await socket.close(REFUSED)
            return
        await socket.accept()
        try:
            server = await self.server(socket.query_params.get("client", ""))
        except UnknownRun as error:
            await socket.close(REFUSED, f"{error} {error.hint}"[:120])
            return
        await server.speak(socket)


class _Http:
    """The way in over HTTP, as an application of its own: the library answers by itself."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of the client that the guard let in."""
        caller: Caller = scope["steward.caller"]
        if caller.channel is not Channel.CLIENT:
            hint = "A client's token opens this; on this machine: ./steward mcp serve --client NAME"
            await problem(403, "client.token", "Only a client may ask here.", hint)(scope, receive, send)
            return
        try:
            server = await self._door.server(caller.client)
        except UnknownRun as error:  # removed between the guard and here
            await problem(401, error.code, str(error), error.hint)(scope, receive, send)
            return
        await server.http(scope, receive, send)


def _load() -> type[ClientServer]:
    from portal.mcp.server import ClientServer

    return ClientServer


__all__ = ["REFUSED", "STDIO", "ASGIApp", "Door"]
