"""Runs under way: each begins, waits for a person's answer, goes on and ends; and what an earlier daemon left goes on.

What this stops: an answer that counts for another question than the one that was seen; a run of a client that goes on
when the client is gone. What it does not: know what a run does. The way of a request is ``kernel.handling``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from types import ModuleType
from typing import Any

from kernel import opening
from kernel.errors import BadRequest, NotNow
from kernel.house import House
from kernel.model import RunId
from kernel.receiving import run_of
from kernel.record import Record
from kernel.remember import RunLog
from kernel.remembering.stream import stream
from kernel.run import Run
from skills import one_import

ANSWERS = ("once", "run", "always", "no", "done")
"""``done`` answers one question only: whether a letter of which nobody knows was sent."""


class UnderWay:
    """The runs that are not over, on one event loop. ``after`` is told of each that has ended."""

    def __init__(self, house: House, record: Record, after: Callable[[Run], None]) -> None:
        self._house = house
        self._record = record
        self._after = after
        self.live: dict[str, tuple[Run, asyncio.Task[None]]] = {}

    def start(self, live: Run, way: Coroutine[Any, Any, None]) -> None:
        """Set a run going on its ``way``."""
        self._house.give_way()
        task = asyncio.create_task(way, name=live.id)
        self.live[live.id] = (live, task)
        self._house.live.add(live.id)
        task.add_done_callback(lambda _: self._ended(live.id))

    def _ended(self, run: str) -> None:
        live, _ = self.live.pop(run)
        self._house.live.discard(run)
        self._after(live)

    async def take_up(self) -> None:
        """Go on where a stopped daemon left: runs that wait keep waiting, interrupted ones are rolled back."""
        for one in opening.unfinished(self._house):
            live = run_of(self._house, one.run, one.utterance, one.yes, one.seed, held=one.held)
            if one.ended is not None:
                await live.log.say("run.finished", None, one.ended)
            elif one.plan is not None:
                self.start(live, the_way().resume(live, one.plan, one.staging, letters=one.letters))
            elif one.proposed is not None:
                self.start(live, the_way().resume_keeping(live, one.stage, one.proposed))
            elif one.letters:
                self.start(live, the_way().settle(live))
        waiting_for_their_disk = (one.run for one in self._house.transactions.half_done())
        self._house.post.outbox.sweep({*self.live, *waiting_for_their_disk})

    # --- waiting ------------------------------------------------------------------------------------------------------

    def stream(self, after: int, run: str | None) -> AsyncIterator[dict[str, Any]]:
        """Yield events after seq ``after``, then as they are written; with ``run``, to its end. Raises StoreFailed."""
        return stream(self._house.ledger, self.live, after, run)

    async def settle(self, run: str) -> None:
        """Wait until ``run`` has ended or waits for an answer."""
        async for event in self.stream(0, run):
            if event["kind"] == "approval.requested" and self.waits(run, event["body"] or {}):
                break

    def waits(self, run: str, question: Mapping[str, Any]) -> bool:
        """Tell whether ``run`` waits for the answer to this question, and not to an earlier one of its own."""
        live = self._asking(run)
        return live is not None and bool(question.get("expires_at") == live.expires_at)

    def _asking(self, run: str) -> Run | None:
        """Return the run if it waits for an answer. One that is being cancelled takes none."""
        live, task = self.live.get(run, (None, None))
        if live is None or task is None or task.cancelling() or live.waiting is None or live.waiting.done():
            return None
        return live

    def waiting(self, *, whole: bool) -> list[dict[str, Any]]:
        """Return the views of the runs that wait for an answer; without ``whole``, many changes as a summary."""
        views = [self._record.view(run) if whole else self._record.outline(run) for run in self.live]
        return [view for view in views if self.waits(view["run"], view)]

    def approve(self, run: str, answer: str, seal: str | None) -> None:
        """Answer the run that waits (``Kernel.approve``). Raises BadRequest, UnknownRun, NotNow."""
        if answer not in ANSWERS:
            raise BadRequest("approval.answer", f"{answer!r} is no answer.", hint="One of: " + ", ".join(ANSWERS))
        live = self._asking(run)
        waiting = live.waiting if live is not None else None
        if live is None or waiting is None:
            self._record.must_not_be_half_done(run)
            raise NotNow("run.state", f"The run {run} does not wait for an answer.", subject=run,
                         hint="./steward runs shows which do.")  # fmt: skip
        if answer == "done" and not live.seal.startswith("unknown:"):
            raise BadRequest("approval.answer", "“done” answers only whether a mail was sent.", hint="Say once or no.")
        if seal is not None and seal != live.seal:
            raise NotNow("approval.other", f"The run {run} asks about something else by now.", subject=run,
                         hint="Look at what it asks, then answer: ./steward approve " + run)  # fmt: skip
        waiting.set_result(answer)

    # --- stopping -----------------------------------------------------------------------------------------------------

    async def cancel(self, run: str) -> None:
        """Stop ``run``, or drop the question that it has ended with. Raises UnknownRun, NotNow when it has ended."""
        if self._house.talk.is_open(run):
            await RunLog(self._house.ledger, RunId(run)).say("run.dropped", None, {})
            return
        if run not in self.live:
            self._record.must_not_be_half_done(run)
            raise NotNow("run.state", f"The run {run} has ended already.", subject=run)
        self.live[run][1].cancel()

    def cancel_of(self, node: str) -> None:
        """Stop what runs in the name of the client at ``node``."""
        for live, task in list(self.live.values()):
            if live.client == node:
                task.cancel()

    async def close(self) -> None:
        """Stop: runs that wait stay pending, running ones are cancelled."""
        for live, task in list(self.live.values()):
            if live.waiting is not None and not live.waiting.done():
                live.abandoned = True
            task.cancel()
        await asyncio.gather(*(task for _, task in self.live.values()), return_exceptions=True)


def the_way() -> ModuleType:
    """Return ``kernel.handling``, with all of interpreting and planning behind it: a third of a start's CPU."""
    with one_import:
        from kernel import handling

    return handling
