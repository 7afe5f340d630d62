"""Sentences that live on what was said before: corrections and ellipsis ("and the oldest one?")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernel.composition import weights as w
from kernel.composition.anew import with_number
from kernel.composition.answers import lacking, words_of
from kernel.composition.ask import ask_for
from kernel.composition.build import argument_of, with_argument
from kernel.composition.choosing import chosen
from kernel.composition.fit import Step, read
from kernel.composition.likewise import likewise
from kernel.composition.pointing import points
from kernel.composition.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.scoring import Stretch
from kernel.composition.window import Filler
from kernel.composition.words import is_also, is_other, is_word
from kernel.context.dialogue import Dialogue, LastRun
from kernel.language.follow_words import CORRECTING, FOLLOW_UP, HOW_MANY, sets_anew
from kernel.language.function_words import PREPOSITIONS
from kernel.language.place_words import FILE_NOUNS, FOLDER_NOUNS
from kernel.model import Argument, Constant, FromTask, Plan, Question, Task, TaskId
from permissions.labels import Label
from skills.model import EffectClass, ToolId, ValueKind

K = ValueKind
_FOLDER_KINDS = frozenset({K.FOLDER})
_FILE_KINDS = frozenset({K.FILE, K.TABLE, K.TITLE})
_OPENERS = frozenset("and und ok okay so also please bitte denn then".split())
_FEW = 3  # words
_SHORT = 8  # words: a longer sentence is no ellipsis
_RESTRICT = frozenset({"only", "just", "nur", "bloß"})


# --- corrections --------------------------------------------------------------------------------------------------


def correct(scene: Scene, context: Dialogue, box: Box) -> Plan | Question | None:
    """ "No, the other one": the alternative of the last answered choice; where there was none, it is asked for.

    "No, the older one", "nein, die aus Work" is another one of the choices, told by a fact about it.
    """
    words = words_of(scene)
    if context.last is None or context.unsettled or context.pending is not None or len(words) > _SHORT:
        return None
    held = context.last.plan.why.get("choice")
    other = any(map(is_other, words))
    if not isinstance(held, Mapping):
        return _which_other(scene, context.last.plan, box) if other else None
    values = held.get("values", ())
    picked = 1 - int(held["picked"]) if other and len(values) == 2 else _chosen_instead(scene, context, held)
    return _with_other(context.last, held, picked) if picked is not None else None


def _with_other(last: LastRun, held: Mapping[str, Any], other: int) -> Plan | None:
    """The last plan with another one of the choices that were there."""
    value, text = held["values"][other], str(held["choices"][other])
    task = TaskId(str(held["task"]))
    old = next((one.arguments.get(str(held["parameter"])) for one in last.plan.tasks if one.id == task), None)
    if not isinstance(old, Constant):
        return None
    plan = with_argument(last.plan, task, str(held["parameter"]), Constant(value, old.label, text))
    return replace(plan, why={**plan.why, "choice": {**held, "picked": other}})


def _chosen_instead(scene: Scene, context: Dialogue, held: Mapping[str, Any]) -> int | None:
    """ "No, the older one": another one of the choices that were there."""
    if context.last is None or not _corrects(scene):
        return None
    plan = context.last.plan
    choices, values = tuple(map(str, held.get("choices", ()))), tuple(held.get("values", ()))
    asked = Question("", TaskId(str(held["task"])), str(held["parameter"]), plan, choices, values)
    meant = chosen(scene, asked, context.world)
    places = meant.places if meant is not None else ()
    return places[0] if len(places) == 1 and places[0] != int(held["picked"]) else None


def _which_other(scene: Scene, plan: Plan, box: Box) -> Question | None:
    """ "No, the other folder", where nobody was given a choice: which one, of the kind that is named."""
    if not _corrects(scene):
        return None
    norms = frozenset(words_of(scene))
    kinds = (
        _FOLDER_KINDS if norms & FOLDER_NOUNS else _FILE_KINDS if norms & FILE_NOUNS else _FOLDER_KINDS | _FILE_KINDS
    )
    for task in reversed(plan.tasks):
        for one in box.tool(task.tool).parameters if box.knows(task.tool) else ():
            held = task.arguments.get(one.name)
            if one.type.kind in kinds and isinstance(held, Constant) and held.text:
                return ask_for(plan, task.id, one.name, box)
    return None


# --- ellipsis -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Revision:
    """The last plan with what the new words replace, or which of several may. ``opened``: it began like a follow-up."""

    plan: Plan | Question
    opened: bool


def revise(scene: Scene, box: Box, context: Dialogue) -> Revision | None:
    """Reuse the last plan for "and the oldest one?", "what about Documents?", "only the PDFs".

    Every content word of the new sentence must be explained by a value that one of the last tasks takes.
    """
    first, opened = _opening(scene)
    words = [token for token in scene.tokens[first : scene.end] if is_word(token)]
    if context.last is None or not words or len(words) > _SHORT:
        return None
    if context.unsettled and not _only_reads(context.last.plan, box):
        return None  # what came last is not what would be done again
    counted = _counted(scene, box, context.last.plan)
    if counted is not None:
        return counted
    renumbered = _renumbered(scene, box, context.last.plan, first, opened)
    if renumbered is not None:
        return renumbered
    other = likewise(scene, first, context.last.plan, box, context.world) if opened else None
    if other is not None:
        return Revision(other, opened=True)
    picks = points(scene, first, scene.end)
    if first >= scene.end or (not picks and _begins_request(scene, box, first)):
        return None
    adds = any(map(is_also, words_of(scene)))
    opened = opened or picks or adds
    plan = context.last.plan
    best: tuple[float, int, Step] | None = None
    for index, task in enumerate(plan.tasks):
        step = _reading(scene, box, plan, task, first)
        if step is not None:
            doubt = _doubt(step) - w.SAID_ALIKE * _said_alike(scene, task, step)
            best = (doubt, index, step) if best is None or doubt < best[0] else best
    if best is None:
        return None
    if _corrects(scene):
        plan = _as_it_is_now(context.last, plan.tasks[best[1]], box)
    revised = _replace(plan, best[1], best[2], box, adds=adds)
    return None if revised is None else Revision(revised, opened)


def _counted(scene: Scene, box: Box, plan: Plan) -> Revision | None:
    """ "How many are there?" after a search: its answer says it."""
    words = tuple(word for word in words_of(scene) if word not in _OPENERS)
    several = box.knows(plan.tasks[-1].tool) and box.tool(plan.tasks[-1].tool).result.many
    return Revision(plan, opened=True) if words in HOW_MANY and several and _only_reads(plan, box) else None


def _renumbered(scene: Scene, box: Box, plan: Plan, first: int, opened: bool) -> Revision | None:
    """ "And of 620?", "make it 15 percent": of a plan that only reads, the call that takes the number."""
    opened = opened or any(sets_anew(token.norm) for token in scene.tokens)
    found = with_number(scene, first, plan, box) if opened and first < scene.end else None
    if found is None:
        return None
    wanted = _needed(list(found[0].tasks), found[1].id)
    kept = tuple(one for one in found[0].tasks if one.id in wanted)
    if not all(_is_pure(box, one.tool) for one in kept):
        return None
    why = {key: value for key, value in plan.why.items() if key != "choice"}
    return Revision(replace(plan, tasks=kept, score=max(0.85, min(plan.score, 0.95)), why=why), opened=True)


def _corrects(scene: Scene) -> bool:
    norms = tuple(words_of(scene))
    return any(norms[: len(words)] == words for words in CORRECTING)


def amend(scene: Scene, box: Box, question: Question, context: Dialogue) -> Plan | Question | None:
    """The plan that was asked about, with another value: "no, until 25 April"; "and utilities?" says yes as well.

    A plan that changes something is only amended by somebody who corrects it: that is no yes to the rest by chance.
    """
    draft = question.draft
    if not (_only_reads(draft, box) or _corrects(scene)):
        return None
    revised = revise(scene, box, replace(context, last=LastRun(draft, {}), unsettled=""))
    if revised is None or not (revised.opened or question.parameter):
        return None
    return revised.plan if isinstance(revised.plan, Question) else lacking(revised.plan, box) or revised.plan


def _as_it_is_now(last: LastRun, task: Task, box: Box) -> Plan:
    """The plan with what ``task`` took away where it came to lie: "no, to Pictures" is about where it is by now."""
    outcome, tool = last.outcomes.get(task.id), box.tool(task.tool)
    profile = box.profile(task.tool, "en")
    if outcome is None or not outcome.ok or not outcome.value or profile.destroys:
        return last.plan
    moved = dict(task.arguments)
    for one in tool.parameters:
        if one.name in moved and one.type.kind is tool.result.kind and profile.removes(one.name):
            moved[one.name] = Constant(_shaped(outcome.value, one.type.many), outcome.label or Label(), task.text)
    tasks = tuple(replace(task, arguments=moved) if one.id == task.id else one for one in last.plan.tasks)
    return replace(last.plan, tasks=tasks)


def _shaped(value: Any, many: bool) -> Any:
    """One thing or a list of things, as a parameter takes it."""
    if isinstance(value, list):
        return value if many or len(value) != 1 else value[0]
    return [value] if many else value


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


def _said_alike(scene: Scene, task: Task, step: Step) -> bool:
    """ "To Music" after "move it to Archive": the value stands behind the same word as the one that it replaces."""
    words = task.text.casefold().split()
    for one in step.fillers:
        old, at = task.arguments.get(one.parameter), scene.left_of(one.first, step.first)
        if not one.mask or at < step.first or not isinstance(old, Constant) or not old.text:
            continue
        before = task.text.casefold().partition(old.text.casefold())[0].split()
        if before and len(before) < len(words) and before[-1] == scene.tokens[at].norm:
            return True
    return False


def _reading(scene: Scene, box: Box, plan: Plan, task: Task, first: int) -> Step | None:
    if not box.knows(task.tool):
        return None
    profile = box.profile(task.tool, scene.intent.language)
    found = []
    for step in read(Stretch(scene, profile, box, first, scene.end), keep=6):
        spoken = [one for one in step.fillers if one.mask]
        understood = step.unexplained <= 0.0 and not step.grave
        loose = any(_is_loose(scene, box, task, step, one) for one in spoken)
        if spoken and understood and not loose and not any(one.others or one.missing for one in spoken):
            found.append((_doubt(step), step))
    return min(found, key=lambda one: one[0])[1] if found else None


def _is_loose(scene: Scene, box: Box, task: Task, step: Step, one: Filler) -> bool:
    """Free text that little speaks for, unless it is all that was said and stands for such text of a call that reads.

    "And utilities?" after the sum of what went on travel.
    """
    if one.origin != "doubted":
        return False
    if _is_owner(scene, step, one) or scene.tokens[one.last - 1 : one.last + 1][-1].norm in ("one", "ones"):
        return True
    held = task.arguments.get(one.parameter)
    alone = isinstance(held, Constant) and len(step.fillers) == 1 and len(held.text.split()) <= _FEW
    few = one.mask.bit_count() <= _FEW and _is_pure(box, task.tool)
    return one.score < 0.5 and not (alone and few and step.profile.parameter(one.parameter).type.kind is K.QUERY)


def _is_owner(scene: Scene, step: Step, one: Filler) -> bool:
    """ "The total of the Berg bill": what is wanted is of something else than before, which nobody has found."""
    of = scene.left_of(one.first, step.first)
    if of <= step.first or scene.tokens[of].norm not in ("of", "von") or scene.free[of - 1]:
        return False
    return not any(other.mask >> (of - 1) & 1 for other in step.fillers)


def _replace(plan: Plan, index: int, step: Step, box: Box, *, adds: bool) -> Plan | None:
    """The plan with the new values, of effects only those that they are for; all of it where something is added."""
    task = plan.tasks[index]
    held = _without_rivals(task, step) if adds else task.arguments
    arguments = {**held, **{one.parameter: argument_of(one) for one in step.fillers}}
    if arguments == task.arguments:
        return None
    revised = replace(task, arguments=arguments)
    tasks = [revised if one.id == task.id else one for one in plan.tasks]
    wanted = {one.id for one in tasks} if adds or _only_reads(plan, box) else _needed(tasks, task.id)
    kept = tuple(one for one in tasks if one.id in wanted)
    kept = _without_unused(kept, plan, task.id)
    why = {key: value for key, value in plan.why.items() if key != "choice"}
    return replace(plan, tasks=kept, score=max(0.85, min(plan.score, 0.95)), why=why)


def _without_rivals(task: Task, step: Step) -> Mapping[str, Argument]:
    """ "And the songs too": which things are meant is said anew, and what was said of others goes."""
    which = {one.name for one in step.profile.tool.parameters if one.type.kind in (K.QUERY, K.CHOICE)}
    which -= step.profile.ordering
    if which.isdisjoint(one.parameter for one in step.fillers if one.mask):
        return task.arguments
    return {name: value for name, value in task.arguments.items() if name not in which}


def _only_reads(plan: Plan, box: Box) -> bool:
    return all(_is_pure(box, one.tool) for one in plan.tasks)


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
