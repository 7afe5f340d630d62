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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from email.utils import getaddresses
from hashlib import sha256

from skills.sdk import File, words
from skills.sdk.contentlines import Edit, edited, end_of, escaped, folded

from .entries import Calendar, Entry, Moment, NoCalendar, read
from .lines import Block, Line, lines_of, scan
from .writing import behind_all
from .zones import in_database

LARGEST = 1 << 20
MOST_EVENTS = 50
MOST_LINES = 2_000
STATUS = {"yes": "ACCEPTED", "no": "DECLINED", "maybe": "TENTATIVE"}
"""What each answer is in a calendar."""

OFTEN = re.compile(r"FREQ=(?:SECONDLY|MINUTELY|HOURLY)|BY(?:HOUR|MINUTE|SECOND)=", re.IGNORECASE)
"""In the rule of a series that would fill a calendar."""

_BROKEN = (ValueError, LookupError, TypeError, AttributeError, RecursionError, email.errors.MessageError)
_ADDRESS = re.compile(r"mailto:([^\s@<>,;:\"]+@[^\s@<>,;:\"]+)", re.IGNORECASE)
_LEFT_OUT = frozenset(("ATTACH",))
_MOST_PARTS = 100


class NoInvitation(ValueError):
    """The file is no invitation; the text says why: none, large, often, mixed, later, organizer, unclear."""


@dataclass(frozen=True, slots=True)
class Message:
    """A calendar that was sent, and what it is for. ``sender`` is of the mail that it came with, "" for a bare file."""

    method: str
    data: bytes
    sender: str = ""
    to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of an event: their address in small letters, their name, and what they answered."""

    address: str
    name: str = ""
    answer: str = ""


Answers = Callable[[Entry, Person], str]
"""What stands in the calendar as somebody's answer to an event, or to a time of it; "" for what the message says."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """One message about one event. ``sender`` is of the mail that it came with, "" for a bare file."""

    method: str
    calendar: Calendar
    organizer: Person
    people: tuple[Person, ...]
    sender: str = ""
    to: tuple[str, ...] = ()

    @property
    def first(self) -> Entry:
        """The event, the series of one that repeats."""
        return next((one for one in self.calendar.entries if one.replaces is None), self.calendar.entries[0])

    @property
    def times(self) -> list[Entry]:
        """The single times of a series that it is about; none where it is about the event as a whole."""
        entries = self.calendar.entries
        return entries if all(one.replaces is not None for one in entries) else []

    def meant_for(self, address: str) -> Invitation:
        """Return what of it is for one who is invited: who is not invited to a series may be to times of it."""
        mine = [one for one in self.calendar.entries if is_invited(one, address)]
        return self if self.first in mine else replace(self, calendar=replace(self.calendar, entries=mine))

    @property
    def lies(self) -> bool:
        """Tell whether the mail is from somebody else than the organizer that it names."""
        return bool(self.sender) and self.sender != self.organizer.address


def opened(data: bytes) -> Message:
    """Return the calendar that a calendar file, or a mail, holds. Raises NoInvitation."""
    if len(data) > LARGEST * 8:
        raise NoInvitation("large")
    sender, inside = "", data
    to: tuple[str, ...] = ()
    if not data.lstrip(b"\xef\xbb\xbf \r\n").upper().startswith(b"BEGIN:VCALENDAR"):
        sender, to, inside = _of_mail(data)
    if len(inside) > LARGEST:
        raise NoInvitation("large")
    return Message(scan(inside).method, inside, sender, to)


def of_message(file: File, message: Message, local: tzinfo) -> Invitation:
    """Return the invitation, the change or the cancellation that a message is. Raises NoInvitation."""
    try:
        calendar = read(file, message.data, local)
    except NoCalendar as error:
        raise NoInvitation("none") from error
    return _checked(calendar, message)


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


def _checked(calendar: Calendar, message: Message) -> Invitation:
    method = message.method
    if method not in ("REQUEST", "CANCEL") or not calendar.entries or calendar.unread:
        raise NoInvitation("none")
    entries = calendar.entries
    if len(entries) > MOST_EVENTS or sum(len(one.block.lines) for one in entries) > MOST_LINES:
        raise NoInvitation("large")
    if len({one.uid for one in entries}) != 1 or not entries[0].uid or sum(not one.replaces for one in entries) > 1:
        raise NoInvitation("mixed")
    if any(OFTEN.search(one.rule) for one in entries) or any(len(one.more) > MOST_EVENTS for one in entries):
        raise NoInvitation("often")
    if any("RANGE" in line.parted[0] for one in entries for line in one.block.all("RECURRENCE-ID")):
        raise NoInvitation("later")
    organizers = {organizer_of(one.block) for one in entries}
    if len(organizers) != 1 or not (organizer := organizers.pop()).address:
        raise NoInvitation("organizer")
    people = {person.address: person for one in reversed(entries) for person in reversed(invited_to(one.block))}
    return Invitation(method, calendar, organizer, tuple(reversed(people.values())), message.sender, message.to)


def organizer_of(block: Block) -> Person:
    """Return who organizes an event; an empty address where nobody is said, and it is the person's own."""
    line = block.one("ORGANIZER")
    return Person(_person(line).address, _person(line).name) if line is not None else Person("")


