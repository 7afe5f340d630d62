"""Changes to a calendar file, byte by byte: what is not part of a change stays as it is, folds and order included.

An event is added before the end of the calendar; of a changed one only the lines that say so are written anew; one time
of a series is taken out by an EXDATE, and moved by a VEVENT of its own beside the series (RECURRENCE-ID).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from skills.sdk.contentlines import Edit, at_colon, edited, end_of, escaped, folded, parted, unfolded

from .entries import REPLIED, Calendar, Entry, Moment, NoEvent, key_of, later, moment
from .lines import Block, Line, lines_of
from .occurrences import at_zone
from .zones import Zones, definition, name_of

EMPTY = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Steward//Calendar//EN\r\nCALSCALE:GREGORIAN\r\nEND:VCALENDAR\r\n"
"""A calendar with nothing in it."""

_CLOSED = re.compile(rb"^END:VCALENDAR[ \t]*(?:\r?\n|\Z)", re.IGNORECASE | re.MULTILINE)
_FIRST_PART = re.compile(rb"^(?:BEGIN:(?!VCALENDAR)|END:VCALENDAR)", re.IGNORECASE | re.MULTILINE)
_DAYS = re.compile("BY(DAY|MONTHDAY|YEARDAY|SETPOS)=", re.IGNORECASE)
_TIMED = re.compile("BY(HOUR|MINUTE|SECOND)=|FREQ=(HOUR|MINUTE|SECOND)LY", re.IGNORECASE)
_STAMPS = ("DTSTAMP", "LAST-MODIFIED")
_FIRST = "SEQUENCE:1"
_SERIES = frozenset(("RRULE", "RDATE", "EXDATE", "EXRULE"))
_TIMES = frozenset(("DTSTART", "DTEND", "DURATION"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a new event is to say."""

    uid: str
    title: str
    start: Moment
    end: Moment
    place: str = ""
    rule: str = ""


def added(data: bytes, wanted: Wanted, now: datetime) -> bytes:
    """Return a calendar with one event more, and with its time zone where the file does not define that."""
    end = end_of(data)
    lines = ["BEGIN:VEVENT", f"UID:{wanted.uid}", f"DTSTAMP:{_utc(now)}",
             _own("DTSTART", wanted.start), _own("DTEND", wanted.end), f"SUMMARY:{escaped(wanted.title)}"]  # fmt: skip
    lines += [f"LOCATION:{escaped(wanted.place)}"] if wanted.place else []
    lines += [f"RRULE:{wanted.rule}"] if wanted.rule else []
    event = b"".join(folded(line, end) for line in [*lines, "END:VEVENT"])
    return edited(data, [*_zone_edits(data, wanted.start, end), behind_all(data, event)])


def behind_all(data: bytes, component: bytes) -> Edit:
    """Return the edit that puts a component behind all others of a calendar."""
    closed = list(_CLOSED.finditer(data))
    at = closed[-1].start() if closed else len(data)
    return at, at, end_of(data) + component if at and not data[:at].endswith(b"\n") else component


def _zone_edits(data: bytes, start: Moment, end: bytes) -> list[Edit]:
    """The definition of a zone that the file lacks, before its first component."""
    zone = start.tzinfo if isinstance(start, datetime) else None
    name = name_of(zone)
    if (
        not name
        or not isinstance(zone, ZoneInfo)
        or zone.key == "UTC"
        or re.search(rb"^TZID:" + re.escape(name.encode()) + rb"[ \t]*\r?$", data, re.MULTILINE)
    ):
        return []
    found = _FIRST_PART.search(data)
    at = found.start() if found else len(data)
    return [(at, at, definition(zone, start.year - 1, end))]


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _own(name: str, at: Moment) -> str:
    """A line with a moment in its own zone; in UTC where that has no name."""
    if not isinstance(at, datetime):
        return f"{name};VALUE=DATE:{at:%Y%m%d}"
    zone = name_of(at.tzinfo)
    return f"{name}:{_utc(at)}" if zone in ("", "UTC") else f"{name};TZID={zone}:{at:%Y%m%dT%H%M%S}"


