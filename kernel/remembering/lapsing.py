"""What is past its time or over the quota of old contents is let go of: after commits, once a day, and at a start.

What this stops: old contents growing without an end while a daemon stays up; a run passing for one that can be taken
back when nothing is left to do it with. What it does not: fail a request whose changes stand already.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
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


class NotKept(StrEnum):
    """Why nothing is kept to take back what a run changed."""

    LAPSED = "lapsed"  # past its time, or over the quota of old contents
    FORGOTTEN = "forgotten"  # as were its words: a person said so, or they were past their time as well
    PRIVATE = "private"  # of a private run it is kept for a while only


def not_kept(house: House, run: str) -> NotKept | None:
    """Return why what ``run`` has changed cannot be taken back any more; None where it can, or changed nothing."""
    changed = next(house.ledger.events(run=run, kinds=("commit.done", "facts.told"), limit=1), None)
    if changed is None or run in (house.transactions.runs() if changed.kind == "commit.done" else house.with_effects):
        return None
    created = next(house.ledger.events(run=run, kinds=("run.created",), limit=1), None)
    if created is not None and created.body is None:
        return NotKept.FORGOTTEN
    if created is not None and created.body is not None and created.body.get("private"):
        return NotKept.PRIVATE
    return NotKept.LAPSED


def still_kept(runs: Iterable[str], committed: set[str], kept: frozenset[str]) -> list[str]:
    """Return those of ``runs`` that can be taken back: of one that was ``committed`` its journal must be ``kept``."""
    return [run for run in runs if run not in committed or run in kept]


def undo_room(usage: Usage) -> dict[str, Any]:
    """Return how many runs can be taken back, what that takes on disk (bytes), and what bounds it (bytes, days)."""
    days = round(usage.keep_s / 86_400, 2)
    return {"runs": usage.runs, "size_bytes": usage.preimage_bytes, "most_bytes": usage.most_bytes, "keep_days": days}
