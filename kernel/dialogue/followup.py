"""Sentences that live on what was said before: ellipsis ("and the oldest one?"), and a question's plan amended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kernel.composition import weights as w
from kernel.composition.build import argument_of, is_pure, only_reads
from kernel.composition.fit import Step, read
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.steps.pointing import points
from kernel.composition.stretch import Stretch
from kernel.composition.window import Filler
from kernel.composition.words import is_also, is_auxiliary, is_pronoun, is_word
from kernel.context.dialogue import Dialogue, LastRun
from kernel.dialogue.anew import with_number
from kernel.dialogue.answers import lacking, words_of
from kernel.dialogue.choosing import is_yes_or_no
from kernel.dialogue.correcting import as_it_is_now, corrects
from kernel.dialogue.likewise import likewise
from kernel.language.amounts.open_expressions import OPEN
from kernel.language.follow_words import FOLLOW_UP, HOW_MANY, WHERE_IT_IS, is_of_them, sets_anew
from kernel.language.function_words import PREPOSITIONS, is_question_word
from kernel.model import Argument, Constant, Plan, Question, Task, TaskId
from skills.model import ValueKind

K = ValueKind
_OPENERS = frozenset("and und ok okay so also please bitte denn then".split())
_FEW = 3  # words
_SHORT = 8  # words: a longer sentence is no ellipsis
_RESTRICT = frozenset({"only", "just", "nur", "bloß"})


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
    if context.unsettled and not only_reads(context.last.plan, box):
        return None  # what came last is not what would be done again
    if any(span.source == OPEN for span in scene.spans):
        return None  # "and that divided by nine" works on what was found, and is no other reckoning
    whole = _said_as_a_whole(scene, box, context, first, opened=opened)
    picks = points(scene, first, scene.end)
    if whole is not None or first >= scene.end or (not picks and _begins_request(scene, box, first)):
        return whole
    return with_values(scene, box, context.last, first, opened=opened or picks)


def with_values(
    scene: Scene, box: Box, last: LastRun, first: int, *, opened: bool, whole: bool = False
) -> Revision | None:
    """The last plan with the values that the words from ``first`` on say, for the call that they suit best.

    Of its effects those that they are for; all of them where the ``whole`` is wanted.
    """
    adds = any(map(is_also, words_of(scene)))
    plan = last.plan
    best: tuple[float, int, Step] | None = None
    for index, task in enumerate(plan.tasks):
        step = _reading(scene, box, task, first)
        if step is not None:
            doubt = _doubt(step) - w.SAID_ALIKE * _said_alike(scene, task, step)
            best = (doubt, index, step) if best is None or doubt < best[0] else best
    if best is None:
        return None
    if is_of_them(tuple(words_of(scene))) and _gives_up(plan.tasks[best[1]], best[2]):
        return None
    if corrects(scene):
        plan = as_it_is_now(last, plan.tasks[best[1]], box)
    revised = _replace(plan, best[1], best[2], box, adds=adds, whole=whole or adds)
    return None if revised is None else Revision(revised, opened or adds)


def _said_as_a_whole(scene: Scene, box: Box, context: Dialogue, first: int, *, opened: bool) -> Revision | None:
    """What is read as a whole: how many there are, another number, the same of another file."""
    if context.last is None:
        return None
    plan = context.last.plan
    found = _counted(scene, box, plan) or _placed(scene, box, plan) or _renumbered(scene, box, plan, first, opened)
    other = likewise(scene, first, plan, box, context.world) if opened and found is None else None
    return found if other is None else Revision(other, opened=True)


def _counted(scene: Scene, box: Box, plan: Plan) -> Revision | None:
    """ "How many are there?" after a search: its answer says it."""
    words = tuple(word for word in words_of(scene) if word not in _OPENERS)
    several = box.knows(plan.tasks[-1].tool) and box.tool(plan.tasks[-1].tool).result.many
    return Revision(plan, opened=True) if words in HOW_MANY and several and only_reads(plan, box) else None


def _placed(scene: Scene, box: Box, plan: Plan) -> Revision | None:
    """ "Where is it?" after something was found that has a place: its answer says it, and nothing is opened."""
    words = tuple(word for word in words_of(scene) if word not in _OPENERS)
    if words not in WHERE_IT_IS or len(plan.tasks) != 1 or not only_reads(plan, box):
        return None
    result = box.tool(plan.tasks[0].tool).result
    return Revision(plan, opened=True) if result.kind in (K.FILE, K.FOLDER) or "place" in result.fields else None


def _renumbered(scene: Scene, box: Box, plan: Plan, first: int, opened: bool) -> Revision | None:
    """ "And of 620?", "make it 15 percent": of a plan that only reads, the call that takes the number."""
    opened = opened or any(sets_anew(token.norm) for token in scene.tokens)
    found = with_number(scene, first, plan, box) if opened and first < scene.end else None
    if found is None:
        return None
    wanted = _needed(list(found[0].tasks), found[1].id)
    kept = tuple(one for one in found[0].tasks if one.id in wanted)
    if not all(is_pure(one.tool, box) for one in kept):
        return None
    why = {key: value for key, value in plan.why.items() if key != "choice"}
    return Revision(replace(plan, tasks=kept, score=max(0.85, min(plan.score, 0.95)), why=why), opened=True)


def amend(scene: Scene, box: Box, question: Question, context: Dialogue) -> Plan | Question | None:
    """The plan that was asked about, with another value: "no, until 25 April"; "and utilities?" says yes as well.

    A plan that changes something is only amended by somebody who corrects it: that is no yes to the rest by chance.
    """
    draft = question.draft
    if not (only_reads(draft, box) or corrects(scene)):
        return None
    revised = revise(scene, box, replace(context, last=LastRun(draft, {}), unsettled=""))
    if revised is None or not (revised.opened or question.parameter or is_yes_or_no(question)):
        return None
    return revised.plan if isinstance(revised.plan, Question) else lacking(revised.plan, box) or revised.plan


def _is_fragment(scene: Scene) -> bool:
    """A sentence that begins with a preposition goes on with what was said before ("from 2023", "in Pictures")."""
    first = next((token.norm for token in scene.tokens if is_word(token)), "")
    return first in PREPOSITIONS.get(scene.intent.language, frozenset()) and not is_question_word(first)


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


def _reading(scene: Scene, box: Box, task: Task, first: int) -> Step | None:
    if not box.knows(task.tool):
        return None
    profile = box.profile(task.tool, scene.intent.language)
    if is_pure(task.tool, box):
        scene = replace(scene, goes_on=True, memo={})
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
    if not is_pure(task.tool, box) and corrects(scene) and _says_more(scene, step, one):
        return True
    if _is_owner(scene, step, one) or scene.tokens[one.last - 1 : one.last + 1][-1].norm in ("one", "ones"):
        return True
    held = task.arguments.get(one.parameter)
    alone = isinstance(held, Constant) and len(step.fillers) == 1 and len(held.text.split()) <= _FEW
    few = one.mask.bit_count() <= _FEW and is_pure(task.tool, box)
    return one.score < 0.5 and not (alone and few and step.profile.parameter(one.parameter).type.kind is K.QUERY)


def _says_more(scene: Scene, step: Step, one: Filler) -> bool:
    """ "No, I changed my mind", "halt, das ist falsch" tell something; the new text of a change stands alone."""
    beside = [at for at in range(step.first, scene.end) if scene.words[at] and not one.mask >> at & 1]
    told = (scene.tokens[at].norm for at in range(step.first, scene.end))
    return any(not scene.free[at] for at in beside) or any(is_auxiliary(norm) or is_pronoun(norm) for norm in told)


def _is_owner(scene: Scene, step: Step, one: Filler) -> bool:
    """ "The total of the Berg bill": what is wanted is of something else than before, which nobody has found."""
    of = scene.left_of(one.first, step.first)
    if of <= step.first or scene.tokens[of].norm not in ("of", "von") or scene.free[of - 1]:
        return False
    return not any(other.mask >> (of - 1) & 1 for other in step.fillers)


def _replace(plan: Plan, index: int, step: Step, box: Box, *, adds: bool, whole: bool) -> Plan | None:
    """The plan with the new values, of effects only those that they are for; all of it where something is added."""
    task = plan.tasks[index]
    held = _without_rivals(task, step) if adds else task.arguments
    arguments = {**held, **{one.parameter: argument_of(one) for one in step.fillers}}
    if arguments == task.arguments:
        return None
    revised = replace(task, arguments=arguments)
    tasks = [revised if one.id == task.id else one for one in plan.tasks]
    wanted = {one.id for one in tasks} if whole or only_reads(plan, box) else _needed(tasks, task.id)
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


def _gives_up(task: Task, step: Step) -> bool:
    """ "Which of them have an attachment?" after the unread ones: both cannot be asked for in one call."""
    choices = {one.name for one in step.profile.tool.parameters if one.type.kind is K.CHOICE} - step.profile.ordering
    return any(one.mask and one.parameter in choices and one.parameter in task.arguments for one in step.fillers)


def _needed(tasks: list[Task], last: TaskId) -> set[TaskId]:
    """The task and all that its values, its conditions and its list come from."""
    by_id = {one.id: one for one in tasks}
    wanted: set[TaskId] = set()
    waiting = [last]
    while waiting:
        one = waiting.pop()
        if one in wanted or one not in by_id:
            continue
        wanted.add(one)
        waiting += by_id[one].takes()
    return wanted


def _without_unused(tasks: tuple[Task, ...], plan: Plan, revised: TaskId) -> tuple[Task, ...]:
    """Drop a task whose result was used before and is no longer, except the one that was asked about."""
    before = {task for one in plan.tasks for task in one.takes()}
    now = {task for one in tasks for task in one.takes()}
    return tuple(one for one in tasks if one.id == revised or one.id not in before or one.id in now)
