"""Exact arithmetic, units of measure and calendar arithmetic; reads and writes nothing."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal
from zoneinfo import ZoneInfo

from skills.sdk import Context, Expression, Quantity, Query, Text, ToolError, Unit, words

from . import calendar_math, figures, shares, units
from .arithmetic import Parser, too_large
from .phrases import in_signs, with_number
from .zones import zones_of

_WEEKDAYS_EN = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAYS_DE = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
MOST_ZONES = 6
_COUNTED = {
    "days": ("day", "days", "Tag", "Tage"),
    "weeks": ("week", "weeks", "Woche", "Wochen"),
    "months": ("month", "months", "Monat", "Monate"),
    "years": ("year", "years", "Jahr", "Jahre"),
}


@dataclass(frozen=True, slots=True)
class Result:
    """What an expression comes to.

    ``exact`` is the full value, with a decimal point or as a fraction; ``value`` the nearest float, None out of range.
    """

    value: float | None
    exact: str
    expression: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity in another unit. ``text`` is value and unit as written."""

    value: float | None
    unit: str
    text: str


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a sum of money in percent, the sum with it, and what each pays."""

    amount: Decimal
    total: Decimal
    each: Decimal


@dataclass(frozen=True, slots=True)
class Interval:
    """How long it is from ``start`` to ``end``; negative when ``end`` lies before ``start``.

    ``amount`` counts whole units of ``unit``; ``days`` counts nights.
    """

    amount: int
    unit: str
    days: int
    start: datetime.date
    end: datetime.date


@dataclass(frozen=True, slots=True)
class Day:
    """A calendar day. ``weekday`` is its name in the language of the request, ``week`` the ISO 8601 week."""

    date: datetime.date
    weekday: str
    week: int


def compute(ctx: Context, expression: Expression, x: float | None = None) -> Result:
    """Work out an arithmetic expression exactly.

    Args:
        expression: numbers, operators, brackets, percentages and roots, in signs or in words.
        x: the number that x stands for in it, such as the result of an earlier step.
    """
    if x is not None and not math.isfinite(x):
        raise too_large()
    signs, percentage = in_signs(with_number(str(expression), x), ctx.language)
    parser = Parser(signs, ctx.language, shown=str(expression))
    value = parser.value()
    rounded = parser.approximate or (x is not None and figures.is_rounded(x))
    text, full = figures.written(value, approximate=rounded)
    exact = figures.exact(value, approximate=rounded)
    sign = " %" if percentage and ctx.language == "de" else "%" if percentage else ""
    shown = figures.localised(text, ctx.language) + sign
    if full:
        ctx.say(f"The result is {shown}.", de=f"Das Ergebnis ist {shown}.")
    elif "/" in exact and len(exact) <= 20:
        ctx.say(f"The result is about {shown} (exactly {exact}).", de=f"Das Ergebnis ist etwa {shown} (genau {exact}).")
    else:
        ctx.say(f"The result is about {shown}.", de=f"Das Ergebnis ist etwa {shown}.")
    return Result(figures.nearest(value), exact, str(expression))


def tax(
    ctx: Context,
    amount: float,
    rate: float,
    way: Literal["on top", "included"] = "on top",
    currency: Unit | None = None,
) -> Share:
    """Work out the value added tax on an amount, or the tax that an amount includes.

    Args:
        amount: the sum of money.
        rate: the rate in percent.
        way: whether the tax comes on top of the amount or is included in it.
        currency: what the amount is in.
    """
    net, part, gross = shares.taxed(amount, rate, included=way == "included")
    shown = {
        language: [shares.money(one, language, currency) for one in (part, net, gross)] for language in ("en", "de")
    }
    percent = {language: figures.localised(shares.plain(rate), language) for language in ("en", "de")}
    (tax_en, net_en, gross_en), (tax_de, net_de, gross_de) = shown["en"], shown["de"]
    ctx.say(
        f"{percent['en']}% tax is {tax_en}: {net_en} before tax, {gross_en} with it.",
        de=f"{percent['de']} % Steuer sind {tax_de}: {net_de} netto, {gross_de} brutto.",
    )
    return Share(part, gross, gross)


def tip(ctx: Context, amount: float, rate: float, people: int = 1, currency: Unit | None = None) -> Share:
    """Work out the tip on a bill, and what each pays when it is split.

    Args:
        amount: the bill.
        rate: the tip in percent.
        people: how many share the bill.
        currency: what the bill is in.
    """
    part, whole, each = shares.tipped(amount, rate, people)
    en, de = ([shares.money(one, language, currency) for one in (part, whole, each)] for language in ("en", "de"))
    split_en, split_de = (f"; split by {people}: {en[2]} each", f"; durch {people} geteilt: je {de[2]}")
    ctx.say(
        f"The tip is {en[0]}, which makes {en[1]}{split_en if people > 1 else ''}.",
        de=f"Das Trinkgeld ist {de[0]}, zusammen {de[1]}{split_de if people > 1 else ''}.",
    )
    return Share(part, whole, each)


def clock(ctx: Context, place: Query | None = None) -> Text:
    """Tell the time and the date of today, here or in another city or country.

    Args:
        place: a city or a country elsewhere; here when absent.
    """
    if place is None:
        time = ctx.now.strftime("%H:%M")
        english, german = _weekday(ctx.today)
        ctx.say(f"It is {time} on {english}, {words.day(ctx.today, 'en')}.",
                de=f"Es ist {time} Uhr, {german}, der {words.day(ctx.today, 'de')}.")  # fmt: skip
        return Text(time)
    zones = zones_of(str(place), ctx.now)
    if not zones:
        raise _unknown(str(place))
    there = {name: ctx.now.astimezone(ZoneInfo(zone)) for name, zone in zones.items()}
    told = [_time_there(ctx.now, at, name) for name, at in there.items()]
    ctx.say(f"It is {words.listing([one for one, _ in told], 'en', most=MOST_ZONES)}.",
            de=f"Es ist {words.listing([one for _, one in told], 'de', most=MOST_ZONES)}.")  # fmt: skip
    return Text(f"{next(iter(there.values())):%H:%M}")


def _weekday(day: datetime.date) -> tuple[str, str]:
    """The day of the week, in English and in German."""
    return _WEEKDAYS_EN[day.weekday()], _WEEKDAYS_DE[day.weekday()]


def _time_there(here: datetime.datetime, there: datetime.datetime, name: str) -> tuple[str, str]:
    """Return "18:00 in Tokyo", with the day where it is another one than here, in both languages."""
    if there.date() == here.date():
        return f"{there:%H:%M} in {name}", f"{there:%H:%M} Uhr in {name}"
    day, tag = _weekday(there.date())
    return f"{there:%H:%M} on {day} in {name}", f"{there:%H:%M} Uhr am {tag} in {name}"


def _unknown(place: str) -> ToolError:
    return ToolError(
        f"I know no city or country called “{place}”.",
        hint="Name a large city in its time zone.",
        code="tool.missing",
        instead_of=place,
        de=f"Ich kenne keine Stadt und kein Land mit dem Namen „{place}“.",
        de_hint="Nenne eine große Stadt in der Zeitzone.",
    )


def convert(ctx: Context, quantity: Quantity, unit: Unit, rest: float | None = None) -> Measure:
    """Convert a quantity into another unit of measure.

    Args:
        quantity: how much of what, such as 5.5 miles.
        unit: the unit to convert to.
        rest: a number after the quantity in the next smaller unit, as in 5 foot 11.
    """
    source = units.spoken(quantity.unit, ctx.language)
    value, source = units.with_rest(quantity.value, source, rest) if rest is not None else (quantity.value, source)
    converted = units.convert(value, source, units.spoken(str(unit), ctx.language))
    text, full = figures.written(converted.value)
    if not full or len(text.replace(".", "").strip("0-")) > 9:
        text, full = figures.significant(converted.value, 6), False
    name = str(unit).strip().replace("_", " ")
    shown = f"{figures.localised(text, ctx.language)} {name}"
    about_en, about_de = ("", "") if full else ("about ", "etwa ")
    note_en, note_de = converted.note
    ctx.say(f"That is {about_en}{shown}{note_en}.", de=f"Das sind {about_de}{shown}{note_de}.")
    return Measure(figures.nearest(converted.value), name, f"{text} {name}")


def between(
    ctx: Context,
    end: datetime.date,
    start: datetime.date | None = None,
    unit: Literal["days", "weeks", "months", "years"] = "days",
) -> Interval:
    """Count the days, weeks, months or years between two dates.

    Args:
        end: the one date; alone, it is compared with today.
        start: the other date; today when absent.
        unit: what to count.
    """
    first = start or ctx.today
    if start is None and end == ctx.today:
        _day(ctx, end)  # "which day is today" counts nothing
        return Interval(0, unit, 0, first, end)
    gap = calendar_math.gap(first, end, unit)
    sign = 1 if end >= first else -1
    one, many, eins, viele = _COUNTED[unit]
    en = f"{gap.amount} {one if gap.amount == 1 else many}"
    de = f"{gap.amount} {eins if gap.amount == 1 else viele}"
    if gap.rest_days:
        en += f" and {gap.rest_days} day{'s' if gap.rest_days != 1 else ''}"
        de += f" und {gap.rest_days} Tag{'e' if gap.rest_days != 1 else ''}"
    early, late = (first, end) if sign > 0 else (end, first)
    ctx.say(
        f"There {'is' if en.startswith('1 ') else 'are'} {en} between {_named(ctx, early)} and {_named(ctx, late)}.",
        de=f"Zwischen dem {_named(ctx, early)} und dem {_named(ctx, late)} liegen {de}.",
    )
    return Interval(gap.amount * sign, unit, (end - first).days, first, end)


def shift(
    ctx: Context,
    amount: Quantity,
    date: datetime.date | None = None,
    direction: Literal["after", "before"] = "after",
) -> Day:
    """Find the date that lies so many days, weeks, months or years after or before a date.

    Args:
        amount: how far, such as 90 days, 2 months or 10 working days.
        date: the date to start from; today when absent.
        direction: after or before that date.
    """
    found = calendar_math.shifted(date or ctx.today, amount.value, amount.unit, 1 if direction == "after" else -1)
    return _day(ctx, found)


def weekday(ctx: Context, date: datetime.date) -> Day:
    """Name the day of the week of a date.

    Args:
        date: the calendar day.
    """
    return _day(ctx, date)


def _day(ctx: Context, day: datetime.date) -> Day:
    week = day.isocalendar().week
    english, german = _weekday(day)
    ctx.say(
        f"{words.day(day, 'en')} {_tense(ctx, day, 'was', 'is')} a {english} (calendar week {week}).",
        de=f"Der {words.day(day, 'de')} {_tense(ctx, day, 'war', 'ist')} ein {german} (Kalenderwoche {week}).",
    )
    return Day(day, german if ctx.language == "de" else english, week)


def _tense(ctx: Context, day: datetime.date, past: str, present: str) -> str:
    return past if day < ctx.today else present


def _named(ctx: Context, day: datetime.date) -> str:
    name = words.day(day, ctx.language)
    if day != ctx.today:
        return name
    return f"{name} (heute)" if ctx.language == "de" else f"{name} (today)"
