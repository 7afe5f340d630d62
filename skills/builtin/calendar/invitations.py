"""Invitations to events (iTIP, RFC 5546; in mails RFC 6047): read, held against the calendar, taken in, answered.

What this stops: somebody who is not the organizer changing or cancelling an event; an older version undoing a newer
one; a zone of an invitation giving other events another time; alarms and attachments of others getting into the
calendar; series that fill it. What it does not: know whether a mail is really from whom it says.
"""

from __future__ import annotations

import email
import email.errors
import email.policy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from email.utils import getaddresses
from hashlib import sha256

from skills.sdk import File, words

from .entries import Calendar, Entry, NoCalendar, read
from .lines import Block, Line, end_of, escaped, folded, lines_of
from .writing import Edit, behind_all, edited
from .zones import in_database

LARGEST = 1 << 20
MOST_EVENTS = 50
MOST_LINES = 2_000
STATUS = {"yes": "ACCEPTED", "no": "DECLINED", "maybe": "TENTATIVE"}
"""What each answer is in a calendar."""

_BROKEN = (ValueError, LookupError, TypeError, AttributeError, RecursionError, email.errors.MessageError)
_OFTEN = re.compile(r"FREQ=(?:SECONDLY|MINUTELY|HOURLY)|BY(?:HOUR|MINUTE|SECOND)=", re.IGNORECASE)
_ADDRESS = re.compile(r"mailto:([^\s@<>,;:\"]+@[^\s@<>,;:\"]+)", re.IGNORECASE)
_LEFT_OUT = frozenset(("ATTACH",))
_MOST_PARTS = 100


class NoInvitation(ValueError):
    """The file is no invitation; the text says why: none, large, often, mixed, organizer."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of an event: their address in small letters, their name, and what they answered."""

    address: str
    name: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Invitation:
    """One message about one event. ``sender`` is of the mail that it came with, "" for a bare file."""

    method: str
    calendar: Calendar
    organizer: Person
    people: tuple[Person, ...]
    sequence: int
    stamp: str
    sender: str = ""
    to: tuple[str, ...] = ()

    @property
    def first(self) -> Entry:
        """The event, the series of one that repeats."""
        return next((one for one in self.calendar.entries if one.replaces is None), self.calendar.entries[0])

    @property
    def lies(self) -> bool:
        """Tell whether the mail is from somebody else than the organizer that it names."""
        return bool(self.sender) and self.sender != self.organizer.address


def of_file(file: File, data: bytes, local: tzinfo) -> Invitation:
    """Return the invitation that a calendar file, or a mail, holds. Raises NoInvitation."""
    if len(data) > LARGEST * 8:
        raise NoInvitation("large")
    sender, inside = "", data
    to: tuple[str, ...] = ()
    if not data.lstrip(b"\xef\xbb\xbf \r\n").upper().startswith(b"BEGIN:VCALENDAR"):
        sender, to, inside = _of_mail(data)
    if len(inside) > LARGEST:
        raise NoInvitation("large")
    try:
        calendar = read(file, inside, local)
    except NoCalendar as error:
        raise NoInvitation("none") from error
    return _checked(calendar, sender, to)


def _of_mail(data: bytes) -> tuple[str, tuple[str, ...], bytes]:
    """From whom a mail is, to whom, and the calendar in it."""
    try:
        mail = email.message_from_bytes(data, policy=email.policy.default)
        senders = [address.casefold() for _, address in getaddresses(map(str, mail.get_all("From", [])))]
        heads = [str(one) for name in ("To", "Cc", "Delivered-To") for one in mail.get_all(name, [])]
        for at, part in enumerate(mail.walk()):
            name = str(part.get_filename() or "")
            if at < _MOST_PARTS and (part.get_content_type() == "text/calendar" or name.casefold().endswith(".ics")):
                content = part.get_payload(decode=True)
                if isinstance(content, bytes):
                    to = tuple(address.casefold() for _, address in getaddresses(heads))
                    return senders[0] if len(senders) == 1 else "?", to, content
    except _BROKEN as error:
        raise NoInvitation("none") from error
    raise NoInvitation("none")