def _like(name: str, at: Moment, like: Line, zones: Zones) -> str:
    """A line with a moment in the form of another: in UTC, of the same zone, or without any."""
    parameters, value = like.parted
    zone = parameters.get("TZID", "")
    if not isinstance(at, datetime) or "T" not in value.upper():
        return _own(name, at)
    if value.strip().upper().endswith("Z"):
        return f"{name}:{_utc(at)}"
    said = f'"{zone}"' if re.search("[:;,]", zone) else zone
    clock = at.astimezone(zones.named(zone) if zone else zones.local)
    return f"{name}{f';TZID={said}' if zone else ''}:{clock:%Y%m%dT%H%M%S}"


# --- changing -----------------------------------------------------------------------------------------------------


def reworded(calendar: Calendar, entries: Sequence[Entry], texts: Mapping[str, str], now: datetime) -> bytes:
    """Return the file with entries that say something else: ``texts`` by the name of their line."""
    edits: list[Edit] = []
    for entry in entries:
        for name, text in texts.items():
            edits += _set(calendar, entry.block, name, f"{name}:{escaped(text)}")
        edits += _noted(calendar, entry.block, now)
    return edited(calendar.data, edits)


def moved(calendar: Calendar, entry: Entry, start: Moment, end: Moment, now: datetime) -> bytes:
    """Return the file with an entry at another time."""
    data, zones = calendar.data, calendar.zones
    begin = entry.block.one("DTSTART")
    assert begin is not None
    like_end = entry.block.one("DTEND") or begin
    edits = _set(calendar, entry.block, "DTSTART", _like("DTSTART", start, begin, zones))
    if entry.block.one("DTEND") or key_of(end) != key_of(start):
        edits += _set(calendar, entry.block, "DTEND", _like("DTEND", end, like_end, zones))
    edits += [(line.first, line.last, b"") for line in entry.block.all("DURATION")]
    edits += _noted(calendar, entry.block, now)
    changed = isinstance(start, datetime) and "T" not in begin.value.upper()
    return edited(data, [*edits, *(_zone_edits(data, start, end_of(data)) if changed else ())])


def moved_series(
    calendar: Calendar, entry: Entry, others: Sequence[Entry], by: timedelta, length: timedelta | None, now: datetime
) -> bytes:
    """Return the file with all times of a series earlier or later by the clock, the days staying as they are.

    ``others`` are the entries that replace times of it, and still replace the same ones: those at the time of the
    series go with it, the rest stay. A ``length`` is a new one.
    """
    edits = []
    for one in (entry, *(other for other in others if key_of(other.start) == other.replaces)):
        of_its_own = length is None or key_of(one.end) - key_of(one.start) != key_of(entry.end) - key_of(entry.start)
        edits += _moved_by(calendar, one, by, None if of_its_own else length, now)
    edits += [_shifted(line, by, calendar) for other in others for line in other.block.all("RECURRENCE-ID")]
    return edited(calendar.data, edits)


def _moved_by(calendar: Calendar, entry: Entry, by: timedelta, length: timedelta | None, now: datetime) -> list[Edit]:
    """Edits that move an entry, with what its series adds and leaves out, by the clock; a ``length`` is a new one."""
    edits = _noted(calendar, entry.block, now)
    for line in entry.block.lines:
        if length is not None and line.name in ("DTEND", "DURATION"):
            edits.append((line.first, line.last, b""))
        elif line.name in ("DTSTART", "DTEND", "EXDATE", "RDATE") or (
            line.name == "RRULE" and re.search("UNTIL=[0-9]{8}T", line.value, re.IGNORECASE)
        ):
            edits.append(_shifted(line, by, calendar))
    return edits if length is None else [*edits, _new_end(calendar, entry, by, length)]


