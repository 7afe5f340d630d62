"""What goes to those who are invited to an event of the person's own (RFC 5546): REQUEST and CANCEL.

What this stops: alarms, attachments and whatever else a program keeps in an event going to others with it; a guest
elsewhere reading a time without a zone as one of theirs. What it does not: send.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from skills.sdk.contentlines import escaped, folded

from .entries import Calendar, Entry, Moment
from .invitations import organizer_of
from .lines import Line
from .writing import unreplied
from .zones import definition, in_database, name_of

_END = b"\r\n"
_SENT = frozenset(
    "UID DTSTAMP SEQUENCE CREATED LAST-MODIFIED DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID SUMMARY "
    "LOCATION GEO URL DESCRIPTION STATUS CLASS TRANSP ORGANIZER ATTENDEE".split()
)
_TIMES = frozenset("DTSTART DTEND RDATE EXDATE RECURRENCE-ID".split())
_CLOCK = re.compile(r"[0-9]{8}T[0-9]{6}", re.IGNORECASE)


def request(calendar: Calendar, entries: Sequence[Entry]) -> bytes:
    """Return the message that invites to an event as it is now: to all of it, or to single times of a series."""
    zones: dict[str, bytes] = {}
    events = [_event(calendar, entry, zones) for entry in entries]
    return _calendar("REQUEST", [*zones.values(), *events])


def cancellation(entries: Sequence[Entry], time: Moment | None, version: int, now: datetime) -> bytes:
    """Return the message that an event is off: all of it, or one ``time`` of a series."""
    first = entries[0]
    organizer = next((one for entry in entries if (one := organizer_of(entry.block).address)), "")
    people = {line.value.strip().casefold(): line for entry in entries for line in entry.block.all("ATTENDEE")}
    lines = [f"UID:{escaped(first.uid)}", f"SEQUENCE:{version}", f"DTSTAMP:{_utc(now)}", "STATUS:CANCELLED",
             _in_utc("DTSTART", first.start if time is None else time), f"SUMMARY:{escaped(first.title)}",
             f"ORGANIZER:mailto:{organizer}"]  # fmt: skip
    lines += [_in_utc("RECURRENCE-ID", time)] if time is not None else []
    body = b"".join(folded(one, _END) for one in lines) + b"".join(_sent(one) for one in people.values())
    return _calendar("CANCEL", [b"BEGIN:VEVENT\r\n" + body + b"END:VEVENT\r\n"])


def _calendar(method: str, parts: Sequence[bytes]) -> bytes:
    head = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Steward//Calendar//EN",
        "CALSCALE:GREGORIAN",
        f"METHOD:{method}",
    )
    return b"".join(folded(one, _END) for one in head) + b"".join(parts) + b"END:VCALENDAR\r\n"


def _event(calendar: Calendar, entry: Entry, zones: dict[str, bytes]) -> bytes:
    lines = [line for line in entry.block.lines if line.name in _SENT]
    said = [_timed(calendar, entry, line, zones) if line.name in _TIMES else _sent(line) for line in lines]
    return b"".join([b"BEGIN:VEVENT\r\n", *said, b"END:VEVENT\r\n"])


def _sent(line: Line) -> bytes:
    """A line as it stands, but for when somebody answered, which is nobody's business."""
    return folded(unreplied(line), _END)


def _timed(calendar: Calendar, entry: Entry, line: Line, zones: dict[str, bytes]) -> bytes:
    """A line with a time, in a zone that the message defines; a clock time of no zone is one of the person's."""
    parameters, value = line.parted
    if not _CLOCK.search(value) or value.strip().upper().endswith("Z"):
        return _sent(line)
    name = parameters.get("TZID", "")
    if name and (found := _zone(calendar, entry, name)):
        zones[name] = found
        return _sent(line)
    local = calendar.zones.local
    if not isinstance(local, ZoneInfo) or name_of(local) == "UTC":
        return folded(f"{line.name}:{','.join(_as_utc(calendar, value))}", _END)
    zones[local.key] = definition(local, _year(entry), _END)
    kind = ";VALUE=PERIOD" if "/" in value else ""
    return folded(f"{line.name};TZID={local.key}{kind}:{value.strip()}", _END)


def _zone(calendar: Calendar, entry: Entry, name: str) -> bytes:
    """What defines a zone: what its file says, else the database; nothing where nobody knows it."""
    block = calendar.zones.blocks.get(name)
    if block is not None:
        raw = calendar.data[block.first : block.last]
        return raw.replace(b"\r\n", b"\n").replace(b"\n", _END)
    zone = in_database(name)
    if not isinstance(zone, ZoneInfo):
        return b""
    return definition(zone, _year(entry), _END).replace(f"TZID:{zone.key}".encode(), f"TZID:{name}".encode())


def _as_utc(calendar: Calendar, value: str) -> Iterator[str]:
    for one in value.strip().split(","):
        at = datetime.strptime(one.partition("/")[0].upper(), "%Y%m%dT%H%M%S").replace(tzinfo=calendar.zones.local)
        yield _utc(at)


def _year(entry: Entry) -> int:
    return entry.start.year - 1


def _in_utc(name: str, at: Moment) -> str:
    return f"{name}:{_utc(at)}" if isinstance(at, datetime) else f"{name};VALUE=DATE:{at:%Y%m%d}"


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
