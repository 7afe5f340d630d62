"""Stand-ins: values of the right type for results that are not there yet, and what they turn out to mean in a plan.

A part of a sentence that speaks of what an earlier part will have found is planned on a stand-in. Wherever the stand-in
(or one of it, or a field of it) comes out as a value, the plan gets a reference. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kernel.composition.steps.results import Fit, value_of
from kernel.model import Argument, Constant, FromTask, TaskId
from skills.model import ValueKind, ValueType

K = ValueKind
MARK, _NUMBER, _YEAR = "standing-in-for", 918_273, 2101
_IMPLIED = ("name", "stem", "suffix", "folder", "path")


def stand_in(task: TaskId, kind: ValueType, *, single: bool, home: str) -> Any:
    """Return a value that ``task`` might find: of many things two, or one where it is ``single``."""
    made = [_one(f"{task}-{number}", number, kind, home) for number in (1, 2)]
    return made[0] if not kind.many else made[:1] if single else made


def _one(name: str, number: int, kind: ValueType, home: str) -> Any:
    path, text, count = f"{home}/{MARK}-{name}", f"{MARK} {name}", _NUMBER + number
    made: Mapping[ValueKind, Any] = {
        K.FILE: {"path": f"{path}.pdf", "size_bytes": count, "modified": f"{_YEAR}-01-0{number % 9 + 1}"},
        K.FOLDER: {"path": path},
        K.TABLE: {"columns": [text], "rows": [[text]], "source": ""},
        K.QUANTITY: {"value": str(count), "unit": "meter"},
        K.DATE: f"{_YEAR}-01-{number % 28 + 1:02d}",
        **dict.fromkeys((K.INTEGER, K.NUMBER, K.DURATION), count),
    }
    if kind.kind is not K.RECORD:
        return made.get(kind.kind, text)
    parts = enumerate(kind.fields.items())
    return {part: _one(f"{name}-{part}", 10 * number + at, inner, home) for at, (part, inner) in parts}


@dataclass(frozen=True, slots=True)
class Matched:
    """What the values of one stand-in mean: by value written out, and by field of one item."""

    by_value: Mapping[str, FromTask]
    by_field: Mapping[str, Any]


def matched(value: Any, kind: ValueType, task: TaskId) -> Matched:
    """Return what every value that can come out of the stand-in ``value`` means."""
    found: dict[str, FromTask] = {}
    fields: dict[str, Any] = {}
    for name in dict.fromkeys(("", *kind.fields, *(_IMPLIED if kind.kind is K.FILE else ()))):
        for one, reference in _pointed(value, name, task):
            if one is not None:
                found.setdefault(_key(one), reference)
                fields.setdefault(name, one[0] if isinstance(one, list) and len(one) == 1 else one)
    return Matched(found, fields)


def _pointed(value: Any, name: str, task: TaskId) -> Iterator[tuple[Any, FromTask]]:
    yield value_of(value, Fit(1.0, name)), FromTask(task, name)
    if isinstance(value, list):
        for index in range(len(value)):
            alone = None if len(value) == 1 else index
            yield value_of(value, Fit(1.0, name, index)), FromTask(task, name, alone)


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def referred(argument: Argument, known: Mapping[str, FromTask]) -> Argument | None:
    """Return ``argument`` with its reference where it is a stand-in's value; None where it only holds one somewhere."""
    if not isinstance(argument, Constant):
        return argument
    reference = known.get(_key(argument.value))
    if reference is None and isinstance(argument.value, list) and len(argument.value) == 1:
        reference = known.get(_key(argument.value[0]))
    if reference is not None:
        return reference
    text = _key(argument.value)
    return None if MARK in text or str(_NUMBER)[:5] in text or f'"{_YEAR}-01' in text else argument
