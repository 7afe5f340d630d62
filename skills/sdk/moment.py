"""The moment of a call: the time, the day, chance, the folder that it was made from; and which of them it looked at.

A call that looked at none of them says the same again as long as its arguments and its files are the same.
What it does not: see a tool that asks the system itself. None of Steward's own does (a test looks through them).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date, datetime, tzinfo
from random import Random

from skills.model import Holds


class Moment:
    """What a call is told of when and where it is made."""

    def __init__(self, now: datetime, cwd: str, seed: int) -> None:
        self._now = now
        self._cwd = cwd
        self._random = Random(seed)  # noqa: S311 - replayable by design, never for secrets
        self.holds = Holds.ALWAYS

    @property
    def zone(self) -> tzinfo | None:
        """The person's zone; every call of theirs has the same."""
        return self._now.tzinfo

    @property
    def today(self) -> date:
        """The calendar day."""
        if self.holds is Holds.ALWAYS:
            self.holds = Holds.DAY
        return self._now.date()

    @property
    def now(self) -> datetime:
        """The time."""
        self.holds = Holds.MOMENT
        return self._now

    @property
    def cwd(self) -> str:
        """The folder that the call was made from."""
        self.holds = Holds.MOMENT
        return self._cwd

    def patience(self, seconds: float) -> Callable[[], bool]:
        """Return what tells whether so many seconds are over; where they are, the call went by the time."""
        until = time.monotonic() + seconds

        def is_over() -> bool:
            if time.monotonic() <= until:
                return False
            self.holds = Holds.MOMENT
            return True

        return is_over

    @property
    def random(self) -> Random:
        """Chance, from the seed of the request."""
        self.holds = Holds.MOMENT
        return self._random


class OfItsMoment:
    """What a context says of its moment, which notes what it was asked."""

    _moment: Moment

    @property
    def now(self) -> datetime:
        """The time of the request, in the person's zone."""
        return self._moment.now

    @property
    def today(self) -> date:
        """The person's calendar day."""
        return self._moment.today

    @property
    def cwd(self) -> str:
        """The folder that the person asked from."""
        return self._moment.cwd

    @property
    def random(self) -> Random:
        """Chance that comes again when the request is replayed; never for secrets."""
        return self._moment.random

    def patience(self, seconds: float) -> Callable[[], bool]:
        """Return what tells whether so many seconds are over: a tool that ends early asks it, and no clock."""
        return self._moment.patience(seconds)
