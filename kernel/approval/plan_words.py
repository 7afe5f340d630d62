"""A plan as a person reads it before a yes: what each step does, and what is really passed to it, in words.

What a later step takes from an earlier one stays ``← t1.name``, which a client says in its own words; whatever is known
by now is said as it is: a path with ``~``, a table by its rows and where it came from, a time of day without its zone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from kernel.approval.rights_words import short
from kernel.authorize import Circumstances
from kernel.binding import as_text
from kernel.bulk import FEW, FIRST
from kernel.composition import wording
from kernel.model import Argument, FromTask, Plan, Task
from skills.model import Parameter, Tool, ValueKind

_PLACES = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE})
_STAMP = len("2026-06-23T17:03:05")

_WORDS = {
    "en": {"table": "{rows} ({columns})", "one": "1 row", "many": "{count} rows", "from": ", made from {source}",
           "nothing": "no rows"},
    "de": {"table": "{rows} ({columns})", "one": "1 Zeile", "many": "{count} Zeilen", "from": ", aus {source}",
           "nothing": "keine Zeilen"},
}  # fmt: skip


def plan_view(plan: Plan, around: Circumstances) -> dict[str, Any]:
    """Return the plan in the form a client shows."""
    return {"tasks": [_task_view(task, around, plan.language) for task in plan.tasks], "score": round(plan.score, 3)}


def _task_view(task: Task, around: Circumstances, language: str) -> dict[str, Any]:
    tool = around.tool(task.tool)
    after = {value.task for value in task.arguments.values() if isinstance(value, FromTask)} | set(task.after)
    return {
        "id": task.id, "tool": task.tool, "title": tool.said(tool.summary, language), "after": sorted(after),
        "text": task.text, "effect": str(tool.effect),
        "arguments": {
            name: _argument_words(value, around.home, language, tool.parameter(name))
            for name, value in task.arguments.items()
        },
        "labels": labels(tool, tuple(task.arguments), language),
    }  # fmt: skip


def labels(tool: Tool, names: Sequence[str], language: str) -> dict[str, str]:
    """Return what a person calls the parameters: their names in English, elsewhere the word for what they take.

    Two that would be called alike keep what the manifest says they are for.
    """
    if language == "en":
        return {name: name.replace("_", " ") for name in names}
    nouns = {name: wording.noun(language, tool.parameter(name)) for name in names}
    several = {noun for noun, count in Counter(nouns.values()).items() if count > 1}
    said = {name: tool.said(tool.parameter(name).doc, language).strip().rstrip(".") for name in names}
    return {name: said[name] or noun if noun in several else noun for name, noun in nouns.items()}


def _argument_words(value: Argument, home: str, language: str, parameter: Parameter) -> str:
    if isinstance(value, FromTask):
        part = f".{value.field}" if value.field else ""
        index = "" if value.index is None else f"[{value.index + 1 if value.index >= 0 else value.index}]"
        return f"← {value.task}{index}{part}"
    if parameter.type.kind is ValueKind.CHOICE and isinstance(value.value, str):
        return parameter.said(value.value, language)
    return value_words(value.value, home, language, place=parameter.type.kind in _PLACES)


def value_words(value: Any, home: str, language: str, *, place: bool = False) -> str:
    """Say a value that is known: a place below ``home`` with ``~``, an object by what stands in it."""
    if isinstance(value, list):
        more = [f"… +{len(value) - FIRST}"] if len(value) > FEW else []
        shown = value[:FIRST] if more else value
        return ", ".join([*(value_words(item, home, language, place=place) for item in shown), *more])
    if isinstance(value, Mapping):
        return _object_words(value, home, language)
    text = as_text(value)
    return short(text, home) if place or text.startswith(f"{home}/") else _time_words(text)


def _object_words(value: Mapping[str, Any], home: str, language: str) -> str:
    if value.get("columns") and "rows" in value:
        return _table_words(value, home, language)
    if value.get("path") or value.get("source"):
        return short(str(value.get("path") or value.get("source")), home)
    if value.keys() == {"column", "op", "value"}:
        return f"{value['column']} {value['op']} {value['value']}"
    if isinstance(value.get("fields"), Mapping):
        return value_words(value["fields"], home, language)
    pairs = ((name, value_words(item, home, language)) for name, item in value.items() if item is not None)
    return ", ".join(f"{name.replace('_', ' ')} {words}" for name, words in pairs)


def _table_words(table: Mapping[str, Any], home: str, language: str) -> str:
    words, count = _WORDS.get(language, _WORDS["en"]), len(table["rows"])
    rows = words["nothing" if not count else "one" if count == 1 else "many"].format(count=count)
    said = words["table"].format(rows=rows, columns=", ".join(str(name) for name in table["columns"]))
    source = str(table.get("source") or "")
    return said + words["from"].format(source=short(source, home)) if source else said


def _time_words(text: str) -> str:
    """Say a moment of the machine's ("2026-06-23T17:03:05.5+00:00") as a day and a time of day here."""
    if len(text) < _STAMP or text[4:5] != "-" or text[10:11] != "T":
        return text
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    here = moment.astimezone() if moment.tzinfo else moment
    return here.strftime("%Y-%m-%d %H:%M")
