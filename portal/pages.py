"""What the daemon can serve at once: the page's files from memory and the health check; the rest when it is loaded.

The routes to the kernel come with a web framework that takes half of a start to load. The first page does not wait for
it: it is loaded by the first request that needs it, or as soon as the start is over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.site import Site


class Later:
    """An application that is made when it is first called, in a thread, once."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._make = make
        self._made: asyncio.Task[ASGIApp] | None = None

    def begin(self) -> asyncio.Task[ASGIApp]:
        """Make it, unless that was begun before."""
        if self._made is None:
            self._made = asyncio.create_task(asyncio.to_thread(self._make))
        return self._made

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a call on to it."""
        app = await asyncio.shield(self.begin())
        await app(scope, receive, send)


def make_pages(site: Site, routes: ASGIApp) -> Router:
    """Build the application: the page's frame (it holds no data), its files, the health check; then ``routes``."""

    async def health(_request: Request) -> Response:
        return JSONResponse({"ok": True})

    async def frame(_request: Request) -> Response:
        return site.asset("/static/index.html")

    async def file(request: Request) -> Response:
        return site.asset(request.url.path)

    at_once = [Route("/healthz", health), Route("/", frame), Route("/static/{name:path}", file)]
    return Router(at_once, default=routes, redirect_slashes=False)
