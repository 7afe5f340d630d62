"""How long the words of what was done are kept: after so many days their keys are destroyed, and the chain still
verifies.

A run that can still be taken back keeps its words until that is over (``permissions.transactions``: 90 days, or less
where old contents outgrow their room); rights, limits and what Steward was told to know are no part of a run and stay.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest
from kernel.remembering import pictures
from memory.model import Draft
from permissions.labels import KERNEL_SAID

if TYPE_CHECKING:
    from kernel.house import House

SET = "retention.set"
_DAY_NS = 86_400 * 10**9
LONGEST_DAYS = 36_500


class Retention:
    """The one setting, and carrying it out; the daemon does once a day."""

    def __init__(self, house: House) -> None:
        self._house = house

    def days(self) -> int | None:
        """Return after how many days words go; None for never."""
        last = None
        for event in self._house.ledger.events(kinds=(SET,)):
            last = (event.body or {}).get("days")
        return last if isinstance(last, int) else None

    async def set(self, days: int | None) -> dict[str, Any]:
        """Set it, and carry it out now. Raises BadRequest."""
        if days is not None and not 1 <= days <= LONGEST_DAYS:
            raise BadRequest("retention.days", f"{days} is no number of days that words can be kept for.",
                             hint=f"From 1 to {LONGEST_DAYS}, or off: ./steward ledger retention 90")  # fmt: skip
        draft = Draft(kind=SET, body={"days": days}, label=KERNEL_SAID.to_json())
        await asyncio.wrap_future(self._house.ledger.submit(draft))
        return {"days": days, "destroyed": await asyncio.to_thread(self.apply)}

    def apply(self, now_ns: int | None = None) -> int:
        """Destroy the words that are past their time; return of how many events."""
        days = self.days()
        if days is None:
            return 0
        from kernel.knowing.stores import GRAPH, NEVER, STANDING

        before = (time.time_ns() if now_ns is None else now_ns) - days * _DAY_NS
        of_run: dict[str, list[int]] = defaultdict(list)
        young = set(self._house.live) | set(self._house.half_done("en"))
        for event in self._house.ledger.events():
            if event.run is None or event.kind.startswith(GRAPH) or event.kind in STANDING | NEVER:
                continue
            if event.at_ns >= before:
                young.add(event.run)
            if event.body is not None:
                of_run[event.run].append(event.seq)
        old = [run for run in of_run if run not in young and not self._house.transactions.effects(run)]
        if not old:
            return 0
        destroyed = self._house.ledger.destroy([seq for run in old for seq in of_run[run]])
        self._house.recollection.drop_forgotten()
        self._house.seeing.drop_forgotten()
        pictures.drop(pictures.folder_of(self._house.folders.data), old)
        for run in old:
            self._house.deeds.pop(run, None)
        return destroyed
