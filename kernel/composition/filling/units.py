"""Numbers that a parameter declares to be in a unit: what is said in another one of the same measure is converted.

"20 km" is 20000 for a parameter in metres. An amount of something else ("20 kg") is the value that is meant, and none
that can be taken: it stands in the plan as it is said, and is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from kernel.composition.scene import NUMBERS, Scene
from kernel.language.amounts.measures import in_unit
from kernel.model import Span
from skills.model import Parameter, ValueKind

K = ValueKind
AMOUNTS = frozenset({K.QUANTITY, K.DURATION, K.SIZE})
"""What a number is said as that has a unit."""


def converted_to(parameter: Parameter, span: Span) -> int | float | None:
    """Return what ``span`` says in the unit of ``parameter``; None where it has no unit, or cannot be said in that.

    For a whole number only what is whole in that unit counts: 1.5 km are 1500 m, and 1.5 m are no whole metres.
    """
    amount = as_amount(span) if parameter.unit else None
    number = in_unit(*amount, parameter.unit) if amount is not None else None
    if number is None:
        return None
    whole = number == number.to_integral_value()
    if parameter.type.kind is K.INTEGER:
        return int(number) if whole else None
    return float(number)


def is_of_another_measure(parameter: Parameter, span: Span) -> bool:
    """Tell whether an amount is said that ``parameter`` cannot take: of something else, or no whole number of it."""
    return bool(parameter.unit) and span.kind in AMOUNTS and converted_to(parameter, span) is None


def with_unit(scene: Scene, parameter: Parameter, span: Span) -> bool:
    """Tell whether ``span`` is the bare number of an amount that is said with its unit: "20" of "20 km".

    Of an amount that can be read as two kinds (a duration is a quantity, too) the one that fits counts.
    """
    if span.kind in NUMBERS:
        return any(one.kind in AMOUNTS and one.first <= span.first < span.last < one.last for one in scene.spans)
    if not is_of_another_measure(parameter, span):
        return False
    same = (one for one in scene.spans if one.kind in AMOUNTS and (one.first, one.last) == (span.first, span.last))
    return any(converted_to(parameter, one) is not None for one in same)


def amount_around(scene: Scene, parameter: Parameter, span: Span) -> Span:
    """Return the amount with its unit that ``span`` is, or is the bare number of; ``span`` where there is none.

    Of several readings of the same words the one that fits ``parameter`` counts.
    """
    if span.kind not in NUMBERS and span.kind not in AMOUNTS:
        return span
    over = [one for one in scene.spans if one.kind in AMOUNTS and one.first <= span.first and span.last <= one.last]
    widest = max((one.last - one.first for one in over), default=0)
    whole = [one for one in over if one.last - one.first == widest]
    fitting = (one for one in whole if converted_to(parameter, one) is not None)
    return next(fitting, whole[0] if whole else span)


def as_amount(span: Span) -> tuple[Decimal, str] | None:
    """Return the number and the unit that ``span`` says; None for what is no single amount."""
    value = span.value
    if span.kind is K.DURATION and isinstance(value, int | float):
        return Decimal(str(value)), "s"
    if span.kind is K.SIZE and isinstance(value, Mapping):
        low, high = value.get("min"), value.get("max")
        exact = low if low is not None else high
        return (Decimal(str(exact)), "byte") if exact is not None and None in (low, high) else None
    if span.kind is K.QUANTITY and isinstance(value, Mapping):
        try:
            return Decimal(str(value.get("value"))), str(value.get("unit") or "")
        except InvalidOperation:
            return None
    return None
