"""A new appointment: when it is, where it is written, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from skills.sdk import Context, ErrorWords, Hours, Period, words

from . import planning, telling, wording, writing
from .book import MAIN, Book, main_calendar, new_uid, opened_again
from .occurrences import Occurrence

_NO_HOUR = ErrorWords(
    "calendar.zone", "I do not know at what time that is; without one, a time zone says nothing.",
    "Say the time, too: at 3 pm New York time.",
    "Ich weiß nicht, um wie viel Uhr das ist; ohne Uhrzeit sagt eine Zeitzone nichts.",
    "Nenne auch die Uhrzeit: um 15 Uhr New Yorker Zeit.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for; ``zone`` is the other one that the hours are in, "" where they are the person's own."""

    title: str
    when: Period | None = None
    hours: Hours | None = None
    length: timedelta | None = None
    place: str = ""
    repeat: str | None = None
    zone: str = ""


def add(ctx: Context, book: Book, asked: Asked) -> Occurrence:
    """Put an appointment into the person's calendar, and return its first time. Raises ToolError."""
    now = ctx.now.astimezone(ZoneInfo(asked.zone)) if asked.zone else ctx.now
    start, end, rule = planning.times(asked.when, asked.hours, asked.length, asked.repeat, now)
    if asked.zone and not isinstance(start, datetime):
        raise _NO_HOUR()
    calendar = main_calendar(ctx, book)
    path = calendar.file.path if calendar else ctx.path(MAIN)
    name, where = " ".join(asked.title.split()), " ".join(asked.place.split())
    wanted = writing.Wanted(new_uid(ctx, book), name, start, end, where, rule)
    data = writing.added(calendar.data if calendar else writing.EMPTY, wanted, ctx.now)
    ctx.write(path, data)
    (made,) = [one for one in opened_again(ctx, book, path).entries if one.uid == wanted.uid]
    once = Occurrence(made, made.start, made.end, made.start)
    said, gesagt = (wording.label(once, book.local, language) for language in ("en", "de"))
    often, oft = (f", {wording.lasting(rule, book.local, language)}" if rule else "" for language in ("en", "de"))
    there, dort = (_there(once, book, asked.zone, language) for language in ("en", "de"))
    ctx.say(f"I put “{said}”{often}{there} into {words.name(ctx.file(path).name)}.",
            de=f"Ich habe „{gesagt}“{oft}{dort} in {words.name(ctx.file(path).name)} eingetragen.")  # fmt: skip
    telling.overlap(ctx, book, once)
    return once


def _there(once: Occurrence, book: Book, zone: str, language: str) -> str:
    """What the clocks show in the other zone, with the day there; nothing where they show the same as here."""
    start = once.start
    if not zone or not isinstance(start, datetime) or start.utcoffset() == once.begins(book.local).utcoffset():
        return ""
    place = zone.rpartition("/")[2].replace("_", " ")
    return f" ({wording.day(start.date(), language)}, {start:%H:%M} {'in ' if '/' in zone else ''}{place})"
