"""The calendar: the .ics files of ~/Calendar read, asked and changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from skills.sdk import Context, File, Hours, Period, Query, Recurrence, Title, words

from . import (
    adding,
    changing,
    facts_of,
    hosting,
    importing,
    inviting,
    mine,
    planning,
    replying,
    telling,
    wording,
)
from . import apart as distance
from .beginning import beginnings, key_of, people_of
from .book import Book, opened
from .invitations import Invitation
from .meaning import is_over, meant, nothing, sought
from .occurrences import Occurrence
from .replies import Reply as Answered

MOST_SHOWN = 60

Which = Literal["ask", "one", "series"]
Direction = Literal["later", "earlier"]
Only = Literal["all", "first", "last"]
Reply = Literal["yes", "no", "maybe"]
Said = Literal["all", "yes", "no", "maybe", "open"]
Zone = Literal[
    "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Toronto",
    "America/Sao_Paulo", "America/Mexico_City", "Europe/London", "Europe/Lisbon", "Europe/Paris", "Europe/Berlin",
    "Europe/Zurich", "Europe/Athens", "Europe/Helsinki", "Europe/Istanbul", "Europe/Moscow", "Africa/Cairo",
    "Africa/Johannesburg", "Asia/Dubai", "Asia/Kolkata", "Asia/Singapore", "Asia/Shanghai", "Asia/Hong_Kong",
    "Asia/Tokyo", "Asia/Seoul", "Australia/Sydney", "Pacific/Auckland", "UTC",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a calendar says, in the words of the graph."""

    subject: str
    kind: str
    names: list[str]
    predicate: str
    object: str
    object_kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Standing:
    """An event that is in its file still, also where nothing is told of it any more."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its title, its days and times ("" where it is of whole days), its place and its calendar."""

    title: str
    day: date
    start: str
    end: str
    until: date
    place: str
    file: File


@dataclass(frozen=True, slots=True)
class Agenda:
    """Events in the order of their beginning, and what their calendars say as facts; ``place`` is that of the first."""

    text: str
    events: list[Event]
    facts: list[Fact]
    sources: list[str]
    standing: list[Standing]
    present: list[str]
    place: str


@dataclass(frozen=True, slots=True)
class Beginning:
    """One time of an event, and who takes part. ``start`` is "" where it is of whole days.

    ``begins`` is its moment in UTC; ``key`` tells the event from every other, also where two are called alike.
    """

    title: Title
    day: date
    start: str
    end: str
    place: str
    people: list[str]
    begins: str
    key: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A stretch in which nothing is planned."""

    day: date
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Clash:
    """Two events at the same time."""

    day: date
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Guests:
    """Who is invited to an event, by what they answered."""

    text: str
    coming: list[str]
    perhaps: list[str]
    not_coming: list[str]
    not_answered: list[str]


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file's events: those that are new, and the titles of those that were updated, were there, or
    were left.
    """

    text: str
    events: list[Event]
    updated: list[str]
    already: list[str]
    left: list[str]


# --- asking -------------------------------------------------------------------------------------------------------


def agenda(ctx: Context, when: Period | None = None, hours: Hours | None = None, only: Only = "all") -> Agenda:
    """Tell what is on: the appointments of a day, a week or any other stretch.

    Args:
        when: which days; the coming week when absent.
        hours: only what is at these hours; the whole day when absent.
        only: all of them, or only the first or the last one.
    """
    book = opened(ctx)
    period = planning.told_of(when, hours, ctx.today)
    found = [one for one in book.during(period) if planning.is_within(one, hours, period, book.local)]
    found = planning.only_one(found, only) if only != "all" else found
    shown = wording.agenda(planning.by_day(found[:MOST_SHOWN], period, book.local), book.local, ctx.language)
    shown += wording.further(len(found) - MOST_SHOWN, ctx.language)
    if found:
        ctx.say(shown)
    else:
        span, stretch = planning.stretch(period, hours, "en"), planning.stretch(period, hours, "de")
        ctx.say(f"Nothing is in your calendar for {span}.", de=f"In deinem Kalender steht nichts für {stretch}.")
    return _agenda(book, found, shown)


