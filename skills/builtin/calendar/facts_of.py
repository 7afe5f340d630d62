"""What the calendar says, as facts: when an event is, where, and who is there.

A file tells everything that it knows of the time around now each time it is read, so that what was changed is told anew
and what was taken out is told no more; what time alone has passed is said to be there still. A series is one event, at
its next time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo

from skills.sdk import words

from .book import Book
from .entries import Calendar, Entry
from .occurrences import Occurrence, at_zone, between

MOST_EVENTS = 120
"""Events of one file that become known: those nearest to now."""

MOST_STANDING = 2000
"""Events that are said to be in their files still: those nearest to now."""

MOST_PEOPLE = 500
"""People of one file whose mail addresses become known."""

_BEFORE, _AFTER = timedelta(days=90), timedelta(days=400)

Key = tuple[str, int]
"""What tells one event from all others."""

Told = tuple[str, str, str, str, str]
"""Subject, what it is, relation, object, what that is ("" for a value)."""


def told(book: Book) -> list[tuple[str, Told]]:
    """Return the facts of all calendars, each with the path of its file."""
    names = _names(book)
    return [(one.file.path, fact) for one in book.calendars for fact in _of_calendar(one, names, book.now)]


def standing(book: Book) -> list[tuple[str, str]]:
    """Return the events that are in their file still, near or far: the path of the file, and their name."""
    names = _names(book)
    held = {(one.file.path, names[_key(one)]): one for one in book.entries if one.title and not one.cancelled}
    nearest = sorted(held, key=lambda one: abs(at_zone(held[one].start, book.local) - book.now))
    return nearest[:MOST_STANDING]


def _of_calendar(calendar: Calendar, names: Mapping[Key, str], now: datetime) -> Iterator[Told]:
    local = now.tzinfo
    assert local is not None
    for one in _nearest(calendar.entries, now):
        begins = one.begins(local)
        yield from _of_event(one, names[_key(one.entry)], (begins.date() if one.entry.all_day else begins).isoformat())
    mails = {person: mail for entry in calendar.entries for person, mail in entry.people if person and mail}
    for person, mail in list(mails.items())[-MOST_PEOPLE:]:
        yield person, "person", "email", mail, ""


def _key(entry: Entry) -> Key:
    """What is one event: of one UID, wherever it stands."""
    return (entry.uid, 0) if entry.uid else (entry.file.path, entry.block.first + 1)


def _names(book: Book) -> dict[Key, str]:
    """What each event is called: its title, with as much more as tells it from others of that title."""
    first: dict[Key, Entry] = {}
    for entry in book.entries:
        if entry.replaces is None or _key(entry) not in first:
            first[_key(entry)] = entry
    names: dict[Key, str] = {}
    for level in range(len(_MORE) + 1):
        open_ = {key: _named(entry, level, book.local) for key, entry in first.items() if key not in names}
        shared = Counter(open_.values())
        names |= {key: name for key, name in open_.items() if shared[name] == 1 or level == len(_MORE)}
    return names


def _named(entry: Entry, level: int, local: tzinfo) -> str:
    more = ", ".join(text for one in _MORE[:level] if (text := one(entry, local)))
    return f"{entry.title} ({more})" if more else entry.title


def _clock(entry: Entry, local: tzinfo) -> str:
    return "" if entry.all_day else f"{at_zone(entry.start, local):%H:%M}"


_MORE: tuple[Callable[[Entry, tzinfo], str], ...] = (
    lambda entry, local: words.day(at_zone(entry.start, local).date()),
    _clock,
    lambda entry, _: entry.file.name,
)


def _nearest(entries: Sequence[Entry], now: datetime) -> list[Occurrence]:
    """One time of each event: its next one, else its last; the nearest to now."""
    local = now.tzinfo
    assert local is not None
    first: dict[tuple[str, int], Occurrence] = {}
    last: dict[tuple[str, int], Occurrence] = {}
    for one in between(entries, now - _BEFORE, now + _AFTER):
        if not one.entry.title:
            continue
        key = (one.entry.uid, 0 if one.entry.uid else id(one.entry))
        if one.ends(local) > now:
            first.setdefault(key, one)
        else:
            last[key] = one
    chosen = list((last | first).values())
    return sorted(chosen, key=lambda one: abs(one.begins(local) - now))[:MOST_EVENTS]


def _of_event(one: Occurrence, name: str, when: str) -> Iterator[Told]:
    yield name, "event", "happened_at", when, ""
    place = " ".join(one.entry.place.split())
    if place and "://" not in place:
        yield name, "event", "located_at", place, "place"
    for person, _ in one.entry.people:
        if person:
            yield person, "person", "attends", name, "event"
