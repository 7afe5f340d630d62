"""Authorize: from a plan and the policy tree to one decision on everything the plan needs.

A tool says in its manifest what it needs (``fs.read {folder|~}/**``); the plan says with which values. Together they
are the rights of a task, decided one by one; the strictest verdict is the plan's. The same function computes the
rights of a call again from its concrete values just before dispatch, and those must lie inside what was decided.

Pure: no clock, no file system; ``resolve`` (a path to its real path) is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from kernel.model import Authorization, Constant, FromTask, Plan, Task, TaskId, TaskRights
from permissions import Policy
from permissions.egress import place_of
from permissions.labels import Integrity
from permissions.model import Action, Decision, Principal, Right, Verdict
from skills.model import OWN, RightTemplate, Skill, SkillId, Tool, ToolId, ValueKind

_HOLE = re.compile(r"\{(?P<name>\w+)(?::(?P<part>\w+))?(?:\|(?P<default>[^}]*))?\}")
_PATH_KINDS = frozenset({ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE})
_STRICTNESS = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}


@dataclass(frozen=True, slots=True)
class Reach:
    """A path, or everything below it, that an argument may stand for."""

    path: str
    tree: bool = False


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What authorizing needs to know besides the plan."""

    tool: Callable[[ToolId], Tool]
    skill: Callable[[SkillId], Skill]
    policy: Policy
    run: str
    home: str
    now_s: float
    resolve: Callable[[str], str]
    below_l3: frozenset[str] = frozenset()  # skills of others that may run where the wall is weaker
    client: str = ""  # the program in whose name (``mcp:NAME``); the person's own grants do not count for it


def authorize(plan: Plan, around: Circumstances) -> Authorization:
    """Decide every right that ``plan`` needs. The result's verdict is the strictest of all."""
    decided: dict[TaskId, TaskRights] = {}
    for task in plan.tasks:
        tool = around.tool(task.tool)
        reaches = {name: _reach(tool, name, value, decided) for name, value in task.arguments.items()}
        needs = needs_of(tool, reaches, around)
        rights, reasons = tuple(right for right, _ in needs), tuple(why for _, why in needs)
        verdicts = rights_now(rights, tool, task.id, around)
        decided[task.id] = TaskRights(task.id, rights, verdicts, reasons, _named(tool, task, around))
    found = [decision.verdict for held in decided.values() for decision in held.decisions]
    return Authorization(strictest(found), tuple(decided.values()))


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the strictest of ``verdicts``; of none, that nothing is asked."""
    return max(verdicts, key=_STRICTNESS.__getitem__, default=Verdict.ALLOW)


def needs_of(
    tool: Tool, reaches: Mapping[str, tuple[Reach, ...]], around: Circumstances
) -> tuple[tuple[Right, str], ...]:
    """Return the rights (with their reasons) that a call of ``tool`` needs for arguments with these reaches."""
    found: dict[Right, str] = {}
    for template in tool.rights:
        for right in _expand(tool, template, reaches, around):
            found.setdefault(right, template.reason)
    return tuple((right, why) for right, why in found.items() if not _implied(right, found, tool, around))


def _implied(right: Right, found: Container[Right], tool: Tool, around: Circumstances) -> bool:
    """Tell whether a wider right stands for this one; none does for the skill's own folder, which is denied to all."""
    return not around.policy.is_own(tool.skill, right) and any(w != right and w in found for w in right.wider())


def _expand(
    tool: Tool, template: RightTemplate, reaches: Mapping[str, tuple[Reach, ...]], around: Circumstances
) -> Iterable[Right]:
    action = Action(template.action)
    place = _absolute if action.startswith("fs.") else _as_named  # of the others a scope is a name, and no path
    tree = template.scope.endswith("/**")
    scope = _in_own_folder(tool, template.scope.removesuffix("/**"), around) or "/"
    hole = _HOLE.search(scope)
    if hole is None:
        yield Right(action, place(scope, around), tree)
        return
    for reach in _filled(hole, reaches):
        text = scope[: hole.start()] + reach.path + scope[hole.end() :]
        yield Right(action, place(text, around), tree or reach.tree)


def _in_own_folder(tool: Tool, scope: str, around: Circumstances) -> str:
    """Return a scope that begins with ``own`` as a place in the folder that the tool's skill has for itself."""
    folder = around.policy.own_folder(tool.skill)
    return folder + scope.removeprefix(OWN) if folder and scope.split("/", maxsplit=1)[0] == OWN else scope


def _as_named(scope: str, _around: Circumstances) -> str:
    return scope


def _filled(hole: re.Match[str], reaches: Mapping[str, tuple[Reach, ...]]) -> Iterable[Reach]:
    name, part, default = hole["name"], hole["part"], hole["default"]
    values = reaches.get(name)
    if not values:
        return (Reach(default.rstrip("/")),) if default else ()
    if part == "folder":
        return tuple(r if r.tree else Reach(str(PurePosixPath(r.path).parent)) for r in values)
    if part == "host":  # what an earlier step has found is no address yet, and what it names then was not decided on
        return tuple(Reach(place_of(r.path)) for r in values if not r.path.startswith("/"))
    return values