def _new_end(calendar: Calendar, entry: Entry, by: timedelta, length: timedelta) -> Edit:
    """The end of a series that was moved and is of another length now, behind its beginning."""
    begin = entry.block.one("DTSTART")
    assert begin is not None
    assert isinstance(entry.start, datetime)
    start = (entry.start.replace(tzinfo=None) + by).replace(tzinfo=entry.start.tzinfo)
    line = _like("DTEND", later(start, length), begin, calendar.zones)
    return begin.last, begin.last, folded(line, end_of(calendar.data))


def _shifted(line: Line, by: timedelta, calendar: Calendar) -> Edit:
    """A line with every time in it by so much later; days stay."""
    parameters, _ = line.parted
    zone = parameters.get("TZID", "")

    def moved_by(found: re.Match[str]) -> str:
        try:
            at = moment(found[0], zone, calendar.zones)
        except NoEvent:
            return found[0]
        assert isinstance(at, datetime)
        if not found[0].upper().endswith("Z"):
            return f"{at.replace(tzinfo=None) + by:%Y%m%dT%H%M%S}"
        here = at.astimezone(calendar.zones.local).replace(tzinfo=None) + by
        return _utc(here.replace(tzinfo=calendar.zones.local))

    said = unfolded(line.raw).decode("utf-8", "replace")
    value = at_colon(said)[1]
    new = said.removesuffix(value) + re.sub(r"\d{8}T\d{6}Z?", moved_by, value, flags=re.IGNORECASE)
    return line.first, line.last, folded(new, end_of(calendar.data))


def moved_once(
    calendar: Calendar, entry: Entry, of: Moment, times: tuple[Moment, Moment], texts: Mapping[str, str], now: datetime
) -> bytes:
    """Return the file with one time of a series elsewhere, or saying something else: an entry beside the series.

    Nobody has answered to that time alone yet.
    """
    end, zones = end_of(calendar.data), calendar.zones
    begin = entry.block.one("DTSTART")
    assert begin is not None
    raised = key_of(times[0]) != key_of(of) and not is_of_others(calendar, entry.block)
    parts = []
    for line in _whole(calendar.data, entry.block):
        match line.name:
            case "DTSTART":
                parts += [folded(_like("DTSTART", times[0], begin, zones), end)]
                parts += [folded(_like("DTEND", times[1], entry.block.one("DTEND") or begin, zones), end)]
                parts += [folded(_like("RECURRENCE-ID", of, begin, zones), end)]
                parts += [folded(f"{name}:{escaped(text)}", end) for name, text in texts.items()]
                parts += [folded(_FIRST, end)] if raised and _lacks_version(entry.block) else []
            case "DTSTAMP" if not is_of_others(calendar, entry.block):
                parts += [folded(f"DTSTAMP:{_utc(now)}", end)]
            case "SEQUENCE" if raised:
                parts += [_raised(line, end)]
            case "ATTENDEE" if REPLIED in line.parted[0]:
                parts += [folded(unreplied(line), end)]
            case name if name in texts or name in _SERIES or name in _TIMES:
                continue
            case _:
                parts += [line.raw]
    at = entry.block.last
    copy = b"".join(parts)
    if not calendar.data[:at].endswith(b"\n"):
        copy = end + copy
    return edited(calendar.data, [(at, at, copy)])


def unreplied(line: Line) -> str:
    """Return a line, without when somebody answered."""
    head, value = at_colon(unfolded(line.raw).decode("utf-8", "replace"))
    kept = [one for one in parted(head) if one.partition("=")[0].upper() != REPLIED]
    return f"{';'.join(kept)}:{value}"


def _whole(data: bytes, block: Block) -> list[Line]:
    """The lines of a component; those of the parts inside it (an alarm) have no name, and stay as they are."""
    found, deep = [], 0
    for line in lines_of(data[block.first : block.last]):
        deep -= line.name == "END"
        found.append(Line("", line.raw, line.first, line.last) if deep > 1 else line)
        deep += line.name == "BEGIN"
    return found


# --- taking out ---------------------------------------------------------------------------------------------------


