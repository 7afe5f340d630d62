"""The baseline of the typed values: for each kind a library that is installed, as somebody would first use it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from typing import Any

NOW = datetime(2026, 3, 11, 10, 0)
_NUMBER = r"\d+(?:[.,]\d+)?"
_MEASURE = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>[^\W\d_]+|%|[€$£°]\w?)")
_LATER = datetime(2027, 7, 4, 1, 59)
_BITS = {"kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "tb": "terabyte"}


def by_library(item: dict[str, Any]) -> bool:
    """Tell whether the library for the item's kind reads the expected value."""
    got, wanted = library_value(item["kind"], item["text"]), item["value"]
    if got is None:
        return False
    return abs(got - wanted) <= 1 if item["kind"] == "size" else bool(got == wanted)


def library_value(kind: str, text: str) -> Any:
    """The value of ``kind`` in ``text`` as values.toml writes it; None where the library has none."""
    readers: dict[str, Callable[[str], Any]] = {
        "date": _date, "time": _time, "duration": _duration, "size": _size, "quantity": _quantity, "money": _quantity,
        "percent": _percent, "count": _count, "ordinal": _count,
    }  # fmt: skip
    return readers[kind](_figures(text)) if kind in readers else None


def _figures(text: str) -> str:
    """The text with its number words as figures, in the first language that has some."""
    from text_to_num import alpha2digit

    for language in ("en", "de"):
        try:
            said = alpha2digit(text, language)
        except (ValueError, KeyError):
            continue
        if said != text:
            return str(said)
    return text


def _date(text: str) -> str | None:
    """What two readings with different defaults agree on is said, and not filled in."""
    from dateutil import parser

    try:
        first, second = (parser.parse(text, default=one, fuzzy=True, dayfirst=True) for one in (NOW, _LATER))
    except (ValueError, OverflowError):
        return None
    if (first.month, first.day) == (second.month, second.day):
        return first.date().isoformat()
    weekday = first.date() != NOW.date() and first.weekday() == second.weekday()
    return first.date().isoformat() if weekday else None


def _time(text: str) -> str | None:
    from dateutil import parser

    try:
        first, second = (parser.parse(text, default=one, fuzzy=True) for one in (NOW, _LATER))
    except (ValueError, OverflowError):
        return None
    return f"{first:%H:%M}" if first.hour == second.hour and (first.hour, first.minute) != (10, 0) else None


@cache
def _units() -> Any:
    import pint

    return pint.UnitRegistry()


def _measures(text: str) -> Iterator[tuple[float, Any]]:
    """Every figure with a word behind it that is a unit."""
    import pint

    for found in _MEASURE.finditer(text):
        number = float(found["number"].replace(",", "."))
        name = _BITS.get(found["unit"].lower(), found["unit"])
        try:
            yield number, _units()(name)
        except (
            pint.UndefinedUnitError,
            pint.errors.DefinitionSyntaxError,
            AttributeError,
            TypeError,
            ValueError,
            AssertionError,
        ):
            continue  # what pint raises of a word that is no unit


def _converted(text: str, unit: str) -> float | None:
    import pint

    total, any_found = 0.0, False
    for number, found in _measures(text):
        try:
            total += (number * found).to(unit).magnitude
            any_found = True
        except (pint.DimensionalityError, AttributeError):
            continue
    return total if any_found else None


def _duration(text: str) -> float | None:
    return _converted(text, "second")


def _size(text: str) -> float | None:
    return _converted(text, "byte")


def _quantity(text: str) -> list[Any] | None:
    for number, found in _measures(text):
        if units := getattr(found, "units", None):
            return [number, str(units)]
    return None


def _percent(text: str) -> float | None:
    found = re.search(rf"({_NUMBER})\s*(?:%|percent|prozent)", text, re.IGNORECASE)
    return float(found[1].replace(",", ".")) if found else None


def _count(text: str) -> int | None:
    found = re.search(r"\b\d+", text)
    return int(found.group()) if found else None
