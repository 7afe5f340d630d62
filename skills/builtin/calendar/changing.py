"""One event that is changed: where it goes, what it says, what is left without it."""

from __future__ import annotations

from datetime import date, timedelta

from skills.sdk import Context, Hours

from . import hosting, planning, telling, writing
from .book import Book
from .choosing import series_of
from .entries import Entry, Moment, key_of
from .meaning import Meant
from .occurrences import Occurrence


def shifted(
    found: Meant, to: date | None, hours: Hours | None, by: timedelta, book: Book
) -> tuple[date | None, Hours | None]:
    """The day and the time of an event that is moved by so much."""
    if hours is not None:
        raise planning.both()
    if to is None:
        return planning.shifted(found.time, by, book.local)
    return to, planning.shifted_at(found.time, to, by, book.local)


def moved_series(book: Book, found: Meant, times: tuple[Moment, Moment], to: date | None, hours: Hours | None) -> bytes:
    """The file with all times of a series at another hour. Raises ToolError where its days would change."""
    by = writing.shifted_clock(found.entry, found.time.of, times[0], book.local)
    if by is None or to is not None:
        raise planning.fixed_days(found.entry)
    calendar = book.of(found.entry)
    others = [one for one in series_of(calendar.entries, found.entry) if one.replaces is not None]
    length = key_of(times[1]) - key_of(times[0]) if hours is not None and hours.end is not None else None
    return writing.moved_series(calendar, found.entry, others, by, length, book.now)


def reworded(book: Book, found: Meant, line: str, text: str) -> bytes:
    """The file with another title or place of an event: of one time of it, or of all that had the same."""
    entry, calendar = found.entry, book.of(found.entry)
    if entry.repeats and not found.series:
        times = (found.time.start, found.time.end)
        return writing.moved_once(calendar, entry, found.time.of, times, {line: text}, book.now)
    all_of = series_of(calendar.entries, entry) if found.series else [entry]
    same = [one for one in all_of if _said_of(one, line) == _said_of(entry, line)]
    return writing.reworded(calendar, same, {line: text}, book.now)


def _said_of(entry: Entry, line: str) -> str:
    """What an event says in the line of its title or of its place."""
    return entry.place if line == "LOCATION" else entry.title


def without(book: Book, found: Meant) -> bytes:
    """The file without an event, without all of its times, or without one of them."""
    calendar, entry = book.of(found.entry), found.entry
    family = series_of(calendar.entries, entry)
    if found.series:
        return writing.removed(calendar, family)
    master = next((one for one in family if one.replaces is None), None)
    if master is None or not master.repeats:
        return writing.removed(calendar, [entry])
    replacing = [one for one in family if one.replaces is not None and one.replaces == key_of(found.time.of)]
    return writing.left_out(calendar, master, [found.time.of], replacing, book.now)


def move(ctx: Context, book: Book, found: Meant, to: date | None, hours: Hours | None) -> Occurrence:
    """Put what was meant on another day or at another time, and return it as it is then. Raises ToolError."""
    entry, calendar = found.entry, book.of(found.entry)
    start, end = planning.new_times(found.time, to, hours, book.local)
    if found.series:
        data = moved_series(book, found, (start, end), to, hours)
    elif entry.repeats:
        data = writing.moved_once(calendar, entry, found.time.of, (start, end), {}, ctx.now)
    else:
        data = writing.moved(calendar, entry, start, end, ctx.now)
    ctx.write(entry.file, hosting.asked_anew(book, found, data))
    now = Occurrence(entry, start, end, found.time.of)
    en, de = (planning.said_moved(found, now, book.local, language) for language in ("en", "de"))
    ctx.say(en, de=de)
    telling.overlap(ctx, book, now)
    hosting.say_unaware(ctx, book, found)
    return now