def upcoming(ctx: Context, words: Query | None = None, count: int = 1) -> Agenda:
    """Tell when the next appointment is: any, or the next one with some words.

    Args:
        words: what it is about or called; any when absent.
        count: how many of them.
    """
    book = opened(ctx)
    found = sought(book, str(words), None) if words else book.ahead()
    ahead = [one for one in found if not is_over(one, ctx.now)]
    kept = planning.coming(ahead, ctx.now)[: max(count, 1)]
    if not kept and words:
        if found:
            telling.past(ctx, book, str(words), found[0])
            return _agenda(book, found[:1], wording.label(found[0], book.local, ctx.language))
        raise nothing(book, str(words), None, ctx.language)
    if not kept:
        ctx.say("Nothing lies ahead in your calendar.", de="In deinem Kalender liegt nichts mehr vor dir.")
    shown = "\n".join(planning.said_ahead(one, ctx.now, ctx.language) for one in kept)
    if kept:
        ctx.say(shown)
    return _agenda(book, kept, shown)


def find(ctx: Context, words: Query, when: Period | None = None) -> Agenda:
    """Find appointments by words of their title, place, people or notes.

    Args:
        words: what to look for.
        when: in which days; all when absent.
    """
    book = opened(ctx)
    found = planning.once_a_series(sought(book, str(words), when), when)
    if not found:
        raise nothing(book, str(words), when, ctx.language)
    lines = [f"- {wording.label(one, book.local, ctx.language)}{planning.place_of(one)}" for one in found[:20]]
    shown = "\n".join(lines) + wording.further(len(found) - len(lines), ctx.language)
    ctx.say(f"{telling.events(len(found), 'en')} for “{words}”:\n{shown}",
            de=f"{telling.events(len(found), 'de')} zu „{words}“:\n{shown}")  # fmt: skip
    return _agenda(book, found, shown)


def apart(ctx: Context, event: Query, other: Query) -> distance.Apart:
    """Tell how many days lie between two appointments.

    Args:
        event: from which appointment on, by words of it.
        other: up to which appointment, by words of it.
    """
    return distance.days_between(ctx, opened(ctx), str(event), str(other))


def starting(ctx: Context, within: timedelta, words: Query | None = None) -> list[Beginning]:
    """List the appointments that begin within some time from now, with who takes part.

    Args:
        within: how soon.
        words: what they are called, or with whom they are; any when absent.
    """
    book = opened(ctx)
    found = beginnings(book, within, str(words or ""))
    telling.starting(ctx, book, found[:MOST_SHOWN], within)
    return [_beginning(one, book) for one in found]


def _beginning(one: Occurrence, book: Book) -> Beginning:
    event = _event(one, book)
    begins = one.begins(book.local).astimezone(UTC).isoformat(timespec="seconds")
    where = " ".join(event.place.split())
    people, key = people_of(one.entry), key_of(one.entry)
    return Beginning(Title(event.title), event.day, event.start, event.end, where, people, begins, key)


def free(
    ctx: Context,
    when: Period | None = None,
    length: timedelta | None = None,
    hours: Hours | None = None,
    purpose: Title | None = None,
) -> list[Slot]:
    """Find free time between the appointments of a day or a stretch, within working hours.

    Args:
        when: in which days; from today for a week when absent.
        length: how long it must be at least; half an hour when absent.
        hours: between which hours; from 9 to 17 when absent.
        purpose: what or whom it is for; the answer says it.
    """
    found = telling.free(ctx, opened(ctx), when, hours, length or timedelta(minutes=30), purpose)
    return [Slot(one.start.date(), f"{one.start:%H:%M}", f"{one.end:%H:%M}") for one in found]


def clashes(ctx: Context, when: Period | None = None) -> list[Clash]:
    """Tell which appointments overlap.

    Args:
        when: in which days; the next 30 when absent.
    """
    book = opened(ctx)
    pairs = telling.clashes(ctx, book, when or Period(ctx.today, ctx.today + timedelta(days=30)), MOST_SHOWN)
    return [Clash(two.begins(book.local).date(), one.entry.title, two.entry.title) for one, two in pairs]


# --- changing -----------------------------------------------------------------------------------------------------


