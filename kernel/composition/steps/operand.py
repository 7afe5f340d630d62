"""Arithmetic on an earlier number, "divide that by three": which result the ``x`` of ``x / 3`` is.

A tool that takes such arithmetic has a parameter ``x`` of a number. It is filled with the nearest result that is a
number or holds exactly one; where there is none it is missing, and asked for.
"""

from __future__ import annotations

from kernel.composition import weights as w
from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene
from kernel.composition.steps.results import Fit, Source, fit, value_of
from kernel.composition.window import Filler, Flow
from kernel.language.amounts.open_expressions import HOLE, is_open
from kernel.model import Constant
from skills.model import ValueKind, ValueType

_NUMBER = ValueType(ValueKind.NUMBER)
_NUMBERS = frozenset({ValueKind.NUMBER, ValueKind.INTEGER})


def takes_operand(profile: Profile) -> bool:
    """Tell whether the tool has a number that stands in its arithmetic."""
    return any(one.name == HOLE and one.type.kind is ValueKind.NUMBER for one in profile.tool.parameters)


def open_one(fillers: tuple[Filler, ...]) -> Filler | None:
    """Return the arithmetic among ``fillers`` that works on an earlier number."""
    return next((one for one in fillers if isinstance(one.argument, Constant) and is_open(one.argument.value)), None)


def operand(scene: Scene, arithmetic: Filler, sources: tuple[Source, ...]) -> Filler | None:
    """Return the earlier number that ``arithmetic`` works on: a field that its words name, or the nearest number."""
    words = [scene.tokens[at].norm for at in range(arithmetic.first, arithmetic.last)]
    for source in sources:
        found = _named(source, words) or fit(source.type, _NUMBER, single=source.single) or _asked_for(source)
        if found is None or (source.step is None and value_of(source.value, found) is None):
            continue
        taken = source.step is not None
        score = found.score * 0.9 - w.RECENCY * source.age - (0.0 if taken else w.OLD_RUN)
        return _filler(scene, arithmetic, source, found, max(score, w.WEAKEST))
    return None


def _named(source: Source, words: list[str]) -> Fit | None:
    """ "Divide the total by 3": the field of a record that is called so."""
    fields = source.type.fields
    name = next((word for word in words if word in fields and fields[word].kind in _NUMBERS), "")
    return Fit(1.0, name) if name and not source.type.many else None


def _asked_for(source: Source) -> Fit | None:
    """ "Count the words of a.docx and double that": of several numbers of a record, the one that was asked for."""
    numbers = [name for name, one in source.type.fields.items() if one.kind in _NUMBERS]
    asked = [name for name in numbers if name in source.said]
    return Fit(0.7, asked[0]) if len(asked) == 1 and not source.type.many else None


def _filler(scene: Scene, arithmetic: Filler, source: Source, found: Fit, score: float) -> Filler:
    at = arithmetic.first
    if source.step is not None:
        return Filler(HOLE, Flow(source.step, found.field, found.index), 0, at, at, score, "operand")
    value = Constant(value_of(source.value, found), source.label, scene.text(at, arithmetic.last))
    return Filler(HOLE, value, 0, at, at, score, "operand")
