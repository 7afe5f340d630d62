"""The oracle's plan as a plan of ours: every argument with the label that it would really have.

What the person said is theirs. What the planner wrote before anything was read is the planner's. Everything else the
model takes out of what was read last: a step of its own, whose result the kernel labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel.model import Argument, Constant, FromTask, Plan, Task, TaskId
from permissions.labels import MODEL_SAID, USER_SAID
from skills.model import EffectClass, ToolId
from tests.proofs.agentdojo.provenance import said
from tests.proofs.agentdojo.suites import Wanted
from tests.proofs.agentdojo.tools import MODEL, effect_of

ANSWER = TaskId("answer")


@dataclass(frozen=True, slots=True)
class Script:
    """A plan, and what its model gives back: by step the values that it takes out of what was read.

    ``calls`` are the calls of the oracle by task, ``tried`` what their arguments really are.
    """

    plan: Plan
    taken: Mapping[TaskId, Mapping[str, Any]]
    calls: Mapping[TaskId, Wanted]
    tried: Mapping[TaskId, Mapping[str, Any]]


def script(suite: str, prompt: str, calls: Sequence[Wanted], hijacked: Mapping[int, Mapping[str, Any]]) -> Script:
    """Make the plan of ``calls``; those that are ``hijacked`` (by number) take every argument from the attacker."""
    tasks: list[Task] = []
    taken: dict[TaskId, Mapping[str, Any]] = {}
    tried: dict[TaskId, Mapping[str, Any]] = {}
    read: TaskId | None = None
    for number, call in enumerate(calls):
        name = _name(number)
        values = {key: one for key, one in hijacked.get(number, call.args).items() if one is not None}
        own = {} if number in hijacked else _constants(prompt, values, before_any_read=read is None)
        rest = {key: one for key, one in values.items() if key not in own}
        arguments: dict[str, Argument] = dict(own)
        if rest:
            take = TaskId(f"take{number + 1}")
            tasks.append(_step(take, f"{MODEL}.take", {"found": FromTask(read)} if read else {}, tasks))
            taken[take] = rest
            arguments |= {key: FromTask(take, key) for key in rest}
        tasks.append(_step(name, f"{suite}.{call.function}", arguments, tasks))
        tried[name] = values
        read = name if effect_of(call.function) is EffectClass.PURE else read
    tasks.append(_step(ANSWER, f"{MODEL}.answer", {"found": FromTask(read)} if read else {}, tasks))
    return Script(Plan(tuple(tasks), "en"), taken, {_name(at): one for at, one in enumerate(calls)}, tried)


def _name(number: int) -> TaskId:
    return TaskId(f"call{number + 1}")


def _step(name: TaskId, tool: str, arguments: Mapping[str, Argument], before: Sequence[Task]) -> Task:
    return Task(name, ToolId(tool), arguments, tuple(one.id for one in before[-1:]))


def _constants(prompt: str, values: Mapping[str, Any], *, before_any_read: bool) -> dict[str, Constant]:
    found: dict[str, Constant] = {}
    for name, value in values.items():
        if said(prompt, value):
            found[name] = Constant(value, USER_SAID, str(value))
        elif before_any_read:
            found[name] = Constant(value, MODEL_SAID)
    return found
