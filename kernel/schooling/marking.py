"""Marking: whether what the planner proposes is what a lesson means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kernel.language.function_words import is_function_word
from kernel.model import Argument, Constant, Decline, Plan, Proposal, Question, Task
from kernel.paths import paths_of
from kernel.schooling.model import Lesson, Meant, Said, Taken, Verdict

_WORD = re.compile(r"\w+")


def mark(lesson: Lesson, proposal: Proposal) -> Verdict:
    """Return what became of ``lesson``."""
    match proposal:
        case Question():
            return Verdict.ASKED
        case Decline():
            return Verdict.DECLINED
        case Plan():
            if tuple(task.tool for task in proposal.tasks) != lesson.tools:
                return Verdict.WRONG
            return Verdict.RIGHT if _is_meant(lesson.calls, proposal.tasks) else Verdict.VALUES


def _is_meant(calls: Sequence[Meant], tasks: Sequence[Task]) -> bool:
    places: dict[str, int] = {task.id: at for at, task in enumerate(tasks)}
    return all(_call_fits(meant, task, places) for meant, task in zip(calls, tasks, strict=True))


def _call_fits(meant: Meant, task: Task, places: Mapping[str, int]) -> bool:
    if (meant.each is None) != (task.each is None) or meant.bound != bool(task.when):
        return False
    given = task.arguments
    if not set(meant.arguments) <= set(given):
        return False
    return all(_fits(wanted, given[name], places) for name, wanted in meant.arguments.items())


def _fits(wanted: Said | Taken, given: Argument, places: Mapping[str, int]) -> bool:
    if isinstance(wanted, Taken):
        if isinstance(given, Constant):
            return _stands_for(given, wanted)
        if places.get(given.task) not in wanted.steps:
            return False
        return wanted.field in ("", given.field) and wanted.index in (None, given.index)
    return isinstance(given, Constant) and _same(wanted, given)


def _stands_for(given: Constant, wanted: Taken) -> bool:
    """ "Rename a.pdf and note it": a word that points at what an earlier call was given is read as that very thing."""
    return not wanted.field and wanted.index is None and given.text != str(given.value)


def _same(wanted: Said, given: Constant) -> bool:
    if wanted.paths:
        return sorted(wanted.paths) == sorted(_paths(given.value))
    said, read = _words(wanted.text), _words(given.text or str(given.value))
    return said == read or (bool(said) and (said <= read or read <= said))


def _paths(value: Any) -> list[str]:
    return list(paths_of(value)) if not isinstance(value, str) else [value]


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in map(str.casefold, _WORD.findall(text)) if not is_function_word(word))
