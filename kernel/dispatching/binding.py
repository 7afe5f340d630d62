"""Binding: the arguments of a task become concrete values when the tasks they come from are done.

A plan says "all names of what t1 found"; here that becomes a list, one file, a record or lines of text, as the
parameter's type wants it. The value's label is the join of what it was made from. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from kernel.errors import TaskFailed
from kernel.fields import as_text, fields_in, in_words, parts_of, side_by_side
from kernel.model import Argument, Constant, FromTask, Outcome, Task, TaskId
from permissions.labels import KERNEL_SAID, Label, join
from skills.model import EffectClass, Parameter, ParamRole, Tool, ValueKind


def bind(
    task: Task, tool: Tool, outcomes: Mapping[TaskId, Outcome], language: str = "en"
) -> tuple[dict[str, Any], dict[str, Label]]:
    """Return the concrete arguments of ``task`` and their labels. Raises TaskFailed when a value does not fit."""
    values: dict[str, Any] = {}
    labels: dict[str, Label] = {}
    for name, argument in task.arguments.items():
        parameter = tool.parameter(name)
        raw, labels[name] = _raw(argument, outcomes, language)
        if raw is None and parameter.required and isinstance(argument, FromTask) and argument.field:
            raise _lacks(argument.field)
        if parameter.type.kind is ValueKind.TEXT and isinstance(argument, FromTask):
            raw = in_words(argument.field, raw, language)
        if raw == [] and parameter.role is ParamRole.PAYLOAD and tool.effect is EffectClass.ONCE:
            raise _none_for(parameter)  # a search that found nothing sends no empty letter, and none without its file
        values[name] = fit(raw, parameter)
    return values, labels


def _raw(argument: Argument, outcomes: Mapping[TaskId, Outcome], language: str) -> tuple[Any, Label]:
    if isinstance(argument, Constant):
        return argument.value, argument.label
    outcome = outcomes[argument.task]
    value = project(outcome, argument, language)
    return value, outcome.label or Label()


def project(outcome: Outcome, reference: FromTask, language: str = "en") -> Any:
    """Return the part of an outcome that ``reference`` points at; several fields of a thing are one text.

    Raises TaskFailed when it is not there.
    """
    value: Any = outcome.value
    if reference.index is not None:
        items = value if isinstance(value, list) else [value]
        if not -len(items) <= reference.index < len(items):
            raise TaskFailed(
                "task.nothing",
                _nothing(len(items)),
                subject=reference.task,
                hint="Ask for something that exists, or look at the result first.",
                de=_nichts(len(items)),
                de_hint="Frag nach etwas, das es gibt, oder sieh dir zuerst das Ergebnis an.",
            )
        value = items[reference.index]
    names = fields_in(reference.field)
    if not names:
        return value
    if isinstance(value, list):
        return [_part(item, names, language) for item in value]
    return _part(value, names, language)


def _part(value: Any, names: tuple[str, ...], language: str) -> Any:
    if len(names) == 1:
        return _field(value, names[0])
    return side_by_side({name: _field(value, name) for name in names}, language)


def _nothing(count: int) -> str:
    return (
        "There was nothing to go on with: the step before found nothing."
        if count == 0
        else (f"The step before found only {count}.")
    )


def _nichts(count: int) -> str:
    if count == 0:
        return "Es gab nichts, womit es weitergehen konnte: Der Schritt davor hat nichts gefunden."
    return f"Der Schritt davor hat nur {count} gefunden."


def _field(value: Any, name: str) -> Any:
    """A field of a record; of a file also the ones that follow from its path."""
    if isinstance(value, Mapping):
        fields = parts_of(value)
        if name in fields:
            return fields[name]
        if "path" in value:
            path = PurePosixPath(str(value["path"]))
            implied = {"name": path.name, "stem": path.stem, "suffix": path.suffix.lower(), "folder": str(path.parent)}
            if name in implied:
                return implied[name]
    raise _lacks(name)


def _lacks(name: str) -> TaskFailed:
    return TaskFailed(
        "task.field",
        f"The step before has no {name.replace('_', ' ')}.",
        subject=name,
        hint="Ask for one of the values that it showed.",
        de=f"Der Schritt davor hat diese Angabe nicht: {name.replace('_', ' ')}.",
        de_hint="Frag nach einem der Werte, die er gezeigt hat.",
    )


def fit(value: Any, parameter: Parameter) -> Any:
    """Give ``value`` the shape that ``parameter`` takes: one or many, a path, text, a table or a record."""
    kind = parameter.type.kind
    if parameter.type.many:
        items = list(value) if isinstance(value, list | tuple) else [value]
        return [_one(item, kind) for item in items]
    if kind is ValueKind.TABLE and isinstance(value, list) and _are_rows(value):
        return _as_table(value)
    if isinstance(value, list | tuple) and kind not in (ValueKind.TEXT, ValueKind.ANY, ValueKind.RECORD):
        return _one(_only(value, parameter), kind)
    return _one(value, kind)


def _only(items: Sequence[Any], parameter: Parameter) -> Any:
    if len(items) == 1:
        return items[0]
    if not items:
        raise _none_for(parameter)
    what = parameter.name.replace("_", " ")
    raise TaskFailed(
        "task.many",
        f"The step before found {len(items)} and only one {what} can be taken.",
        subject=parameter.name,
        hint="Say which one, for example the first or the newest.",
        de=f"Der Schritt davor hat {len(items)} gefunden, und nur eines davon geht hier.",
        de_hint="Sag, welches gemeint ist, zum Beispiel das erste oder das neueste.",
    )


def _none_for(parameter: Parameter) -> TaskFailed:
    return TaskFailed(
        "task.nothing",
        f"There is no {parameter.name.replace('_', ' ')} to work on: the step before found nothing.",
        subject=parameter.name,
        hint="Look with other words or in another folder.",
        de="Es ist nichts da, womit zu arbeiten wäre: Der Schritt davor hat nichts gefunden.",
        de_hint="Suche mit anderen Worten oder in einem anderen Ordner.",
    )


def _one(value: Any, kind: ValueKind) -> Any:
    make = _SHAPES.get(kind)
    return make(value) if make else value


def _as_path(value: Any) -> Any:
    return {"path": value} if isinstance(value, str) else value


def _as_table(value: Any) -> Any:
    if isinstance(value, str):
        return {"columns": [], "rows": [], "source": value}
    if isinstance(value, Mapping) and "path" in value:
        return {"columns": [], "rows": [], "source": value["path"]}
    if isinstance(value, list) and _are_rows(value):
        columns = list(dict.fromkeys(name for item in value for name in item))
        return {"columns": columns, "rows": [[item.get(name) for name in columns] for item in value], "source": ""}
    return value


def _are_rows(items: Sequence[Any]) -> bool:
    """Tell whether they are records, one a row, and no files with tables in them; one record alone is a row, too."""
    return bool(items) and all(isinstance(item, Mapping) and "path" not in item for item in items)


def _as_record(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value if isinstance(value.get("fields"), Mapping) else {"fields": dict(value)}
    if isinstance(value, list) and len(value) == 1:
        return _as_record(value[0])
    return {"fields": {"value": value}}


def _as_words(value: Any) -> str:
    """A value as text; of one record that holds what was asked for as its ``value``, that alone, or what says it."""
    fields = parts_of(value) if isinstance(value, Mapping) else {}
    asked = [fields[name] for name in ("value", "text") if fields.get(name) not in (None, "")]
    return as_text(asked[0] if asked and "value" in fields else value)


_SHAPES: Mapping[ValueKind, Callable[[Any], Any]] = {
    ValueKind.TEXT: _as_words,
    ValueKind.TITLE: _as_words,
    ValueKind.QUERY: _as_words,
    ValueKind.FILE: _as_path,
    ValueKind.FOLDER: _as_path,
    ValueKind.TABLE: _as_table,
    ValueKind.RECORD: _as_record,
}


def label_of(labels: Mapping[str, Label], *, computes: bool = False) -> Label:
    """Return the label of what a tool makes from such arguments: its output is never the user's own word.

    One of Steward's own that ``computes`` sees nothing but its arguments; what others make may be made of anything.
    """
    if not computes:
        return join([*labels.values(), Label()])
    return join([KERNEL_SAID, *labels.values()])
