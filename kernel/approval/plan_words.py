"""A plan as a person reads it before a yes: what each step does, and what is really passed to it, in words.

What a later step takes from an earlier one stays ``← t1.name``, which a client says in its own words; whatever is known
by now is said as it is: a path with ``~``, a table by its rows and where it came from, a time of day without its zone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kernel.approval.card import made_by
from kernel.asking import wording
from kernel.asking.values import value_words
from kernel.authorize import Circumstances
from kernel.dispatching.coercion import said_otherwise
from kernel.model import Argument, Constant, FromTask, Plan, Task
from kernel.planning.condition_words import each_words, step_words, when_words
from permissions.labels import Integrity
from permissions.naming import readable
from permissions.policy import program_of
from skills.deciding import may_decide, parts_of
from skills.model import Parameter, Tool, ValueKind

_PLACES = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE})


def plan_view(plan: Plan, around: Circumstances) -> dict[str, Any]:
    """Return the plan in the form a client shows."""
    tasks = [_task_view(task, around, plan.language) for task in plan.tasks]
    return {"tasks": tasks, "score": round(plan.score, 3)} | made_by(plan)


def _task_view(task: Task, around: Circumstances, language: str) -> dict[str, Any]:
    tool = around.tool(task.tool)
    after = sorted(task.needs(), key=lambda one: (len(one), one))
    return {
        "id": task.id, "tool": task.tool, "title": tool.said(tool.summary, language), "after": after,
        "text": task.text, "effect": str(tool.effect),
        "arguments": {
            name: _argument_words(value, around.home, language, tool.parameter(name))
            for name, value in task.arguments.items()
        },
        "labels": labels(tool, tuple(task.arguments), language), **_origins(task, tool, around, language),
        **_chosen(task), **_bounds(task, language),
    }  # fmt: skip


_WHOSE = {
    "en": {Integrity.USER: "you", Integrity.KERNEL: "Steward", Integrity.TRUSTED_SOURCE: "the model that planned this",
           Integrity.UNTRUSTED: "an earlier result", "client": "the program {}"},
    "de": {Integrity.USER: "du", Integrity.KERNEL: "Steward", Integrity.TRUSTED_SOURCE: "das Modell, das dies plante",
           Integrity.UNTRUSTED: "ein früheres Ergebnis", "client": "das Programm {}"},
}  # fmt: skip


def _origins(task: Task, tool: Tool, around: Circumstances, language: str) -> dict[str, dict[str, str]]:
    """Say of each value that decides something whose it is; nothing where a call has none."""
    known = _WHOSE.get(language, _WHOSE["en"])

    def whose(value: Argument) -> str:
        if isinstance(value, FromTask):
            return step_words(value.task, language)
        program = program_of(around.client)
        others = value.label.integrity is Integrity.UNTRUSTED
        return known["client"].format(program) if program and others else known[value.label.integrity]

    sinks = {name: whose(value) for name, value in task.arguments.items() if may_decide(tool.parameter(name))}
    return {"origins": sinks} if sinks else {}


def _chosen(task: Task) -> dict[str, list[str]]:
    """Name the values that a model wrote and no word of the person's says; nothing where there is none."""
    found = [name for name, value in task.arguments.items()
             if isinstance(value, Constant) and value.label.integrity is Integrity.TRUSTED_SOURCE]  # fmt: skip
    return {"chosen": found} if found else {}


def _bounds(task: Task, language: str) -> dict[str, Any]:
    """When, and how often, a task is made; nothing where it is made once."""
    found = dict[str, Any]()
    if task.each is not None:
        found |= {"over": task.each, "each": each_words(task.each, language)}
    if task.when:
        found |= {"if": sorted({one.task for one in task.when}), "only": when_words(task.when, language)}
    return found


def labels(tool: Tool, names: Sequence[str], language: str) -> dict[str, str]:
    """Return what a person calls the parameters: their names, in the language of the request where the manifest has
    them ("Betreff"), else the word for what they take.

    Two that would be called alike keep what the manifest says they are for.
    """
    if language == "en":
        return {name: name.replace("_", " ") for name in names}
    nouns = {name: wording.noun(language, tool.parameter(name)) for name in names}
    several = {noun for noun, count in Counter(nouns.values()).items() if count > 1}
    said = {name: tool.said(tool.parameter(name).doc, language).strip().rstrip(".") for name in names}
    called = {name: said[name] or noun if noun in several else noun for name, noun in nouns.items()}
    return called | {name: own for name in names if (own := tool.said(name, language)) != name}


def _argument_words(value: Argument, home: str, language: str, parameter: Parameter) -> str:
    if isinstance(value, FromTask):
        part = f".{value.field}" if value.field else ""
        index = "" if value.index is None else f"[{value.index + 1 if value.index >= 0 else value.index}]"
        return f"← {value.task}{index}{part}"
    if parameter.type.kind is ValueKind.CHOICE and isinstance(value.value, str):
        return parameter.said(value.value, language)
    if may_decide(parameter) and value.label.integrity is Integrity.TRUSTED_SOURCE:
        return readable(whole_words(value.value, home, language, parameter))
    words = value_words(value.value, home, language, place=parameter.type.kind in _PLACES)
    if not parameter.unit or not isinstance(value.value, int | float):
        return words
    otherwise = f" ({value.text})" if said_otherwise(value.text, value.value, parameter, language) else ""
    return f"{words} {parameter.unit}{otherwise}"


def whole_words(value: Any, home: str, language: str, parameter: Parameter) -> str:
    """Say a value that decides something to its end, a list with every item, a record with every part: it is seen here
    or nowhere.
    """
    if parameter.type.kind is ValueKind.RECORD:
        parts = parts_of(value, parameter.name)
        return ", ".join(f"{way}: {value_words(one, home, language)}" for way, one in parts)
    each = value if isinstance(value, list) else [value]
    place = parameter.type.kind in _PLACES
    return ", ".join(value_words(one, home, language, place=place) for one in each)