def invited_to(block: Block) -> list[Person]:
    """Return who is invited to an event, or to a time of it."""
    return [one for one in map(_person, block.all("ATTENDEE")) if one.address]


def is_invited(entry: Entry, address: str) -> bool:
    """Tell whether an address is among those who are invited to an event, or to a time of it."""
    return any(one.address == address for one in invited_to(entry.block))


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


def _version_of(entry: Entry) -> tuple[int, str]:
    line = entry.block.one("DTSTAMP")
    return sequence_of(entry.block), line.value.strip() if line is not None else ""


def is_older(one: Invitation, known: Sequence[Entry]) -> bool:
    """Tell whether an invitation is an earlier version than what the calendar has; the same one is not.

    Each time of a series has versions of its own; one that the calendar does not have is held against its series.
    """
    if not one.times:
        return max(map(_version_of, one.calendar.entries)) < max(map(_version_of, known))
    held = {entry.replaces: _version_of(entry) for entry in known}
    first = (-1, "")
    return any(_version_of(time) < held.get(time.replaces, held.get(None, first)) for time in one.times)


# --- taking in ----------------------------------------------------------------------------------------------------


def taken(data: bytes, known: Sequence[Entry], one: Invitation, answers: Answers) -> bytes:
    """Return a calendar with an invitation in place of what it has of that event, with the ``answers`` in it.

    ``known`` are the entries of this calendar with its UID. An invitation of single times of a series replaces those.
    """
    whole = any(entry.replaces is None for entry in one.calendar.entries)
    times = {entry.replaces for entry in one.calendar.entries}
    gone = [entry for entry in known if whole or entry.replaces in times]
    edits: list[Edit] = [(entry.block.first, entry.block.last, b"") for entry in gone]
    zones = renamed_zones(one.calendar)
    parts = [block for _, block in zones.values() if block not in data]
    parts += [_component(one.calendar, entry, answers, {name: new for name, (new, _) in zones.items()})
              for entry in one.calendar.entries]  # fmt: skip
    end = end_of(data)
    body = b"".join(parts).replace(b"\r\n", b"\n").replace(b"\n", end)
    at, _, body = behind_all(data, body)
    return edited(data, [*edits, (at, at, body)])


def renamed_zones(calendar: Calendar) -> dict[str, tuple[str, bytes]]:
    """Return the zones that only the invitation knows, under names of their own, so that no other event means them."""
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


def _component(calendar: Calendar, entry: Entry, answers: Answers, zones: dict[str, str]) -> bytes:
    """An event as it was sent, without its alarms and attachments, and with the answers of its people."""
    parts, deep = [], 0
    for line in lines_of(calendar.data[entry.block.first : entry.block.last]):
        deep += line.name == "BEGIN"
        if deep == 1 and line.name not in _LEFT_OUT:
            said = answers(entry, _person(line)) if line.name == "ATTENDEE" else ""
            parts.append(rewritten(line, said, zones))
        deep -= line.name == "END"
    return b"".join(parts)


def rewritten(line: Line, answer: str, zones: dict[str, str]) -> bytes:
    """Return a line of a message with another answer, where there is one, and with its zone under its new name."""
    parameters, value = line.parted
    if answer:
        kept = "".join(f';{name}="{said}"' for name, said in parameters.items()
                       if name in ("CN", "CUTYPE", "ROLE") and '"' not in said)  # fmt: skip
        return folded(f"ATTENDEE{kept};PARTSTAT={answer}:{value.strip()}", b"\r\n")
    zone = parameters.get("TZID", "")
    if zone in zones:
        kept = "".join(f";{name}={said}" for name, said in parameters.items() if name != "TZID" and said.isalnum())
        return folded(f"{line.name};TZID={zones[zone]}{kept}:{value.strip()}", b"\r\n")
    raw = line.raw.rstrip(b"\r\n")
    return raw + b"\r\n"


# --- answering ----------------------------------------------------------------------------------------------------


def reply(one: Invitation, me: str, answer: str, now: datetime) -> bytes:
    """Return the message that says to the organizer whether the person comes."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Steward//Calendar//EN", "METHOD:REPLY"]
    for entry in one.calendar.entries:
        if not is_invited(entry, me):
            continue
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


def kept_answers(one: Invitation, known: Sequence[Entry]) -> Answers:
    """Return the answers of the calendar that the organizer who sends an event anew may not know of yet.

    An answer to one time of a series says nothing of the series. Whose calendar it is the mail may tell; where it does
    not, whoever answered keeps that, unless the organizer says another.
    """
    held: dict[Moment | None, dict[str, str]] = {}
    for entry in known:
        answers = [who for who in invited_to(entry.block) if who.answer in STATUS.values()]
        held[entry.replaces] = {who.address: who.answer for who in answers}
    to_me = {address for said in held.values() for address in said if address in one.to}

    def kept(entry: Entry, person: Person) -> str:
        if (to_me and person.address not in to_me) or (not to_me and person.answer in STATUS.values()):
            return ""
        return held.get(entry.replaces, held.get(None, {})).get(person.address, "")

    return kept
