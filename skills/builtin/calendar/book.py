"""All calendar files of ~/Calendar: what is in them, which could not be read, and which one is the person's own."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from skills.sdk import Context, File, Period, ToolError, words
from skills.sdk.contentlines import is_wide

from .entries import Calendar, Entry, NoCalendar, read
from .occurrences import Occurrence, between

FOLDER = "~/Calendar"
MAIN = f"{FOLDER}/Calendar.ics"
MOST_BYTES = 50 << 20

_EARLIEST, _LATEST = timedelta(days=3650), timedelta(days=1100)


@dataclass(slots=True)
class Book:
    """The calendars of a person, and the zone in which they live; ``mine`` are their addresses, as far as known."""

    local: tzinfo
    now: datetime
    calendars: list[Calendar] = field(default_factory=list)
    broken: list[File] = field(default_factory=list)
    wide: list[File] = field(default_factory=list)
    present: list[str] = field(default_factory=list)
    mine: frozenset[str] = frozenset()

    @property
    def entries(self) -> list[Entry]:
        """The events of all calendars."""
        return [entry for one in self.calendars for entry in one.entries]

    def of(self, entry: Entry) -> Calendar:
        """Return the calendar that an event stands in."""
        return next(one for one in self.calendars if one.file.path == entry.file.path)

    def during(self, period: Period, entries: Sequence[Entry] | None = None) -> list[Occurrence]:
        """Return what takes place in a stretch of days; an open end is years away."""
        first = midnight(period.start, self.local) if period.start else self.now - _EARLIEST
        last = midnight(period.end, self.local) if period.end else self.now + _LATEST
        return between(self.entries if entries is None else entries, first, last)

    def ahead(self, entries: Sequence[Entry] | None = None) -> list[Occurrence]:
        """Return what takes place from now on, years ahead, and what runs now."""
        return between(self.entries if entries is None else entries, self.now, self.now + _LATEST)


def midnight(day: date, local: tzinfo) -> datetime:
    """Return the beginning of a day."""
    return datetime.combine(day, time(), local)


def opened(ctx: Context, mine: frozenset[str] = frozenset()) -> Book:
    """Return the person's calendars; what could not be read is said, and stops nothing."""
    book = Book(ctx.now.tzinfo or UTC, ctx.now, mine=mine)
    if not ctx.is_folder(FOLDER):
        return book
    book.present.append(ctx.path(FOLDER))
    for file in sorted(ctx.scan(FOLDER), key=lambda one: one.path):
        if file.suffix == ".ics":
            book.present.append(file.path)
            _take(ctx, book, file)
    _say_skipped(ctx, book)
    return book


def _take(ctx: Context, book: Book, file: File) -> None:
    if (file.size_bytes or 0) > MOST_BYTES:
        book.broken.append(file)
        return
    data = b""
    try:
        data = ctx.read_bytes(file)
        book.calendars.append(_read(book, file, data))
    except (NoCalendar, ToolError):
        (book.wide if is_wide(data) else book.broken).append(file)


def _say_skipped(ctx: Context, book: Book) -> None:
    if book.broken:
        names = [file.name for file in book.broken]
        listed, gelistet = words.listing(names, most=5), words.listing(names, "de", most=5)
        ctx.say(f"Skipped, because it is no calendar that can be read: {listed}.",
                de=f"Übergangen, weil sich kein Kalender darin lesen lässt: {gelistet}.")  # fmt: skip
    for file in book.wide:
        ctx.say(f"Skipped, because it is in UTF-16: {file.name}. Save it as UTF-8.",
                de=f"Übergangen, weil es in UTF-16 geschrieben ist: {file.name}. Speichere es als UTF-8.")  # fmt: skip
    for one in book.calendars:
        if one.unread:
            events = words.count(one.unread, "event", "events")
            termine = words.count(one.unread, "Termin", "Termine")
            ctx.say(f"{events} of {one.file.name} could not be read and {'is' if one.unread == 1 else 'are'} left out.",
                    de=f"{termine} in {one.file.name} {'lässt' if one.unread == 1 else 'lassen'} sich nicht lesen "
                       f"und {'fehlt' if one.unread == 1 else 'fehlen'} hier.")  # fmt: skip


def main_calendar(ctx: Context, book: Book) -> Calendar | None:
    """Return the calendar that new events go to: ``MAIN`` where it is there, else that with the most events.

    Where that was a choice it is said. What somebody sent or published (it has a METHOD) is taken only where there is
    nothing else.

    None where there is none yet. Raises ToolError where the only ones that there are cannot be read.
    """
    if not book.calendars:
        if any(ctx.path(MAIN) == file.path for file in [*book.broken, *book.wide]):
            raise unwritable(ctx)
        return None
    main = [one for one in book.calendars if one.file.path == ctx.path(MAIN)]
    own = main or [one for one in book.calendars if not one.method] or book.calendars
    most = max(own, key=lambda one: (len(one.entries), -len(one.file.path)))
    if len(own) > 1:
        ctx.say(f"Of your {len(book.calendars)} calendars I took {most.file.name}, which has the most events.",
                de=f"Von deinen {len(book.calendars)} Kalendern habe ich {most.file.name} genommen, "
                   "der die meisten Termine hat.")  # fmt: skip
    return most


def new_uid(ctx: Context, book: Book) -> str:
    """Return a name for a new event that no other has."""
    taken = {one.uid for one in book.entries}
    while (uid := str(uuid.UUID(int=ctx.random.getrandbits(128), version=4))) in taken:
        pass
    return uid


def unwritable(ctx: Context) -> ToolError:
    """Return the error of a main calendar that is none."""
    return ToolError(
        f"{ctx.shown(MAIN)} is no calendar that can be read, so nothing is added to it.",
        hint="Move it away, or put a working .ics file into ~/Calendar.",
        code="calendar.broken",
        de=f"{ctx.shown(MAIN)} ist kein lesbarer Kalender, deshalb wird dort nichts eingetragen.",
        de_hint="Verschiebe sie oder lege eine heile .ics-Datei in ~/Calendar.",
    )


def opened_again(ctx: Context, book: Book, path: str) -> Calendar:
    """Return one calendar as it is with what was just described."""
    return _read(book, ctx.file(path), ctx.read_bytes(path))


def read_again(book: Book, calendar: Calendar, data: bytes) -> Calendar:
    """Return a calendar as it is with other bytes, which nobody has written yet."""
    return _read(book, calendar.file, data)


def _read(book: Book, file: File, data: bytes) -> Calendar:
    calendar = read(file, data, book.local)
    calendar.owners |= book.mine
    return calendar
