"""Whether one value is the golden one: paths below the home, choices, free words, and days that go on with the run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import PurePath
from typing import Any

from dateutil.relativedelta import relativedelta

from kernel.model import Constant, Plan, Task
from kernel.routines.moving import CannotTell, moved
from skills.model import Parameter, ValueKind
from tests.benchmarks.habits.rule.model import Match, Place, same

_PATHS = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.TABLE})
_FREE = frozenset({ValueKind.TEXT, ValueKind.TITLE, ValueKind.QUERY, ValueKind.RECORD})
_LITTLE = frozenset(
    "such the a an my to of and is in der die das den dem ein eine einen mein meine zu und ist was".split()
)
_REPEATS: Mapping[str, str] = {
    said: f"FREQ={rule}"
    for unit, rule in (("day", "DAILY"), ("week", "WEEKLY"), ("month", "MONTHLY"), ("year", "YEARLY"))
    for said in (f"every {unit}", rule.lower())
}
"""A repetition that a golden rule says in words."""
_UNITS: Mapping[str, int] = {"kb": 10**3, "mb": 10**6, "gb": 10**9}


def plain(value: Any, home: str) -> Any:
    """Return a value as it is written down in a rule: paths from the home on, of a list with one item that item."""
    if isinstance(value, Mapping) and "path" in value:
        return plain(value["path"], home)
    if isinstance(value, list | tuple):
        every = [plain(one, home) for one in value]
        return every[0] if len(every) == 1 else every
    if isinstance(value, str) and value.startswith(f"{home}/"):
        return str(PurePath(value).relative_to(home))
    return value


def constant_match(pattern: Any, value: Any, parameter: Parameter, home: str) -> Match:
    """Compare what a rule says with a value of a plan."""
    kind, found = parameter.type.kind, plain(value, home)
    if kind in _PATHS:
        return same(str(pattern).rstrip("/") == str(found).rstrip("/"))
    if kind is ValueKind.SIZE:
        return _of_size(str(pattern), found)
    if kind is ValueKind.RECURRENCE:
        return same(str(found) in (str(pattern), _REPEATS.get(str(pattern))))
    if kind not in _FREE:
        return same(str(pattern).casefold() == str(found).casefold())
    wanted, words = _words(str(pattern)), _words(str(found))
    if wanted == words:
        return Match.SAME
    return Match.UNCLEAR if set(wanted) & set(words) else Match.OTHER


def is_about(text: str, things: str) -> bool:
    """Tell whether a text has half of the words of one of ``things``."""
    said = set(_words(text))
    return any(2 * len(said.intersection(words)) >= len(words) for words in map(_words, things.split(", or ")))


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[\w']+", text.casefold()) if word not in _LITTLE]


def _of_size(pattern: str, found: Any) -> Match:
    said = re.fullmatch(r"larger than (\d+) (\w\w)", pattern)
    if said is None or not isinstance(found, Mapping):
        return Match.UNCLEAR
    bound = int(said[1]) * _UNITS[said[2].casefold()]
    return same(found.get("max") is None and found.get("min") in (bound, bound + 1))


# --- days that go on with the run -----------------------------------------------------------------------------------

Span = tuple[date | None, date | None]
"""From the first day to the one behind the last."""


def _month(day: date) -> Span:
    first = day.replace(day=1)
    return first, first + relativedelta(months=1)


def _quarter_before(day: date) -> Span:
    end = day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
    return end - relativedelta(months=3), end


def _next_week(day: date) -> Span:
    monday = day + timedelta(days=7 - day.weekday())
    return monday, monday + timedelta(days=7)


TIMELY: Mapping[str, Callable[[date], date | Span]] = {
    "the day of the run": lambda day: day,
    "the day after the run": lambda day: day + timedelta(days=1),
    "five days after the run": lambda day: day + timedelta(days=5),
    "three days after the mail came": lambda day: day + timedelta(days=3),
    "the first of the month after the run": lambda day: _month(day)[1] or day,
    "the month of the run": _month,
    "the quarter before the run": _quarter_before,
    "next week, counted from the run": _next_week,
    "older than three months": lambda day: (None, day - relativedelta(months=3)),
}
"""What the words of the golden rules are on the day of a run."""


def timely_match(
    pattern: str, plan: Plan, task: Task, name: str, place: Place, begins: datetime, after: Sequence[int]
) -> Match:
    """Compare a day or a period on some days ``after`` a rule was kept, read as it is when a routine fires."""
    argument = task.arguments[name]
    if isinstance(argument, Constant) and not argument.text:
        return Match.UNCLEAR  # its words are not known, so neither is what it is next time
    for days in after:
        run = begins + timedelta(days=days)
        try:
            then = moved(plan, plan.language, place.now, run, place.tool)
        except CannotTell:
            return Match.OTHER
        value = next(one for one in then.tasks if one.id == task.id).arguments[name]
        assert isinstance(value, Constant)
        wanted, found = TIMELY[pattern](run.date()), _span(value.value)
        if found != (wanted if isinstance(wanted, tuple) else (wanted, wanted + timedelta(days=1))):
            return Match.OTHER
    return Match.SAME


def _span(value: Any) -> Span:
    if isinstance(value, Mapping):
        start, end = (None if value.get(one) is None else _day(value[one]) for one in ("start", "end"))
        return start, end
    day = _day(value)
    return day, day + timedelta(days=1)


def _day(value: Any) -> date:
    return date.fromisoformat(str(value)[:10])
