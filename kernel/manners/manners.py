"""The budget of attention of a day, and its quiet hours; what was spoken is an event of the ledger."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from kernel.manners.hours import hours_of
from memory import Ledger
from memory.model import Draft
from permissions.labels import KERNEL_SAID

SPOKE = "attention.taken"
"""Something was shown that nobody had asked for. Body: kind, at (with the person's zone)."""

_KEPT_DAYS = 2


class Manners:
    """What may be said unasked. Every one over the same ledger says the same. Not thread-safe."""

    def __init__(self, ledger: Ledger, budget: int, quiet: str) -> None:
        """``budget`` is how often a day, ``quiet`` the hours of none (``kernel.manners.hours``). Raises ValueError."""
        self._ledger = ledger
        self.set(budget, quiet)
        self._seq = 0
        self._spoken: dict[str, Counter[str]] = {}

    def set(self, budget: int, quiet: str) -> None:
        """Have another budget and other quiet hours count from now on. Raises ValueError."""
        self._quiet = hours_of(quiet)
        self._budget, self._written = budget, quiet

    def to_json(self, now: datetime) -> dict[str, Any]:
        """Return the budget of a day with what is left of it, and the quiet hours with whether these are some."""
        return {"attention": self._budget, "left": self.left(now), "quiet_hours": self._written,
                "quiet": self.is_quiet(now)}  # fmt: skip

    def may_speak(self, kind: str, now: datetime) -> bool:
        """Tell whether something of this ``kind`` may be shown now, unasked. ``now`` is in the person's zone.

        No kind takes more than half of a day's budget, so that one that has much to say leaves room for the others.
        """
        if self._quiet is not None and self._quiet.holds(now.time()):
            return False
        spoken = self._today(now)
        return spoken.total() < self._budget and spoken[kind] < max(1, (self._budget + 1) // 2)

    def left(self, now: datetime) -> int:
        """Return how often more something may be shown today."""
        return max(0, self._budget - self._today(now).total())

    def is_quiet(self, now: datetime) -> bool:
        """Tell whether these are quiet hours."""
        return self._quiet is not None and self._quiet.holds(now.time())

    def spoke(self, kind: str, now: datetime) -> None:
        """Write down that something of this ``kind`` was shown."""
        body = {"kind": kind, "at": now.isoformat()}
        self._ledger.submit(Draft(kind=SPOKE, body=body, label=KERNEL_SAID.to_json(), durable=False)).result()

    def _today(self, now: datetime) -> Counter[str]:
        """Return how often each kind spoke on the day of ``now``, by the person's calendar."""
        for event in self._ledger.events(after=self._seq, kinds=(SPOKE,)):
            self._seq = event.seq
            body = event.body or {}
            self._spoken.setdefault(str(body.get("at"))[:10], Counter())[str(body.get("kind"))] += 1
        first = (now - timedelta(days=_KEPT_DAYS)).date().isoformat()
        self._spoken = {day: spoken for day, spoken in self._spoken.items() if day >= first}
        return self._spoken.get(now.date().isoformat(), Counter())
