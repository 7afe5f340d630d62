"""The source of a skill that was made of a run: plain Python, which its author can read and go on with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from skills.authoring.drafting import Check, Drafted, Given, Lifted, Loop, Statement, Step, in_form
from skills.model import ValueKind, ValueType

_ANNOTATED: Mapping[ValueKind, str] = {
    ValueKind.TEXT: "Text", ValueKind.TITLE: "Title", ValueKind.QUERY: "Query", ValueKind.INTEGER: "int",
    ValueKind.NUMBER: "Decimal", ValueKind.BOOLEAN: "bool", ValueKind.FILE: "File", ValueKind.FOLDER: "Folder",
    ValueKind.NEW_FILE: "NewFile", ValueKind.DATE: "date", ValueKind.PERIOD: "Period", ValueKind.SIZE: "Size",
    ValueKind.DURATION: "timedelta", ValueKind.HOURS: "Hours", ValueKind.RECURRENCE: "Recurrence",
    ValueKind.QUANTITY: "Quantity", ValueKind.UNIT: "Unit", ValueKind.EXPRESSION: "Expression",
    ValueKind.CONDITION: "Condition", ValueKind.COLUMN: "Column", ValueKind.TABLE: "Table", ValueKind.RECORD: "Record",
    ValueKind.ANY: "Any", ValueKind.URL: "Url",
}  # fmt: skip
_ELSEWHERE = {"Decimal": "decimal", "date": "datetime", "timedelta": "datetime", "Any": "typing", "Literal": "typing"}
_BUILTIN = frozenset({"int", "bool", "list"})


def source_of(draft: Drafted) -> str:
    """Return the text of its ``skill.py``."""
    body = "\n".join(_body(draft))
    result, returned = _result(draft)
    names = {"Context", result, *(annotation(one.type) for one in draft.parameters)}
    names |= {name for name in ("Called", "ToolError") if f"{name}(" in body or f"except {name}" in body}
    signature = ", ".join(["ctx: Context", *_signature(draft.parameters)])
    lines = [f'"""{draft.title}: the steps of a run, with the values of the person as parameters."""', "",
             "from __future__ import annotations", "", *_imports(names), "", "",
             f"def {draft.function}({signature}) -> {result}:", *_docs(draft)]  # fmt: skip
    return "\n".join([*lines, body, f"    return {returned}", ""])


def _result(draft: Drafted) -> tuple[str, str]:
    """Return the type of what the skill gives back, and what that is: what its last step came to."""
    last = draft.body[-1]
    step = draft.steps()[-1]
    value = f"step_{step.number}.value"
    if isinstance(last, Loop):
        return ("Any" if step.type.many else annotation(_many(step.type))), value
    if step.only_if:
        nothing = "[]" if step.type.many else "None"
        value = f"{value} if {' and '.join(step.only_if)} else {nothing}"
        return annotation(step.type) + ("" if step.type.many else " | None"), value
    return annotation(step.type), value


def _many(kind: ValueType) -> ValueType:
    return ValueType(kind.kind, True, kind.choices)


def _signature(parameters: Sequence[Lifted]) -> Iterator[str]:
    for one in sorted(parameters, key=lambda each: bool(each.default)):
        yield f"{one.name}: {annotation(one.type)}" + (f" = {one.default}" if one.default else "")


def _docs(draft: Drafted) -> list[str]:
    lines = ['    """Do again what was asked for in one run.', ""]
    if draft.parameters:
        lines += ["    Args:", *(f"        {one.name}: {_line(one.doc)}" for one in draft.parameters)]
    return [*(lines if draft.parameters else lines[:-1]), '    """']


def _line(text: str) -> str:
    return " ".join(text.replace("\\", "/").replace('"""', "'").split()) or "as in the run."


# --- statements ---------------------------------------------------------------------------------------------------


def _body(draft: Drafted) -> Iterator[str]:
    for one in draft.body:
        yield from (f"    {line}" for line in _statement(one, draft.home))


