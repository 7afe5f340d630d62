"""Sentences that live on what was said before: answers, corrections, and ellipsis ("and the oldest one?")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kernel.composition import weights as w
from kernel.composition import wording
from kernel.composition.ask import NO_PARAMETER, ask_for, difference
from kernel.composition.build import argument_of, with_argument
from kernel.composition.fillers import ACCEPTS, FREE_TEXT, text_fillers, value_for
from kernel.composition.fit import Step, read
from kernel.composition.pointing import points
from kernel.composition.profile import Box
from kernel.composition.scene import NUMBERS, Scene, bits
from kernel.composition.scoring import Stretch
from kernel.composition.taken import is_the_place
from kernel.composition.window import Filler
from kernel.composition.words import (
    DROPPED,
    FOLLOW_UP,
    is_fresh,
    is_negation,
    is_no,
    is_original,
    is_other,
    is_word,
    is_yes,
)
from kernel.context.dialogue import Dialogue
from kernel.language.function_words import PREPOSITIONS, is_function_word, is_question_word
from kernel.model import Constant, Decline, FromTask, Plan, Question, ReferenceKind, Task, TaskId
from kernel.plan_json import plan_from_json
from skills.model import EffectClass, Parameter, ToolId, ValueKind

K = ValueKind
_SHORT_ANSWER = 4
_SHORT = 8  # words: a longer sentence is no ellipsis
_RESTRICT = frozenset({"only", "just", "nur", "bloß"})


# --- answers ------------------------------------------------------------------------------------------------------


def answer(scene: Scene, question: Question, box: Box, *, clear: bool) -> Plan | Question | Decline | None:
    """Complete the open question's draft with the words, or None when they are a new request.

    ``clear`` says that the words make a sure plan of their own; then only an exact choice counts as an answer.
    """
    words = _words(scene)
    if not words:
        return None
    picked = _picked(scene, question, words, box)
    if picked is not None:
        return _with_choice(question, picked, box)
    if question.values and not clear and any(map(is_original, words)) and len(words) <= _SHORT_ANSWER:
        return _again(question)
    if drops(words) and not clear:
        return Decline(wording.say(question.draft.language, "dropped"))
    if question.parameter == NO_PARAMETER or all(map(is_yes, words)):
        return None if question.parameter == NO_PARAMETER else question  # "y" is no title
    return _with_value(question, _value(scene, question, box, clear=clear), box)


def _with_value(question: Question, value: Constant | None, box: Box) -> Plan | Question | Decline | None:
    if value is None:
        return None
    task = next(one for one in question.draft.tasks if one.id == question.task)
    if is_the_place(task, box, question.parameter, value):
        return _again(question)
    return _complete(question, value, box, {})


def _words(scene: Scene) -> list[str]:
    return [token.norm for token in scene.tokens if is_word(token)]


def _again(question: Question) -> Question:
    """Ask once more: the words meant one of the choices, and do not say which."""
    language = question.draft.language
    unclear = wording.say(language, "unclear"), wording.say(language, "choose", count=len(question.values))
    return replace(question, text=" ".join(unclear))


def _picked(scene: Scene, question: Question, words: list[str], box: Box) -> int | None:
    """The number of the choice that the words pick: an ordinal, a number, yes or no, or the choice's own words."""
    count = len(question.values)
    if not count:
        return None
    if question.parameter == NO_PARAMETER and count == 2 and question.values[1] is None and len(words) <= 4:
        if is_yes(words[0]):
            return 0
        return 1 if is_no(words[0]) else None
    number = _number(scene, words)
    if number is not None and number != 0 and -count <= number <= count:
        return number - 1 if number > 0 else count + number
    either = _of_two(question, words, box)
    return _named(question, words) if either is None else either


def _of_two(question: Question, words: list[str], box: Box) -> int | None:
    """ "The original", "the new one", or "the copy" in the words of the tool that made it."""
    if question.parameter != NO_PARAMETER or len(question.values) != 2 or None in question.values:
        return None
    plans = [plan_from_json(value) for value in question.values]
    doubt = difference(*plans)
    if doubt is None:
        return None
    said = [word for word in words if len(word) > 1 and not is_function_word(word)]
    maker = next(task for task in plans[0].tasks if task.id == doubt.maker)
    known = box.profile(maker.tool, question.draft.language).carriers
    if any(map(is_original, said)):
        return doubt.original if all(is_original(word) or word in known for word in said) else None
    return 1 - doubt.original if said and all(is_fresh(word) or word in known for word in said) else None


def _number(scene: Scene, words: list[str]) -> int | None:
    if len(words) > 5:
        return None
    for one in scene.references:
        if one.kind is ReferenceKind.ORDINAL and one.ordinal:
            return one.ordinal
    numbers = [span.value for span in scene.spans if span.kind in NUMBERS and isinstance(span.value, int)]
    return numbers[0] if numbers and len(words) <= 3 else None


def _named(question: Question, words: list[str]) -> int | None:
    """The only choice that holds all content words of the answer."""
    said = [word for word in words if len(word) > 1 and not is_function_word(word)]
    hits = [
        number
        for number, choice in enumerate(question.choices)
        if said and all(word in choice.casefold() for word in said)
    ]
    return hits[0] if len(hits) == 1 else None


