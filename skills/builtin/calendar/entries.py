"""Events as a calendar file has them: text in, entries out. An event that cannot be read is counted and passed over.

What this stops: one broken event, or one broken file, taking the calendar with it.
What it does not: say whether what an event says is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo

from skills.sdk import File

from .lines import Block, Line, scan
from .zones import Zones

Moment = datetime | date
"""A time of a zone, or a whole day."""

REPLIED = "X-REPLIED"
"""When somebody answered last, as a parameter of their line: an earlier answer that comes later changes nothing."""

_STAMP = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z?))?")
_LENGTH = re.compile(r"([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_ADDRESS = re.compile(r"[\w.!#$*+/=^'{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_FREE = frozenset(("TRANSPARENT",))


class NoEvent(ValueError):
    """A VEVENT that has no beginning, or one that is no time."""


class NoCalendar(ValueError):
    """The file holds no calendar."""


@dataclass(slots=True)
class Entry:
    """One VEVENT. ``key`` is what it replaces of a series (None for the series, or for a single event)."""

    title: str
    start: Moment
    end: Moment
    uid: str
    place: str = ""
    notes: str = ""
    rule: str = ""
    more: tuple[Moment, ...] = ()
    without: frozenset[Moment] = frozenset()
    replaces: Moment | None = None
    cancelled: bool = False
    busy: bool = True
    people: tuple[tuple[str, str], ...] = ()
    file: File = field(default_factory=lambda: File(""))
    block: Block = field(default_factory=lambda: Block(0))

    @property
    def all_day(self) -> bool:
        """Tell whether it is of whole days."""
        return not isinstance(self.start, datetime)

    @property
    def repeats(self) -> bool:
        """Tell whether it is a series."""
        return bool(self.rule or self.more)


@dataclass(slots=True)
class Calendar:
    """One file: its entries, its bytes, and how many of its events could not be read.

    ``owners`` are the addresses, in small letters, of whom it is: its name, where that is one (Google's are), and those
    that the person has said to be theirs. ``method`` is what it was sent or published for; empty of one that was not.
    """

    file: File
    data: bytes
    zones: Zones
    entries: list[Entry]
    unread: int = 0
    owners: frozenset[str] = frozenset()
    method: str = ""


def read(file: File, data: bytes, local: tzinfo) -> Calendar:
    """Return the calendar of a file. Raises NoCalendar where it is none."""
    found = scan(data)
    if not found.is_calendar:
        raise NoCalendar
    made = Calendar(file, data, Zones(local, data, found.zones), [], found.unended, _owners(found.name), found.method)
    for block in found.events:
        try:
            made.entries.append(_entry(file, block, made.zones))
        except (NoEvent, OverflowError):
            made.unread += 1
    return made


def _owners(name: str) -> frozenset[str]:
    return frozenset((name.casefold(),)) if is_address(name) else frozenset()


def is_address(text: str) -> bool:
    """Tell whether a text is a mail address that may be written into a calendar: one that says nothing besides."""
    return _ADDRESS.fullmatch(text) is not None and text.isprintable()


def key_of(moment: Moment) -> Moment:
    """Return a moment in the form in which two are compared: days as they are, times in UTC."""
    return moment.astimezone(UTC) if isinstance(moment, datetime) else moment


def _entry(file: File, block: Block, zones: Zones) -> Entry:
    by_name: dict[str, list[Line]] = {}
    for line in block.lines:
        by_name.setdefault(line.name, []).append(line)
    if "DTSTART" not in by_name:
        raise NoEvent
    start = _moment(by_name["DTSTART"][0], zones)
    end = _end(by_name, start, zones)
    replaced = by_name.get("RECURRENCE-ID")
    text = {name: by_name[name][0].text for name in ("SUMMARY", "LOCATION", "DESCRIPTION", "UID") if name in by_name}
    plain = {name: by_name[name][0].value.strip().upper() for name in ("STATUS", "TRANSP") if name in by_name}
    return Entry(
        " ".join(text.get("SUMMARY", "").split()), start, end, text.get("UID", ""), text.get("LOCATION", ""),
        text.get("DESCRIPTION", ""), by_name["RRULE"][0].value.strip() if "RRULE" in by_name else "",
        tuple(_moments(by_name.get("RDATE", ()), zones)),
        frozenset(map(key_of, _moments(by_name.get("EXDATE", ()), zones))),
        key_of(_moment(replaced[0], zones)) if replaced else None,
        plain.get("STATUS") == "CANCELLED", plain.get("TRANSP") not in _FREE,
        tuple(_people(by_name)) if "ATTENDEE" in by_name or "ORGANIZER" in by_name else (), file, block,
    )  # fmt: skip


def _moment(line: Line, zones: Zones) -> Moment:
    parameters, value = line.parted
    return moment(value.strip(), parameters.get("TZID", ""), zones)


def moment(value: str, zone: str, zones: Zones) -> Moment:
    """Return the day or the time that a value is. Raises NoEvent where it is none."""
    found = _STAMP.fullmatch(value)
    if found is None:
        raise NoEvent(value)
    year, month, day, hour, minute, second, utc = found.groups()
    try:
        if hour is None:
            return date(int(year), int(month), int(day))
        at = UTC if utc else zones.named(zone) if zone else zones.local
        return datetime(int(year), int(month), int(day), int(hour), int(minute), min(int(second or 0), 59), tzinfo=at)
    except ValueError as error:
        raise NoEvent(value) from error


def _moments(lines: list[Line] | tuple[Line, ...], zones: Zones) -> list[Moment]:
    found = []
    for line in lines:
        parameters, value = line.parted
        for one in value.split(","):
            try:
                found.append(moment(one.partition("/")[0].strip(), parameters.get("TZID", ""), zones))
            except NoEvent:
                continue
    return found


def _end(lines: dict[str, list[Line]], start: Moment, zones: Zones) -> Moment:
    """When it ends: as it says, else after its length, else at once (a day later where it is of whole days)."""
    whole = not isinstance(start, datetime)
    end = _moment(lines["DTEND"][0], zones) if "DTEND" in lines else None
    if end is None:
        length = length_of(lines["DURATION"][0].value) if "DURATION" in lines else None
        end = later(start, length if length is not None else timedelta(days=whole))
    if isinstance(end, datetime) == whole:  # one is a day and the other a time
        end = end.date() if isinstance(end, datetime) else later(start, timedelta())
    if key_of(end) < key_of(start):
        return start
    return later(start, timedelta(days=1)) if whole and end == start else end


def later(moment: Moment, length: timedelta) -> Moment:
    """Return a moment so much later, in true hours also where the clock is changed meanwhile."""
    if not isinstance(moment, datetime):
        return moment + timedelta(days=length.days)
    return (moment.astimezone(UTC) + length).astimezone(moment.tzinfo)


def length_of(value: str) -> timedelta | None:
    """Return a DURATION; None where it is none."""
    found = _LENGTH.fullmatch(value.strip().upper())
    if found is None:
        return None
    sign, *parts = found.groups()
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in parts)
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -length if sign == "-" else length


def _people(lines: dict[str, list[Line]]) -> list[tuple[str, str]]:
    """Who is invited and who invites: name ("" where none is said) and mail address."""
    found: dict[str, str] = {}
    for line in [*lines.get("ORGANIZER", ()), *lines.get("ATTENDEE", ())]:
        parameters, value = line.parted
        if parameters.get("CUTYPE", "INDIVIDUAL").upper() != "INDIVIDUAL":
            continue
        mail = value.strip()[7:] if value.strip().casefold().startswith("mailto:") else ""
        name = " ".join(parameters.get("CN", "").split())
        if mail or name:
            found[mail or name] = found.get(mail or name) or name
    return [(name if "@" not in name else "", mail if "@" in mail else "") for mail, name in found.items()]
