"""The last plan with another number: "and of 620?", "and 220?", "no wait, make it 15 percent", "make it 5".

What this stops: that a number alone is worked out, or becomes a further value, where it stands for the one before.
What it does not: say which number is meant where two could be, or do a change a second time with another number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kernel.composition.build import with_argument
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import NUMBERS, Scene
from kernel.composition.words import is_light, is_word
from kernel.language.amounts.units import BARE_UNITS, PERCENTS
from kernel.language.follow_words import sets_anew
from kernel.language.function_words import is_function_word
from kernel.model import Constant, Plan, Span, Task
from skills.model import ValueKind

K = ValueKind
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?:\s*(%|percent\b|prozent\b))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Said:
    """The one number of the words, whether it is a percentage, and whether it may be a year."""

    span: Span
    percent: bool
    year: bool = False

    @property
    def digits(self) -> str:
        """The number as an expression takes it."""
        return str(self.span.value)


def with_number(scene: Scene, first: int, plan: Plan, box: Box) -> tuple[Plan, Task] | None:
    """Return ``plan`` with the number that the words from ``first`` on say, and the task that takes it; else None."""
    said = _only_number(scene, first)
    if said is None:
        return None
    found = [(task, *one) for task in plan.tasks if box.knows(task.tool) for one in _places(task, said, box, plan)]
    if len(found) != 1:
        return None
    task, name, value, text = found[0]
    constant = Constant(value, scene.intent.label, text)
    return with_argument(plan, task.id, name, constant), task


def _only_number(scene: Scene, first: int) -> _Said | None:
    """The number, where the words say nothing beside it but its unit and how it follows on."""
    spans = [one for one in scene.spans if one.kind in NUMBERS and one.first >= first]
    if not spans:
        return None
    span = max(spans, key=lambda one: (one.last - one.first, one.confidence))
    behind = scene.tokens[span.last].norm if span.last < scene.size else ""
    end = span.last + (behind in BARE_UNITS)
    rest = [at for at in range(first, scene.end) if not span.first <= at < end and is_word(scene.tokens[at])]
    if not all(_says_nothing(scene.tokens[at].norm) for at in rest):
        return None
    year = any(one.kind is K.PERIOD and one.first <= span.first < one.last for one in scene.spans)
    return _Said(span, behind in PERCENTS, year)


def _says_nothing(norm: str) -> bool:
    return is_function_word(norm) or is_light(norm) or sets_anew(norm)


def _places(task: Task, said: _Said, box: Box, plan: Plan) -> Iterator[tuple[str, Any, str]]:
    """The arguments of a task in which the number may stand instead of the one there: name, value, words."""
    profile = box.profile(task.tool, plan.language)
    for name, held in task.arguments.items():
        if not isinstance(held, Constant):
            continue
        match profile.parameter(name).type.kind:
            case K.EXPRESSION if isinstance(held.value, str):
                value = _in_expression(held.value, said)
                if value:
                    yield name, value, value
            case K.QUANTITY if isinstance(held.value, dict) and not said.percent:
                yield name, {**held.value, "value": said.digits}, f"{said.digits} {held.value.get('unit', '')}"
            case K.INTEGER if said.year and name == profile.count:
                continue  # "which of them are from 2025?"
            case K.NUMBER | K.INTEGER if (name in profile.percentages) == said.percent:
                yield name, _like(held.value, said.span.value), said.digits


def _in_expression(text: str, said: _Said) -> str:
    """The expression with its only number of that sort, a percentage or a plain one, replaced."""
    found = [one for one in _NUMBER.finditer(text) if bool(one[1]) == said.percent]
    if len(found) != 1:
        return ""
    mark = f" {found[0][1]}" if said.percent else ""
    return text[: found[0].start()] + said.digits + mark + text[found[0].end() :]


def _like(old: Any, new: Any) -> Any:
    return str(new) if isinstance(old, str) else new
