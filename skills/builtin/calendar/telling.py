"""What the tools of the calendar say besides what they found: what is past, what overlaps, when somebody is free."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from skills.sdk import Context, Hours, Period, Title, words

from . import freetime, planning, wording
from .book import Book
from .freetime import Gap
from .occurrences import Occurrence


def past(ctx: Context, book: Book, said: str, last: Occurrence) -> None:
    """Say of some words that what they mean is over."""
    then, damals = wording.label(last, book.local, "en"), wording.label(last, book.local, "de")
    ctx.say(f"Nothing with “{said}” lies ahead; the last was {then}.",
            de=f"Mit „{said}“ liegt nichts mehr vor dir; zuletzt war es {damals}.")  # fmt: skip


def overlap(ctx: Context, book: Book, made: Occurrence) -> None:
    """Say what a new time overlaps; what is of whole days overlaps nothing."""
    if made.entry.all_day:
        return
    first, last = made.begins(book.local), made.ends(book.local)
    others = Period(first.date(), last.date() + timedelta(days=1))
    taken = [
        one for one in book.during(others)
        if freetime.blocks(one) and one.entry.uid != made.entry.uid and one.begins(book.local) < last
        and one.ends(book.local) > first
    ]  # fmt: skip
    if taken:
        names, namen = (words.listing([wording.label(one, book.local, tongue) for one in taken], tongue, most=3)
                        for tongue in ("en", "de"))  # fmt: skip
        ctx.say(f"At that time there is also: {names}.", de=f"Zu dieser Zeit ist auch: {namen}.")


def starting(ctx: Context, book: Book, found: Sequence[Occurrence], within: timedelta) -> None:
    """Say what begins within some time, a line each."""
    soon, bald = wording.length(within, "en"), wording.length(within, "de")
    if not found:
        ctx.say(f"Nothing begins within {soon}.", de=f"Innerhalb von {bald} beginnt nichts.")
    for one in found:
        line, zeile = (f"- {wording.label(one, book.local, tongue)}{planning.place_of(one)}" for tongue in ("en", "de"))
        ctx.say(f"{line}{planning.people_of(one, 'en')}", de=f"{zeile}{planning.people_of(one, 'de')}")


def free(
    ctx: Context, book: Book, when: Period | None, hours: Hours | None, least: timedelta, purpose: Title | None
) -> list[Gap]:
    """Say when somebody is free in some days, between some hours, for so long at least, and return that."""
    period = planning.bounded(when or Period(ctx.today, ctx.today + timedelta(days=7)), ctx.today)
    between = planning.working_hours(hours)
    days = planning.working_days(period, ctx.today)
    found = freetime.gaps(book.during(period), days, between, least, ctx.now)
    span, stretch = planning.stretch(period, None, "en"), planning.stretch(period, None, "de")
    of_day = f"{between[0]:%H:%M}–{between[1]:%H:%M}"
    if not found:
        ctx.say(f"There is no free stretch of {wording.length(least, 'en')} for {span} ({of_day}).",
                de=f"Für {stretch} gibt es keine freie Zeit von {wording.length(least, 'de')} ({of_day}).")  # fmt: skip
    else:
        lines, zeilen = wording.free(found, "en"), wording.free(found, "de")
        used, wozu = (f" for {purpose}", f" für {purpose}") if purpose else ("", "")
        ctx.say(f"You are free{used} ({of_day}, {wording.length(least, 'en')} or more):\n{lines}",
                de=f"Frei hast du{wozu} ({of_day}, mindestens {wording.length(least, 'de')}):\n{zeilen}")  # fmt: skip
    return found


def clashes(ctx: Context, book: Book, when: Period, most: int) -> list[tuple[Occurrence, Occurrence]]:
    """Say what overlaps in some days, ``most`` of it, and return all of it."""
    period = planning.bounded(when, ctx.today)
    pairs = freetime.overlapping(book.during(period), book.local)
    span, stretch = planning.stretch(period, None, "en"), planning.stretch(period, None, "de")
    if not pairs:
        ctx.say(f"Nothing in your calendar overlaps ({span}).",
                de=f"In deinem Kalender überschneidet sich nichts ({stretch}).")  # fmt: skip
    more = wording.further(len(pairs) - most, ctx.language).strip()
    for one, other in pairs[:most]:
        first, second = (wording.label(each, book.local, "en") for each in (one, other))
        erster, zweiter = (wording.label(each, book.local, "de") for each in (one, other))
        ctx.say(f"“{first}” overlaps “{second}”.", de=f"„{erster}“ überschneidet sich mit „{zweiter}“.")
    if more:
        ctx.say(more)
    return pairs


def events(number: int, language: str) -> str:
    """Return how many events there are: "3 events"."""
    return words.count(number, *(("Termin", "Termine") if language == "de" else ("event", "events")))