def _checked(calendar: Calendar, sender: str, to: tuple[str, ...]) -> Invitation:
    method = _method(calendar.data)
    if method not in ("REQUEST", "CANCEL") or not calendar.entries or calendar.unread:
        raise NoInvitation("none")
    entries = calendar.entries
    if len(entries) > MOST_EVENTS or sum(len(one.block.lines) for one in entries) > MOST_LINES:
        raise NoInvitation("large")
    if len({one.uid for one in entries}) != 1 or not entries[0].uid or sum(not one.replaces for one in entries) > 1:
        raise NoInvitation("mixed")
    if any(_OFTEN.search(one.rule) for one in entries) or any(len(one.more) > MOST_EVENTS for one in entries):
        raise NoInvitation("often")
    organizers = {organizer_of(one.block) for one in entries}
    if len(organizers) != 1 or not (organizer := organizers.pop()).address:
        raise NoInvitation("organizer")
    people = tuple(one for one in map(_person, entries[0].block.all("ATTENDEE")) if one.address)
    sequence, stamp = max(sequence_of(one.block) for one in entries), max(_stamp_of(one.block) for one in entries)
    return Invitation(method, calendar, organizer, people, sequence, stamp, sender, to)


def _method(data: bytes) -> str:
    deep = 0
    for line in lines_of(data):
        deep += (line.name == "BEGIN") - (line.name == "END")
        if line.name == "METHOD" and deep == 1:
            return line.value.strip().upper()
    return ""


def organizer_of(block: Block) -> Person:
    """Return who organizes an event; an empty address where nobody is said, and it is the person's own."""
    line = block.one("ORGANIZER")
    return Person(_person(line).address, _person(line).name) if line is not None else Person("")


def _person(line: Line) -> Person:
    """Somebody of a line. A name that looks like an address would be taken for the address, and is left out."""
    parameters, value = line.parted
    found = _ADDRESS.fullmatch(value.strip())
    name = " ".join(words.without_unseen(parameters.get("CN", "")).split())[:100]
    said = parameters.get("PARTSTAT", "").upper()
    address = (
        found[1].casefold() if found and found[1].isprintable() else ""
    )  # a mark of direction would hide whose it is
    return Person(address, "" if "@" in name else name, said)


def deputies_of(block: Block) -> set[str]:
    """Return who may write for the organizer of an event that is in the calendar already (SENT-BY)."""
    found = [_ADDRESS.search(line.parted[0].get("SENT-BY", "")) for line in block.all("ORGANIZER")]
    return {one[1].casefold() for one in found if one is not None}


def sequence_of(block: Block) -> int:
    """Return which version of an event it is."""
    line = block.one("SEQUENCE")
    value = line.value.strip() if line is not None else ""
    return int(value) if re.fullmatch(r"\d{1,9}", value) else 0


def _stamp_of(block: Block) -> str:
    line = block.one("DTSTAMP")
    return line.value.strip() if line is not None else ""


def is_older(one: Invitation, known: Sequence[Entry]) -> bool:
    """Tell whether an invitation is an earlier version than what the calendar has; the same one is not."""
    newest = max((sequence_of(entry.block), _stamp_of(entry.block)) for entry in known)
    return (one.sequence, one.stamp) < newest if one.sequence == newest[0] else one.sequence < newest[0]


# --- taking in ----------------------------------------------------------------------------------------------------


def taken(data: bytes, known: Sequence[Entry], one: Invitation, me: str, answer: str) -> bytes:
    """Return a calendar with an invitation in place of what it has of that event, with the person's answer in it.

    ``known`` are the entries of this calendar with its UID. An invitation of single times of a series replaces those.
    """
    whole = any(entry.replaces is None for entry in one.calendar.entries)
    times = {entry.replaces for entry in one.calendar.entries}
    gone = [entry for entry in known if whole or entry.replaces in times]
    edits: list[Edit] = [(entry.block.first, entry.block.last, b"") for entry in gone]
    zones = _renamed_zones(one.calendar)
    parts = [block for _, block in zones.values() if block not in data]
    parts += [_component(one.calendar, entry, me, answer, {name: new for name, (new, _) in zones.items()})
              for entry in one.calendar.entries]  # fmt: skip
    end = end_of(data)
    body = b"".join(parts).replace(b"\r\n", b"\n").replace(b"\n", end)
    at, _, body = behind_all(data, body)
    return edited(data, [*edits, (at, at, body)])


