"""The stream of what happens: events of the past first, then each as it is written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from kernel.remember import event_json
from kernel.run import Run
from memory import Ledger
from memory.model import Event

Live = Mapping[str, tuple[Run, asyncio.Task[None]]]
"""Runs that are under way, by id, with their tasks."""


async def stream(ledger: Ledger, live: Live, after: int, run: str | None) -> AsyncIterator[dict[str, Any]]:
    """Yield events after seq ``after``, as JSON; with ``run``, to its end.

    Raises StoreFailed when the run could not be written to its end.
    """
    loop = asyncio.get_running_loop()
    fresh: asyncio.Queue[Event | None] = asyncio.Queue()
    stop = ledger.subscribe(lambda event: _hand_over(loop, fresh, event))
    own = live.get(run) if run is not None else None
    if own is not None:
        own[1].add_done_callback(lambda _: fresh.put_nowait(None))
    elif run is not None:
        fresh.put_nowait(None)
    try:
        event: Event | None = None
        while True:
            past = event is None  # at the beginning, and once more when the run's task has ended
            for one in await _events(ledger, after, run) if past else (event,):
                if one is None or one.seq <= after or (run is not None and one.run != run):
                    continue
                after = one.seq
                yield event_json(one)
                if run is not None and one.kind == "run.finished":
                    return
            if past and run is not None and run not in live:
                if own is not None and own[0].fault is not None:
                    raise own[0].fault
                return
            event = await fresh.get()
    finally:
        stop()


async def _events(ledger: Ledger, after: int, run: str | None) -> list[Event]:
    return await asyncio.to_thread(lambda: list(ledger.events(after=after, run=run)))


def _hand_over(loop: asyncio.AbstractEventLoop, queue: asyncio.Queue[Event | None], event: Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(queue.put_nowait, event)
