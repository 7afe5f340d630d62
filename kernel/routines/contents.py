"""What stands in a file, as far as a rule waits for it: which looks tell, with which rights, and what they found.

A file is read by a tool in a cell, as a look of the routine that waits; what it says decides whether the routine is set
off, and nothing else. It is no value of the plan, no right and no word of the rule.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel.model import Argument, Constant, Outcome, Task, TaskId
from kernel.routines.judging import Text, compares, holds_all, is_named, same_nouns
from kernel.routines.model import About
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.waited_for import BROUGHT, OF_CONTENTS, look_tool, own_tools
from permissions.labels import Label
from permissions.naming import sentence, shown
from skills.model import EffectClass, Skill, Tool, ValueKind

Such = Sequence[tuple[About, str]]

Ask = Callable[[Task], Awaitable[Outcome]]
"""Makes one look."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a look at a file told: whether it is one that is waited for, or why that cannot be told."""

    fits: bool = False
    unread: str = ""


def reads_contents(such: Such) -> bool:
    """Tell whether a rule has to look into files."""
    return any(about in OF_CONTENTS for about, _ in such)


def by_name(such: Such) -> Such:
    """Return the conditions that are told without opening a file."""
    return [one for one in such if one[0] not in OF_CONTENTS]


def look_tools(such: Such, skills: Iterable[Skill]) -> list[Tool]:
    """Return the tools of Steward's own that tell what ``such`` asks of a file: its text, its total."""
    known, wanted = tuple(skills), {about for about, _ in such}
    text = look_tool("text", known) if wanted & {About.KIND, About.HOLDS} else None
    total = next(filter(_tells_total, own_tools(known)), None) if About.TOTAL in wanted else None
    return [one for one in (text, total) if one is not None]


def looks_at(file: Argument, such: Such, skills: Iterable[Skill]) -> list[Task]:
    """Return the calls that tell what ``such`` asks of ``file``."""
    return [_task(tool, number, file) for number, tool in enumerate(look_tools(such, skills), start=1)]


def _task(tool: Tool, number: int, file: Argument) -> Task:
    name = next(one.name for one in tool.parameters if one.type.kind is ValueKind.FILE)
    return Task(TaskId(f"{BROUGHT}-look{number}"), tool.id, {name: file})


def _tells_total(tool: Tool) -> bool:
    """Tell whether a tool reads one value out of one file, a sum where nothing else is asked for."""
    needed = [one.type for one in tool.parameters if one.required]
    one_file = [one.kind for one in needed] == [ValueKind.FILE] and not needed[0].many
    reads = tool.effect is EffectClass.PURE and tool.result.kind is ValueKind.RECORD
    return reads and one_file and {"amount", "currency", "value"} <= tool.result.fields.keys()


async def looked_at(
    routine: Routine, file: Mapping[str, Any], skills: Iterable[Skill], nouns: Sequence[Sequence[str]], ask: Ask
) -> Found:
    """Return what looks at ``file`` tell. ``nouns`` are groups of words that mean the same in a name."""
    name = os.path.basename(str(file["path"]))
    such = _beyond_its_name(routine.such, name, nouns)
    for number, tool in enumerate(look_tools(such, skills), start=1):
        outcome = await ask(_task(tool, number, Constant([dict(file)], Label())))
        if tool.result.kind is ValueKind.TEXT:
            found = await asyncio.to_thread(_of_text, such, outcome, nouns, routine.language)
        else:
            found = _of_total(such, outcome, routine.language)
        if not found.fits:
            return found if not found.unread else Found(unread=f"{shown(name)}: {found.unread}")
    return Found(fits=True)


def _beyond_its_name(such: Such, name: str, nouns: Sequence[Sequence[str]]) -> Such:
    """Return the conditions without those on what it is that its name fulfils already."""
    return [(about, said) for about, said in such if about is not About.KIND or not is_named(said, name, nouns)]


def _of_text(such: Such, outcome: Outcome, nouns: Sequence[Sequence[str]], language: str) -> Found:
    if not outcome.ok:
        return Found(unread=_why(outcome) or say(language, "unread text"))
    text = Text(str(outcome.value))
    kinds = (same_nouns(said, nouns) for about, said in such if about is About.KIND)
    fits = holds_all(such, text) and all(map(text.is_called, kinds))
    return Found(fits, "" if fits or text.is_whole else say(language, "unread rest"))


def _of_total(such: Such, outcome: Outcome, language: str) -> Found:
    if not outcome.ok:  # what its tool says of that quotes the document
        return Found(unread=say(language, "unread total"))
    fits = compares(such, outcome.value)
    return Found(unread=say(language, "unread currency")) if fits is None else Found(fits)


def _why(outcome: Outcome) -> str:
    return sentence(str((outcome.error or {}).get("message", "")))
