"""Who is invited to an event of the person's own: their lines in its calendar (ATTENDEE, RFC 5545, section 3.8.4.1).

What this stops: a name or an address that begins a line, or a parameter, of its own; a line of somebody who is invited
losing what it says besides. What it does not: know whether an address is still somebody's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from skills.sdk import words
from skills.sdk.contentlines import Edit, at_colon, edited, end_of, folded, parted, unfolded

from .entries import REPLIED, Calendar, Entry, is_address
from .invitations import Person, invited_to, organizer_of
from .lines import Block, Line

OPEN = "NEEDS-ACTION"
_BEHIND = ("DTSTART", "SUMMARY", "ORGANIZER", "ATTENDEE")
_LONGEST_NAME = 100


def person(said: str) -> Person | None:
    """Return who ``Name <address>`` is; None where the address is none that can be written."""
    name, _, address = said.removesuffix(">").rpartition("<")
    address = address.strip().casefold()
    if not is_address(address):
        return None
    plain = " ".join(words.without_unseen(name).replace('"', "'").split())[:_LONGEST_NAME]
    return Person(address, "" if "@" in plain else plain)


def invited(entries: Iterable[Entry], without: Iterable[str] = ()) -> list[Person]:
    """Return who is invited to events, once, each as first named; but for those ``without`` whom the answer is."""
    left_out = set(without)
    found: dict[str, Person] = {}
    for entry in entries:
        for one in invited_to(entry.block):
            if one.address not in left_out and one.address != organizer_of(entry.block).address:
                found.setdefault(one.address, one)
    return list(found.values())


def with_guests(
    calendar: Calendar, entries: Sequence[Entry], organizer: str, people: Sequence[Person], uid: str, now: datetime
) -> bytes:
    """Return the calendar with people invited to events by ``organizer``.

    Who was invited before keeps what they answered. The events keep their version: nothing of when and where they are
    is new (RFC 5546, section 2.1.4). One without UID gets ``uid``.
    """
    edits: list[Edit] = []
    for entry in entries:
        edits += _invited(calendar, entry.block, organizer, people, uid, now)
    return edited(calendar.data, edits)


def _invited(
    calendar: Calendar, block: Block, organizer: str, people: Sequence[Person], uid: str, now: datetime
) -> list[Edit]:
    end = end_of(calendar.data)
    there = {one.address: line for line in block.all("ATTENDEE") for one in _persons(line)}
    more = [f"ORGANIZER:mailto:{organizer}"] if block.one("ORGANIZER") is None else []
    edits: list[Edit] = []
    for one in people:
        line = there.get(one.address)
        if line is None:
            more.append(_line(one))
        elif "PARTSTAT" not in line.parted[0]:  # named by another program, and never asked
            edits.append(_asked(line, end))
    if not more and not edits:
        return []
    more += [f"{name}:{value}" for name, value in (("UID", uid), ("SEQUENCE", "0"), ("DTSTAMP", _utc(now)))
             if block.one(name) is None]  # fmt: skip
    behind = max(line.last for line in block.lines if line.name in _BEHIND)
    edits.append((behind, behind, b"".join(folded(one, end) for one in more)))
    edits += [(line.first, line.last, folded(f"{name}:{_utc(now)}", end))
              for name in ("DTSTAMP", "LAST-MODIFIED") for line in block.all(name)]  # fmt: skip
    return edits


def _asked(line: Line, end: bytes) -> Edit:
    """The edit by which somebody whom a line only names is asked; the rest of it stays."""
    first, last, said = answered(line, OPEN, "", end)
    head, value = at_colon(unfolded(said.rstrip(b"\r\n")).decode())
    kept = [one for one in parted(head) if one.partition("=")[0].upper() != "RSVP"]
    return first, last, folded(f"{';'.join([*kept, 'RSVP=TRUE'])}:{value}", end)


def _persons(line: Line) -> list[Person]:
    return invited_to(Block(0, lines=[line]))


def _line(one: Person) -> str:
    name = f';CN="{one.name}"' if one.name else ""
    return f"ATTENDEE{name};ROLE=REQ-PARTICIPANT;PARTSTAT={OPEN};RSVP=TRUE:mailto:{one.address}"


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


# --- answers ------------------------------------------------------------------------------------------------------


def line_of(block: Block, address: str) -> Line | None:
    """Return the line of somebody who is invited."""
    return next((line for line in block.all("ATTENDEE") if any(one.address == address for one in _persons(line))), None)


def answered(line: Line, answer: str, at: str, end: bytes) -> Edit:
    """Return the edit by which somebody's line has an answer, given ``at`` ("" where none was); the rest stays."""
    head, value = at_colon(unfolded(line.raw).decode("utf-8", "replace"))
    kept = [one for one in parted(head) if one.partition("=")[0].upper() not in ("PARTSTAT", REPLIED)]
    said = [f"PARTSTAT={answer}", *([f"{REPLIED}={at}"] if at else [])]
    return line.first, line.last, folded(f"{';'.join([*kept, *said])}:{value}", end)


def asked_anew(calendar: Calendar, entries: Sequence[Entry], without: Iterable[str]) -> bytes:
    """Return the calendar with nobody having answered: an event at another time is another question."""
    left_out, end = set(without), end_of(calendar.data)
    edits = [
        answered(line, OPEN, "", end)
        for entry in entries
        for line in entry.block.all("ATTENDEE")
        for one in _persons(line)
        if one.address not in left_out and one.answer not in ("", OPEN)
    ]
    return edited(calendar.data, edits)
