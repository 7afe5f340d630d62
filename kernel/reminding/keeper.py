"""The keeper: one task of the daemon that sleeps until something is due, tells it, and looks again.

What this stops: a time being passed over because the clock was set, the machine slept or the daemon was down; one
fault in a skill's file or on the desktop keeping other reminders from being told.
What it does not: run while no daemon does; what is due by then is told at its next start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from kernel.desktop.notices import Notices
from kernel.reminding.alarm import Alarm
from kernel.reminding.journal import Journal
from kernel.reminding.model import Due, Kept
from kernel.reminding.published import read_all
from kernel.reminding.wording import text_of
from memory import Ledger
from memory.model import Event
from skills.model import Skill
from skills.schedule import next_time, times_between

CHANGES = frozenset({"commit.done", "run.undone", "skill.installed", "skill.used", "skill.removed"})
"""After these what skills keep on the clock may be another."""

TRY_AGAIN_S = 30.0
_INSTANT = timedelta(microseconds=1)


def _nothing(_step: str) -> None:
    """Nobody looks on."""


class Keeper:
    """Tells what ``skills`` keep on the clock below ``own``.

    ``report`` hears of faults, ``checkpoint`` of every step.
    """

    def __init__(
        self,
        ledger: Ledger,
        own: Path,
        skills: Callable[[], Iterable[Skill]],
        *,
        clock: Callable[[], datetime],
        report: Callable[[BaseException], None],
        desktop: Notices | None = None,
        checkpoint: Callable[[str], None] = _nothing,
    ) -> None:
        self.journal = Journal(ledger)
        self.desktop = desktop or Notices()
        self.problems: dict[str, str] = {}
        self._ledger, self._own, self._skills = ledger, own, skills
        self._clock, self._report, self._checkpoint = clock, report, checkpoint

    async def run(self) -> None:
        """Keep the clock until cancelled."""
        alarm, loop = Alarm(), asyncio.get_running_loop()
        stop = self._ledger.subscribe(lambda event: _hear(loop, alarm, event))
        try:
            while not await self._replayed():
                pass
            while True:
                await self._sleep(alarm, await self._turn())
        finally:
            stop()
            alarm.close()

    async def _replayed(self) -> bool:
        try:
            await asyncio.to_thread(self.journal.replay)
        except Exception as error:  # the task edge: without it nothing is told, so it is tried again
            self._report(error)
            await asyncio.sleep(TRY_AGAIN_S)
            return False
        return True

    async def _sleep(self, alarm: Alarm, seconds: float | None) -> None:
        try:
            await alarm.sleep(seconds)
        except Exception as error:  # the task edge: whatever the timer says, the clock is looked at again
            self._report(error)
            await asyncio.sleep(TRY_AGAIN_S)

    async def _turn(self) -> float | None:
        """Tell what is due by now; return how long to sleep, None where nothing is to come."""
        try:
            kept, come = await asyncio.to_thread(self._look)
            for due in come:
                await self._tell(due)
            return await asyncio.to_thread(self._pause_s, kept)
        except Exception as error:  # the task edge: a full disk or a fault of ours; reminders are tried again
            self._report(error)
            return TRY_AGAIN_S

    def _look(self) -> tuple[tuple[Kept, ...], list[Due]]:
        """Return what is kept on the clock, and what of it is to be told now; working that out may take a while."""
        found = read_all(self._own, self._skills())
        self.problems = found.problems
        kept = self.journal.as_heard(found.kept)
        return kept, self.due(kept)

    # --- what is due ------------------------------------------------------------------------------------------

    def due(self, kept: Iterable[Kept]) -> list[Due]:
        """Return what is to be told now, the earliest first: what a crash cut short, then what has come."""
        now, every = self._now(), {one.name: one for one in kept}
        begun = [Due(every[name], at, again=True) for name, at in self.journal.unfinished() if name in every]
        come = [due for one in every.values() if (due := self._come(one, now))]
        return sorted(begun + come, key=lambda due: due.at)

    def _come(self, kept: Kept, now: datetime) -> Due | None:
        """Return the last time of an entry that has come and was not begun; the ones before it are counted."""
        count, last = times_between(kept.entry, self._since(kept), now, self._zone())
        return Due(kept, last, earlier=count - 1) if last is not None else None

    def _since(self, kept: Kept) -> datetime:
        first = kept.entry.first(self._zone()) - _INSTANT
        last = self.journal.last(kept.name, self._now())
        return first if last is None else max(first, last)

    def _pause_s(self, kept: Iterable[Kept]) -> float | None:
        """Return how long nothing is due."""
        zone, now = self._zone(), self._now()
        coming = (next_time(one.entry, self._since(one), zone) for one in kept)
        nearest = min((moment for moment in coming if moment is not None), default=None)
        return None if nearest is None else max((nearest - now).total_seconds(), 0.0)

    # --- telling ----------------------------------------------------------------------------------------------

    async def _tell(self, due: Due) -> None:
        """Tell one time: begun on disk, shown, told on disk. A crash in between is seen at the next start."""
        await self.journal.begin(due)
        self._checkpoint("begun")
        now, entry = self._now(), due.kept.entry
        text = text_of(due, now, self._zone())
        title = due.kept.titles.get(entry.language) or due.kept.titles["en"]
        why = await asyncio.to_thread(self.desktop.show, title, text)
        self._checkpoint("shown")
        body: dict[str, Any] = {
            "skill": due.kept.skill, "id": entry.id, "title": title, "text": text, "language": entry.language,
            "at": due.at.astimezone(self._zone()).isoformat(timespec="seconds"), "missed": due.missed(now),
            "earlier": due.earlier, "again": due.again, "desktop": why or "shown",
        }  # fmt: skip
        await self.journal.told(due, body)
        self._checkpoint("told")

    def _now(self) -> datetime:
        return self._clock().astimezone(UTC)

    def _zone(self) -> tzinfo:
        return self._clock().tzinfo or UTC


def _hear(loop: asyncio.AbstractEventLoop, alarm: Alarm, event: Event) -> None:
    """Wake the keeper after what may have changed the clock; called on the ledger's own thread."""
    if event.kind in CHANGES and not loop.is_closed():
        loop.call_soon_threadsafe(alarm.ring)
