"""Following a run for a client: to its end, or as long as it makes sense to wait for the person.

What this stops: a call that was cancelled, or whose client went away, going on and changing something; a client that
waits for ever for a person who is not there.
What it does not: end a run that waits for the person when the daemon stops; it goes on waiting, as every run does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from kernel import Kernel, KernelError

View = dict[str, Any]
Report = Callable[[float, str], Awaitable[None]]
"""``await report(progress, message)`` tells the client that something goes on; ``progress`` only ever grows."""

BEAT_S = 5.0
"""So often a client hears that its call still lives, where nothing else happens."""

_WAITS = "waits for the person's answer (./steward approve {run}, or the page)"

log = logging.getLogger("steward.portal")
_ending: set[asyncio.Future[None]] = set()


async def followed(kernel: Kernel, run: str, report: Report, wait_s: float, closing: asyncio.Event) -> View:
    """Return the view of ``run`` when it has ended, has asked back, or has waited ``wait_s`` for the person's answer.

    Being cancelled stops the run, unless the daemon is ``closing``.
    """
    try:
        await _Following(kernel, run, report, wait_s).to_its_end()
    except asyncio.CancelledError:
        if not closing.is_set():
            _end_later(kernel, run)
        raise
    return kernel.view(run)


def _end_later(kernel: Kernel, run: str) -> None:
    """Stop a run from inside of what was itself cancelled, and can wait for nothing any more."""
    ending = asyncio.ensure_future(_end(kernel, run))
    _ending.add(ending)
    ending.add_done_callback(_ending.discard)


async def _end(kernel: Kernel, run: str) -> None:
    with suppress(KernelError):  # it has ended by itself meanwhile
        await kernel.cancel(run)


class _Following:
    def __init__(self, kernel: Kernel, run: str, report: Report, wait_s: float) -> None:
        self._events: AsyncIterator[View] = kernel.stream(run=run)
        self._run = run
        self._report = report
        self._wait_s = wait_s
        self._clock = asyncio.get_running_loop().time
        self._until: float | None = None
        self._told = 0.0
        self._doing = "understands the request"

    async def to_its_end(self) -> None:
        following: asyncio.Future[View | None] | None = None
        try:
            while self._until is None or self._clock() < self._until:
                following = following or asyncio.ensure_future(_next(self._events))
                if not (await asyncio.wait({following}, timeout=self._pause_s()))[0]:
                    await self._tell(self._doing)
                    continue
                event, following = following.result(), None
                if event is None:
                    return
                await self._take(str(event["kind"]), event["body"] or {})
        finally:
            if following is not None:
                following.cancel()

    def _pause_s(self) -> float:
        left = BEAT_S if self._until is None else self._until - self._clock()
        return max(0.0, min(BEAT_S, left))

    async def _take(self, kind: str, body: Mapping[str, Any]) -> None:
        if kind == "approval.requested" and not body.get("consented"):
            self._until = self._clock() + self._wait_s
            await self._tell(_WAITS.format(run=self._run))
        elif kind == "approval.resolved":
            self._until = None
            await self._tell("was answered")
        elif kind == "task.started":
            await self._tell(f"{body.get('tool', 'a tool')} works")
        elif kind == "task.progress":
            await self._tell(str(body.get("text") or self._doing)[:200])

    async def _tell(self, what: str) -> None:
        self._doing, self._told = what, self._told + 1
        with suppress(Exception):  # that a client cannot be told is no reason to stop its call
            await self._report(self._told, what)


async def _next(events: AsyncIterator[View]) -> View | None:
    return await anext(events, None)
