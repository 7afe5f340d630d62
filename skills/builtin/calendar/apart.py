"""How many days lie between two appointments: each the next with some words, else the last that is over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from skills.sdk import Context, words

from . import wording
from .book import Book
from .meaning import nothing, sought
from .occurrences import Occurrence


@dataclass(frozen=True, slots=True)
class Apart:
    """How many days it is from the day of one appointment to that of another; negative where that comes before."""

    days: int
    start: date
    end: date


def days_between(ctx: Context, book: Book, event: str, other: str) -> Apart:
    """Return how far two appointments are apart, and say so. Raises ToolError where there is none of one."""
    first, last = (_the_next(ctx, book, said) for said in (event, other))
    start, end = (one.begins(book.local).date() for one in (first, last))
    days = (end - start).days
    shown = [
        [f"“{wording.untitled(one.entry, 'en')}” ({wording.day(one.begins(book.local).date(), 'en')})",
         f"„{wording.untitled(one.entry, 'de')}“ ({wording.day(one.begins(book.local).date(), 'de')})"]
        for one in (first, last)
    ]  # fmt: skip
    ctx.say(f"It is {words.count(abs(days), 'day', 'days')} from {shown[0][0]} to {shown[1][0]}.",
            de=f"Von {shown[0][1]} bis {shown[1][1]} {'ist' if abs(days) == 1 else 'sind'} es "
               f"{words.count(abs(days), 'Tag', 'Tage')}.")  # fmt: skip
    return Apart(days, start, end)


def _the_next(ctx: Context, book: Book, said: str) -> Occurrence:
    found = sought(book, said, None)
    if not found:
        raise nothing(book, said, None, ctx.language)
    return found[0]
