"""Whole days, weeks, months and years between dates, and dates so far away; the proleptic Gregorian calendar."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal

from dateutil.relativedelta import relativedelta

from skills.sdk import ToolError

UNITS: dict[str, str] = {
    "day": "days", "days": "days", "d": "days", "tag": "days", "tage": "days", "tagen": "days",
    "week": "weeks", "weeks": "weeks", "wk": "weeks", "woche": "weeks", "wochen": "weeks", "fortnight": "fortnights",
    "fortnights": "fortnights", "month": "months", "months": "months", "monat": "months", "monate": "months",
    "monaten": "months", "quarter": "quarters", "quarters": "quarters", "quartal": "quarters", "quartale": "quarters",
    "quartalen": "quarters", "year": "years", "years": "years", "y": "years", "yr": "years", "jahr": "years",
    "jahre": "years", "jahren": "years", "decade": "decades", "decades": "decades", "jahrzehnt": "decades",
    "jahrzehnte": "decades", "jahrzehnten": "decades", "hour": "hours", "hours": "hours", "h": "hours",
    "stunde": "hours", "stunden": "hours", "minute": "minutes", "minutes": "minutes", "minuten": "minutes",
    "second": "seconds", "seconds": "seconds", "s": "seconds", "sekunde": "seconds", "sekunden": "seconds",
    "working day": "working days", "working days": "working days", "work days": "working days",
    "workday": "working days", "workdays": "working days", "business day": "working days", "arbeitstag": "working days",
    "business days": "working days", "weekdays": "working days", "werktag": "working days", "werktage": "working days",
    "werktagen": "working days", "arbeitstage": "working days", "arbeitstagen": "working days",
}  # fmt: skip
"""Names of stretches of time, English and German, lower case, with what they count in."""

_DAYS = {"days": Decimal(1), "weeks": Decimal(7), "fortnights": Decimal(14)}
_MONTHS = {"months": 1, "quarters": 3, "years": 12, "decades": 120}
_SECONDS = {"hours": 3_600, "minutes": 60, "seconds": 1}


@dataclass(frozen=True, slots=True)
class Gap:
    """Whole ``amount`` of a unit between two dates (never negative) and the ``days`` that remain."""

    amount: int
    rest_days: int


def gap(start: datetime.date, end: datetime.date, unit: str) -> Gap:
    """Count whole units between two dates in either order."""
    first, last = min(start, end), max(start, end)
    days = (last - first).days
    if unit == "days":
        return Gap(days, 0)
    if unit == "weeks":
        return Gap(days // 7, days % 7)
    apart = relativedelta(last, first)
    months = apart.years * 12 + apart.months
    amount = months if unit == "months" else months // 12
    reached = first + relativedelta(months=amount if unit == "months" else amount * 12)
    return Gap(amount, (last - reached).days)


def shifted(start: datetime.date, value: Decimal, unit: str, sign: int) -> datetime.date:
    """Return the date ``value`` units after (sign 1) or before (-1) ``start``; the last day where a month is short.

    Working days are Monday to Friday. Raises ToolError for unknown units, broken days and dates out of range.
    """
    counted = UNITS.get(" ".join(unit.casefold().split()))
    if counted is None:
        raise ToolError(
            f"I cannot count dates in “{unit[:40]}”.",
            hint="Use days, weeks, months, years or working days.",
            code="calc.stretch",
            de=f"In „{unit[:40]}“ kann ich keine Daten zählen.",
            de_hint="Nimm Tage, Wochen, Monate, Jahre oder Werktage.",
        )
    try:
        if counted == "working days":
            return _working(start, _whole(value, unit) * sign)
        if counted in _MONTHS:
            return start + relativedelta(months=_whole(value * _MONTHS[counted], unit) * sign)
        days = value * _DAYS[counted] if counted in _DAYS else value * _SECONDS[counted] / 86_400
        return start + datetime.timedelta(days=_whole(days, unit) * sign)
    except (OverflowError, ValueError) as error:
        raise ToolError(
            "That date lies outside of the years 1 to 9999.",
            hint="Use a shorter time.",
            code="calc.range",
            de="Dieses Datum liegt außerhalb der Jahre 1 bis 9999.",
            de_hint="Nimm eine kürzere Zeit.",
        ) from error


def _whole(value: Decimal, unit: str) -> int:
    if not value.is_finite() or value.adjusted() > 9:
        raise OverflowError
    if value != value.to_integral_value():
        raise ToolError(
            f"{value.normalize():f} {unit} do not come to whole days or months, so there is no such date.",
            hint="Use a whole number of days, weeks, months or years.",
            code="calc.broken-day",
            de=f"{value.normalize():f} {unit} ergeben keine ganzen Tage oder Monate, also kein Datum.",
            de_hint="Nimm eine ganze Zahl von Tagen, Wochen, Monaten oder Jahren.",
        )
    return int(value)


def _working(start: datetime.date, days: int) -> datetime.date:
    step = 1 if days > 0 else -1
    weeks, rest = divmod(abs(days), 5)
    if rest == 0 and weeks:
        weeks, rest = weeks - 1, 5
    day = start + datetime.timedelta(days=7 * weeks * step)
    while rest:
        day += datetime.timedelta(days=step)
        if day.weekday() < 5:
            rest -= 1
    return day
