"""A recurrence in words, English and German: "every 2 weeks on Tuesday at 07:30, from 17 March 2026 on"."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import date
from itertools import pairwise, product

from kernel.routines.trigger_names import MONTHS, SAID, WEEKDAYS

_CODES = "MO TU WE TH FR SA SU".split()
_FEW = 6
"""So many times of a day are listed; more at even steps are told by their step."""
_PLAIN_YEAR = 2025
_WORKDAYS = "MO,TU,WE,TH,FR"

_Said = Mapping[str, str]


def recurring_words(rule: str, begins: date, ends: date | None, language: str) -> str:
    """Return what a rule of RFC 5545 with its time of day means."""
    said = SAID.get(language, SAID["en"])
    fields = {key: value for key, _, value in (part.partition("=") for part in rule.split(";"))}
    each = int(fields.get("INTERVAL", "1"))
    times = [
        60 * int(hour) + int(minute) for hour in fields["BYHOUR"].split(",") for minute in fields["BYMINUTE"].split(",")
    ]
    places = [int(one) - 1 for one in fields["BYSETPOS"].split(",")] if "BYSETPOS" in fields else []
    if places and fields["FREQ"] == "DAILY":
        times = [times[one] for one in places]
    if places and fields["FREQ"] == "YEARLY" and "BYMONTHDAY" in fields:
        dates = [_date_words(*one, language) for one in _dates(fields, places, len(times))]
        days = said["YEARLY"] + said["on"].format(days=listed(dates, said))
    else:
        days = _head(fields, each, said, language)
    step = _step(times)
    if places and fields["FREQ"] == "WEEKLY":
        text = _day_by_day(fields["BYDAY"].split(","), times, places, said, language)
    elif step:
        one = {60: "each hour", 1: "each minute"}.get(step, "elapsed")
        each_of = said[one].format(length=said["minutes"].format(n=step))
        text = said["stepped"].format(days=days, step=each_of, first=_clock(times[0]), last=_clock(times[-1]))
    else:
        text = said["at"].format(days=days, times=listed([_clock(one) for one in times], said))
    text += said["from"].format(day=day_words(begins, language)) if each > 1 else ""
    return text + (said["until"].format(day=day_words(ends, language)) if ends is not None else "")


def _dates(fields: Mapping[str, str], places: list[int], times: int) -> list[tuple[int, int]]:
    """The months and days of a year that ``places`` count, with so many times on each."""
    months, days = (map(int, fields[name].split(",")) for name in ("BYMONTH", "BYMONTHDAY"))
    every = [one for one in product(months, [*days]) if one[1] <= monthrange(_PLAIN_YEAR, one[0])[1]]
    return list(dict.fromkeys(every[place // times] for place in places))


def _day_by_day(days: list[str], times: list[int], places: list[int], said: _Said, language: str) -> str:
    """Say at which of ``times`` each of the days of a week is meant; ``places`` count through the times day by day."""
    of_day: dict[str, list[str]] = {}
    for place in places:
        of_day.setdefault(days[place // len(times)], []).append(_clock(times[place % len(times)]))
    alike: dict[tuple[str, ...], list[str]] = {}
    for day, clocks in of_day.items():
        alike.setdefault(tuple(clocks), []).append(_weekday(day, said, language))
    each = [
        said["at"].format(days=said["WEEKLY"].format(days=listed(named, said)), times=listed([*clocks], said))
        for clocks, named in alike.items()
    ]
    return listed(each, said)


def _step(times: list[int]) -> int:
    """The minutes from each of many times of a day to the next, 0 where they are few or differ."""
    steps = {later - earlier for earlier, later in pairwise(times)}
    return steps.pop() if len(times) > _FEW and len(steps) == 1 else 0


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _head(fields: Mapping[str, str], each: int, said: _Said, language: str) -> str:
    named = _named_days(fields, said, language)
    head = said[f"{fields['FREQ']}{'+' if each > 1 else ''}"].format(n=each, days=named)
    if fields["FREQ"] != "WEEKLY" and named:
        head += said["on"].format(days=named)
    if "BYMONTH" in fields:
        months = MONTHS.get(language, MONTHS["en"])
        head += said["in"].format(months=listed([months[int(one) - 1] for one in fields["BYMONTH"].split(",")], said))
    return head


def _named_days(fields: Mapping[str, str], said: _Said, language: str) -> str:
    if "BYMONTHDAY" in fields:
        days = fields["BYMONTHDAY"].split(",")
        return listed(
            [said["last day"] if one == "-1" else said["day"].format(n=_nth(one, said)) for one in days], said
        )
    given, place = fields.get("BYDAY", ""), fields.get("BYSETPOS", "")
    if given != _WORKDAYS:
        return listed([_weekday(one, said, language) for one in given.split(",") if one], said)
    return _placed(place, said["workdays"], said) if place else said["workdays"]


def _weekday(one: str, said: _Said, language: str) -> str:
    name = WEEKDAYS.get(language, WEEKDAYS["en"])[_CODES.index(one[-2:])]
    number = one[:-2].lstrip("+")
    return _placed(number, name, said) if number else name


def _nth(number: str, said: _Said) -> str:
    """Write an ordinal: 1st, 22nd, 13th; 1. in German."""
    n = int(number)
    place = n % 10 if 1 <= n % 10 <= 3 and n % 100 not in (11, 12, 13) else 4
    return f"{n}{said['ordinals'].split()[place - 1]}"


def _placed(number: str, name: str, said: _Said) -> str:
    return said["last"].format(days=name) if number == "-1" else said["nth"].format(n=_nth(number, said), days=name)


def listed(parts: list[str], said: _Said) -> str:
    """Return "a, b and c"."""
    return said["and"].join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def day_words(day: date, language: str) -> str:
    """Return a day as it is written out."""
    return f"{_date_words(day.month, day.day, language)} {day.year}"


def _date_words(month: int, day: int, language: str) -> str:
    months = MONTHS.get(language, MONTHS["en"])
    return f"{day}{'.' if language == 'de' else ''} {months[month - 1]}"
