"""What may be written down: every claim, name and relation is looked at before it becomes an event.

What this stops: facts about nobody, values of another type than declared, times that run backwards, confidences that
are no number, texts without measure, and facts that were read from what memory itself answered.
What it does not: false claims. Who says them stands beside them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation

from memory.graph.errors import BadInput
from memory.graph.model import ENDLESS, Claim, Object, Predicate, Type
from memory.graph.names import MAX_NAME_BYTES
from memory.payload import encode

MAX_TEXT_BYTES = 64 << 10
ECHO = "recall"
"""The mark of what memory answers: ``recall`` or ``recall:...`` as an extractor, ``recall.*`` as an event's kind."""


def checked(claim: Claim, predicates: dict[str, Predicate], known: Callable[[str], bool]) -> Claim:
    """The claim with its object in canonical form. Raises BadInput, or BadDraft for a label that is not JSON."""
    predicate = predicates.get(claim.predicate)
    if predicate is None:
        raise BadInput("graph.unknown_predicate", subject=claim.predicate)
    if is_echo(claim.extractor):
        raise BadInput("graph.echo", subject=claim.extractor)
    check_text(claim.extractor, MAX_NAME_BYTES)
    check_text(claim.owner, MAX_NAME_BYTES, may_be_empty=True)
    encode(claim.label)
    if not isinstance(claim.confidence, int | float) or not 0 <= claim.confidence <= 1:  # NaN compares false
        raise BadInput("graph.confidence", subject=str(claim.confidence))
    _check_times(claim.valid_from, claim.valid_to)
    checked = replace(claim, object=_object(predicate, claim.object))
    refers = [checked.object.value] if predicate.type is Type.ENTITY else []
    for id in (claim.subject, *refers, *claim.about):
        if not known(id):
            raise BadInput("graph.unknown_entity", subject=id)
    return checked


def is_echo(mark: str) -> bool:
    """Whether an extractor or an event's kind is memory's own answer."""
    return mark == ECHO or mark.startswith((f"{ECHO}:", f"{ECHO}."))


def check_predicate(predicate: Predicate) -> None:
    """Raises BadInput for a declaration that nothing could be said with."""
    check_text(predicate.name, MAX_NAME_BYTES)
    reason = ""
    if not predicate.name.replace("_", "").replace(":", "").replace(".", "").isalnum():
        reason = "its name is not made of letters, digits, '_', ':' and '.'"
    elif predicate.symmetric and predicate.type is not Type.ENTITY:
        reason = "only a relation between entities is symmetric"
    elif not (math.isfinite(predicate.half_life_days) and predicate.half_life_days > 0):
        reason = "its half-life is not above 0 days"
    elif not (math.isfinite(predicate.prior) and predicate.prior > 0):
        reason = "its prior is not above 0"
    if reason:
        raise BadInput("graph.predicate_form", subject=predicate.name, detail=reason)


def check_text(text: str, most_bytes: int, *, may_be_empty: bool = False) -> None:
    """Raises BadInput for a text that is empty, too long, or not Unicode."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise BadInput("graph.text", detail="it is not Unicode") from None
    if size > most_bytes:
        raise BadInput("graph.text", detail=f"it has {size} bytes, more than {most_bytes}")
    if not (may_be_empty or text.strip()):
        raise BadInput("graph.text", detail="it is empty")


def check_end(begin: int | None, end: int) -> None:
    """Raises BadInput for an end that is not after the beginning."""
    _check_times(begin, end)


def _check_times(begin: int | None, end: int | None) -> None:
    for at in (begin, end):
        if at is not None and (type(at) is not int or not -ENDLESS < at < ENDLESS):
            raise BadInput("graph.time", detail=f"{at} is not a number of nanoseconds")
    if begin is not None and end is not None and end <= begin:
        raise BadInput("graph.time", detail="it ends before it begins")


def _object(predicate: Predicate, value: Object) -> Object:
    if value.type is not predicate.type:
        raise _bad(value, f"{predicate.name} has values of type {predicate.type.value}")
    if value.unit and value.type is not Type.AMOUNT:
        raise _bad(value, "only an amount has a unit")
    check_text(value.value, MAX_TEXT_BYTES)
    check_text(value.unit, MAX_NAME_BYTES, may_be_empty=True)
    try:
        return replace(value, value=_canonical(value))
    except (ValueError, InvalidOperation) as error:
        raise _bad(value, f"it is not a {value.type.value}") from error


def _canonical(value: Object) -> str:
    match value.type:
        case Type.NUMBER | Type.AMOUNT:
            number = Decimal(value.value)
            if not number.is_finite() or abs(number.adjusted()) > 100:
                raise ValueError(value.value)
            return format(number.normalize() if number else Decimal(0), "f")
        case Type.DAY:
            return date.fromisoformat(value.value).isoformat()
        case Type.TIME:
            _check_times(int(value.value), None)
            return str(int(value.value))
        case _:
            return value.value


def _bad(value: Object, reason: str) -> BadInput:
    return BadInput("graph.object", subject=value.value, detail=reason)
