"""What is past its time or over the quota of old contents is let go of: after commits, once a day, and at a start.

What this stops: old contents growing without an end while a daemon stays up; a run passing for one that can be taken
back when nothing is left to do it with. What it does not: fail a request whose changes stand already.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kernel.remembering.bulk import FIRST
from permissions.errors import PermissionsError

if TYPE_CHECKING:
    from kernel.house import House
    from permissions.transactions import Usage


def lapse(house: House, spare: str = "") -> tuple[str, ...]:
    """Let go of what the oldest runs could be taken back with, where that is due; return them. In a thread.

    ``spare`` is the run that has just committed. What goes is an event; where the disk refuses, the log says so.
    """
    try:
        runs = house.transactions.trim(spare=spare)
    except PermissionsError as error:
        house.report(error)
        return ()
    if runs:
        house.note("undo.lapsed", {"count": len(runs), "first": list(runs[:FIRST])})
        house.cannot_undo(runs)
    return runs


def has_lapsed(house: House, run: str) -> bool:
    """Tell whether ``run`` has changed something, and what it could be taken back with is no longer kept."""
    committed = next(house.ledger.events(run=run, kinds=("commit.done",), limit=1), None)
    return committed is not None and run not in house.transactions.runs()


def still_kept(runs: Iterable[str], committed: set[str], kept: frozenset[str]) -> list[str]:
    """Return those of ``runs`` that can be taken back: of one that was ``committed`` its journal must be ``kept``."""
    return [run for run in runs if run not in committed or run in kept]


def undo_room(usage: Usage) -> dict[str, Any]:
    """Return how many runs can be taken back, what that takes on disk (bytes), and what bounds it (bytes, days)."""
    days = round(usage.keep_s / 86_400, 2)
    return {"runs": usage.runs, "size_bytes": usage.preimage_bytes, "most_bytes": usage.most_bytes, "keep_days": days}
