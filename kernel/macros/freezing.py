"""A run that ended well becomes a macro: its plan as it was, and of what it was told the values that are asked anew.

What this stops: a path, an address or a command that others wrote, kept for good as if a person had said it; a macro of
a run that was a program's, private, forgotten, refused or taken back; a day whose words mean nothing later.
What it does not: read anything anew, or run it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest
from kernel.macros.guards import guards_of
from kernel.macros.model import Macro, Parameter
from kernel.model import Constant, Plan, Resolution, Task, TaskId, Utterance
from kernel.routines.moving import standing_still
from permissions.labels import Integrity
from permissions.policy import program_of
from skills.deciding import deciding_parts
from skills.errors import UnknownTool
from skills.model import ParamRole, Tool, ToolId, ValueKind

if TYPE_CHECKING:
    from kernel.house import House

_DECIDING = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE, ValueKind.URL})
_DONE = (Resolution.EXECUTED, Resolution.CONFIRMED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a macro is to be: its name, its phrases, what is asked for each time; ``run`` is the one that keeps it."""

    name: str
    asked: Sequence[str] = ()
    run: str = ""
    phrases: Sequence[str] = ()


def frozen_run(house: House, run: str, view: Mapping[str, Any], wanted: Wanted, said: Utterance) -> Macro:
    """Return the macro that ``run``, whose outline is ``view``, becomes. ``said`` is when it is kept. BadRequest."""
    plan = _plan_of(house, run, view)
    tools = {tool: _tool(house, run, tool) for tool in dict.fromkeys(task.tool for task in plan.tasks)}
    if any(tool.followed for tool in tools.values()):
        raise refused(run, "a model did it by instructions, which is no plan")
    parameters = _parameters(run, plan, tools, wanted.asked)
    asked = {(task, one.argument) for one in parameters for task in one.tasks}
    refuse_others_words(run, plan, tools, asked)
    kept = replace(plan, tasks=tuple(_without(task, asked) for task in plan.tasks), why=_why(plan), version=1)
    created = next(house.ledger.events(run=run, kinds=("run.created",), limit=1)).body or {}
    told_at, cwd = datetime.fromisoformat(str(created["now"])), str(created.get("cwd") or said.home)
    still = standing_still(kept, plan.language, told_at, house.registry.tool)
    if still:
        raise refused(run, f"what {', '.join(repr(one) for one in still)} means the next time cannot be told",
                      "Have it asked for each time: --ask PARAMETER")  # fmt: skip
    return Macro(
        wanted.name, str(view["request"] or view["text"]), tuple(wanted.phrases), plan.language, kept, parameters,
        guards_of(kept, house.registry), secrets.token_hex(8), told_at, cwd, wanted.run, run,
    )  # fmt: skip


def refused(run: str, why: str, hint: str = "") -> BadRequest:
    """Return why no macro can be made of a run."""
    return BadRequest("macro.from_run", f"No macro can be made of {run}: {why}.", subject=run,
                      hint=hint or "Choose another run: ./steward runs")  # fmt: skip


def _plan_of(house: House, run: str, view: Mapping[str, Any]) -> Plan:
    if view["private"] or view["forgotten"]:
        raise refused(run, "its words were not kept")
    if program_of(house.talk.client(run)):
        raise refused(run, "a program asked for it, and no person")
    plan = house.talk.plan(run)
    if view["undone"]:
        raise refused(run, "it was taken back")
    if plan is None or view["resolution"] not in _DONE:
        raise refused(run, "it did not come to its end")
    return plan


def _tool(house: House, run: str, tool: ToolId) -> Tool:
    try:
        return house.registry.tool(tool)
    except UnknownTool as error:
        raise refused(run, f"{tool} is not installed any more") from error


def _why(plan: Plan) -> dict[str, Any]:
    """A model that made the plan stays known: what it plans is shown each time."""
    return {"model": plan.model} if plan.model else {}


def _without(task: Task, asked: set[tuple[TaskId, str]]) -> Task:
    return replace(task, arguments={n: value for n, value in task.arguments.items() if (task.id, n) not in asked})


def refuse_others_words(run: str, plan: Plan, tools: Mapping[ToolId, Tool], asked: set[tuple[TaskId, str]]) -> None:
    """Raise BadRequest for the first value that others wrote, and that says where, to whom or what to run."""
    for task in plan.tasks:
        tool = tools[task.tool]
        for name, value in task.arguments.items():
            if not isinstance(value, Constant) or value.label.integrity > Integrity.UNTRUSTED:
                continue
            if (task.id, name) not in asked and _decides(tool, name, value.value):
                raise refused(run, f"others wrote the {name} of {tool.id}, and no person said it",
                              f"Have it asked for each time: --ask {name}")  # fmt: skip


def _decides(tool: Tool, name: str, value: Any) -> bool:
    parameter = tool.parameter(name)
    by_itself = tool.runs_programs or parameter.role is ParamRole.SINK or parameter.type.kind in _DECIDING
    return by_itself or bool(deciding_parts(tool, name, value))


def _parameters(run: str, plan: Plan, tools: Mapping[ToolId, Tool], asked: Sequence[str]) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    for name in dict.fromkeys(asked):
        places = [(task, argument) for task in plan.tasks for argument, value in task.arguments.items()
                  if isinstance(value, Constant) and name in (argument, f"{task.id}.{argument}")]  # fmt: skip
        if not places:
            known = ", ".join(dict.fromkeys(_constants(plan))) or "none"
            raise BadRequest("macro.parameter", f"The run {run} was told no {name}.", subject=name,
                             hint=f"What it was told: {known}")  # fmt: skip
        values = {repr(task.arguments[argument]) for task, argument in places}
        if len(values) > 1:
            each = ", ".join(f"{task.id}.{argument}" for task, argument in places)
            raise BadRequest("macro.parameter", f"The run {run} was told more than one {name}.", subject=name,
                             hint=f"Say which: {each}")  # fmt: skip
        task, argument = places[0]
        kind = tools[task.tool].parameter(argument).type
        called = name if name not in [one.name for one in found] else f"{name}-{len(found)}"
        found.append(Parameter(called, kind.kind, tuple(task.id for task, _ in places), argument, kind.many))
    return tuple(found)


def _constants(plan: Plan) -> list[str]:
    return [name for task in plan.tasks for name, value in task.arguments.items() if isinstance(value, Constant)]
