"""The files of a skill that was made of a run: what it does is a list of steps, each a call of another tool."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tomli_w

from skills.authoring.schema_file import directive
from skills.model import EffectClass, ValueKind, ValueType
from skills.values import to_json, to_python

_ANNOTATED: Mapping[ValueKind, str] = {
    ValueKind.TEXT: "Text", ValueKind.TITLE: "Title", ValueKind.QUERY: "Query", ValueKind.INTEGER: "int",
    ValueKind.NUMBER: "Decimal", ValueKind.BOOLEAN: "bool", ValueKind.FILE: "File", ValueKind.FOLDER: "Folder",
    ValueKind.NEW_FILE: "NewFile", ValueKind.DATE: "date", ValueKind.PERIOD: "Period", ValueKind.SIZE: "Size",
    ValueKind.DURATION: "timedelta", ValueKind.HOURS: "Hours", ValueKind.RECURRENCE: "Recurrence",
    ValueKind.QUANTITY: "Quantity", ValueKind.UNIT: "Unit", ValueKind.EXPRESSION: "Expression",
    ValueKind.CONDITION: "Condition", ValueKind.COLUMN: "Column", ValueKind.TABLE: "Table", ValueKind.RECORD: "Record",
    ValueKind.ANY: "Any",
}  # fmt: skip
_ELSEWHERE = {"Decimal": "decimal", "date": "datetime", "timedelta": "datetime", "Any": "typing", "Literal": "typing"}
_BUILTIN = frozenset({"int", "bool", "list"})


@dataclass(frozen=True, slots=True)
class Lifted:
    """A value that the person said, as a parameter. ``default`` is what they said where another may be left out."""

    name: str
    type: ValueType
    doc: str
    value: Any
    said: str
    words: Mapping[str, Mapping[str, Sequence[str]]]

    @property
    def default(self) -> str:
        """The default as it stands in the signature; "" for a parameter that must be given."""
        plain = self.type.kind in (ValueKind.INTEGER, ValueKind.BOOLEAN, ValueKind.CHOICE) and not self.type.many
        return repr(self.value) if plain else ""


@dataclass(frozen=True, slots=True)
class Given:
    """An argument of a step: of a parameter, of an earlier step (or a part of it), or a value of the run itself."""

    type: ValueType
    parameter: str = ""
    step: str = ""
    field: str = ""
    index: int | None = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class Step:
    """One call, what it gave back in the run, and what it said."""

    name: str
    tool: str
    arguments: Mapping[str, Given]
    type: ValueType
    value: Any
    answer: str


@dataclass(frozen=True, slots=True)
class Drafted:
    """A skill to be written. ``rights`` are (action, scope, reason); ``example`` has its values marked."""

    id: str
    title: str
    function: str
    language: str
    said: str
    example: str
    effect: EffectClass
    parameters: tuple[Lifted, ...]
    steps: tuple[Step, ...]
    rights: tuple[tuple[str, str, str], ...]
    wall_s: float
    memory_mib: int
    home: str


def drafted_files(draft: Drafted) -> dict[str, str]:
    """Return the files of a skill, by their paths below its folder."""
    return {
        "SKILL.md": _instructions(draft),
        "steward.toml": directive() + tomli_w.dumps(_manifest(draft)),
        "skill.py": _source(draft),
        f"tests/test_{draft.function}.py": _TESTS.format(function=draft.function),
        "tests/run.json": json.dumps(_recording(draft), indent=1, ensure_ascii=False) + "\n",
    }


def _instructions(draft: Drafted) -> str:
    said = json.dumps(f"Do again what was asked with: {draft.said[:600]} Use when someone asks for that.",
                      ensure_ascii=False)  # fmt: skip
    steps = "\n".join(f"{number}. `{step.tool}`" for number, step in enumerate(draft.steps, 1))
    return f"---\nname: {draft.id}\ndescription: {said}\n---\n\n# {draft.title}\n\nMade of a run. It does:\n\n{steps}\n"


def _manifest(draft: Drafted) -> dict[str, Any]:
    tool: dict[str, Any] = {
        "effect": str(draft.effect),
        "examples": {draft.language: [draft.example]},
        "rights": [{"action": action, "scope": scope, "reason": reason} for action, scope, reason in draft.rights],
        "limits": {"wall_s": draft.wall_s, "memory_mib": draft.memory_mib},
    }
    words = {one.name: _words(one) for one in draft.parameters if one.words}
    return {"version": "0.1.0", "title": draft.title, **({"words": words} if words else {}),
            "tools": {draft.function: tool}}  # fmt: skip


def _words(one: Lifted) -> dict[str, dict[str, list[str]]]:
    return {choice: {language: list(some) for language, some in by.items()} for choice, by in one.words.items()}


def _source(draft: Drafted) -> str:
    result = annotation(draft.steps[-1].type)
    names = {"Context", result, *(annotation(one.type) for one in draft.parameters)}
    signature = ", ".join(["ctx: Context", *_signature(draft.parameters)])
    lines = [f'"""{draft.title}: the steps of a run, with the values of the person as parameters."""', "",
             "from __future__ import annotations", "", *_imports(names), "", "",
             f"def {draft.function}({signature}) -> {result}:", *_docs(draft)]  # fmt: skip
    for step in draft.steps:
        given = ", ".join([json.dumps(step.tool), *_passed(step, draft.home)])
        lines += [f"    {step.name} = ctx.step({given})", f"    ctx.say({step.name}.answer)"]
    return "\n".join([*lines, f"    return {draft.steps[-1].name}.value", ""])


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


def _passed(step: Step, home: str) -> Iterator[str]:
    for name, given in step.arguments.items():
        if given.parameter:
            yield f"{name}={given.parameter}"
        elif given.step and not given.field and given.index is None:
            yield f"{name}={given.step}"
        elif given.step:
            part = [repr(given.field)] if given.field else []
            part += [f"index={given.index}"] if given.index is not None else []
            yield f"{name}={given.step}.part({', '.join(part)})"
        else:
            yield f"{name}={_literal(_in_form(given.value, given.type), home)}"


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


def _recording(draft: Drafted) -> dict[str, Any]:
    known = {one.name: at_home(_in_form(one.value, one.type), draft.home) for one in draft.parameters}
    said = {one.name: {"type": _type(one.type), "value": known[one.name]} for one in draft.parameters}
    steps = [{"tool": step.tool, "arguments": {name: _recorded(one, known, draft.home)
                                              for name, one in step.arguments.items()},
              "type": _type(step.type), "value": at_home(step.value, draft.home), "answer": step.answer}
             for step in draft.steps]  # fmt: skip
    return {"language": draft.language, "said": said, "steps": steps}


def _recorded(given: Given, known: Mapping[str, Any], home: str) -> Any:
    if given.parameter:
        return known[given.parameter]
    if given.step:
        return {"field": given.field, "index": given.index}
    return at_home(_in_form(given.value, given.type), home)


def _in_form(value: Any, kind: ValueType) -> Any:
    """Return a value in the one JSON form of its type."""
    return to_json(to_python(value, kind, "value"))


def _type(kind: ValueType) -> list[Any]:
    return [str(kind.kind), kind.many, list(kind.choices)]


def at_home(value: Any, home: str) -> Any:
    """Return a value with ``~`` for the home at the beginning of its paths."""
    if isinstance(value, Mapping):
        return {str(name): at_home(one, home) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [at_home(one, home) for one in value]
    inside = isinstance(value, str) and (value == home or value.startswith(f"{home}/"))
    return f"~{value[len(home) :]}" if inside else value


_TESTS = """from __future__ import annotations

from pathlib import Path

from skills.sdk.testing import PracticeHome, Recorded, load

HERE = Path(__file__).parent
skill = load(HERE.parent)


def test_it_does_what_the_run_did(tmp_path: Path) -> None:
    recorded = Recorded.read(HERE / "run.json")
    home = PracticeHome(tmp_path, language=recorded.language, recorded=recorded)
    done = home.step(skill.{function}, **recorded.given(home))
    assert recorded.whole
    assert done.answer == recorded.answers()
"""
