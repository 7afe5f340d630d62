"""Quiet hours as a person writes them: ``22-7``, ``22:30-6:45``, or nothing at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time

_WRITTEN = re.compile(r"(\d{1,2})(?::(\d{2}))?\s*-\s*(\d{1,2})(?::(\d{2}))?")


@dataclass(frozen=True, slots=True)
class Hours:
    """A part of every day, from ``start`` up to ``end``; it may go over midnight, and 0-24 is all of it."""

    start: time
    end: time

    def holds(self, now: time) -> bool:
        """Tell whether a time of day lies in it."""
        now = now.replace(tzinfo=None)
        if self.start < self.end:
            return self.start <= now < self.end
        return now >= self.start or now < self.end


def hours_of(written: str) -> Hours | None:
    """Return the hours that ``written`` means, None for none at all. Raises ValueError."""
    if not written.strip():
        return None
    found = _WRITTEN.fullmatch(written.strip())
    if found is None:
        raise ValueError(written)
    hour, minute, to_hour, to_minute = (int(one or 0) for one in found.groups())
    return Hours(time(hour, minute), time(to_hour % 24 if to_hour == 24 and not to_minute else to_hour, to_minute))
