"""From the cheapest composition to a plan, with its confidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from kernel.composition import weights as w
from kernel.composition.draft import Draft
from kernel.composition.filling.dictated import as_dictated
from kernel.composition.fit import Step
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene, bits
from kernel.composition.vouching import is_known
from kernel.composition.window import Filler, Flow
from kernel.composition.words import is_consequence
from kernel.model import Argument, Constant, FromTask, Plan, Task, TaskId
from kernel.paths import meet, paths_of
from skills.model import EffectClass, ToolId, ValueKind


@dataclass(frozen=True, slots=True)
class Judged:
    """A draft as a plan, with what decides whether it may act."""

    draft: Draft
    plan: Plan
    missing: tuple[tuple[TaskId, str], ...]
    unexplained: tuple[int, ...]
    grave: bool
    changes: bool  # some task is not pure
    doubt: float  # the unexplained words' cost
    settled: float  # the confidence if what is missing were there
    loose: bool = (
        False  # "I need the old ones, so delete the pdfs": nobody can say what the one has to do with the other
    )

    @property
    def may_act(self) -> bool:
        """Tell whether the plan is sure enough to be shown as the plan."""
        sure = w.ACT_EFFECT if self.changes else w.ACT
        if (
            self.missing
            or self.grave
            or (self.loose and self.changes)
            or self.doubt > w.TOLERATED
            or not _could_act(self.draft)
        ):
            return False
        return self.plan.score >= sure


def task_id(index: int) -> TaskId:
    """Return the id of the task at ``index``."""
    return TaskId(f"t{index + 1}")


def judge(scene: Scene, draft: Draft, rivals: list[Draft]) -> Judged:
    """Turn ``draft`` into a plan and weigh it: distance, weakest argument, unexplained words, margin to ``rivals``."""
    missing = tuple((task_id(index), name) for index, step in enumerate(draft.steps) for name in step.missing)
    unexplained = tuple(at for step in draft.steps for at in step.words) + draft.skipped
    doubt = sum(step.unexplained for step in draft.steps)
    margin = margin_of(draft, rivals)
    excused = sum(step.excused for step in draft.steps)
    score = confidence(draft, doubt - excused, len(missing), margin)
    why: dict[str, Any] = {task_id(index): _why(step) for index, step in enumerate(draft.steps)}
    plan = Plan(
        tasks_of(scene, draft), scene.intent.language, score=round(score, 4), why={**why, "margin": round(margin, 3)}
    )
    changes = any(not step.profile.is_pure for step in draft.steps)
    grave = any(step.grave for step in draft.steps)
    settled = confidence(draft, doubt - excused, 0, margin) * (w.OBJECTLESS if _is_objectless(scene, draft) else 1.0)
    return Judged(draft, plan, missing, unexplained, grave, changes, doubt, settled, _is_loose(scene, draft))


def _is_loose(scene: Scene, draft: Draft) -> bool:
    """A call that is said to follow from what another one finds, and takes nothing of it."""
    taken = {one.argument.step for step in draft.steps for one in step.fillers if isinstance(one.argument, Flow)}
    unused = [at for at, step in enumerate(draft.steps[:-1]) if at not in taken and step.profile.is_pure]
    between = [range(draft.steps[at].last, draft.steps[at + 1].first) for at in unused]
    return any(is_consequence(scene.tokens[at].norm) for gap in between for at in gap)


def _is_objectless(scene: Scene, draft: Draft) -> bool:
    """What is to be worked on is missing, no word points at it, and unknown words stand for something else."""
    unknown = any(
        one.origin == "doubted" and not is_known(scene, step.profile, one)
        for step in draft.steps
        for one in step.fillers
    )
    for step in draft.steps:
        kinds = {step.profile.parameter(name).type.kind for name in step.missing}
        pointed = scene.pointing & bits(step.first, step.last)
        if kinds & {ValueKind.FILE, ValueKind.FOLDER, ValueKind.TABLE} and unknown and not pointed:
            return True
    return False


def margin_of(draft: Draft, rivals: list[Draft]) -> float:
    """Return by how much the best composition of other tools is dearer, at most 1. One that never could act is none."""
    others = [one.cost - draft.cost for one in rivals if one.tools != draft.tools and _could_act(one)]
    return max(0.0, min([*others, 1.0]))


def _could_act(draft: Draft) -> bool:
    """No value of it is one that hardly anything vouches for."""
    return all(step.weakest >= w.WEAKEST for step in draft.steps)


def confidence(draft: Draft, doubt: float, missing: int, margin: float) -> float:
    """Return how likely the plan is right, 0..1: a logistic over the numbers that count."""
    spoken = [step for step in draft.steps if not step.described]
    similarity = min((step.similarity for step in spoken), default=0.0)
    argument = min((step.weakest for step in draft.steps), default=1.0)
    left_out = max((step.left_out for step in spoken), default=0.0)
    z = (
        w.LOGIT["bias"]
        + w.LOGIT["similarity"] * (similarity - 0.5)
        + w.LOGIT["argument"] * (argument - 0.6)
        + w.LOGIT["unexplained"] * doubt
        + w.LOGIT["missing"] * missing
        + w.LOGIT["left_out"] * left_out
        + w.LOGIT["margin"] * margin
        + w.LOGIT["tasks"] * (len(draft.steps) - 1)
    )
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))


def _why(step: Step) -> Mapping[str, Any]:
    arguments = {one.parameter: round(one.score, 3) for one in step.fillers}
    return {"similarity": round(step.similarity, 3), "arguments": arguments, "cost": round(step.cost, 3)}


def tasks_of(scene: Scene, draft: Draft) -> tuple[Task, ...]:
    """Return the draft's steps as tasks; an object named twice in the same words is one task.

    A task that changes something comes after an earlier one that is about the same place, and so does the reverse:
    "copy it to Archive and delete the original" holds in this order only.
    """
    given = [arguments_of(scene, step) for step in draft.steps]
    places = list(map(_places, given)) if len(given) > 1 else []
    return tuple(
        Task(task_id(at), step.tool, given[at], _after(draft, places, at), scene.text(step.first, step.last))
        for at, step in enumerate(draft.steps)
    )


def _places(arguments: Mapping[str, Argument]) -> frozenset[str]:
    """The files and folders that a task is given."""
    values = [one.value for one in arguments.values() if isinstance(one, Constant)]
    return frozenset(path for value in values for path in paths_of(value))


def _after(draft: Draft, places: list[frozenset[str]], at: int) -> tuple[TaskId, ...]:
    """The earlier tasks about the same place, where one of the two changes something."""
    pure = [step.profile.is_pure for step in draft.steps]
    return tuple(task_id(one) for one in range(at) if not (pure[at] and pure[one]) and meet(places[at], places[one]))


def arguments_of(scene: Scene, step: Step) -> dict[str, Argument]:
    """Return what a step is given, by parameter; a clause that is dictated as the sentence that it says."""
    told = (as_dictated(scene, step.profile.parameter(one.parameter), one) for one in step.fillers)
    return {one.parameter: argument_of(one) for one in told}


def argument_of(one: Filler) -> Argument:
    """Return the filler's value as an argument of a task."""
    if isinstance(one.argument, Flow):
        return FromTask(task_id(one.argument.step), one.argument.field, one.argument.index)
    return one.argument