def _with_choice(question: Question, picked: int, box: Box) -> Plan | Question | Decline:
    value = question.values[picked]
    if question.parameter == NO_PARAMETER:
        if value is None:
            return Decline(wording.say(question.draft.language, "dropped"))
        return replace(plan_from_json(value), score=1.0)
    kept = {"task": question.task, "parameter": question.parameter, "values": list(question.values),
            "choices": list(question.choices), "picked": picked}  # fmt: skip
    return _complete(question, value, box, {"choice": kept}, text=question.choices[picked])


def _complete(
    question: Question, value: Any, box: Box, why: Mapping[str, Any], *, text: str = ""
) -> Plan | Question | Decline:
    """Put the value in; ask for the next one when another is missing."""
    draft = question.draft
    constant = value if isinstance(value, Constant) else Constant(value, _label(question), text)
    plan = with_argument(draft, question.task, question.parameter, constant)
    plan = replace(plan, score=max(plan.score, 0.9), why={**plan.why, **why})
    for task in plan.tasks:
        for parameter in box.tool(task.tool).parameters:
            if parameter.required and parameter.name not in task.arguments:
                return ask_for(plan, task.id, parameter.name, box)
    return plan


def _label(question: Question) -> Any:
    """A choice keeps the label that the words had which it explains; the person picked it."""
    task = next(one for one in question.draft.tasks if one.id == question.task)
    held = task.arguments.get(question.parameter)
    from permissions.labels import USER_SAID

    return held.label if isinstance(held, Constant) else USER_SAID


def drops(words: list[str]) -> bool:
    """Tell whether the words only take the request back."""
    return (len(words) <= 4 and is_no(words[0])) or tuple(words[:2]) in DROPPED


def _value(scene: Scene, question: Question, box: Box, *, clear: bool) -> Constant | None:
    """A value of the wanted kind that explains the whole answer; free text where free text is wanted."""
    task = next(one for one in question.draft.tasks if one.id == question.task)
    parameter = box.tool(task.tool).parameter(question.parameter)
    typed = _typed_value(scene, parameter)
    if typed is None:
        profile = box.profile(task.tool, question.draft.language)
        fillers = text_fillers(scene, profile, box, 0, scene.size).get(parameter.name, [])
        typed = next(
            (one for one in fillers if parameter.type.kind not in FREE_TEXT and _covers(scene, one.mask)), None
        )
    if typed is not None and isinstance(typed.argument, Constant):
        return typed.argument
    clear = clear or asks(scene)
    makes = box.profile(task.tool, question.draft.language).makes
    if parameter.type.kind is K.FOLDER and parameter.name in makes and scene.home and not clear:
        return _new_folder(scene, parameter)
    return _free_value(scene, parameter) if parameter.type.kind in FREE_TEXT and not clear else None


def asks(scene: Scene) -> bool:
    """Tell whether the words are a question: then they are no name and no text that somebody asked for."""
    words = [token for token in scene.tokens if is_word(token)]
    return scene.tokens[-1].norm == "?" or (len(words) > 1 and is_question_word(words[0].norm))


def _new_folder(scene: Scene, parameter: Parameter) -> Constant | None:
    """A folder to put things into may be new: a short name, meant below the home."""
    named = _free_value(scene, parameter)
    negated = any(is_negation(token.norm) for token in scene.tokens)
    if named is None or negated or not named.text or "/" in named.text or len(named.text.split()) > 4:
        return None
    return Constant(f"{scene.home}/{named.text}", named.label, named.text)


def _typed_value(scene: Scene, parameter: Parameter) -> Filler | None:
    accepts = ACCEPTS[parameter.type.kind]
    for span in sorted(
        scene.spans, key=lambda one: (one.source == "missing", -(one.last - one.first), -one.confidence)
    ):
        hard = parameter.type.kind not in FREE_TEXT or span.source == "quoted"
        if span.kind not in accepts or not hard or span.source == "missing":
            continue
        mask = bits(span.first, span.last)
        if _covers(scene, mask):
            value = value_for(parameter.type.kind, span, scene)
            listed = [value] if parameter.type.many else value
            constant = Constant(listed, span.label, scene.text(span.first, span.last))
            return Filler(parameter.name, constant, mask, span.first, span.last, 1.0, "answer")
    return None


def _covers(scene: Scene, mask: int) -> bool:
    """Only closed-class words and light verbs may stand beside the value."""
    return all(mask >> at & 1 or scene.costs[at] <= w.LIGHT for at in range(scene.size))


def _free_value(scene: Scene, parameter: Parameter) -> Constant | None:
    cued = [
        span for span in scene.spans if span.source.startswith("cue") and span.first <= 3 and span.last == scene.size
    ]
    first = min((span.first for span in cued if _is_lead(scene, span.first)), default=0)
    if first == 0:
        while first < scene.size - 1 and parameter.type.kind is not K.TEXT and scene.free[first]:
            first += 1
    last = scene.size
    while last > first + 1 and not scene.words[last - 1]:
        last -= 1
    text = scene.text(first, last).strip()
    value = [text] if parameter.type.many else text
    return Constant(value, scene.intent.label, text) if text else None


def _is_lead(scene: Scene, first: int) -> bool:
    return all(scene.costs[at] <= w.CONTENT for at in range(first)) and sum(scene.costs[:first]) <= 2 * w.CONTENT


# --- corrections --------------------------------------------------------------------------------------------------


def correct(scene: Scene, context: Dialogue) -> Plan | None:
    """ "No, the other one": the alternative of the last answered choice, when there is exactly one."""
    words = _words(scene)
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