def _statement(one: Statement, home: str) -> Iterable[str]:
    match one:
        case Step():
            return _guarded(one.only_if, _call(one, f"step_{one.number}", home))
        case Check():
            return _check(one)
        case Loop():
            return _loop(one, home)


def _guarded(only_if: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    if only_if:
        yield f"if {' and '.join(only_if)}:"
    yield from (f"    {line}" if only_if else line for line in lines)


def _call(step: Step, name: str, home: str) -> list[str]:
    given = ", ".join([json.dumps(step.tool), *_passed(step, home)])
    return [f"{name} = ctx.step({given})", f"ctx.say({name}.answer)"]


def _check(check: Check) -> Iterator[str]:
    of = _given(check.of, "")
    words = ", ".join(f"{language}={text!r}" for language, text in check.words.items())
    asked = f"ctx.holds({of}, {check.measure!r}, {check.comparison!r}, {check.value!r}, {words})"
    yield f"{check.name} = {' and '.join([*check.only_if, asked])}"


def _loop(loop: Loop, home: str) -> Iterator[str]:
    yield from (f'step_{step.number} = Called([], "")' for step in loop.steps())
    yield from _guarded(loop.only_if, _repeated(loop, home))


def _repeated(loop: Loop, home: str) -> Iterator[str]:
    yield f"for item in ctx.items({loop.over}):"
    for one in loop.body:
        lines = _leaving_out(_check(one)) if isinstance(one, Check) else _guarded(one.only_if, _kept(one, home))
        yield from (f"    {line}" for line in lines)


def _kept(step: Step, home: str) -> Iterator[str]:
    """Yield the lines of a call for one item: a list has what came of all of them."""
    name = f"one_{step.number}"
    called, *said = _call(step, name, home)
    yield from _leaving_out([called]) if step.reads else [called]
    yield from said
    yield f"step_{step.number}.value.append({name}.value)"


def _leaving_out(lines: Iterable[str]) -> Iterator[str]:
    yield "try:"
    yield from (f"    {line}" for line in lines)
    yield from ("except ToolError as error:", "    ctx.leave_out(error)", "    continue")


# --- values -------------------------------------------------------------------------------------------------------


def _passed(step: Step, home: str) -> Iterator[str]:
    for name, given in step.arguments.items():
        yield f"{name}={_given(given, home)}"


def _given(given: Given, home: str) -> str:
    if given.parameter:
        return given.parameter
    if not given.step:
        return _literal(in_form(given.value, given.type), home)
    if not given.field and given.index is None:
        return given.step
    part = [repr(given.field)] if given.field else []
    part += [f"index={given.index}"] if given.index is not None else []
    return f"{given.step}.part({', '.join(part)})"


def _literal(value: Any, home: str) -> str:
    """Return a value as it stands in the source; a path below the home is written so that it is anybody's."""
    if isinstance(value, str) and (value == home or value.startswith(f"{home}/")):
        return f"ctx.path({f'~{value[len(home) :]}'!r})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name!r}: {_literal(one, home)}" for name, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_literal(one, home) for one in value) + "]"
    return repr(value)


def annotation(kind: ValueType) -> str:
    """Return a type as it stands in a signature."""
    one = _ANNOTATED.get(kind.kind, "")
    if kind.kind is ValueKind.CHOICE:
        one = f"Literal[{', '.join(json.dumps(choice) for choice in kind.choices)}]"
    return f"list[{one}]" if kind.many else one


def _imports(annotations: set[str]) -> Iterator[str]:
    names = {name.partition("[")[0] for text in annotations for name in (text.removeprefix("list["),)}
    names = {name.rstrip("]") for name in names} - _BUILTIN
    for module in sorted({_ELSEWHERE[name] for name in names if name in _ELSEWHERE}):
        yield f"from {module} import {', '.join(sorted(n for n in names if _ELSEWHERE.get(n) == module))}"
    if any(name in _ELSEWHERE for name in names):
        yield ""
    yield f"from skills.sdk import {', '.join(sorted(name for name in names if name not in _ELSEWHERE))}"