def removed(calendar: Calendar, entries: Sequence[Entry]) -> bytes:
    """Return the file without entries."""
    return edited(calendar.data, [(one.block.first, one.block.last, b"") for one in entries])


def left_out(
    calendar: Calendar, entry: Entry, times: Sequence[Moment], replacing: Sequence[Entry], now: datetime
) -> bytes:
    """Return the file with times of a series taken out, and with what stands for those times."""
    begin = entry.block.one("DTSTART")
    assert begin is not None
    end = end_of(calendar.data)
    said = b"".join(folded(_like("EXDATE", of, begin, calendar.zones), end) for of in times)
    after = (entry.block.one("RRULE") or begin).last
    edits = [(after, after, said), *_noted(calendar, entry.block, now)]
    return edited(calendar.data, [*edits, *((one.block.first, one.block.last, b"") for one in replacing)])


# --- inside -------------------------------------------------------------------------------------------------------


def _set(calendar: Calendar, block: Block, name: str, text: str) -> list[Edit]:
    """Edits that give a component the line ``text`` for ``name``: in the place of the old one, else behind DTSTART."""
    new = folded(text, end_of(calendar.data))
    old = block.one(name)
    if old is not None:
        return [(old.first, old.last, new)]
    behind = block.one("DTSTART") or block.lines[0]
    return [(behind.last, behind.last, new)]


def is_of_others(calendar: Calendar, block: Block) -> bool:
    """Tell whether somebody else organizes an event: its version is then theirs to say (RFC 5546, section 2.1.4).

    One that a person's copy calls newer would make the organizer's next message an older one. Whoever the calendar is
    of (its ``owners``) organizes their own events; where nobody is known, every organizer counts as another.
    """
    addresses = {line.value.strip().casefold().removeprefix("mailto:") for line in block.all("ORGANIZER")}
    return bool(addresses - calendar.owners)


def _noted(calendar: Calendar, block: Block, now: datetime) -> list[Edit]:
    """Edits that say that a component was changed, where it says so at all; of others', when, and no new version.

    One that has guests gets a version in any case: without, they would take what is new for what they have.
    """
    end, others = end_of(calendar.data), is_of_others(calendar, block)
    edits = [
        (line.first, line.last, folded(f"{name}:{_utc(now)}", end))
        for name in (_STAMPS[1:] if others else _STAMPS)
        for line in block.all(name)
    ]
    for line in block.all("SEQUENCE") if not others else ():
        edits.append((line.first, line.last, _raised(line, end)))
    begin = block.one("DTSTART")
    if begin is not None and not others and _lacks_version(block):
        edits.append((begin.last, begin.last, folded(_FIRST, end)))
    return edits


def _lacks_version(block: Block) -> bool:
    """Tell whether an event with guests does not say its version: it is the first, until it is changed."""
    return block.one("ORGANIZER") is not None and block.one("ATTENDEE") is not None and block.one("SEQUENCE") is None


def _raised(line: Line, end: bytes) -> bytes:
    """The line of the next version; one that holds no number stays as it is."""
    value = line.value.strip()
    return folded(f"SEQUENCE:{int(value) + 1}", end) if re.fullmatch("[0-9]{1,9}", value) else line.raw


def shifted_clock(entry: Entry, of: Moment, start: Moment, local: tzinfo) -> timedelta | None:
    """By how much the times of a series would change by the clock of the person, where the one of ``of`` begins at the
    clock time of ``start``; None where its rule says days or hours that would change too.
    """
    if not all(isinstance(one, datetime) for one in (entry.start, of, start)) or _TIMED.search(entry.rule):
        return None
    assert isinstance(entry.start, datetime)
    old, new = (at_zone(one, local).replace(tzinfo=None) for one in (of, start))
    by = datetime.combine(old.date(), new.time()) - old
    home = entry.start.replace(tzinfo=None)
    return None if (home + by).date() != home.date() and _DAYS.search(entry.rule) else by
