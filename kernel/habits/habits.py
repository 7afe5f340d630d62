"""Habits: the ledger is read as it grows, and what comes again in it is returned with what speaks for it."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from kernel.habits.choosing import Choosing
from kernel.habits.deeds import Deeds, Tools
from kernel.habits.items import items_of
from kernel.habits.keeping import Kept, Ranges, read_kept, write_kept
from kernel.habits.model import Deed, Pattern
from kernel.habits.reading import FORGOTTEN, KINDS, Ran, Reading
from memory import Event, Ledger
from memory.sequences import Entry, Limits, Miner
from skills import Registry

OVER = timedelta(days=21)
"""What has not come for so long is over."""
LIMITS = Limits()
_MANY = 20_000
"""Events: so many are three months of a person who asks for twenty things a day."""


class Habits:
    """What a person does again and again. Not thread-safe; what it returns is immutable."""

    def __init__(self, ledger: Ledger, registry: Registry, file: Path | None = None) -> None:
        """``file`` keeps what was worked out between two starts; the ledger is what counts."""
        self._ledger = ledger
        self._tools = Tools(registry)
        self._file = file
        self._known = read_kept(file, LIMITS) if file else Kept(Miner(LIMITS))
        if self._known.seq > ledger.head()[0]:
            self._known = Kept(Miner(LIMITS))  # it is another ledger's
        self._reading, self._deeds = Reading(), Deeds(self._tools)

    @property
    def seq(self) -> int:
        """The last event that was looked at."""
        return self._known.seq

    @property
    def miner(self) -> Miner:
        """What is counted."""
        return self._known.miner

    # --- folding ------------------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Read what the ledger has had since, and forget what was forgotten there."""
        many = self._ledger.head()[0] - self._known.seq > _MANY
        with _never_looked_through() if many else nullcontext():
            self.take(self._ledger.events(after=self._known.seq, kinds=KINDS))

    def take(self, events: Iterable[Event]) -> None:
        """Take in events, oldest first."""
        for event in events:
            self._known.seq = event.seq
            body: Mapping[str, Any] = event.body or {}
            if event.kind == FORGOTTEN:
                self.forget([(int(first), int(last)) for first, last in body.get("events") or ()])
            elif event.kind == "run.undone" and event.run is not None:
                self._known.undone.add(event.run)
            else:
                for ran in self._reading.take((event,)):
                    self.fold(ran)

    def fold(self, ran: Ran) -> None:
        """Take in a run that has ended. A session ends where nothing was asked for a while."""
        if ran.run in self._known.seqs:
            return  # it was read before the last start
        deeds = self._deeds.of(ran)
        if not deeds:
            return
        last = self._known.open
        if last and abs((ran.at - last[-1].at).total_seconds()) > LIMITS.apart_s:
            self._close()
        self._known.open.extend(deeds)
        self._known.seqs[ran.run] = ran.seqs

    def _close(self) -> None:
        """Fold the session that has ended into what is known."""
        deeds = tuple(self._known.open)
        self._known.open.clear()
        number = self._known.miner.fold([self._entry(one) for one in deeds])
        self._known.deeds[number] = deeds
        self._known.let_go()

    def _entry(self, deed: Deed) -> Entry:
        return Entry(items_of(deed, self._tools), deed.at.timestamp(), deed.run)

    # --- finding ------------------------------------------------------------------------------------------------------

    def patterns(self, now: datetime) -> tuple[Pattern, ...]:
        """Return what a person does again and again, the most telling first."""
        last = self._known.open
        if last and (now - last[-1].at).total_seconds() > LIMITS.apart_s:
            self._close()
        found = self._known.miner.found(now.timestamp(), OVER.total_seconds())
        choosing = Choosing(self._known.miner, self._known.deeds, frozenset(self._known.undone), self._tools)
        return choosing.choose(found)

    # --- forgetting and keeping ---------------------------------------------------------------------------------------

    def forget(self, ranges: Ranges) -> None:
        """Let go of every run of which an event in ``ranges`` (both ends with it) told.

        The file that keeps it goes, too.
        """
        self._reading.drop(ranges)
        if self._known.forget(ranges, self._entry):
            self._deeds = Deeds(self._tools)  # nor does it know what forgotten runs made
            if self._file is not None:
                self._file.unlink(missing_ok=True)

    def keep(self) -> bool:
        """Write down what is known; tell whether that could be done.

        Runs that go on are read again by the next start.
        """
        again = min(self._known.seq, self._reading.begun)
        return self._file is not None and write_kept(self._file, self._known, again)


@contextmanager
def _never_looked_through() -> Iterator[None]:
    """Look for no garbage meanwhile, nor ever in what is there at the end: years that are read hold next to none.

    Looking for it was a third of reading them, and four seconds afterwards. It holds for the whole process, which does
    not read so much but when it has no file of what it knew; what is let go of one by one is freed as ever.
    """
    collects = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.freeze()
            gc.enable()
