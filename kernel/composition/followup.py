"""Sentences that live on what was said before: corrections and ellipsis ("and the oldest one?")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kernel.composition.answers import words_of
from kernel.composition.build import argument_of, with_argument
from kernel.composition.fit import Step, read
from kernel.composition.pointing import points
from kernel.composition.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.scoring import Stretch
from kernel.composition.window import Filler
from kernel.composition.words import (
    FOLLOW_UP,
    is_other,
    is_word,
)
from kernel.context.dialogue import Dialogue
from kernel.language.function_words import PREPOSITIONS
from kernel.model import Constant, FromTask, Plan, Task, TaskId
from skills.model import EffectClass, ToolId, ValueKind

K = ValueKind
_SHORT = 8  # words: a longer sentence is no ellipsis
_RESTRICT = frozenset({"only", "just", "nur", "bloß"})


# --- corrections --------------------------------------------------------------------------------------------------


def correct(scene: Scene, context: Dialogue) -> Plan | None:
    """ "No, the other one": the alternative of the last answered choice, when there is exactly one."""
    words = words_of(scene)
    if context.last is None or len(words) > 6 or not any(map(is_other, words)):
        return None
    held = context.last.plan.why.get("choice")
    if not isinstance(held, Mapping) or len(held.get("values", ())) != 2:
        return None
    other = 1 - int(held["picked"])
    value, text = held["values"][other], str(held["choices"][other])
    task = TaskId(str(held["task"]))
    old = next((one.arguments.get(str(held["parameter"])) for one in context.last.plan.tasks if one.id == task), None)
    if not isinstance(old, Constant):
        return None
    plan = with_argument(context.last.plan, task, str(held["parameter"]), Constant(value, old.label, text))
    return replace(plan, why={**plan.why, "choice": {**held, "picked": other}})


# --- ellipsis -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Revision:
    """The last plan with what the new words replace. ``opened``: the sentence began like a follow-up."""

    plan: Plan
    opened: bool


def revise(scene: Scene, box: Box, context: Dialogue) -> Revision | None:
    """Reuse the last plan for "and the oldest one?", "what about Documents?", "only the PDFs".

    Every content word of the new sentence must be explained by a value that one of the last tasks takes.
    """
    first, opened = _opening(scene)
    words = [token for token in scene.tokens[first : scene.end] if is_word(token)]
    if context.last is None or not words or len(words) > _SHORT:
        return None
    picks = points(scene, first, scene.end)
    if first >= scene.end or (not picks and _begins_request(scene, box, first)):
        return None
    opened = opened or picks
    plan = context.last.plan
    best: tuple[float, int, Step] | None = None
    for index, task in enumerate(plan.tasks):
        step = _reading(scene, box, plan, task, first)
        if step is not None and (best is None or _doubt(step) < best[0]):
            best = (_doubt(step), index, step)
    if best is None:
        return None
    revised = _replace(plan, best[1], best[2], box)
    return None if revised is None else Revision(revised, opened)


def _is_fragment(scene: Scene) -> bool:
    """A sentence that begins with a preposition goes on with what was said before ("from 2023", "in Pictures")."""
    first = next((token.norm for token in scene.tokens if is_word(token)), "")
    return first in PREPOSITIONS.get(scene.intent.language, frozenset())


def _opening(scene: Scene) -> tuple[int, bool]:
    """Where the new words begin, after "and", "what about", "no", "only" and the like."""
    norms = [token.norm for token in scene.tokens]
    frames = scene.frames
    at, opened = scene.begin, _is_fragment(scene) or any(tuple(norms[: len(words)]) == words for words in FOLLOW_UP)
    moved = True
    while moved and at < len(norms):
        moved = False
        if not scene.words[at] or norms[at] in _RESTRICT:
            opened = opened or norms[at] in _RESTRICT
            at, moved = at + 1, True
            continue
        if frames.lead(at) > at:
            at, moved = frames.lead(at), True
            continue
        for words in FOLLOW_UP:
            if tuple(norms[at : at + len(words)]) == words:
                at, moved, opened = at + len(words), True, True
                break
    return at, opened


def _begins_request(scene: Scene, box: Box, first: int) -> bool:
    for at in range(first, scene.size):
        if scene.words[at] and not scene.free[at]:
            return box.is_verb(scene.forms[at], scene.intent.language) and not any(scene.spans_in(at, at + 1))
    return False


def _doubt(step: Step) -> float:
    """How unsure the values are; of equals the one that takes more words wins."""
    return sum(1.0 - one.score - 0.1 * one.mask.bit_count() for one in step.fillers if one.mask)


def _reading(scene: Scene, box: Box, plan: Plan, task: Task, first: int) -> Step | None:
    if not box.knows(task.tool):
        return None
    profile = box.profile(task.tool, scene.intent.language)
    found = []
    for step in read(Stretch(scene, profile, box, first, scene.end), keep=6):
        spoken = [one for one in step.fillers if one.mask]
        understood = step.unexplained <= 0.0 and not step.grave
        loose = any(one.origin == "doubted" and (one.score < 0.5 or _is_owner(scene, step, one)) for one in spoken)
        if spoken and understood and not loose and not any(one.others or one.missing for one in spoken):
            found.append((_doubt(step), step))
    return min(found, key=lambda one: one[0])[1] if found else None


def _is_owner(scene: Scene, step: Step, one: Filler) -> bool:
    """ "The total of the Berg bill": what is wanted is of something else than before, which nobody has found."""
    of = scene.left_of(one.first, step.first)
    if of <= step.first or scene.tokens[of].norm not in ("of", "von") or scene.free[of - 1]:
        return False
    return not any(other.mask >> (of - 1) & 1 for other in step.fillers)


def _replace(plan: Plan, index: int, step: Step, box: Box) -> Plan | None:
    task = plan.tasks[index]
    arguments = {**task.arguments, **{one.parameter: argument_of(one) for one in step.fillers}}
    if arguments == task.arguments:
        return None
    revised = replace(task, arguments=arguments)
    tasks = [revised if one.id == task.id else one for one in plan.tasks]
    pure = all(_is_pure(box, one.tool) for one in tasks)
    wanted = {one.id for one in tasks} if pure else _needed(tasks, task.id)
    kept = tuple(one for one in tasks if one.id in wanted)
    kept = _without_unused(kept, plan, task.id)
    why = {key: value for key, value in plan.why.items() if key != "choice"}
    return replace(plan, tasks=kept, score=max(0.85, min(plan.score, 0.95)), why=why)


def _is_pure(box: Box, tool: ToolId) -> bool:
    return box.knows(tool) and box.tool(tool).effect is EffectClass.PURE


def _needed(tasks: list[Task], last: TaskId) -> set[TaskId]:
    """The task and all that its values come from."""
    by_id = {one.id: one for one in tasks}
    wanted: set[TaskId] = set()
    waiting = [last]
    while waiting:
        one = waiting.pop()
        if one in wanted or one not in by_id:
            continue
        wanted.add(one)
        waiting += [value.task for value in by_id[one].arguments.values() if isinstance(value, FromTask)]
    return wanted


def _without_unused(tasks: tuple[Task, ...], plan: Plan, revised: TaskId) -> tuple[Task, ...]:
    """Drop a task whose result was used before and is no longer, except the one that was asked about."""
    before = {value.task for one in plan.tasks for value in one.arguments.values() if isinstance(value, FromTask)}
    now = {value.task for one in tasks for value in one.arguments.values() if isinstance(value, FromTask)}
    return tuple(one for one in tasks if one.id == revised or one.id not in before or one.id in now)