def add(
    ctx: Context,
    title: Title,
    when: Period | None = None,
    hours: Hours | None = None,
    length: timedelta | None = None,
    place: Title | None = None,
    repeat: Recurrence | None = None,
    zone: Zone | None = None,
) -> Event:
    """Put an appointment into the calendar.

    Args:
        title: what it is called.
        when: on which day, or from when to when; today when only a time is said.
        hours: at what time, or from when to when; of whole days when absent.
        length: how long it takes; an hour when absent.
        place: where it is.
        repeat: how it repeats; once when absent.
        zone: in which other time zone the hours are; your own when absent.
    """
    book = opened(ctx)
    asked = adding.Asked(str(title), when, hours, length, str(place or ""), repeat, zone or "")
    return _event(adding.add(ctx, book, asked), book)


def move(
    ctx: Context,
    event: Query,
    to: date | None = None,
    hours: Hours | None = None,
    when: Period | None = None,
    which: Which = "ask",
    by: timedelta | None = None,
    direction: Direction = "later",
) -> Event:
    """Move an appointment to another day or another time.

    Args:
        event: which one, by words of it.
        to: the new day; the same day when absent.
        hours: the new time, or from when to when; the same time when absent.
        when: on which day it is now; the next one when absent.
        which: of one that repeats, only one time or the whole series.
        by: by how much later or earlier, on the new day where one is said.
        direction: later or earlier.
    """
    if to is None and hours is None and by is None:
        raise planning.no_time(str(event))
    book = opened(ctx, mine.known(ctx))
    found = meant(ctx, book, str(event), when, which)
    if by is not None:
        to, hours = changing.shifted(found, to, hours, by if direction == "later" else -by, book)
    return _event(changing.move(ctx, book, found, to, hours), book)


def rename(ctx: Context, event: Query, title: Title, when: Period | None = None, which: Which = "series") -> Event:
    """Give an appointment another title.

    Args:
        event: which one, by words of it.
        title: what it is to be called.
        when: on which day it is; the next one when absent.
        which: of one that repeats, only one time or the whole series.
    """
    book = opened(ctx, mine.known(ctx))
    found = meant(ctx, book, str(event), when, which)
    entry, name = found.entry, " ".join(str(title).split())
    ctx.write(entry.file, changing.reworded(book, found, "SUMMARY", name))
    old, alt = wording.untitled(entry, "en"), wording.untitled(entry, "de")
    ctx.say(f"“{old}” is now called “{name}”.", de=f"„{alt}“ heißt jetzt „{name}“.")
    hosting.say_unaware(ctx, book, found, name)
    return _event(found.time, book, name)


def place(ctx: Context, event: Query, where: Title, when: Period | None = None, which: Which = "ask") -> Event:
    """Say where an appointment is.

    Args:
        event: which one, by words of it.
        where: where it is from now on.
        when: on which day it is; the next one when absent.
        which: of one that repeats, only one time or the whole series.
    """
    book = opened(ctx, mine.known(ctx))
    found = meant(ctx, book, str(event), when, which)
    named = " ".join(str(where).split())
    ctx.write(found.entry.file, changing.reworded(book, found, "LOCATION", named))
    said, gesagt = planning.label_of(found, book.local, "en"), planning.label_of(found, book.local, "de")
    ctx.say(f"The place of “{said}” is now “{named}”.", de=f"Der Ort von „{gesagt}“ ist jetzt „{named}“.")
    hosting.say_unaware(ctx, book, found)
    return _event(found.time, book, where=named)


def remove(ctx: Context, event: Query, when: Period | None = None, which: Which = "ask") -> Event:
    """Take an appointment out of the calendar; of one that repeats one time or all.

    Args:
        event: which one, by words of it.
        when: on which day it is; the next one when absent.
        which: of one that repeats, only one time or the whole series.
    """
    book = opened(ctx, mine.known(ctx))
    found = meant(ctx, book, str(event), when, which)
    calendar = book.of(found.entry)
    ctx.write(found.entry.file, changing.without(book, found))
    said, gesagt = planning.label_of(found, book.local, "en"), planning.label_of(found, book.local, "de")
    name = words.name(calendar.file.name)
    ctx.say(f"I took “{said}” out of {name}.", de=f"Ich habe „{gesagt}“ aus {name} entfernt.")
    hosting.call_off(ctx, book, found)
    return _event(found.time, book)


