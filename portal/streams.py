"""Streams that end with the daemon: none of them may hold a shutdown up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from portal.callers import Json


async def until(closing: asyncio.Event, events: AsyncIterator[Json]) -> AsyncIterator[Json]:
    """Pass ``events`` on until they end or the daemon closes; whatever ends this ends them, too."""
    stop = asyncio.ensure_future(closing.wait())
    following: asyncio.Future[Json | None] | None = None
    try:
        while not stop.done():
            following = asyncio.ensure_future(_next(events))
            await asyncio.wait({following, stop}, return_when=asyncio.FIRST_COMPLETED)
            event = following.result() if following.done() else None
            if event is None:
                return
            yield event
    finally:
        stop.cancel()
        if following is not None:
            following.cancel()
            await asyncio.wait({following})
        if isinstance(events, AsyncGenerator):
            await events.aclose()


async def _next(events: AsyncIterator[Json]) -> Json | None:
    return await anext(events, None)
