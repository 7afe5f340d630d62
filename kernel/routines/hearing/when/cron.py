"""A line of cron in a sentence: "cron: */15 8-17 * * 1-5 ...", "run ... with cron 0 9 * * 1-5", "0 9 * * 1-5: ...".

Its five fields (crontab(5)) become one rule of RFC 5545. What has none is refused by the name of its field: seconds,
``@reboot``, and a day of the month beside a day of the week, which cron means as "or".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kernel.language import Line
from kernel.routines.hearing.model import Heard, Lack, Unclear, Words
from kernel.routines.hearing.when.bounding import exists
from kernel.routines.hearing.when.pieces import WEEK, Days
from kernel.routines.hearing.when.writing import rule_of
from kernel.routines.model import Recurring

_NAMES = r"(?:sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_VALUE = rf"(?:\*|\d+|{_NAMES})(?:-(?:\d+|{_NAMES}))?(?:/\d+)?"
_FIELD = rf"{_VALUE}(?:,{_VALUE})*(?!\S*[\w*/])"
_LINE = rf"(?P<fields>{_FIELD}(?:\s+{_FIELD}){{4,5}}|@[a-z]+)"
_MARK = "[\"'“”„`]?"
_SAID = re.compile(
    r"(?:(?:with|by|via|using|per|on|mit|nach|als)\s+)?(?:(?:the|a|dem|der|den)\s+)?\bcron(?:tab|job)?"
    rf"(?:[ -](?:expression|schedule|line|rule|ausdruck|zeile|regel))?\s*:?\s*{_MARK}{_LINE}{_MARK}\s*[:,]?",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"\A\s*{_MARK}(?P<fields>(?=\S+\s+\S+[^:]*\*){_FIELD}(?:\s+{_FIELD}){{4,5}}){_MARK}\s*:\s", re.IGNORECASE
)
_SHORT = {
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}  # fmt: skip
_MONTHS = {name: at for at, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_DAYS = {name: at for at, name in enumerate("sun mon tue wed thu fri sat".split())}
_WITH_SECONDS = 6


@dataclass(frozen=True, slots=True)
class _Field:
    """One field: how it is called, and the numbers and names that may stand there."""

    en: str
    de: str
    least: int
    most: int
    names: Mapping[str, int]

    def called(self, language: str) -> str:
        return self.de if language == "de" else self.en


_FIELDS = (
    _Field("minute", "Minute", 0, 59, {}), _Field("hour", "Stunde", 0, 23, {}),
    _Field("day of the month", "Tag des Monats", 1, 31, {}), _Field("month", "Monat", 1, 12, _MONTHS),
    _Field("day of the week", "Wochentag", 0, 7, _DAYS),
)  # fmt: skip
_MONTH_DAY, _MONTH, _WEEK_DAY = _FIELDS[2:]


class _Refused(Exception):
    """No rule says that; the message is what of it."""


def says_cron(text: str) -> bool:
    """Tell whether a line of cron stands in a sentence."""
    return _found(text) is not None


def hear_cron(line: Line) -> Heard | Unclear | None:
    """Return the times of a line of cron, why there is no rule for it, or None where none stands there."""
    found = _found(line.text)
    if found is None:
        return None
    words = _words(line, found)
    try:
        rule, days = _rule(found["fields"].casefold(), line.language)
    except _Refused as refused:
        return Unclear(Lack.CRON, (words,), str(refused))
    if not exists(days):
        return Unclear(Lack.NO_SUCH_DAY, (words,), found["fields"])
    return Heard(Recurring(rule, line.today), (words,))


def _found(text: str) -> re.Match[str] | None:
    return _SAID.search(text) or _BARE.match(text)


def _words(line: Line, found: re.Match[str]) -> Words:
    inside = [at for at, one in enumerate(line.tokens) if found.start() <= one.start < found.end()]
    return inside[0], inside[-1] + 1


def _rule(said: str, language: str) -> tuple[str, Days]:
    fields = _SHORT.get(said, said).split()
    if said.startswith("@") and said not in _SHORT:
        raise _Refused(said)
    if len(fields) == _WITH_SECONDS:
        raise _Refused("Sekunden" if language == "de" else "seconds")
    minutes, hours, month_days, months, week_days = (
        _numbers(field, text, language) for field, text in zip(_FIELDS, fields, strict=True)
    )
    named = sorted({(day - 1) % 7 for day in week_days})
    by_month, by_week = len(month_days) < _MONTH_DAY.most, len(named) < len(WEEK)
    if by_month and by_week:
        joint = " und " if language == "de" else " and "
        both = joint.join(f"{one.called(language)} “{fields[at]}”" for at, one in ((2, _MONTH_DAY), (4, _WEEK_DAY)))
        raise _Refused(both)
    days = Days(
        "MONTHLY" if by_month else "WEEKLY" if by_week else "DAILY",
        months=tuple(months) if len(months) < _MONTH.most else (),
        month_days=tuple(month_days) if by_month else (),
        weekdays=tuple(WEEK[day] for day in named) if by_week else (),
    )
    return rule_of(days, (), hours, minutes), days


def _numbers(field: _Field, text: str, language: str) -> list[int]:
    """The numbers that a field means, rising. Raises _Refused."""
    found = set[int]()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        least = field.least if first == "*" else _number(field, first)
        most = field.most if first == "*" or (step and not last) else _number(field, last or first)
        if least is None or most is None or most < least or step == "0":
            raise _Refused(f"{field.called(language)} “{text}”")
        found |= set(range(least, most + 1, int(step or 1)))
    return sorted(found)


def _number(field: _Field, text: str) -> int | None:
    number = field.names.get(text) if not text.isdigit() else int(text)
    return number if number is not None and field.least <= number <= field.most else None