def import_file(ctx: Context, file: File) -> Imported:
    """Take the events of a calendar file into the calendar; those that are there already are not doubled.

    Args:
        file: the calendar file (.ics).
    """
    book = opened(ctx, mine.known(ctx))
    found = importing.take_in(ctx, book, file)
    events = [_event(Occurrence(one, one.start, one.end, one.start), book) for one in found.new[:MOST_SHOWN]]
    titles = ([one.title for one in of] for of in ([new for new, _ in found.newer], found.same, found.left))
    return Imported(found.text, events, *titles)


# --- invitations --------------------------------------------------------------------------------------------------


def invitation(ctx: Context, file: File) -> str:
    """Tell what an invitation says: from whom it is, to what, when and where. Nothing is answered.

    Args:
        file: the invitation, or the mail that it came with.
    """
    book = opened(ctx, mine.known(ctx))
    return inviting.tell(ctx, book, inviting.read(ctx, file, book))


def answer(ctx: Context, file: File, reply: Reply, me: Title | None = None) -> File:
    """Answer an invitation with yes, no or maybe: the event goes into the calendar, the answer into a file to be sent.

    Args:
        file: the invitation, or the mail that it came with.
        reply: yes, no or maybe.
        me: the address that was invited, where it is not clear.
    """
    book = opened(ctx, mine.known(ctx))
    one = inviting.read(ctx, file, book)
    if not isinstance(one, Invitation):
        raise replying.no_answer(words.name(file.name), one)
    return inviting.answer(ctx, book, one, reply, str(me or ""))


def follow(ctx: Context, file: File) -> str:
    """Take the change or the cancellation of an event into the calendar, or the answer of somebody who is invited.

    Args:
        file: what was sent, or the mail that it came with.
    """
    book = opened(ctx, mine.known(ctx))
    one = inviting.read(ctx, file, book)
    if isinstance(one, Answered):
        return replying.follow(ctx, book, one)
    return inviting.follow(ctx, book, one)


def invite(
    ctx: Context, event: Query, who: Query | None = None, when: Period | None = None, which: Which = "ask",
    me: Title | None = None,
) -> File:  # fmt: skip
    """Invite people to an appointment: they are entered there, and the invitation goes into a file to be sent.

    Args:
        event: to which one, by words of it.
        who: whom: names of your contacts, or addresses; those who are invited already when absent.
        when: on which day it is; the next one when absent.
        which: of one that repeats, only one time or the whole series.
        me: the address of yours that they answer to, where it is not known.
    """
    book = opened(ctx, mine.known(ctx))
    found = meant(ctx, book, str(event), when, which)
    return hosting.invite(ctx, book, found, str(who or ""), str(me or ""))


def guests(ctx: Context, event: Query, when: Period | None = None, said: Said = "all") -> Guests:
    """Tell who of those invited to an appointment has accepted, has declined, or has not answered.

    Args:
        event: to which one, by words of it.
        when: on which day it is; the next one when absent.
        said: what they answered; everybody when absent.
    """
    return Guests(*replying.guests(ctx, opened(ctx), str(event), when, said))


# --- inside -------------------------------------------------------------------------------------------------------


def _event(one: Occurrence, book: Book, title: str = "", where: str = "") -> Event:
    begins, ends = one.begins(book.local), one.ends(book.local)
    whole = not isinstance(one.start, datetime)
    last = ends.date() - timedelta(days=1) if whole else ends.date()
    start, end = ("", "") if whole else (f"{begins:%H:%M}", f"{ends:%H:%M}")
    return Event(title or one.entry.title, begins.date(), start, end, last, where or one.entry.place, one.entry.file)


def _agenda(book: Book, found: Sequence[Occurrence], text: str) -> Agenda:
    facts = [Fact(subject, kind, [], relation, value, of, source)
             for source, (subject, kind, relation, value, of) in facts_of.told(book)]  # fmt: skip
    sources = [one.file.path for one in book.calendars]
    standing = [Standing(name, source) for source, name in facts_of.standing(book)]
    events = [_event(one, book) for one in found[:MOST_SHOWN]]
    where = next((one.place for one in events), "")
    return Agenda(text, events, facts, sources, standing, book.present, where)
