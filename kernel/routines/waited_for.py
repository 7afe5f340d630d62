"""What a routine waits for that only a look can tell: which call of which tool that is, and how its values are read.

A tool says by ``brings`` in its manifest that it finds such things. Of its parameters that which takes files is given
those that came, a length how soon something begins, a person from whom a mail is, words what it is about, and a title
what is attached.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kernel.model import Constant, Task, TaskId
from kernel.routines.model import About, BeforeEvent, Change, FileSeen, Learnt, TaskDue, Trigger
from kernel.routines.routine import Routine
from permissions.labels import USER_SAID, Label
from skills.model import Parameter, Skill, Tool, ValueKind

BROUGHT = TaskId("t0")
LOOKED_AT = frozenset({"event", "mail", "task"})

MAILBOX = ("Mail", "Inbox")
"""Where mail lies in the home that was fetched; each mail is a file in it or below it (a Maildir)."""

HORIZON_S = 24 * 3600
"""So far ahead of its moment an event is known at the latest; then it is looked again."""

_YEAR_S = 366 * 24 * 3600
"""So far ahead tasks are looked at: what is due is a file of Steward's own, and "run it now" takes the next one."""

_BY_NAME = frozenset({About.IS, About.LARGER})
"""What can be told of a file without opening it."""

OF_CONTENTS = frozenset({About.KIND, About.HOLDS, About.TOTAL})
"""What only a look can tell of a file."""

_COMES = frozenset({Change.CREATED, Change.MOVED_IN})


def is_mail(trigger: Trigger, home: str) -> bool:
    """Tell whether what a trigger waits for is mail that comes."""
    return isinstance(trigger, FileSeen) and trigger.change in _COMES and trigger.folder == os.path.join(home, *MAILBOX)


def known_of(trigger: Trigger, home: str) -> frozenset[About]:
    """Return what can be told of a thing that ``trigger`` waits for."""
    if isinstance(trigger, BeforeEvent):
        return frozenset({About.NOT_ALL_DAY})
    if isinstance(trigger, Learnt):
        return frozenset({About.PERSON})
    if is_mail(trigger, home):
        return frozenset({About.SENDER, About.SUBJECT, About.ATTACHED})
    if not isinstance(trigger, FileSeen):
        return frozenset()
    return _BY_NAME if trigger.change is Change.DELETED else _BY_NAME | OF_CONTENTS


def own_tools(skills: Iterable[Skill]) -> Iterator[Tool]:
    """Return the tools that Steward came with."""
    return (tool for skill in skills if skill.shipped for tool in skill.tools)


def look_tool(kind: str, skills: Iterable[Skill]) -> Tool | None:
    """Return the tool of Steward's own that finds things of ``kind``."""
    return next((one for one in own_tools(skills) if one.brings == kind), None)


def look_task(tool: Tool, routine: Routine, files: Iterable[Mapping[str, Any]] = ()) -> Task:
    """Return the call that tells what has come, or comes, of what ``routine`` waits for."""
    return Task(BROUGHT, tool.id, dict(_given(tool, routine, list(files))))


def _given(tool: Tool, routine: Routine, files: list[Mapping[str, Any]]) -> Iterator[tuple[str, Constant]]:
    trigger, such = routine.trigger, dict(routine.such)
    for one in tool.parameters:
        if isinstance(trigger, BeforeEvent):
            value: Any = trigger.before_s + HORIZON_S if one.type.kind is ValueKind.DURATION else trigger.words
        elif isinstance(trigger, TaskDue):
            value = _YEAR_S + trigger.days * 24 * 3600 if one.type.kind is ValueKind.DURATION else ""
        elif one.type.kind is ValueKind.FILE:
            yield one.name, Constant(files, Label())
            continue
        else:
            value = such.get(_about(one), "")
        if value:
            yield one.name, Constant(value, USER_SAID)


def _about(parameter: Parameter) -> About:
    if parameter.type.kind is ValueKind.TITLE:
        return About.ATTACHED
    return About.SENDER if parameter.person else About.SUBJECT
