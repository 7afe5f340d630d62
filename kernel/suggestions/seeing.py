"""Seeing what comes again: the habits of this installation, opened late, fed a moment after a run, kept in a file.

What this stops: a start, a request or a person that waits for the mining of the ledger; a word of what was forgotten
staying in the file. What it does not: say what is offered.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memory import Ledger
from skills import Registry, one_import

if TYPE_CHECKING:
    from collections.abc import Collection

    from kernel.habits import Habits, Pattern
    from memory.model import EntityId

PORTION = 200
"""So many events are read before it is asked again whether somebody waits for the processor."""

KEPT_AFTER = 2_000
"""After so many events what is known is written down, as it is at the end."""

FRESH_S = 600.0
"""So long patterns are what they were, where nothing was done since."""


class Seeing:
    """What a person does again and again, later. Thread-safe; one thread at a time works on it.

    ``busy`` tells whether a run is at work: then reading goes on later.
    """

    is_open = True  # whoever calls first opens it

    def __init__(self, ledger: Ledger, registry: Registry, file: Path, busy: Callable[[], bool]) -> None:
        self._ledger, self._registry, self._file, self._busy = ledger, registry, file, busy
        self._habits: Habits | None = None
        self._kept_seq = 0
        self._found: tuple[int, datetime, tuple[Pattern, ...]] | None = None
        self._left = 0.0
        self._asked = 0  # who waits for an answer
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """How much of the ledger was not looked at yet when somebody asked last, from 0 to 1."""
        return self._left

    def keep_up(self) -> int:
        """Read what the ledger has had since, as long as no run is at work and nobody asks; return whether something is
        left.
        """
        while not self._busy() and not self._asked:
            with self._lock:
                habits = self._opened()
                if not self._read(habits, PORTION):
                    self._write(habits, KEPT_AFTER)
                    return 0
        return 1

    def patterns(self, now: datetime, within_s: float = math.inf) -> tuple[Pattern, ...]:
        """Return what comes again, the most telling first, with all that was done until now.

        Where reading that takes longer than ``within_s``, it is what was known before, and ``left`` says how much there
        is: of a part of the past nothing can be said.
        """
        self._asked += 1
        try:
            return self._patterns(now, within_s)
        finally:
            self._asked -= 1

    def _patterns(self, now: datetime, within_s: float) -> tuple[Pattern, ...]:
        until = time.monotonic() + within_s
        with self._lock:
            habits = self._opened()
            while self._read(habits, PORTION):
                left = 1.0 - habits.seq / self._ledger.head()[0]
                if left and time.monotonic() >= until:
                    self._left = left
                    return self._found[2] if self._found is not None else ()
            self._left = 0.0
            if self._found is not None:
                seq, at, found = self._found
                if seq == habits.seq and 0 <= (now - at).total_seconds() < FRESH_S:
                    return found
            found = habits.patterns(now)
            self._found = habits.seq, now, found
            return found

    def drop_forgotten(self) -> None:
        """Let go of what the ledger has forgotten: also what only the file knows of."""
        with self._lock:
            if self._habits is None and not self._file.exists():
                return
            habits = self._opened()
            self._found = None
            while self._read(habits, PORTION):
                pass
            self._write(habits)

    def close(self) -> None:
        """Write down what is known, where anything was looked at."""
        with self._lock:
            if self._habits is not None:
                self._write(self._habits)

    def _opened(self) -> Habits:
        if self._habits is None:
            with one_import:  # it brings the miner, which no start waits for
                from kernel.habits import Habits

            self._habits = Habits(self._ledger, self._registry, self._file)
            self._kept_seq = self._habits.seq
        return self._habits

    def _read(self, habits: Habits, most: int) -> bool:
        """Take in ``most`` events at most; whether there were any."""
        from kernel.habits.reading import KINDS

        before = habits.seq
        habits.take(islice(self._ledger.events(after=before, kinds=KINDS), most))
        return habits.seq > before

    def _write(self, habits: Habits, least: int = 1) -> None:
        """Write down what is known, where ``least`` events came since that was done last or the file is gone."""
        if habits.seq >= self._kept_seq + least or not self._file.exists():
            habits.keep()
            self._kept_seq = habits.seq


class SeeingStore:
    """What is known of habits, as a store of the graph's purge: after the record, for it goes by what went there."""

    name = "habits"

    def __init__(self, seeing: Seeing) -> None:
        self._seeing = seeing

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Let go of every run that the record has forgotten. None of its events is counted twice."""
        del entities, words
        self._seeing.drop_forgotten()
        return 0
