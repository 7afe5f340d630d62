"""What a person answered again and again when a tool asked for the same value: what a default may be made of.

What this stops: a default out of what others wrote, of a program's or a private request, of what was taken back or came
to nothing; one for what decides something; one where the person has answered otherwise since.
What it does not: adopt one. That is ``proposals``', like an example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kernel.learning.log import FORGOTTEN
from kernel.model import Constant, Plan, Question, Resolution
from kernel.planning.plan_json import plan_from_json, question_from_json
from kernel.remembering.bulk import kept_in
from memory.model import Event
from permissions.labels import Integrity
from skills.authoring.drafting import at_home

KINDS = ("run.created", "run.asked", "run.planned", "run.finished", "run.undone", "example.forgotten", FORGOTTEN)
LEAST = 3
"""So often in a row the same answer is given before it is proposed."""

_T = TypeVar("_T")
_DONE = frozenset({str(Resolution.EXECUTED), str(Resolution.CONFIRMED)})


@dataclass(frozen=True, slots=True)
class Answered:
    """A value that a person gave for a parameter whenever it was asked for, with ``~`` for the home.

    ``runs`` are those that asked, oldest first, and ``text`` the request of the last one.
    """

    tool: str
    parameter: str
    value: Any
    language: str
    text: str
    runs: tuple[str, ...]


@dataclass(slots=True)
class _Run:
    text: str = ""
    answers: str = ""  # the run whose question it answered
    question: Question | None = None
    plan: Plan | None = None
    is_done: bool = False


@dataclass(slots=True)
class _Given:
    value: Any = None
    runs: list[str] = field(default_factory=list)
    text: str = ""
    language: str = ""


def answered_alike(events: Iterable[Event], home: str) -> list[Answered]:
    """Return what was answered alike at least ``LEAST`` times, and never otherwise since."""
    runs = _runs(events)
    given: dict[tuple[str, str], _Given] = {}
    for run in runs.values():
        if not run.is_done or run.plan is None:
            continue
        for name, asking in _asked_before(run, runs):
            _note(given, asking, name, run.plan, home)
    return [
        Answered(tool, parameter, one.value, one.language, one.text, tuple(one.runs))
        for (tool, parameter), one in given.items()
        if one.value is not None and len(one.runs) >= LEAST
    ]


def _note(given: dict[tuple[str, str], _Given], asking: _Run, name: str, plan: Plan, home: str) -> None:
    question = asking.question
    if question is None:
        return
    task = next((one for one in plan.tasks if one.id == question.task), None)
    argument = task.arguments.get(question.parameter) if task is not None else None
    if task is None or argument is None:  # it was no question for a value, or of another plan
        return
    one = given.setdefault((str(task.tool), question.parameter), _Given())
    value = None
    if isinstance(argument, Constant) and argument.label.integrity is Integrity.USER:
        value = _plain(at_home(argument.value, home))
    if value is None or value != one.value:
        one.value, one.runs = value, []
    if value is not None:
        one.runs.append(name)
        one.text, one.language = asking.text, plan.language


def _asked_before(run: _Run, runs: Mapping[str, _Run]) -> list[tuple[str, _Run]]:
    """Return the runs that ``run`` went on from, by name: one answer may have led to the next question."""
    found: list[tuple[str, _Run]] = []
    while run.answers in runs and run.answers not in {name for name, _ in found}:
        found.append((run.answers, runs[run.answers]))
        run = runs[run.answers]
    return found


def _plain(value: Any) -> Any:
    """Return a value without what it leaves open, as a manifest can hold it."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items() if one is not None}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _runs(events: Iterable[Event]) -> dict[str, _Run]:
    runs: dict[str, _Run] = {}
    for event in events:
        if event.kind == FORGOTTEN:
            runs.clear()
        elif event.run is not None and event.body is not None:
            if event.kind == "run.created" and not event.body.get("private") and not event.body.get("client"):
                runs[event.run] = _Run(str(event.body.get("text") or ""))
            elif event.run in runs:
                _take(runs[event.run], event.kind, event.body)
    return runs


def _take(run: _Run, kind: str, body: Mapping[str, Any]) -> None:
    match kind:
        case "run.asked":
            run.question = _read(question_from_json, kept_in(body, "draft"))
        case "run.planned":
            run.plan = _read(plan_from_json, kept_in(body, "frozen"))
        case "run.finished":
            run.is_done = body.get("resolution") in _DONE
        case "run.undone" | "example.forgotten":
            run.is_done, run.plan = False, None
    run.answers = str(body.get("answers") or run.answers)


def _read(read: Callable[[Mapping[str, Any]], _T], value: Any) -> _T | None:
    try:
        return read(value) if isinstance(value, Mapping) else None
    except (KeyError, TypeError, ValueError):  # of another version
        return None