def _renamed_zones(calendar: Calendar) -> dict[str, tuple[str, bytes]]:
    """The zones that only the invitation knows, under names of their own, so that no other event means them."""
    found: dict[str, tuple[str, bytes]] = {}
    for block in calendar.zones.blocks.values():
        line = block.one("TZID")
        name = line.value.strip() if line is not None else ""
        if line is None or not name or in_database(name) is not None:
            continue
        raw = calendar.data[block.first : block.last]
        new = f"Invited-{sha256(raw).hexdigest()[:12]}"
        at = line.first - block.first, line.last - block.first
        found[name] = new, raw[: at[0]] + f"TZID:{new}\r\n".encode() + raw[at[1] :]
    return found


def _component(calendar: Calendar, entry: Entry, me: str, answer: str, zones: dict[str, str]) -> bytes:
    """An event as it was sent, without its alarms and attachments, and with the answer at the person's own line."""
    parts, deep = [], 0
    for line in lines_of(calendar.data[entry.block.first : entry.block.last]):
        deep += line.name == "BEGIN"
        if deep == 1 and line.name not in _LEFT_OUT:
            parts.append(_line(line, me, answer, zones))
        deep -= line.name == "END"
    return b"".join(parts)


def _line(line: Line, me: str, answer: str, zones: dict[str, str]) -> bytes:
    parameters, value = line.parted
    if line.name == "ATTENDEE" and me and _person(line).address == me:
        kept = "".join(f';{name}="{said}"' for name, said in parameters.items()
                       if name in ("CN", "CUTYPE", "ROLE") and '"' not in said)  # fmt: skip
        return folded(f"ATTENDEE{kept};PARTSTAT={answer}:{value.strip()}", b"\r\n")
    zone = parameters.get("TZID", "")
    if zone in zones:
        kept = "".join(f";{name}={said}" for name, said in parameters.items() if name != "TZID" and said.isalnum())
        return folded(f"{line.name};TZID={zones[zone]}{kept}:{value.strip()}", b"\r\n")
    raw = line.raw.rstrip(b"\r\n")
    return raw + b"\r\n"


def without(data: bytes, known: Sequence[Entry]) -> bytes:
    """Return a calendar without an event."""
    return edited(data, [(one.block.first, one.block.last, b"") for one in known])


# --- answering ----------------------------------------------------------------------------------------------------


def reply(one: Invitation, me: str, answer: str, now: datetime) -> bytes:
    """Return the message that says to the organizer whether the person comes."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Steward//Calendar//EN", "METHOD:REPLY"]
    for entry in one.calendar.entries:
        kept = [line for name in ("DTSTART", "RECURRENCE-ID") for line in entry.block.all(name)[:1]]
        lines += ["BEGIN:VEVENT", f"UID:{escaped(entry.uid)}", f"SEQUENCE:{sequence_of(entry.block)}",
                  f"DTSTAMP:{now.astimezone(UTC):%Y%m%dT%H%M%SZ}", f"ORGANIZER:mailto:{one.organizer.address}",
                  f"ATTENDEE;PARTSTAT={answer}:mailto:{me}", f"SUMMARY:{escaped(entry.title)}"]  # fmt: skip
        lines += [_in_utc(entry, line.name) for line in kept]
        lines.append("END:VEVENT")
    return b"".join(folded(line, b"\r\n") for line in [*lines, "END:VCALENDAR"])


def _in_utc(entry: Entry, name: str) -> str:
    """A time of the answer, which has no zones of its own: in UTC, or a whole day."""
    at = entry.start if name == "DTSTART" else entry.replaces
    if isinstance(at, datetime):
        return f"{name}:{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    return f"{name};VALUE=DATE:{at:%Y%m%d}"


def answered(known: Sequence[Entry]) -> list[Person]:
    """Return who of an event in the calendar has answered."""
    people = [_person(line) for entry in known for line in entry.block.all("ATTENDEE")]
    return [one for one in people if one.answer in STATUS.values()]


def answer_of(known: Sequence[Entry], me: str) -> str:
    """Return what somebody answered to an event in the calendar."""
    return next((one.answer for one in answered(known) if one.address == me), "NEEDS-ACTION")
