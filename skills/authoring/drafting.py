"""The files of a skill that was made of a run: what it does is a list of steps, each a call of another tool."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tomli_w

from skills.authoring.schema_file import directive
from skills.branches import HOLDS
from skills.model import EffectClass, ParamRole, ValueKind, ValueType
from skills.values import to_json, to_python


@dataclass(frozen=True, slots=True)
class Lifted:
    """A value of the run as a parameter. ``default`` is what the person said where another may be left out.

    ``said`` are the words of the request that it was read from; "" where it stood in none: then it is asked for.
    """

    name: str
    type: ValueType
    doc: str
    value: Any
    said: str
    words: Mapping[str, Mapping[str, Sequence[str]]]
    role: ParamRole = ParamRole.NEUTRAL
    person: bool = False

    @property
    def default(self) -> str:
        """The default as it stands in the signature; "" for a parameter that must be given."""
        plain = self.type.kind in (ValueKind.INTEGER, ValueKind.BOOLEAN, ValueKind.CHOICE) and not self.type.many
        return repr(self.value) if plain and self.said else ""


@dataclass(frozen=True, slots=True)
class Given:
    """An argument of a step: of a parameter, of an earlier step (or a part of it), or a value of the run itself.

    ``step`` is the name that the source has for what is meant: ``step_1``, the ``item`` of a loop, ``one_2`` within it.
    """

    type: ValueType
    parameter: str = ""
    step: str = ""
    field: str = ""
    index: int | None = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a tool, made only if every check of ``only_if`` held. One that ``reads`` alone may fail for an item."""

    number: int
    tool: str
    arguments: Mapping[str, Given]
    type: ValueType
    only_if: tuple[str, ...] = ()
    reads: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A condition: its name in the source, what it is about, what has to hold of that, and that in words."""

    name: str
    of: Given
    measure: str
    comparison: str
    value: Any
    words: Mapping[str, str]
    only_if: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """What is done for each item of what ``over`` found."""

    over: str
    body: tuple[Step | Check, ...]
    only_if: tuple[str, ...] = ()

    def steps(self) -> tuple[Step, ...]:
        """Return the calls in it."""
        return tuple(one for one in self.body if isinstance(one, Step))


Statement = Step | Check | Loop


@dataclass(frozen=True, slots=True)
class Played:
    """A call or a check as it was in the run: what it gave back, and what it said or found."""

    done: Step | Check
    value: Any
    answer: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the run came to, in the order of the source: every call and check, and all that was said."""

    calls: tuple[Played, ...]
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
    body: tuple[Statement, ...]
    replayed: Replayed
    rights: tuple[tuple[str, str, str], ...]
    wall_s: float
    memory_mib: int
    home: str

    def steps(self) -> tuple[Step, ...]:
        """Return its calls in their order."""
        found: list[Step] = []
        for one in self.body:
            found += one.steps() if isinstance(one, Loop) else [one] if isinstance(one, Step) else []
        return tuple(found)


def drafted_files(draft: Drafted, source: str) -> dict[str, str]:
    """Return the files of a skill whose code is ``source``, by their paths below its folder."""
    return {
        "SKILL.md": _instructions(draft),
        "steward.toml": directive() + tomli_w.dumps(_manifest(draft)),
        "skill.py": source,
        f"tests/test_{draft.function}.py": _TESTS.format(function=draft.function),
        "tests/run.json": json.dumps(_recording(draft), indent=1, ensure_ascii=False) + "\n",
    }


def _instructions(draft: Drafted) -> str:
    asked = draft.said[:600].rstrip()
    asked += "" if asked.endswith((".", "!", "?", "…")) else "."
    said = json.dumps(f"Do again what was asked with: {asked} Use when someone asks for that.",
                      ensure_ascii=False)  # fmt: skip
    steps = "\n".join(f"{number}. `{step.tool}`" for number, step in enumerate(draft.steps(), 1))
    return f"---\nname: {draft.id}\ndescription: {said}\n---\n\n# {draft.title}\n\nMade of a run. It does:\n\n{steps}\n"


def _manifest(draft: Drafted) -> dict[str, Any]:
    tool: dict[str, Any] = {
        "effect": str(draft.effect),
        "examples": {draft.language: [draft.example, *_by_name(draft)]},
        "rights": [{"action": action, "scope": scope, "reason": reason} for action, scope, reason in draft.rights],
        "limits": {"wall_s": draft.wall_s, "memory_mib": draft.memory_mib},
    }
    words = {one.name: _words(one) for one in draft.parameters if one.words}
    roles = {one.name: str(one.role) for one in draft.parameters if one.role is not ParamRole.NEUTRAL}
    people = [one.name for one in draft.parameters if one.person]
    tool |= ({"roles": roles} if roles else {}) | ({"people": people} if people else {})
    return {"version": "0.1.0", "title": draft.title, **({"words": words} if words else {}),
            "tools": {draft.function: tool}}  # fmt: skip


def _by_name(draft: Drafted) -> list[str]:
    """Return how it is called by its name: "run big-four", "führ big four aus"."""
    run, use = ("run {}", "use {}") if draft.language == "en" else ("führ {} aus", "benutze {}")
    said = (run.format(draft.id), run.format(draft.id.replace("-", " ")), use.format(draft.id))
    return list(dict.fromkeys(said))


def _words(one: Lifted) -> dict[str, dict[str, list[str]]]:
    return {choice: {language: list(some) for language, some in by.items()} for choice, by in one.words.items()}


def _recording(draft: Drafted) -> dict[str, Any]:
    known = {one.name: at_home(in_form(one.value, one.type), draft.home) for one in draft.parameters}
    said = {one.name: {"type": _type(one.type), "value": known[one.name]} for one in draft.parameters}
    steps = [_call(one, known, draft.home) for one in draft.replayed.calls]
    return {"language": draft.language, "said": said, "steps": steps, "answer": draft.replayed.answer}


def _call(one: Played, known: Mapping[str, Any], home: str) -> dict[str, Any]:
    """Return how a call was asked for and what came of it; a check is asked for like one."""
    done = one.done
    if isinstance(done, Check):
        given: dict[str, Any] = {"of": _recorded(done.of, known, home), "measure": done.measure,
                                 "comparison": done.comparison, "value": done.value}  # fmt: skip
        tool, kind = HOLDS, ValueType(ValueKind.BOOLEAN)
    else:
        given = {name: _recorded(value, known, home) for name, value in done.arguments.items()}
        tool, kind = done.tool, done.type
    return {"tool": tool, "arguments": given, "type": _type(kind), "value": at_home(one.value, home),
            "answer": one.answer}  # fmt: skip


def _recorded(given: Given, known: Mapping[str, Any], home: str) -> Any:
    if given.parameter:
        return known[given.parameter]
    if given.step:
        return {"field": given.field, "index": given.index}
    return at_home(in_form(given.value, given.type), home)


def in_form(value: Any, kind: ValueType) -> Any:
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
