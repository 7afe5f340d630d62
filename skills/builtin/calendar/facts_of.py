"""What the calendar says, as facts: when an event is, where, and who is there.

A file tells everything that it knows of the time around now each time it is read, so that what was changed is told anew
and what was taken out is told no more. A series is one event, at its next time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from skills.sdk import words

from .book import Book
from .entries import Calendar, Entry
from .occurrences import Occurrence, between

MOST_EVENTS = 120
"""Events of one file that become known: those nearest to now."""

_BEFORE, _AFTER = timedelta(days=90), timedelta(days=400)

Told = tuple[str, str, str, str, str]
"""Subject, what it is, relation, object, what that is ("" for a value)."""


def told(book: Book) -> list[tuple[str, Told]]:
    """Return the facts of all calendars, each with the path of its file."""
    return [(one.file.path, fact) for one in book.calendars for fact in _of_calendar(one, book.now)]


def _of_calendar(calendar: Calendar, now: datetime) -> Iterator[Told]:
    found = _nearest(calendar.entries, now)
    titles = Counter(one.entry.title for one in found)
    local = now.tzinfo
    assert local is not None
    for one in found:
        day = one.begins(local).date()
        name = one.entry.title if titles[one.entry.title] == 1 else f"{one.entry.title} ({words.day(day)})"
        yield from _of_event(one, name, day.isoformat() if one.entry.all_day else one.begins(local).isoformat())


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
    for person, mail in one.entry.people:
        if person:
            yield person, "person", "attends", name, "event"
            if mail:
                yield person, "person", "email", mail, ""
