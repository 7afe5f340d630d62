"""The nouns of macros: a frozen plan with a name, what it still has to be told, and what it was frozen with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kernel.model import Constant, Plan, TaskId
from skills.model import ValueKind


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that a macro is told each time: it becomes the argument ``argument`` of each of ``tasks``.

    ``folder`` is where such a file lies, for the question; ``usual`` what it was the last times, as JSON.
    """

    name: str
    kind: ValueKind
    tasks: tuple[TaskId, ...]
    argument: str
    many: bool = False
    folder: str = ""
    usual: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Called:
    """A macro that is to be run, and what it was told. ``by`` is "words" where a sentence was its name or a phrase."""

    name: str
    by: str
    given: Mapping[str, Constant]


@dataclass(frozen=True, slots=True)
class Macro:
    """A plan that runs by ``name`` or one of ``phrases``, with nothing interpreted and nothing planned.

    ``text`` is how a person says what it does; where the plan cannot be trusted any more it is planned anew from it.
    ``guards`` are the content hashes of the skills, and of the schemas of the tools, that it was frozen with.
    """

    name: str
    text: str
    phrases: tuple[str, ...]
    language: str
    plan: Plan
    parameters: tuple[Parameter, ...]
    guards: Mapping[str, str]
    key: str
    made: datetime
    cwd: str
    run: str  # that kept it
    origin: str = ""  # the pattern or the run that it was made of
