"""A condition as a person reads it: on the plan, before a yes, and where a branch was not done."""

from __future__ import annotations

from collections.abc import Sequence

from kernel.fields import as_text
from kernel.model import Comparison, Condition, Measure, TaskId

_SIGNS = {
    Comparison.EQUAL: ("exactly {}", "genau {}"),
    Comparison.UNEQUAL: ("not {}", "nicht {}"),
    Comparison.LESS: ("fewer than {}", "weniger als {}"),
    Comparison.AT_MOST: ("at most {}", "höchstens {}"),
    Comparison.MORE: ("more than {}", "mehr als {}"),
    Comparison.AT_LEAST: ("at least {}", "mindestens {}"),
    Comparison.CONTAINS: ("{!r} in it", "{!r} darin"),
    Comparison.LACKS: ("no {!r} in it", "kein {!r} darin"),
}
_NONE = {(Comparison.EQUAL, 0), (Comparison.LESS, 1), (Comparison.AT_MOST, 0)}
_SOME = {(Comparison.MORE, 0), (Comparison.AT_LEAST, 1), (Comparison.UNEQUAL, 0)}


def condition_words(condition: Condition, language: str) -> str:
    """Return what must be so, with the task it is about: ``step 1 finds more than 10``."""
    german = language == "de"
    step = step_words(condition.task, language)
    if condition.measure is Measure.COUNT:
        count = _count_words(condition, german)
        return f"{step} {count} findet" if german else f"{step} finds {count}"
    part = _part_words(condition.field, step, german)
    has = condition.comparison in (Comparison.CONTAINS, Comparison.LACKS)
    sign = _SIGNS[condition.comparison][german].replace("fewer", "less").format(as_text(condition.value))
    if german:
        return f"{part} {sign} {'hat' if has else 'ist'}"
    return f"{part} {'has' if has else 'is'} {sign}"


def when_words(conditions: Sequence[Condition], language: str) -> str:
    """Return when alone a task is made: ``only if step 1 finds more than 10``; nothing without conditions."""
    if not conditions:
        return ""
    german = language == "de"
    whole = (" und " if german else " and ").join(condition_words(one, language) for one in conditions)
    return f"nur wenn {whole}" if german else f"only if {whole}"


def each_words(each: TaskId | None, language: str) -> str:
    """Return for each of what a task is made: ``for each that step 1 finds``; nothing where it is made once."""
    if each is None:
        return ""
    step = step_words(each, language)
    return f"für jedes, das {step} findet" if language == "de" else f"for each that {step} finds"


def step_words(task: TaskId, language: str) -> str:
    """Return what a person calls a task of a plan: ``step 2``."""
    number = task.removeprefix("t")
    if not number.isdigit():
        return task
    return f"Schritt {number}" if language == "de" else f"step {number}"


def _part_words(name: str, step: str, german: bool) -> str:
    name = name.replace("_", " ")
    if not name:
        return f"das Ergebnis von {step}" if german else f"the result of {step}"
    return f"{name} von {step}" if german else f"the {name} of {step}"


def _count_words(condition: Condition, german: bool) -> str:
    key = (condition.comparison, condition.value)
    if key in _NONE:
        return "nichts" if german else "nothing"
    if key in _SOME:
        return "etwas" if german else "anything"
    return _SIGNS[condition.comparison][german].format(as_text(condition.value))
