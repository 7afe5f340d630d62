"""Coercion: a result that means the right thing in the wrong form is made what the next tool takes, and that is said.

"120,50 €" is the number 120.50, a quantity of 3 km is 3000 where a parameter declares that it is in metres,
"12.03.2025" is a day. Only what can be read in one way is made another: a fraction never becomes a whole number, a name
never a day, and kilograms never metres. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from kernel.errors import TaskFailed
from kernel.language.amounts.measures import in_base, in_unit, shown
from skills.model import Parameter, ValueKind

K = ValueKind

_AMOUNT = re.compile(r"(?P<sign>[-−+]?)\s*(?P<head>[€$£]?)\s*(?P<digits>\d[\d.,'\u00a0 ]*\d|\d)\s*(?P<unit>[^\d\s]*)")
_DAY = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})|(\d{4})[-/](\d{1,2})[-/](\d{1,2})")


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
    return in_base(number, unit)


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
    return made, _note(_said(value), f"{made} {parameter.unit}".strip(), language)


def said_otherwise(words: str, value: Any, parameter: Parameter, language: str) -> str:
    """Return a note where a person said ``value`` in another unit than the one that ``parameter`` is in; else ""."""
    unit = _unit_of(words) if parameter.unit and isinstance(value, int | float) else ""
    if not unit or in_unit(Decimal(1), unit, parameter.unit) in (None, 1):
        return ""
    return _note(words, f"{shown(Decimal(str(value)))} {parameter.unit}", language)


def _note(said: str, taken: str, language: str) -> str:
    return f"{said} als {taken} genommen" if language == "de" else f"took {said} as {taken}"


def _unit_of(value: Any) -> str:
    """The unit that an amount is said in, as written; "" for a bare number."""
    if isinstance(value, Mapping):
        inner = value.get("fields") if isinstance(value.get("fields"), Mapping) else value
        assert isinstance(inner, Mapping)
        return str(inner.get("unit") or "")
    found = _AMOUNT.fullmatch(value.strip()) if isinstance(value, str) else None
    return (found["head"] or found["unit"]) if found else ""


def _made(value: Any, parameter: Parameter) -> Any:
    """The value in another form; itself where nothing is to do, None where it has none."""
    kind = parameter.type.kind
    if parameter.type.many or value is None:
        return value
    if kind is K.NUMBER and not isinstance(value, int | float):
        if isinstance(value, str) and _is_plain(value):
            return value
        amount = _amount(value, parameter)
        return None if amount is None else shown(amount)
    if kind is K.INTEGER and (isinstance(value, bool) or not isinstance(value, int)):
        amount = _amount(value, parameter)
        return int(amount) if amount is not None and amount == amount.to_integral_value() else None
    if kind is K.DATE and isinstance(value, str) and not re.match(r"\d{4}-\d{2}-\d{2}", value):
        return day_in(value)
    return value


def _amount(value: Any, parameter: Parameter) -> Decimal | None:
    """The number, in the unit that the parameter declares; None where it is none, or of something else."""
    amount = base_amount(value, plain=True)
    unit = _unit_of(value) if parameter.unit else ""
    return in_unit(amount[0], unit, parameter.unit) if amount is not None and unit else amount and amount[0]


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
    name, said = parameter.name.replace("_", " "), _said(value)
    kind = f"{parameter.type.kind} ({parameter.unit})" if parameter.unit else str(parameter.type.kind)
    return TaskFailed(
        "task.form", f"{said} is no {kind}, which {name} has to be.", subject=parameter.name,
        hint="Say the value itself in the request.",
        de=f"{said} ist nicht von der Art, die {name} sein muss: {kind}.",
        de_hint="Nenne den Wert selbst in der Anfrage.",
    )  # fmt: skip
