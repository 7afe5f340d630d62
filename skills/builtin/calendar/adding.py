"""A new appointment: when it is, where it is written, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from skills.sdk import Context, Hours, Period, words

from . import planning, telling, wording, writing
from .book import MAIN, Book, main_calendar, new_uid, opened_again
from .occurrences import Occurrence


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: as the tool has it."""

    title: str
    when: Period | None = None
    hours: Hours | None = None
    length: timedelta | None = None
    place: str = ""
    repeat: str | None = None


def add(ctx: Context, book: Book, asked: Asked) -> Occurrence:
    """Put an appointment into the person's calendar, and return its first time. Raises ToolError."""
    start, end, rule = planning.times(asked.when, asked.hours, asked.length, asked.repeat, ctx.now)
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
    ctx.say(f"I put “{said}”{often} into {words.name(ctx.file(path).name)}.",
            de=f"Ich habe „{gesagt}“{oft} in {words.name(ctx.file(path).name)} eingetragen.")  # fmt: skip
    telling.overlap(ctx, book, once)
    return once
