"""The journal of reminding: each time that was begun (``reminder.due``) and each that was told (``reminder.told``).

What this stops: a time being told twice, or never, whatever dies when. ``due`` is on disk before anything is shown, and
``told`` after it; what has only the first may have been seen or not, and is told again as such.
What it does not: keep words where it need not: ``due`` has none, so that what is forgotten is not told once more; what
a private request put on the clock has none in ``told`` either.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right, insort
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from kernel.reminding.hushing import HUSHED, quiet_name
from kernel.reminding.model import Due, Kept, parted
from memory import Ledger
from memory.model import Draft, Event
from permissions.labels import KERNEL_SAID

DUE, TOLD = "reminder.due", "reminder.told"
RECENT = 20
MOST_BEGUN = 400
"""So many times of one entry are known, the latest."""


class Journal:
    """What the ledger knows of reminders. Call ``replay`` once before anything else."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._begun: dict[str, list[datetime]] = {}
        self._open: dict[str, None] = {}
        self._hushed: set[str] = set()
        self._plain: dict[str, str] = {}  # of what was begun, by its quiet name
        self._heard = 0
        self._recent: deque[int] = deque()

    def replay(self) -> None:
        """Take in what was written so far; it may be called again where it did not come to its end."""
        self._begun.clear()
        self._open.clear()
        self._hushed.clear()
        self._plain.clear()
        self._recent.clear()
        self._heard, _ = self._ledger.head()
        for event in self._ledger.events(kinds=(DUE, TOLD, HUSHED)):
            self._take_in(event)

    def as_heard(self, kept: Iterable[Kept]) -> tuple[Kept, ...]:
        """Return the entries, those of private requests as such; what was written of these meanwhile counts."""
        head, _ = self._ledger.head()
        for event in self._ledger.events(after=self._heard, kinds=(HUSHED,)):
            self._take_in(event)
        self._heard = head
        return tuple(replace(one, is_quiet=quiet_name(one.name) in self._hushed) for one in kept)

    def last(self, name: str, now: datetime) -> datetime | None:
        """Return the last time of the entry ``name`` until ``now`` that was begun.

        What was begun later, by a clock that ran ahead, is passed over when its time comes, and silences nothing else.
        """
        begun = self._begun.get(name, [])
        at = bisect_right(begun, now)
        return begun[at - 1] if at else None

    def unfinished(self) -> tuple[tuple[str, datetime], ...]:
        """Return the entries and times that were begun and of which nobody knows whether they were seen."""
        return tuple(parted(key) for key in self._open)

    def recent(self) -> list[dict[str, Any]]:
        """Return what was told last, the oldest first, as far as it was not forgotten."""
        if not self._recent:
            return []
        told = self._ledger.events(after=self._recent[0] - 1, kinds=(TOLD,))
        return [
            {**one.body, "seq": one.seq, "at_s": one.at_ns / 1e9} for one in told if one.body and "text" in one.body
        ]

    async def begin(self, due: Due) -> None:
        """Write that a time is about to be told; it is on disk when this returns."""
        if due.key not in self._open:
            await self._write(Draft(kind="reminder.due", body={}, task=due.key, label=KERNEL_SAID.to_json()))

    async def told(self, due: Due, body: Mapping[str, Any]) -> None:
        """Write that a time was told, and how; of a quiet one only that it was."""
        quiet = due.kept.is_quiet
        await self._write(
            Draft(kind="reminder.told", body=body, task=due.key, label=KERNEL_SAID.to_json(), volatile=quiet)
        )

    async def _write(self, draft: Draft) -> None:
        for event in await asyncio.wrap_future(self._ledger.submit(draft)):
            self._take_in(event)

    def _take_in(self, event: Event) -> None:
        if event.kind == HUSHED:
            self._hush(event.body or {})
            return
        key = event.task or ""
        name, at = parted(key)
        if event.kind == DUE:
            self._note_begun(name, at)
            self._open[key] = None
            return
        self._open.pop(key, None)
        if event.body is not None and event.body.get("text"):
            self._recent.append(event.seq)
        if len(self._recent) > RECENT:
            self._ledger.let_go(seqs=[self._recent.popleft()])

    def _hush(self, body: Mapping[str, Any]) -> None:
        """Know entries by their quiet names from now on, with the times that were begun under the plain ones."""
        for name in body.get("names", ()):
            self._hushed.add(name)
            for at in self._begun.get(self._plain.get(name, ""), ()):
                self._note_begun(name, at)

    def _note_begun(self, name: str, at: datetime) -> None:
        if name not in self._begun:
            self._plain[quiet_name(name)] = name
        begun = self._begun.setdefault(name, [])
        if at not in begun:
            insort(begun, at)
            del begun[:-MOST_BEGUN]
