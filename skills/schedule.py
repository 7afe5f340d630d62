"""What a skill keeps on the clock: a file of its own folder, in a form that the kernel reads without running the skill.

A skill whose manifest has ``reminds`` describes ``schedule.json`` like any other change (``ctx.schedule``), so that it
is committed and taken back with its run. The kernel reads what stands there, tells each time once, and never writes it.

What this stops: a file that is broken, too large, or repeats so often or so strangely that working it out takes long:
it is refused by name, as a whole.
What it does not: judge what is said; a person reads it with the skill's name before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import MAXYEAR, UTC, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Any

from skills.errors import SkillError

FILE = "schedule.json"
FORM = 1
MOST_ENTRIES = 500
MOST_BYTES = 512 << 10
LONGEST_TEXT = 500
HORIZON = timedelta(days=366 * 12)
"""So far ahead a rule is worked out; one that names no day within it names none."""

_CYCLE = 400
"""After so many years the calendar repeats."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_LANGUAGE = re.compile(r"[a-z]{2}")
_PART = re.compile(
    r"(?:FREQ=(?:MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)|INTERVAL=[1-9]\d{0,3}|COUNT=[1-9]\d{0,3}"
    r"|UNTIL=\d{8}(?:T\d{6}Z?)?|WKST=[A-Z]{2}|BYDAY=(?:[+-]?\d{0,2}(?:MO|TU|WE|TH|FR|SA|SU),?){1,20}"
    r"|BYMONTHDAY=(?:-?\d{1,2},?){1,31}|BYMONTH=(?:\d{1,2},?){1,12}|BYSETPOS=(?:-?(?:[1-9]|[12]\d|3[01]),?){1,10}"
    r"|BYHOUR=\d{1,2}|BYMINUTE=\d{1,2}|BYSECOND=0)"
)
_CLOCK = re.compile(r"BY(HOUR|MINUTE)=(\d+)")
_STEPS = {"MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1)}
_FITTING = {
    **dict.fromkeys(_STEPS, frozenset(("FREQ", "INTERVAL", "COUNT", "UNTIL"))),
    **dict.fromkeys(("DAILY", "WEEKLY"), frozenset("FREQ INTERVAL COUNT UNTIL WKST BYDAY BYHOUR BYMINUTE".split())),
}
"""What a rule may name besides: nothing that could make it look for its next time through years of days."""


class BadSchedule(SkillError):
    """What a skill keeps on the clock is not in the published form."""


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One thing that the person is to be told.

    ``at`` with an offset is that moment; without one it is a time on the wall, wherever the person is. ``repeat`` is a
    rule of RFC 5545 that begins at ``at``. ``says`` is what is told, by language; ``about`` is the skill's own.
    """

    id: str
    at: datetime
    says: Mapping[str, str]
    repeat: str = ""
    language: str = "en"
    about: Mapping[str, str] = field(default_factory=dict)

    def said(self, language: str = "") -> str:
        """Return what is told in ``language`` (that of the entry when empty), else in the first one that it has."""
        return self.says.get(language or self.language) or next(iter(self.says.values()))

    def first(self, zone: tzinfo) -> datetime:
        """Return the first moment, in UTC."""
        return _moment(self.at, zone)


# --- the form -----------------------------------------------------------------------------------------------------


def write_schedule(entries: Iterable[Scheduled]) -> bytes:
    """Return the file for these entries. Raises BadSchedule where one is not fit for it."""
    body = {"form": FORM, "entries": [_to_json(one) for one in entries]}
    data = json.dumps(body, ensure_ascii=False, indent=1).encode() + b"\n"
    read_schedule(data)
    return data


def read_schedule(data: bytes) -> tuple[Scheduled, ...]:
    """Return the entries of a file. Raises BadSchedule that says which one is wrong, and how."""
    if len(data) > MOST_BYTES:
        raise _bad(f"it is larger than {MOST_BYTES >> 10} KiB")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _bad("it is no JSON") from error
    if not isinstance(body, dict) or body.get("form") != FORM or not isinstance(body.get("entries"), list):
        raise _bad(f"it is not of form {FORM}")
    if len(body["entries"]) > MOST_ENTRIES:
        raise _bad(f"it has more than {MOST_ENTRIES} entries")
    entries = tuple(_entry(index, one) for index, one in enumerate(body["entries"], 1))
    if len({one.id for one in entries}) < len(entries):
        raise _bad("two of its entries have the same id")
    return entries


def _to_json(one: Scheduled) -> dict[str, Any]:
    at = one.at.isoformat(timespec="seconds")
    return {"id": one.id, "at": at, "repeat": one.repeat, "language": one.language, "says": dict(one.says),
            "about": dict(one.about)}  # fmt: skip


def _entry(index: int, body: Any) -> Scheduled:
    if not isinstance(body, dict) or set(body) - {"id", "at", "repeat", "language", "says", "about"}:
        raise _bad(f"entry {index} is no entry")
    name, repeat, language = body.get("id"), body.get("repeat", ""), body.get("language", "en")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise _bad(f"entry {index} has no id")
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        raise _bad(f"entry {name} has no language")
    says, about = _texts(name, "says", body.get("says")), _texts(name, "about", body.get("about", {}))
    if not any(text.strip() for text in says.values()):
        raise _bad(f"entry {name} says nothing")
    try:
        at = datetime.fromisoformat(body.get("at", ""))
    except (TypeError, ValueError) as error:
        raise _bad(f"entry {name} has no time") from error
    if not 2000 <= at.year < 2200:
        raise _bad(f"entry {name} is at no time that is kept")
    if at.microsecond or (at.utcoffset() or timedelta()).microseconds:
        raise _bad(f"entry {name} is at a fraction of a second")
    rule = checked_rule(repeat, name)
    if rule and not _names_a_day(rule, at):
        raise _bad(f"entry {name} repeats by a rule that names no day")
    return Scheduled(name, at, says, rule, language, about)


def _texts(name: str, key: str, body: Any) -> dict[str, str]:
    fits = isinstance(body, dict) and len(body) <= 20
    if not fits or not all(isinstance(text, str) and len(text) <= LONGEST_TEXT for text in body.values()):
        raise _bad(f"entry {name}: {key} is no short text by name")
    return {str(one): text for one, text in body.items()}


def checked_rule(rule: Any, name: str = "") -> str:
    """Return a rule if it is one that can be worked out quickly. Raises BadSchedule."""
    if rule == "":
        return ""
    parts = rule.split(";") if isinstance(rule, str) and len(rule) <= 200 else []
    keys = [part.partition("=")[0] for part in parts]
    if not parts or keys.count("FREQ") != 1 or len(set(keys)) < len(keys) or not all(map(_PART.fullmatch, parts)):
        raise _bad(f"entry {name} repeats by a rule that is not kept")
    if set(keys) - _FITTING.get(_fields(rule)["FREQ"], set(keys)):
        raise _bad(f"entry {name} repeats by a rule that names too much for how often it comes")
    _check_values(rule, name)
    return str(rule)


def _check_values(rule: str, name: str) -> None:
    from dateutil.rrule import rrulestr

    try:
        rrulestr(
            ";".join(part for part in rule.split(";") if not part.startswith("UNTIL=")), dtstart=datetime(2000, 1, 1)
        )
        _until(_fields(rule), UTC)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise _bad(f"entry {name} repeats by a rule that is not kept") from error


def _names_a_day(rule: str, at: datetime) -> bool:
    """Tell whether a rule that begins at ``at`` names a day within ``HORIZON``."""
    fields, local = _fields(rule), at.replace(tzinfo=None)
    return fields["FREQ"] in _STEPS or next(walls(rule, local, local + HORIZON), None) is not None


def _fields(rule: str) -> dict[str, str]:
    return {key: value for key, _, value in (part.partition("=") for part in rule.split(";"))}


def _bad(what: str) -> BadSchedule:
    return BadSchedule("skill.schedule", f"What is kept on the clock cannot be read: {what}.",
                       hint="Report this to the skill's author; undo takes its last change back.")  # fmt: skip


def without_clock(rule: str) -> tuple[str, time | None]:
    """Return a rule without its time of day, and that: ``FREQ=DAILY;BYHOUR=7`` is every day, at 7:00."""
    clock = {name: int(value) for name, value in _CLOCK.findall(rule)}
    plain = ";".join(part for part in rule.split(";") if part and not part.startswith(("BYHOUR", "BYMINUTE")))
    return plain, time(clock.get("HOUR", 0), clock.get("MINUTE", 0)) if clock else None


# --- the times ----------------------------------------------------------------------------------------------------


def next_time(one: Scheduled, after: datetime, zone: tzinfo) -> datetime | None:
    """Return the first time of ``one`` later than ``after``, in UTC; None when there is none any more."""
    return next((moment for moment in _times(one, zone, after) if moment > after), None)


def times_between(one: Scheduled, after: datetime, until: datetime, zone: tzinfo) -> tuple[int, datetime | None]:
    """Return how many times of ``one`` lie in (after, until], and the last of them in UTC."""
    fields = _fields(one.repeat) if one.repeat else {}
    if fields.get("FREQ") in _STEPS:
        return _steps_between(one, fields, zone, after, until)
    count, last = 0, None
    for moment in _times(one, zone, max(after, until)):
        if moment > until:
            break
        if moment > after:
            count, last = count + 1, moment
    return count, last


def _times(one: Scheduled, zone: tzinfo, near: datetime) -> Iterator[datetime]:
    """Yield the times of ``one``, rising; those long before ``near`` may be left out."""
    if not one.repeat:
        yield one.first(zone)
        return
    fields = _fields(one.repeat)
    if fields["FREQ"] in _STEPS:
        yield from _steps(one, fields, zone, near)
        return
    for local in _by_rule(one, fields, zone, near):
        yield _moment(local, zone)


def _steps(one: Scheduled, fields: Mapping[str, str], zone: tzinfo, near: datetime) -> Iterator[datetime]:
    """Yield what repeats after so many minutes or hours: real ones, whatever the clock on the wall does."""
    first, step = one.first(zone), _STEPS[fields["FREQ"]] * int(fields.get("INTERVAL", 1))
    number = max(0, (near - first) // step)
    most, until = int(fields.get("COUNT", 0)), _until(fields, zone)
    while (not most or number < most) and (until is None or first + step * number <= until):
        yield first + step * number
        number += 1


def _steps_between(
    one: Scheduled, fields: Mapping[str, str], zone: tzinfo, after: datetime, until: datetime
) -> tuple[int, datetime | None]:
    first, step = one.first(zone), _STEPS[fields["FREQ"]] * int(fields.get("INTERVAL", 1))
    ends = _until(fields, zone)
    last = ((until if ends is None else min(until, ends)) - first) // step
    if "COUNT" in fields:
        last = min(last, int(fields["COUNT"]) - 1)
    count = last - max(-1, (after - first) // step)
    return (count, first + step * last) if count > 0 else (0, None)


def _by_rule(one: Scheduled, fields: Mapping[str, str], zone: tzinfo, near: datetime) -> Iterator[datetime]:
    """Yield times on the wall by the calendar: 7 o'clock stays 7 o'clock when the clocks change."""
    start = one.at if one.at.tzinfo is None else one.at.astimezone(zone).replace(tzinfo=None)
    until = _until(fields, zone)
    last = near.astimezone(zone).replace(tzinfo=None) + HORIZON
    if until is not None:
        last = min(last, until.astimezone(zone).replace(tzinfo=None))
    return islice(walls(one.repeat, start, last), int(fields["COUNT"]) if "COUNT" in fields else None)


def walls(rule: str, start: datetime, last: datetime) -> Iterator[datetime]:
    """Yield the times on the wall of a rule of RFC 5545 from ``start`` to ``last``, whatever its COUNT and UNTIL.

    It is worked out so many times 400 years later: the calendar is the same there, day of the week and all, and a rule
    that names no day is done at the end of the calendar (the year 9999), which is where ``dateutil`` looks no further.
    """
    from dateutil.rrule import rrulestr  # whoever keeps nothing that repeats does not load it

    later = (MAXYEAR - max(start.year, last.year)) // _CYCLE * _CYCLE
    kept = ";".join(part for part in rule.split(";") if not part.startswith(("COUNT=", "UNTIL=")))
    last = last.replace(year=last.year + later)
    for at in rrulestr(f"{kept};UNTIL={last:%Y%m%dT%H%M%S}", dtstart=start.replace(year=start.year + later)):
        yield at.replace(year=at.year - later)


def _until(fields: Mapping[str, str], zone: tzinfo) -> datetime | None:
    text = fields.get("UNTIL", "")
    if not text:
        return None
    if "T" not in text:
        return datetime.strptime(f"{text}T235959", "%Y%m%dT%H%M%S").replace(tzinfo=zone).astimezone(UTC)
    moment = datetime.strptime(text.rstrip("Z"), "%Y%m%dT%H%M%S")
    return moment.replace(tzinfo=UTC if text.endswith("Z") else zone).astimezone(UTC)


def _moment(at: datetime, zone: tzinfo) -> datetime:
    """Return a time on the wall as a moment: one that the clocks skip is as much later, of two the first."""
    return (at if at.tzinfo is not None else at.replace(tzinfo=zone, fold=0)).astimezone(UTC)
