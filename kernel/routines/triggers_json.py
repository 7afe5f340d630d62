"""Triggers as JSON and back: the ledger keeps them, and a restart goes on with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from kernel.routines.model import (
    Added,
    BeforeEvent,
    Called,
    Change,
    Elapsed,
    FileSeen,
    Happened,
    Learnt,
    Machine,
    Once,
    Recurring,
    State,
    TaskDue,
    Trigger,
)

SHORTEST_S = 60
"""Nothing is done more often than this by the clock."""

_KINDS: Mapping[str, type[Any]] = {
    "once": Once, "recurring": Recurring, "elapsed": Elapsed, "file": FileSeen, "happened": Happened, "learnt": Learnt,
    "before": BeforeEvent, "added": Added, "machine": Machine, "called": Called, "task": TaskDue,
}  # fmt: skip
_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "at": datetime.fromisoformat, "every_s": int, "count": int, "change": Change, "state": State, "bound": float,
    "before_s": int, "folder": str, "pattern": str, "words": str, "what": str, "thing": str, "name": str,
    "predicate": str, "rule": str, "days": int, "clock": int, "overdue": bool, "group": str, "priority": str,
    "begins": lambda text: (datetime if "T" in text else date).fromisoformat(text), "ends": date.fromisoformat,
}  # fmt: skip
_RULE = re.compile(
    r"FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)(?:;INTERVAL=[1-9]\d{0,2})?(?:;BYMONTH=\d{1,2}(?:,\d{1,2}){0,11})?"
    r"(?:;BYMONTHDAY=-?\d{1,2}(?:,-?\d{1,2}){0,30})?(?:;BYDAY=[+-]?\d?(?:MO|TU|WE|TH|FR|SA|SU)(?:,[+-]?\d?[A-Z]{2}){0,9})?"
    r"(?:;BYSETPOS=-?[1-9]\d?(?:,-?[1-9]\d{0,2}){0,99})?;BYHOUR=\d{1,2}(?:,\d{1,2}){0,23};BYMINUTE=\d{1,2}(?:,\d{1,2}){0,59}"
)


def to_json(trigger: Trigger) -> dict[str, Any]:
    """Return ``trigger`` as JSON values; ``kind`` says which it is."""
    kind = next(name for name, one in _KINDS.items() if isinstance(trigger, one))
    return {"kind": kind} | {name: _plain(value) for name, value in asdict(trigger).items()}


def from_json(value: Mapping[str, Any]) -> Trigger:
    """Read what ``to_json`` wrote. Raises KeyError, TypeError or ValueError on anything else."""
    given = {name: one for name, one in value.items() if name != "kind"}
    trigger: Trigger = _KINDS[value["kind"]](**{name: _read(name, one) for name, one in given.items()})
    _check(trigger)
    return trigger


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return value.isoformat() if isinstance(value, date) else value


def _read(name: str, value: Any) -> Any:
    read = _FIELDS.get(name)
    return value if read is None or value is None else read(value)


def _check(trigger: Trigger) -> None:
    match trigger:
        case Once(at) if at.tzinfo is not None:
            raise ValueError(f"{at} is no time on the wall")
        case Recurring(rule):
            checked_rule(rule)
        case Elapsed(every_s, begins, count) if every_s < SHORTEST_S or count < 0 or begins.tzinfo is None:
            raise ValueError(f"every {every_s} seconds from {begins} is no length that is kept")
        case FileSeen(_, folder) if not folder.startswith("/"):
            raise ValueError(f"{folder!r} is no whole path")
        case TaskDue(days, before_s, clock) if abs(days) > 366 or before_s < 0 or clock >= 86400:
            raise ValueError(f"{days} days, {before_s} seconds before {clock} is no moment of a task that is kept")
        case _:
            pass


def checked_rule(rule: str) -> str:
    """Return a rule that says its time of day and can be worked out quickly. Raises ValueError."""
    from dateutil.rrule import rrulestr

    if not _RULE.fullmatch(rule):
        raise ValueError(f"{rule!r} is no rule that is kept")
    rrulestr(rule, dtstart=datetime(2000, 1, 1))
    return rule