def _absolute(scope: str, around: Circumstances) -> str:
    if scope == "~" or scope.startswith("~/"):
        scope = around.home + scope[1:]
    return around.resolve(scope)


def _reach(tool: Tool, name: str, value: Any, decided: Mapping[TaskId, TaskRights]) -> tuple[Reach, ...]:
    if isinstance(value, FromTask):
        return _reach_of_task(decided[value.task])
    return reach_of_value(tool, name, value.value)


def _reach_of_task(rights: TaskRights) -> tuple[Reach, ...]:
    """What a task's files may be: whatever it could read or create."""
    seen = (r for r in rights.needs if r.action in (Action.FS_READ, Action.FS_CREATE))
    return tuple(dict.fromkeys(Reach(r.scope, r.tree) for r in seen))


def reach_of_value(tool: Tool, name: str, value: Any) -> tuple[Reach, ...]:
    """Return the paths that a concrete value of the parameter ``name`` stands for; of others, their text."""
    parameter = tool.parameter(name)
    items = value if isinstance(value, list | tuple) else [value]
    if parameter.type.kind in _PATH_KINDS:
        paths = (path_of(item) for item in items)
        return tuple(Reach(path) for path in paths if path)
    if parameter.type.kind is ValueKind.URL:
        return tuple(Reach(str(item)) for item in items if item)
    return tuple(Reach(str(item).replace("/", " ")) for item in items if isinstance(item, str))


def path_of(value: Any) -> str:
    """Return the path inside a file, folder, new file or table value; empty when there is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return str(value.get("path") or value.get("source") or "")
    return ""


def _named(tool: Tool, task: Task, around: Circumstances) -> tuple[str, ...]:
    """Return the paths in the person's own words; what an earlier result named ("delete them") is not among them."""
    names = []
    for name, value in task.arguments.items():
        if not isinstance(value, Constant) or value.label.integrity is not Integrity.USER:
            continue
        if tool.parameter(name).type.kind in _PATH_KINDS:
            names += [around.resolve(reach.path) for reach in reach_of_value(tool, name, value.value)]
    return tuple(dict.fromkeys(names))


def asked(authorization: Authorization) -> tuple[tuple[TaskId, Decision], ...]:
    """Return what a person has to be asked, task by task."""
    return _with(authorization, Verdict.ASK)


def denied(authorization: Authorization) -> tuple[tuple[TaskId, Decision], ...]:
    """Return what the policy refuses, task by task."""
    return _with(authorization, Verdict.DENY)


def _with(authorization: Authorization, verdict: Verdict) -> tuple[tuple[TaskId, Decision], ...]:
    return tuple((r.task, d) for r in authorization.tasks for d in r.decisions if d.verdict is verdict)


def within(needs: Iterable[Right], rights: TaskRights) -> tuple[Right, ...]:
    """Return those of ``needs`` that lie outside what was decided for the task; empty means all is covered."""
    held = frozenset(rights.needs)
    return tuple(need for need in needs if not is_held(need, held))


def is_held(need: Right, held: Set[Right]) -> bool:
    """Tell whether one of the rights ``held`` covers ``need``."""
    return not held.isdisjoint(need.wider())


def rights_now(needs: Iterable[Right], tool: Tool, task: str, around: Circumstances) -> tuple[Decision, ...]:
    """Decide every right of a task or a call of ``tool``, as the policy is by now."""
    skill = around.skill(tool.skill)
    principal = Principal(skill.id, skill.hash, tool.id, around.run, task, around.client)
    policy = _for_this_run(around) if tool.asks_always else around.policy
    return tuple(policy.decide(principal, right, now_s=around.now_s) for right in needs)


def _for_this_run(around: Circumstances) -> Policy:
    """Return the policy without what outlives a run: of a tool that asks always only today's yes counts."""
    return around.policy.without(*(grant.id for grant in around.policy.standing(around.now_s)))


def lent_now(needs: Iterable[Right], tool: Tool, task: str, around: Circumstances) -> tuple[Decision, ...]:
    """Decide the rights of a call that another tool lends its own to: what nobody denies it, it need not be granted."""
    return tuple(
        replace(one, verdict=Verdict.ALLOW) if one.verdict is Verdict.ASK else one
        for one in rights_now(needs, tool, task, around)
    )


def forbidden(right: Right, tool: Tool, around: Circumstances) -> bool:
    """Tell whether the policy denies ``right`` by itself: a tree that was granted may hold places nobody may touch."""
    (decision,) = rights_now((right,), tool, "", around)
    return decision.verdict is Verdict.DENY
