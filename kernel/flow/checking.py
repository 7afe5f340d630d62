"""Which values of a call nobody vouches for, among those that decide something.

What this stops: text out of a file, a mail, a page or another program choosing an address, a command, a recipient or a
program to end; a list of others deciding how often something is done that nothing takes back.
What it does not: content (a payload) going where the person said; a file that one of Steward's own tools has found is
the file itself, whatever it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kernel.approval.plan_words import labels as names_of
from kernel.asking import wording
from kernel.asking.values import value_words
from kernel.flow.found import are_found
from kernel.model import Argument, FromTask, Task, TaskId
from permissions.labels import Integrity, Label
from permissions.model import Action
from permissions.naming import shown
from skills.model import EffectClass, Parameter, ParamRole, Tool, ToolId, ValueKind

_THINGS = frozenset({ValueKind.FILE, ValueKind.FOLDER})
_MOST_SHOWN = 5
_OUTWARD = frozenset({Action.NET_CONNECT, Action.SECRET_USE, Action.DESKTOP_OPEN, Action.SYSTEM_STOP})


@dataclass(frozen=True, slots=True)
class Concern:
    """A value that a person has to vouch for, in words: the ``value``, its ``origin``, and what it would decide.

    ``key`` is the same for the same value in the same place: vouched for once, it is not asked about again in a run.
    """

    task: TaskId
    tool: ToolId
    parameter: str
    value: str
    origin: str
    decides: str
    key: str


@dataclass(frozen=True, slots=True)
class Around:
    """What checking needs to know: the tools, which of them come with Steward, the tasks of the plan, the language.

    ``found`` are the paths that Steward's own tools found earlier in the conversation.
    """

    tool: Callable[[ToolId], Tool]
    shipped: Callable[[ToolId], bool]
    tasks: Mapping[TaskId, Task]
    language: str
    home: str
    found: Callable[[], frozenset[str]] = frozenset


def concerns_of(
    task: Task, tool: Tool, values: Mapping[str, Any], labels: Mapping[str, Label], around: Around
) -> tuple[Concern, ...]:
    """Return what a person has to vouch for before ``tool`` is called with ``values``."""
    names = names_of(tool, tuple(values), around.language)
    return tuple(
        _concern(task, tool, tool.parameter(name), value, names[name], around)
        for name, value in values.items()
        if value is not None
        and not _is_fine(tool.parameter(name), task.arguments.get(name), value, labels.get(name), around)
    )


def _is_fine(parameter: Parameter, argument: Argument | None, value: Any, label: Label | None, around: Around) -> bool:
    """Tell whether a value may decide: it is no sink's, somebody answers for it, or it is a thing that was found."""
    if parameter.role is not ParamRole.SINK or argument is None:
        return True
    if label is not None and label.integrity > Integrity.UNTRUSTED:
        return True
    if parameter.type.kind not in _THINGS:
        return False
    if isinstance(argument, FromTask):
        made = around.tasks.get(argument.task)
        return made is not None and not argument.field and around.shipped(made.tool)
    return are_found(value, around.found())


def _concern(task: Task, tool: Tool, parameter: Parameter, value: Any, name: str, around: Around) -> Concern:
    said = value_words(value, around.home, around.language, place=parameter.type.kind in _THINGS)
    what = tool.said(tool.summary, around.language).rstrip(".")
    return Concern(
        task.id, tool.id, parameter.name, shown(said), _origin(task.arguments[parameter.name], around),
        f"{name}: {what}", f"{tool.id}.{parameter.name}={value!r}",
    )  # fmt: skip


def _origin(argument: Argument, around: Around) -> str:
    """Say where a value comes from: which step found it, and what that step was given."""
    if not isinstance(argument, FromTask):
        return wording.say(around.language, "origin.said", words=shown(argument.text)) if argument.text else (
            wording.say(around.language, "origin.unknown"))  # fmt: skip
    made = around.tasks.get(argument.task)
    if made is None:
        return wording.say(around.language, "origin.unknown")
    tool = around.tool(made.tool)
    summary = tool.said(tool.summary, around.language).rstrip(".")
    given = [one.text for one in made.arguments.values() if not isinstance(one, FromTask) and one.text]
    return shown(f"{summary} ({', '.join(given[:_MOST_SHOWN])})" if given else summary)


def of_many(task: Task, tool: Tool, count: int, label: Label, around: Around) -> Concern | None:
    """Return what to ask before ``tool`` is called ``count`` times because others listed so much, None where nothing.

    Only what nothing takes back, or what reaches others, is asked about: the rest is shown before it is committed.
    """
    if label.integrity > Integrity.UNTRUSTED or task.each is None or count < 2:
        return None
    if tool.effect is not EffectClass.ONCE and not any(right.action in _OUTWARD for right in tool.rights):
        return None
    what = tool.said(tool.summary, around.language).rstrip(".")
    times = wording.say(around.language, "origin.times", count=count)
    return Concern(task.id, tool.id, "", times, _origin(FromTask(task.each), around), what, f"{tool.id}*{count}")
