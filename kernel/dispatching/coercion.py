"""Coercion: a result that means the right thing in the wrong form is made what the next tool takes, and that is said.

"120,50 €" is the number 120.50, a quantity of 3 km is 3000 of what is measured in metres, "12.03.2025" is a day. Only
what can be read in one way is made another: a fraction never becomes a whole number, and a name never a day. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from kernel.errors import TaskFailed
from skills.model import Parameter, ValueKind

K = ValueKind

_AMOUNT = re.compile(r"(?P<sign>[-−+]?)\s*(?P<head>[€$£]?)\s*(?P<digits>\d[\d.,'\u00a0 ]*\d|\d)\s*(?P<unit>[^\d\s]*)")
_DAY = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})|(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_UNITS: Mapping[str, tuple[str, str]] = {
    **{word: ("m", factor) for factor, words in {
        "1": "m meter meters metre metres", "1000": "km kilometer kilometers kilometre kilometres kilometern",
        "0.01": "cm centimeter centimeters zentimeter", "0.001": "mm millimeter millimeters",
        "1609.344": "mile miles meile meilen", "0.3048": "ft foot feet", "0.0254": "inch inches zoll",
    }.items() for word in words.split()},
    **{word: ("kg", factor) for factor, words in {
        "1": "kg kilogram kilograms kilo kilos kilogramm", "0.001": "g gram grams gramm",
        "0.000001": "mg milligram milligrams milligramm", "1000": "t tonne tonnes tonnen metric_ton",
        "0.45359237": "lb lbs pound pounds", "0.028349523125": "oz ounce ounces unze unzen",
    }.items() for word in words.split()},
    **{word: ("l", factor) for factor, words in {
        "1": "l liter liters litre litres litern", "0.001": "ml milliliter milliliters", "0.01": "cl centiliter",
    }.items() for word in words.split()},
    **{word: ("s", factor) for factor, words in {
        "1": "s sec second seconds sekunde sekunden", "60": "min minute minutes minuten",
        "3600": "h hour hours stunde stunden", "86400": "day days tag tage tagen",
        "604800": "week weeks woche wochen",
    }.items() for word in words.split()},
    **{word: ("byte", factor) for factor, words in {
        "1": "b byte bytes", "1000": "kb kilobyte kilobytes", "1000000": "mb megabyte megabytes",
        "1000000000": "gb gigabyte gigabytes", "1024": "kib", "1048576": "mib", "1073741824": "gib",
    }.items() for word in words.split()},
    **{word: (name, "1") for name, words in {
        "EUR": "€ eur euro euros", "USD": "$ usd dollar dollars", "GBP": "£ gbp pound_sterling", "CHF": "chf franken",
        "%": "% percent prozent",
    }.items() for word in words.split()},
}  # fmt: skip
"""By word: what is measured, by the unit that it is counted in, and how many of those it is."""


def base_amount(value: Any, *, plain: bool = False) -> tuple[Decimal, str] | None:
    """Return a number with the measure that it is of, in that measure's own unit; ``plain``: as it stands.

    The measure is empty for a bare number. None for what is no amount: a truth, a name, a text of several words.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float | Decimal):
        return Decimal(str(value)), ""
    if isinstance(value, Mapping):
        inner = value.get("fields") if isinstance(value.get("fields"), Mapping) else value
        assert isinstance(inner, Mapping)
        number = base_amount(inner["value"]) if "value" in inner else None
        return number and _in_base(number[0], str(inner.get("unit") or ""), plain)
    return _read(value, plain) if isinstance(value, str) else None


def _read(text: str, plain: bool) -> tuple[Decimal, str] | None:
    found = _AMOUNT.fullmatch(text.strip())
    number = _digits(found["digits"]) if found else None
    if found is None or number is None:
        return None
    signed = -number if found["sign"] in {"-", "−"} else number
    return _in_base(signed, found["head"] or found["unit"], plain)


def _in_base(number: Decimal, unit: str, plain: bool) -> tuple[Decimal, str] | None:
    if plain or not unit:
        return number, ""
    known = _UNITS.get(unit.casefold())
    return (number * Decimal(known[1]), known[0]) if known else (number, unit.casefold())


def _digits(text: str) -> Decimal | None:
    """A number as people write it: of two kinds of marks the last is the point, one alone unless it marks thousands."""
    text = re.sub(r"['\u00a0 ]", "", text)
    comma, dot = text.rfind(","), text.rfind(".")
    if comma >= 0 and dot >= 0:
        thousands, point = (".", ",") if comma > dot else (",", ".")
        text = text.replace(thousands, "").replace(point, ".")
    elif comma >= 0:
        grouped = re.fullmatch(r"\d{1,3}(,\d{3})+", text)
        text = text.replace(",", "") if grouped else text.replace(",", ".")
    elif text.count(".") > 1:
        text = text.replace(".", "")
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def day_in(text: str) -> str | None:
    """Return the day that ``text`` is, ISO 8601; None where it is none."""
    found = _DAY.fullmatch(text.strip())
    if found is None:
        return None
    day, month, year, other_year, other_month, other_day = found.groups()
    try:
        return date(int(year or other_year), int(month or other_month), int(day or other_day)).isoformat()
    except ValueError:
        return None


def coerce(value: Any, parameter: Parameter, language: str) -> tuple[Any, str]:
    """Return ``value`` in the form that ``parameter`` takes, with a note for the person where it was in another.

    Raises TaskFailed where it cannot be one; what is in the right form comes back as it is.
    """
    made = _made(value, parameter)
    if made is value:
        return value, ""
    if made is None:
        raise _cannot(value, parameter)
    shown, taken = _said(value), str(made)
    note = f"{shown} als {taken} genommen" if language == "de" else f"took {shown} as {taken}"
    return made, note


def _made(value: Any, parameter: Parameter) -> Any:
    """The value in another form; itself where nothing is to do, None where it has none."""
    kind = parameter.type.kind
    if parameter.type.many or value is None:
        return value
    if kind is K.NUMBER and not isinstance(value, int | float):
        if isinstance(value, str) and _is_plain(value):
            return value
        amount = base_amount(value, plain=True)
        return None if amount is None else str(amount[0])
    if kind is K.INTEGER and (isinstance(value, bool) or not isinstance(value, int)):
        amount = base_amount(value, plain=True)
        return int(amount[0]) if amount is not None and amount[0] == amount[0].to_integral_value() else None
    if kind is K.DATE and isinstance(value, str) and not re.match(r"\d{4}-\d{2}-\d{2}", value):
        return day_in(value)
    return value


def _is_plain(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = value.get("fields") if isinstance(value.get("fields"), Mapping) else value
        assert isinstance(inner, Mapping)
        return " ".join(str(inner[name]) for name in ("value", "unit") if inner.get(name) is not None) or "?"
    return repr(str(value)[:40])


def _cannot(value: Any, parameter: Parameter) -> TaskFailed:
    name, shown = parameter.name.replace("_", " "), _said(value)
    return TaskFailed(
        "task.form", f"{shown} is no {parameter.type.kind}, which {name} has to be.", subject=parameter.name,
        hint="Say the value itself in the request.",
        de=f"{shown} ist nicht von der Art, die {name} sein muss ({parameter.type.kind}).",
        de_hint="Nenne den Wert selbst in der Anfrage.",
    )  # fmt: skip
