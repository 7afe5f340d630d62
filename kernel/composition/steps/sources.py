"""What later words may refer to: what earlier steps of the plan came to, and what they were given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from kernel.composition.filling.fillers import is_tabular
from kernel.composition.fit import Step
from kernel.composition.scene import Scene
from kernel.composition.steps.results import Source
from kernel.composition.window import Filler, Flow
from kernel.language.outcome_nouns import FIGURES
from kernel.model import Constant
from permissions.labels import Label
from skills.model import ValueKind, ValueType


def sources_of(steps: tuple[Step, ...], scene: Scene, old: tuple[Source, ...]) -> tuple[Source, ...]:
    """Return what later words may refer to: results of ``steps``, nearest first, then those of earlier runs."""
    found = []
    for age, index in enumerate(range(len(steps) - 1, -1, -1)):
        step = steps[index]
        said = frozenset(form for at in range(step.first, step.last) if not scene.free[at] for form in scene.forms[at])
        words = step.profile.carriers | said
        result, owner = step.profile.tool.result, step.profile.tool.skill
        figures = not FIGURES.isdisjoint(step.profile.carriers | step.profile.phrases.keys())
        single = is_single(steps, index)
        found.append(Source(result, index, single, words, age, owner=owner, said=said, figures=figures))
        found += [one for filler in step.fillers if (one := _argument_source(step, filler, age)) is not None]
    return (*found, *(replace(one, age=one.age + min(len(steps), 1)) for one in old))


def is_single(steps: tuple[Step, ...], index: int) -> bool:
    """Tell whether the result is certainly one thing, also because what was changed is one: a copy of one picture."""
    step = steps[index]
    if step.single or step.profile.is_pure:
        return step.single
    kind = step.profile.tool.result.kind
    given = [one.argument for one in step.fillers if step.profile.parameter(one.parameter).type.kind is kind]
    if len(given) != 1 or not isinstance(given[0], Flow):
        return False
    return given[0].index is not None or (not given[0].field and is_single(steps, given[0].step))


def _argument_source(step: Step, one: Filler, age: float) -> Source | None:
    """What a step worked on may be meant too: "summarise a.pdf and tell me how long it is"."""
    if not isinstance(one.argument, Constant) or not one.mask or step.profile.removes(one.parameter):
        return None
    given = one.argument
    if _finds_a_day(step) and step.profile.parameter(one.parameter).type.kind is ValueKind.DATE:
        return None  # "15 days from today, what date is that": what was worked out, and not today
    return argument_source(step.profile.parameter(one.parameter).type, given.value, given.label, given.text, age)


def _finds_a_day(step: Step) -> bool:
    result = step.profile.tool.result
    kinds = (result.kind, *(inner.kind for inner in result.fields.values()))
    return kinds.count(ValueKind.DATE) == 1


def _only_day(period: Any) -> str:
    """The day of a period that is one day; empty for a longer one, and for one without an end."""
    bounds = [str(period.get("start")), str(period.get("end"))] if isinstance(period, Mapping) else []
    try:
        start, end = map(date.fromisoformat, bounds)
    except ValueError:  # longer than a day, without an end, or no period
        return ""
    return start.isoformat() if (end - start).days == 1 else ""


_MEANT = {
    ValueKind.FILE: ValueKind.FILE,
    ValueKind.TABLE: ValueKind.FILE,
    ValueKind.NEW_FILE: ValueKind.FILE,
    ValueKind.FOLDER: ValueKind.FOLDER,
    ValueKind.DATE: ValueKind.DATE,
    ValueKind.TITLE: ValueKind.TITLE,
}


_NOUNS = {
    ValueKind.FILE: frozenset({"datei"}),
    ValueKind.FOLDER: frozenset({"ordner"}),
    ValueKind.DATE: frozenset({"datum"}),
    ValueKind.TITLE: frozenset({"titel"}),
}
_TABLE_NOUNS = frozenset({"table", "tabelle"})


def _nouns_of(kind: ValueKind, value: Any) -> frozenset[str]:
    """What a person calls a thing of the kind, beside its name: "the table", "die Datei"."""
    return _NOUNS.get(kind, frozenset()) | (_TABLE_NOUNS if is_tabular(value) else frozenset())


def argument_source(kind: ValueType, value: Any, label: Label, text: str, age: float) -> Source | None:
    """Return a file, folder, table or title that a task was given as what words may refer to; None for other kinds."""
    meant = _MEANT.get(kind.kind)
    if kind.kind is ValueKind.PERIOD:
        value, meant = _only_day(value), ValueKind.DATE
        meant = meant if value else None
    if meant is None:
        return None
    single = not kind.many or (isinstance(value, list) and len(value) == 1)
    if kind.many and single and isinstance(value, list):
        value = value[0]
    words = frozenset(text.casefold().split()) | {str(meant)} | _nouns_of(meant, value)
    return Source(
        ValueType(meant, kind.many and not single), None, single, words, age + 0.5, value, label, text, given=True
    )
