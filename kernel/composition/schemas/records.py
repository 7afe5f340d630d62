"""An object as a value: "an entity called Anna of the type person" is one thing with the fields that a schema names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kernel.composition.schemas.known import Slot, slot_of
from kernel.composition.schemas.line import Line
from kernel.composition.window import Filler
from kernel.model import Constant
from skills.model import Parameter, ValueKind

Candidates = Callable[[Line, Slot], Iterator[Filler]]


def records(line: Line, slot: Slot, candidates: Candidates) -> Iterator[Filler]:
    """Yield the one object that the words say: every field that is no list has a value, no two from the same words."""
    fields, taken = _parts(line, slot, candidates)
    if taken and all(one.name in taken or one.parameter.type.many for one in fields):
        yield _record(line, slot, fields, taken)


def told_in_part(line: Line, slot: Slot, candidates: Candidates) -> int:
    """Return the words that say some field of an object and not all: the rest has to be asked for."""
    return _mask(_parts(line, slot, candidates)[1])


def _parts(line: Line, slot: Slot, candidates: Candidates) -> tuple[list[Slot], dict[str, Filler]]:
    parameter = slot.parameter
    fields = [_field(parameter, name) for name in parameter.type.fields]
    inner = replace(line, known=replace(line.known, slots=tuple(fields)))
    found = [own for one in fields for own in candidates(inner, one) if not own.mask & line.framed]
    return fields, _taken(found, {one.name: one.parameter.type.many for one in fields})


def _taken(found: list[Filler], lists: Mapping[str, bool]) -> dict[str, Filler]:
    """The values of the fields, the surest first; lists take what is left."""
    taken: dict[str, Filler] = {}
    for one in sorted(found, key=lambda own: (lists[own.parameter], -own.score)):
        if one.parameter not in taken and not one.mask & _mask(taken):
            taken[one.parameter] = one
    return taken


def _field(parameter: Parameter, name: str) -> Slot:
    kind = parameter.type.fields[name]
    return slot_of(Parameter(name, kind, not kind.many and kind.kind is not ValueKind.RECORD, ""))


def _mask(taken: Mapping[str, Filler]) -> int:
    mask = 0
    for one in taken.values():
        mask |= one.mask
    return mask


def _record(line: Line, slot: Slot, fields: list[Slot], taken: Mapping[str, Filler]) -> Filler:
    value: dict[str, Any] = {}
    for one in fields:
        said = taken[one.name].argument if one.name in taken else None
        held = said.value if isinstance(said, Constant) else []
        value[one.name] = [held] if one.parameter.type.many and not isinstance(held, list) else held
    first, last = min(one.first for one in taken.values()), max(one.last for one in taken.values())
    constant = Constant(value, line.scene.intent.label, line.scene.text(first, last))
    score = min(one.score for one in taken.values())
    return Filler(slot.name, constant, _mask(taken), first, last, score, "text")
