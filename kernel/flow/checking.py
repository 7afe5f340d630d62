"""Which values of a call nobody vouches for, among those that decide something.

What this stops: text out of a file, a mail, a page or another program choosing an address, a command, a recipient or a
program to end; a list of others deciding how often something is done that nothing takes back, a condition about what
others wrote whether it is done at all.
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
from kernel.authorize import Circumstances
from kernel.flow.found import THINGS, are_found, is_thing
from kernel.model import Argument, Constant, FromTask, Task, TaskId
from kernel.planning.condition_words import condition_words
from permissions.labels import Integrity, Label
from permissions.naming import readable, shown
from permissions.policy import program_of
from skills.deciding import deciding_parts, may_decide
from skills.model import EffectClass, Parameter, ParamRole, Tool, ToolId
from skills.roles import OUTWARD, fills

_MOST_SHOWN = 5

LONGEST = 2000
"""Values that are longer together cannot be looked at on a card, and so nobody can vouch for them."""


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

    ``found`` are the paths that Steward's own tools found earlier in the conversation; ``client`` is the node of the
    program or the routine in whose name is asked, empty for the person.
    """

    tool: Callable[[ToolId], Tool]
    shipped: Callable[[ToolId], bool]
    tasks: Mapping[TaskId, Task]
    language: str
    home: str
    found: Callable[[], frozenset[str]] = frozenset
    client: str = ""


def around_of(
    circumstances: Circumstances, tasks: Mapping[TaskId, Task], language: str, found: Callable[[], frozenset[str]]
) -> Around:
    """Return what checking needs to know of a plan's ``tasks`` under these circumstances."""

    def shipped(tool: ToolId) -> bool:
        return circumstances.skill(circumstances.tool(tool).skill).shipped

    return Around(circumstances.tool, shipped, tasks, language, circumstances.home, found, circumstances.client)


def concerns_of(
    task: Task, tool: Tool, values: Mapping[str, Any], labels: Mapping[str, Label], around: Around
) -> tuple[Concern, ...]:
    """Return what a person has to vouch for before ``tool`` is called with ``values``."""
    asked = [
        name
        for name, value in values.items()
        if value is not None and not _is_fine(tool, name, task.arguments.get(name), value, labels.get(name), around)
    ]
    if not asked:
        return ()
    names = names_of(tool, tuple(values), around.language)
    return tuple(_concern(task, tool, tool.parameter(name), values[name], names[name], around) for name in asked)


def _is_fine(tool: Tool, name: str, argument: Argument | None, value: Any, label: Label | None, around: Around) -> bool:
    """Tell whether a value may decide: it is no sink's, somebody answers for it, or it is a thing that was found."""
    parameter = tool.parameter(name)
    if argument is None or not (parameter.role is ParamRole.SINK or deciding_parts(tool, name, value)):
        return True
    if label is not None and label.integrity > Integrity.UNTRUSTED:
        return True
    if around.client and isinstance(argument, Constant) and any(fills(name, right.scope) for right in tool.rights):
        return True  # the right is decided for that very owner, and a person who grants it reads that place
    if parameter.type.kind not in THINGS:
        return False
    if isinstance(argument, FromTask):
        made = around.tasks.get(argument.task)
        return (
            made is not None and around.shipped(made.tool) and is_thing(around.tool(made.tool).result, argument.field)
        )
    return are_found(value, around.found())


def _concern(task: Task, tool: Tool, parameter: Parameter, value: Any, name: str, around: Around) -> Concern:
    said = _all_words(tool, parameter, value, around)
    what = tool.said(tool.summary, around.language).rstrip(".")
    return Concern(
        task.id, tool.id, parameter.name, readable(said), _origin(task.arguments[parameter.name], around),
        f"{name}: {what}", f"{tool.id}.{parameter.name}={value!r}",
    )  # fmt: skip


def _all_words(tool: Tool, parameter: Parameter, value: Any, around: Around) -> str:
    """Return all that decides, in words: what is not shown was not seen. Of a record that is what its parts are."""
    parts = deciding_parts(tool, parameter.name, value)
    if parts:
        words = (f"{way}: {value_words(one, around.home, around.language)}" for way, one in parts)
        return ", ".join(words)
    each = value if isinstance(value, list) else [value]
    place = parameter.type.kind in THINGS
    return ", ".join(value_words(one, around.home, around.language, place=place) for one in each)


def _origin(argument: Argument, around: Around) -> str:
    """Say where a value comes from: which step found it, and what that step was given."""
    if not isinstance(argument, FromTask):
        return _said(argument, around)
    made = around.tasks.get(argument.task)
    if made is None:
        return wording.say(around.language, "origin.unknown")
    tool = around.tool(made.tool)
    summary = tool.said(tool.summary, around.language).rstrip(".")
    given = [one.text for one in made.arguments.values() if not isinstance(one, FromTask) and one.text]
    return shown(f"{summary} ({', '.join(given[:_MOST_SHOWN])})" if given else summary)


def _said(argument: Constant, around: Around) -> str:
    """Say who put a value into the plan: a program that asks, or the words that named a thing of an earlier result."""
    if program := program_of(around.client):
        return wording.say(around.language, "origin.client", name=shown(program))
    if argument.text:
        return wording.say(around.language, "origin.said", words=shown(argument.text))
    return wording.say(around.language, "origin.unknown")


def of_conditions(
    task: Task, tool: Tool, values: Mapping[str, Any], decided: Mapping[str, tuple[Label, str]], around: Around
) -> tuple[Concern, ...]:
    """Return what a person has to vouch for because it decides whether ``tool`` is called with its sinks at all.

    ``decided`` has, by what the conditions of ``task`` are about, whose word that is and what was found. As with many
    calls only what nothing takes back, or what reaches others, is asked about; without a sink nothing is decided.
    """
    sinks = any(may_decide(one) and values.get(one.name) is not None for one in tool.parameters)
    if not sinks or not (tool.effect is EffectClass.ONCE or any(one.action in OUTWARD for one in tool.rights)):
        return ()
    what = tool.said(tool.summary, around.language).rstrip(".")
    found = []
    for one in task.when:
        label, value = decided.get(one.text or one.task, (Label(), ""))
        if label.integrity > Integrity.UNTRUSTED:
            continue
        said = readable(f"{condition_words(one, around.language)} ({value})")
        whether = wording.say(around.language, "origin.whether", what=what)
        key = f"{tool.id}?{one.task}.{one.field} {one.comparison} {one.value!r}"
        found.append(Concern(task.id, tool.id, "", said, _origin(FromTask(one.task), around), whether, key))
    return tuple(found)


def of_many(task: Task, tool: Tool, count: int, label: Label, around: Around) -> Concern | None:
    """Return what to ask before ``tool`` is called ``count`` times because others listed so much, None where nothing.

    Only what nothing takes back, or what reaches others, is asked about: the rest is shown before it is committed.
    """
    if label.integrity > Integrity.UNTRUSTED or task.each is None or count < 2:
        return None
    if tool.effect is not EffectClass.ONCE and not any(right.action in OUTWARD for right in tool.rights):
        return None
    what = tool.said(tool.summary, around.language).rstrip(".")
    times = wording.say(around.language, "origin.times", count=count)
    return Concern(task.id, tool.id, "", times, _origin(FromTask(task.each), around), what, f"{tool.id}*{count}")
