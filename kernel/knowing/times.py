"""Since when and until when: the part of a statement that says it, read and taken out. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime

from kernel.language import Line, tokenize
from kernel.language.time.dates import find_dates
from kernel.language.time.periods import find_periods
from skills.model import ValueKind

DAY_NS = 86_400 * 10**9
_OPENS = frozenset("since seit ab from until till bis between zwischen von vom starting beginning through by".split())
_IN_YEAR = re.compile(r"(in|im jahr|during|während) \d{4}", re.IGNORECASE)
_AS_OF = re.compile(r"\bas of\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(1[6-9]|2[0-2])\d\d\b")


def without_times(text: str, language: str, now: datetime) -> tuple[str, int | None, int | None]:
    """Return (``text`` without it, since, until): the stretch of days for which it says to be true.

    Each end may be said by itself ("since 2020 until 2023").
    """
    left, since, until = _without_one(text, language, now)
    if (since is None) == (until is None):
        return left, since, until
    rest, begin, end = _without_one(left, language, now)
    if (begin is None, end is None) == (since is not None, until is not None):  # just the other end
        return rest, since if begin is None else begin, until if end is None else end
    return left, since, until


def _without_one(text: str, language: str, now: datetime) -> tuple[str, int | None, int | None]:
    """Return the same for the first stretch of days that is said."""
    plain = _AS_OF.sub("since", text)
    line = Line(plain, tokenize(plain, language), language, now)
    for found in find_periods(line):
        said = line.slice(found.first, found.last)
        if line.norm(found.first) not in _OPENS and not _IN_YEAR.fullmatch(said):
            continue
        begin, end = line.tokens[found.first].start, line.tokens[found.last - 1].end
        left = f"{plain[:begin].rstrip(' ,')} {plain[end:].lstrip(' ,')}".strip()
        return left, ns_of(found.value["start"]), ns_of(found.value["end"])
    return text, None, None


def day_in(text: str, language: str, now: datetime) -> str:
    """Return the one day that ``text`` is, as ISO; "" where it is none, more than one, or has no year."""
    line = Line(text, tokenize(text, language), language, now)
    days = {found.value for found in find_dates(line) if found.kind is ValueKind.DATE and found.confidence >= 0.5}
    year = _YEAR.search(text)
    if len(days) != 1 or year is None:
        return ""
    try:
        return date.fromisoformat(str(days.pop())).replace(year=int(year[0])).isoformat()
    except ValueError:  # 29 February of another year
        return ""


def at_of(text: str, language: str, now: datetime) -> tuple[str, int | None]:
    """Return (``text`` without it, the middle of the stretch of days that it asks about); None for now."""
    line = Line(text, tokenize(text, language), language, now)
    for found in find_periods(line):
        start, end = ns_of(found.value["start"]), ns_of(found.value["end"])
        if start is not None and end is not None:
            begin, last = line.tokens[found.first].start, line.tokens[found.last - 1].end
            return f"{text[:begin].rstrip()} {text[last:].lstrip()}".strip(), (start + end) // 2
    return text, None


def ns_of(day: str | None) -> int | None:
    """Return the beginning of an ISO day in UTC."""
    return None if day is None else (date.fromisoformat(day) - date(1970, 1, 1)).days * DAY_NS
