"""An earlier result: what it is, how it serves a parameter by its type, and the value that it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernel.fields import fields_in, side_by_side
from permissions.labels import Label
from skills.model import ValueKind, ValueType

K = ValueKind
SCALARS = frozenset({K.INTEGER, K.NUMBER, K.QUANTITY, K.DATE, K.DURATION})
_TOLD = "text"
_HELD = frozenset({K.FILE, K.DATE, K.NUMBER})

UNKNOWN = Label()
"""Of a value nobody vouches for."""


@dataclass(frozen=True, slots=True)
class Source:
    """A result that may be referred to: of step ``step`` of this plan, or of an earlier run (then ``step`` is None)."""

    type: ValueType
    step: int | None
    single: bool  # certainly one thing
    words: frozenset[str]  # forms of the words that produced it, for descriptions
    age: float  # 0 is the nearest
    value: Any = None
    label: Label = UNKNOWN
    text: str = ""
    given: bool = False  # a value that a task was given, not what it found
    owner: str = ""  # the skill whose tool found it
    said: frozenset[str] = frozenset()  # of ``words``, those that were said
    figures: bool = False  # its tool counts or adds up, as its examples say


@dataclass(frozen=True, slots=True)
class Fit:
    """How a result serves a parameter: how well (0..1), by which field, by which item."""

    score: float
    field: str = ""
    index: int | None = None
    items: tuple[int, ...] = ()  # several, of a value that is known
    inside: str = ""  # the field of the record which holds the items


def fit(source: ValueType, wanted: ValueType, *, single: bool, plural: bool | None = None) -> Fit | None:
    """Return how a result of type ``source`` serves a parameter of type ``wanted``, or None.

    ``single`` says that the result is certainly one thing, ``plural`` how the words refer to it (None: open).
    """
    score = _kind_fit(source, wanted)
    if wanted.kind is K.TEXT and not source.many and _TOLD in source.fields and _holds_many(source):
        return Fit(0.75, _TOLD)  # what is said of all of them, and not what each of them holds
    if score is None:
        return _by_field(source, wanted, single)
    many_to_one = source.many and not wanted.many and wanted.kind not in (K.TEXT, K.TABLE)
    if many_to_one or (source.many and wanted.kind is K.TABLE and source.kind is not K.RECORD):
        if single:
            return Fit(score, index=0)
        return None if plural else Fit(score * 0.85)
    if plural is True and not source.many and source.kind not in (K.TABLE, K.RECORD, K.ANY, K.TEXT):
        score *= 0.6
    return Fit(score)


def _holds_many(source: ValueType) -> bool:
    """A record of many things: the days of a calendar with their events."""
    return source.kind is K.RECORD and any(one.kind is K.RECORD and one.many for one in source.fields.values())


def _kind_fit(source: ValueType, wanted: ValueType) -> float | None:
    if wanted.kind is K.TEXT:
        return {K.TEXT: 1.0, K.FILE: 0.6}.get(source.kind, 0.75)
    if source.kind is wanted.kind:
        return 1.0
    if wanted.kind is K.TABLE:
        return {K.FILE: 0.6, K.RECORD: 0.6 if source.many else None}.get(source.kind)
    if wanted.kind is K.RECORD and not source.many:
        return 0.7 if source.kind in SCALARS else 0.5 if source.kind in (K.TEXT, K.ANY) else None
    if wanted.kind is K.NUMBER and source.kind is K.INTEGER:
        return 1.0
    return None


def _by_field(source: ValueType, wanted: ValueType, single: bool) -> Fit | None:
    """A record serves as the file (or the date, the number) that it holds, when it holds exactly one of that kind."""
    if source.kind is not K.RECORD:
        return None
    names = [name for name, inner in source.fields.items() if inner.kind is wanted.kind and wanted.kind in _HELD]
    if len(names) != 1 or (source.many and not wanted.many and not single):
        return None
    return Fit(0.7, field=names[0], index=0 if source.many and not wanted.many else None)


def project(source: ValueType, lemma: str) -> str:
    """Return the field of ``source`` that a person calls ``lemma``; empty when there is none."""
    lemma = lemma.casefold().replace(" ", "_")
    singular = lemma[:-1] if lemma.endswith("s") and len(lemma) > 3 else lemma
    for name in source.fields:
        if name.casefold() in (lemma, singular) or name.casefold().rstrip("s") == singular:
            return name
    parts = [name for name in source.fields if {lemma, singular} & set(name.casefold().split("_"))]
    return parts[0] if len(parts) == 1 else ""


def value_of(value: Any, fitted: Fit, language: str = "en") -> Any:
    """Return the item and field of an earlier run's value; None where it does not have them."""
    value = _field(value, fitted.inside) if fitted.inside else value
    if fitted.items and isinstance(value, list):
        value = [value[at] for at in fitted.items if at < len(value)]
    elif fitted.index is not None and isinstance(value, list):
        value = value[fitted.index] if -len(value) <= fitted.index < len(value) else None
    names = fields_in(fitted.field)
    if not names:
        return value
    if isinstance(value, list):
        return [_part(item, names, language) for item in value]
    return _part(value, names, language)


def _part(value: Any, names: tuple[str, ...], language: str) -> Any:
    if len(names) == 1:
        return _field(value, names[0])
    return side_by_side({name: _field(value, name) for name in names}, language)


def _field(value: Any, name: str) -> Any:
    if not isinstance(value, Mapping):
        return None
    inner = value.get("fields")
    fields = inner if isinstance(inner, Mapping) else value
    if name in fields:
        return fields[name]
    path = str(value.get("path", ""))
    tail = path.rsplit("/", 1)[-1]
    stem, dot, suffix = tail.rpartition(".")
    implied = {
        "name": tail,
        "stem": stem if dot and stem else tail,
        "suffix": f".{suffix}".lower() if dot and stem else "",
        "folder": path.rsplit("/", 1)[0] or "/",
    }
    return implied.get(name) if path else None
