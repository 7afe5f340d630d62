"""Answers to invitations of the person's own (METHOD:REPLY, RFC 5546, section 3.2.3), and proposals (COUNTER).

What this stops: an answer of somebody who was not invited, or for somebody else; one that changes anything but what its
own sender answered; an earlier answer undoing a later one, also where that is dated ahead. What it does not: know
whether a mail is really from whom it says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from skills.sdk import File
from skills.sdk.contentlines import edited, end_of

from .book import Book, read_again
from .entries import REPLIED, Calendar, Entry, Moment, NoCalendar, NoEvent, key_of, moment, read
from .guests import answered, line_of
from .invitations import (
    MOST_EVENTS,
    MOST_LINES,
    STATUS,
    Message,
    NoInvitation,
    Person,
    invited_to,
    organizer_of,
    sequence_of,
)
from .lines import Block, Line, scan
from .occurrences import Occurrence, between
from .writing import moved_once
from .zones import Zones

METHODS = frozenset(("REPLY", "COUNTER"))
_STAMP = re.compile(r"[0-9]{8}T[0-9]{6}Z")


class NotTaken(ValueError):
    """An answer changes nothing; the text says why: stranger, older, time."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody answers to an event, or to the time of a series that it is ``of``; ``at`` is when they did."""

    of: Moment | None
    said: str
    sequence: int
    at: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody who is invited sent back. ``proposal`` is another time that they would like.

    ``sender`` is of the mail that it came with, "" for a bare file; ``title`` and ``comment`` are their words, and
    ``path`` is where the file lies.
    """

    uid: str
    organizer: Person
    who: Person
    answers: tuple[Answer, ...]
    title: str = ""
    comment: str = ""
    sender: str = ""
    to: tuple[str, ...] = ()
    counters: bool = False
    proposal: Occurrence | None = None
    path: str = ""

    @property
    def lies(self) -> bool:
        """Tell whether the mail is from somebody else than whose answer it holds."""
        return bool(self.sender) and self.sender != self.who.address


def of_message(message: Message, local: tzinfo, path: str) -> Reply:
    """Return the answer that a message, in the file at ``path``, is. Raises NoInvitation."""
    found = scan(message.data)
    blocks = found.events
    if not blocks or found.unended:
        raise NoInvitation("none")
    if len(blocks) > MOST_EVENTS or sum(len(one.lines) for one in blocks) > MOST_LINES:
        raise NoInvitation("large")
    uids = {line.text for one in blocks for line in one.all("UID")[:1]}
    if len(uids) != 1 or not all(one.one("UID") for one in blocks) or not (uid := uids.pop()):
        raise NoInvitation("mixed")
    if any("RANGE" in line.parted[0] for one in blocks for line in one.all("RECURRENCE-ID")):
        raise NoInvitation("later")
    organizers = {organizer_of(one) for one in blocks}
    if len({one.address for one in organizers}) != 1 or not (organizer := organizers.pop()).address:
        raise NoInvitation("organizer")
    zones = Zones(local, message.data, found.zones)
    counters = message.method == "COUNTER"
    who = _who(blocks, message.sender if counters else "")
    answers = () if counters else tuple(_answer(one, zones) for one in blocks)
    texts = [" ".join(line.text.split()) if line else "" for line in map(blocks[0].one, ("SUMMARY", "COMMENT"))]
    return Reply(uid, organizer, who, answers, texts[0], texts[1], message.sender, message.to, counters,
                 _proposal(message.data, local) if counters else None, path)  # fmt: skip


def _who(blocks: Sequence[Block], sender: str) -> Person:
    """Whose answer it is: the one person that all of it names; of a proposal, whose mail it is among those named."""
    people = [one for block in blocks for one in invited_to(block)]
    found = {one.address: one for one in people if not sender or one.address == sender}
    if len(found) != 1 or (not sender and any(len(block.all("ATTENDEE")) != 1 for block in blocks)):
        raise NoInvitation("unclear")
    return found.popitem()[1]


def _answer(block: Block, zones: Zones) -> Answer:
    said = invited_to(block)[0].answer
    if said not in STATUS.values():
        raise NoInvitation("unclear")
    line, stamp = block.one("RECURRENCE-ID"), block.one("DTSTAMP")
    try:
        of = None if line is None else key_of(moment(line.value.strip(), line.parted[0].get("TZID", ""), zones))
    except (NoEvent, OverflowError) as error:
        raise NoInvitation("none") from error
    at = stamp.value.strip().upper() if stamp is not None else ""
    return Answer(of, said, sequence_of(block), at if _STAMP.fullmatch(at) else "")


def _proposal(data: bytes, local: tzinfo) -> Occurrence | None:
    try:
        entries = read(File(""), data, local).entries
    except NoCalendar:
        return None
    return Occurrence(entries[0], entries[0].start, entries[0].end, entries[0].start) if entries else None


# --- taking in ----------------------------------------------------------------------------------------------------


def taken(book: Book, calendar: Calendar, reply: Reply) -> bytes:
    """Return a calendar with what somebody answered in their own line, and nothing else changed. Raises NotTaken."""
    for one in reply.answers:
        family = [entry for entry in calendar.entries if entry.uid == reply.uid]
        data = _with(book, calendar, family, one, reply.who.address)
        calendar = read_again(book, calendar, data)
    return calendar.data


def _with(book: Book, calendar: Calendar, family: Sequence[Entry], one: Answer, who: str) -> bytes:
    entry = next((entry for entry in family if entry.replaces == one.of), None)
    if entry is None and one.of is not None:
        calendar, entry = _apart(book, calendar, family, one, who)
    line = line_of(entry.block, who) if entry is not None else None
    if entry is None or line is None:
        raise NotTaken("stranger")
    before = _replied(line) or _replied_to_all(family, who)
    if one.sequence < sequence_of(entry.block) or (before and one.at < before):
        raise NotTaken("older")
    at, end = min(one.at, _stamp(book.now)), end_of(calendar.data)  # dated ahead it would make later ones earlier ones
    said = [(line, at), *((other, "") for other in _following(family, one, who))]
    return edited(calendar.data, [answered(of, one.said, at, end) for of, at in said if _holds(of) != (one.said, at)])


def _following(family: Sequence[Entry], one: Answer, who: str) -> list[Line]:
    """Their lines of single times that an answer to the whole series is for too: those that they did not answer.

    A time that was moved meanwhile is of a later version than what they answered.
    """
    times = [] if one.of is not None else [entry for entry in family if entry.replaces is not None]
    lines = [line_of(entry.block, who) for entry in times if one.sequence >= sequence_of(entry.block)]
    return [line for line in lines if line is not None and not _replied(line)]


def _replied(line: Line) -> str:
    """When somebody answered by a line of theirs; "" where that is not said."""
    return line.parted[0].get(REPLIED, "")


def _replied_to_all(family: Sequence[Entry], who: str) -> str:
    """When somebody answered to a whole series, which is for its single times too; "" where they did not."""
    lines = (line_of(entry.block, who) for entry in family if entry.replaces is None)
    return next((_replied(line) for line in lines if line is not None), "")


def _holds(line: Line) -> tuple[str, str]:
    return line.parted[0].get("PARTSTAT", "").upper(), _replied(line)


def _apart(
    book: Book, calendar: Calendar, family: Sequence[Entry], one: Answer, who: str
) -> tuple[Calendar, Entry | None]:
    """A time of a series as an event of its own beside it, for an answer to that time alone. Raises NotTaken."""
    master = next((entry for entry in family if entry.replaces is None), None)
    if master is None or line_of(master.block, who) is None:
        raise NotTaken("stranger")
    time = _time_of(book, master, one.of)
    if time is None:
        raise NotTaken("time")
    if one.sequence < sequence_of(master.block):
        raise NotTaken("older")
    data = moved_once(calendar, master, time.of, (time.start, time.end), {}, book.now)
    made = read_again(book, calendar, data)
    return made, next((entry for entry in made.entries if entry.uid == master.uid and entry.replaces == one.of), None)


def _time_of(book: Book, master: Entry, of: Moment | None) -> Occurrence | None:
    """The time of a series that is meant; None where it has none then."""
    if of is None or not master.repeats or isinstance(of, datetime) != isinstance(master.start, datetime):
        return None
    at = of if isinstance(of, datetime) else datetime(of.year, of.month, of.day, tzinfo=book.local)
    try:
        near = between(
            [master], at.astimezone(book.local) - timedelta(days=1), at.astimezone(book.local) + timedelta(days=1)
        )
    except OverflowError:
        return None
    return next((one for one in near if key_of(one.of) == of), None)


def _stamp(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