def with_argument(plan: Plan, task: TaskId, parameter: str, value: Constant) -> Plan:
    """Return ``plan`` with one argument set."""
    tasks = tuple(
        replace(one, arguments={**one.arguments, parameter: value}) if one.id == task else one for one in plan.tasks
    )
    return replace(plan, tasks=tasks)


def once_for_each(plan: Plan, task: TaskId, parameter: str, values: Sequence[Constant]) -> Plan:
    """Return ``plan`` with ``task``, and all that comes of it, done for each of the values, one after the other."""
    behind = _behind(plan, task)
    tasks = list(with_argument(plan, task, parameter, values[0]).tasks)
    taken = {one.id for one in tasks}
    free = (one for one in map(task_id, count()) if one not in taken)
    for value in values[1:]:
        again = [one for one in with_argument(plan, task, parameter, value).tasks if one.id in behind]
        names = {one.id: next(free) for one in again}
        tasks += [one.renamed(names) for one in again]
    return replace(plan, tasks=tuple(tasks), score=max(plan.score, 0.9))


def only_reads(plan: Plan, box: Box) -> bool:
    """Tell whether every call of a plan only reads, as far as its tools are known."""
    return all(is_pure(one.tool, box) for one in plan.tasks)


def is_pure(tool: ToolId, box: Box) -> bool:
    """Tell whether a tool is known, and only reads."""
    return box.knows(tool) and box.tool(tool).effect is EffectClass.PURE


def _behind(plan: Plan, task: TaskId) -> set[TaskId]:
    """The task and those that take something of it, be it only whether they are made."""
    found = {task}
    for one in plan.tasks:
        if not found.isdisjoint(one.takes()):
            found.add(one.id)
    return found
