"""A routine as a client sees it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from kernel.remember import run_view
from kernel.routines.model import Elapsed, Once, Recurring
from kernel.routines.moments import following
from kernel.routines.routine import Routine, worded_json
from kernel.routines.wording import limit_words, such_words, trigger_words

if TYPE_CHECKING:
    from kernel.house import House


def next_of(routine: Routine, house: House) -> datetime | None:
    """Return when a routine of the clock is next due, in the zone of the person; None where nobody knows."""
    if routine.paused or not isinstance(routine.trigger, Once | Recurring | Elapsed):
        return None
    now = house.clock()
    at = following(routine.trigger, routine.since, house.routines.reached(routine), now, now.tzinfo or UTC)
    return at.astimezone(now.tzinfo) if at is not None else None


def routine_view(routine: Routine, home: str, at: datetime | None) -> dict[str, Any]:
    """Return a routine as a client sees it."""
    limits = [such_words(about, said, routine.language) for about, said in routine.such]
    limits += [limit_words(limit, amount, routine.language) for limit, amount in routine.limits]
    return {
        "name": routine.name, "text": routine.text, "said": routine.said, "language": routine.language,
        "answers": [{"asked": asked, "said": said} for asked, said in routine.answers],
        "when": trigger_words(routine.trigger, routine.language, home), "limits": [one for one in limits if one],
        "paused": routine.paused, "broken": routine.broken, "version": routine.version,
        "clock": isinstance(routine.trigger, Once | Recurring | Elapsed),
        "made": routine.made.isoformat(timespec="seconds"), "node": routine.node,
        "next": at.isoformat(timespec="minutes") if at is not None else "",
        "worded": None if routine.worded is None else worded_json(routine.worded),
    }  # fmt: skip


def _is_of(run: str, routine: Routine, house: House) -> bool:
    """Tell whether ``run`` was one of the routine, whatever it was then."""
    node, key = house.talk.whose(run)
    return node == routine.node and house.routines.has_key(routine.name, key)


def latest_of(routine: Routine, house: House) -> dict[str, Any] | None:
    """Return the latest run in the name of a routine, at its moment or because a person had it run, and no dry run;
    None before the first. ``waits`` says that it waits for an answer.
    """
    runs = (run for run in reversed(house.talk.every()) if _is_of(run, routine, house))
    views = (run_view(house.ledger.events(run=run)) for run in runs)
    view = next((one for one in views if not one["trial"]), None)
    if view is None:
        return None
    names = ("run", "conversation", "started_at", "resolution", "undone")
    return {name: view[name] for name in names} | {
        "waits": view["resolution"] == "pending" and view["card"] is not None,
        "refused": (view["error"] or {}).get("code") == "approval.refused",
    }
