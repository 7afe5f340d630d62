"""Questions and refusals: what the planner says when it may not act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kernel.asking import wording
from kernel.asking.values import value_words
from kernel.composition import weights as w
from kernel.composition.build import Judged, task_id
from kernel.composition.filling.joined import EACH, NAMED
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.composition.steps.found import FOUND
from kernel.composition.window import Filler
from kernel.composition.words import is_pronoun
from kernel.language.main_clauses import is_said_by
from kernel.model import Argument, Candidate, Constant, Decline, FromTask, Plan, Question, Task, TaskId
from kernel.planning.condition_words import each_words, when_words
from kernel.planning.plan_json import plan_to_json
from skills.model import Parameter, Tool, ToolId, ValueKind

MOST_CHOICES = 9
"""So many things a question lists."""

_MOST_SHOWN = 5  # values of a list that a question writes out
_NEAREST = 3
NO_PARAMETER = ""
"""The ``parameter`` of a question about the whole plan; its values are plans as JSON, or None for "no"."""


def about_missing(judged: Judged, box: Box) -> Question | None:
    """Ask for the first required value that nobody gave; a choice is offered as such."""
    if not judged.missing:
        return None
    task, name = judged.missing[0]
    return replace(ask_for(judged.plan, task, name, box), settled=round(judged.settled, 4))


def ask_for(plan: Plan, task: TaskId, name: str, box: Box) -> Question:
    """Ask for the value of one parameter of one task of ``plan``."""
    return question_for(plan, task, box.tool(next(one.tool for one in plan.tasks if one.id == task)), name)


def question_for(plan: Plan, task: TaskId, tool: Tool, name: str) -> Question:
    """Ask for the value of one parameter of ``tool``, which does one task of ``plan``."""
    parameter = tool.parameter(name)
    language = plan.language
    if tool.examples:
        noun, purpose = wording.noun(language, parameter), wording.purpose(language, tool, parameter)
    else:  # of a tool that is known by its schema alone, its own words are all there is
        noun, purpose = wording.name_of(parameter), wording.described(tool, parameter)
    text = wording.say(language, "missing", noun=noun, purpose=purpose)
    choices = parameter.type.choices if parameter.type.kind is ValueKind.CHOICE else ()
    return Question(text, task, name, plan, choices, choices)


def about_words(judged: Judged) -> Question | None:
    """Ask which of several things the same words mean, or what words mean that name nothing."""
    for index, step in enumerate(judged.draft.steps):
        for one in step.fillers:
            if not isinstance(one.argument, Constant):
                continue
            if one.others:
                return _several(judged.plan, task_id(index), one)
            if one.missing:
                parameter, words = step.profile.parameter(one.parameter), one.argument.text
                if parameter.unit:
                    return of_another_measure(judged.plan, task_id(index), step.profile.tool, parameter, words)
                noun = wording.noun(judged.plan.language, parameter)
                text = wording.say(judged.plan.language, "absent", words=words, noun=noun)
                return Question(text, task_id(index), one.parameter, judged.plan)
    return None


def of_another_measure(plan: Plan, task: TaskId, tool: Tool, parameter: Parameter, words: str) -> Question:
    """Ask for a number that was said in a unit which cannot be made the one that ``parameter`` is in."""
    noun, purpose = wording.noun(plan.language, parameter), wording.purpose(plan.language, tool, parameter)
    text = wording.say(plan.language, "measure", words=words, unit=parameter.unit, noun=noun, purpose=purpose)
    return Question(text, task, parameter.name, plan)


def _several(plan: Plan, task: TaskId, one: Filler) -> Question:
    constants = [argument for argument in (one.argument, *one.others) if isinstance(argument, Constant)]
    values = tuple(constant.value for constant in constants)
    if one.origin in (EACH, NAMED, FOUND):
        text = wording.say(plan.language, "which" if one.origin == FOUND else "apart")
        names = tuple(constant.text for constant in constants)
        return Question(text, task, one.parameter, plan, names, values[:MOST_CHOICES])
    return which_of(plan, task, one.parameter, values, constants[0].text)


def which_of(plan: Plan, task: TaskId, parameter: str, values: Sequence[Any], words: str) -> Question:
    """Ask which of several things the same words mean."""
    text = wording.say(plan.language, "several", count=len(values), words=words)
    listed = tuple(values[:MOST_CHOICES])
    return Question(text, task, parameter, plan, tuple(shown(value, plan.language) for value in listed), listed)


def shown(value: Any, language: str) -> str:
    """Return a value as a person reads it in a list of choices."""
    if isinstance(value, list):
        rest = f", … +{len(value) - _MOST_SHOWN}" if len(value) > _MOST_SHOWN else ""
        return ", ".join(shown(item, language) for item in value[:_MOST_SHOWN]) + rest
    return value_words(value, "", language)


def about_plans(judged: Sequence[Judged], box: Box) -> Question:
    """Ask which of several plans is meant."""
    plans = [one.plan for one in judged]
    language = plans[0].language
    choices = tuple(in_words(plan, box) for plan in plans)
    text = wording.say(language, "which")
    return Question(text, plans[0].tasks[0].id, NO_PARAMETER, plans[0], choices, tuple(map(plan_to_json, plans)))


def about_two(one: Judged, other: Judged, box: Box) -> Question:
    """Ask whether "it" is what a task was given or what it made of that; the plans differ in nothing else."""
    doubt = difference(one.plan, other.plan)
    if doubt is None:
        return about_plans([one, other], box)
    language = one.plan.language
    task = next(task for task in one.plan.tasks if task.id == doubt.task)
    text = wording.say(language, "twofold", what=wording.summary(language, box.tool(task.tool)))
    maker = next(task for task in one.plan.tasks if task.id == doubt.maker)
    given = next((one for one in maker.arguments.values() if _value(one) == _value(doubt.given)), doubt.given)
    rest = [
        f"{_label(language, name)}{_argument(value, language)}"
        for name, value in maker.arguments.items()
        if value != given
    ]
    said = {
        doubt.original: wording.say(language, "original", what=shown(doubt.given.value, language)),
        1 - doubt.original: wording.say(language, "made", what=", ".join(rest) or maker.text),
    }
    return Question(
        text, task.id, NO_PARAMETER, one.plan, (said[0], said[1]), tuple(map(plan_to_json, (one.plan, other.plan)))
    )


@dataclass(frozen=True, slots=True)
class Doubt:
    """In which task two plans differ, whose result one takes, and which (0 or 1) takes what was there before."""

    task: TaskId
    maker: TaskId
    given: Constant
    original: int


def difference(one: Plan, other: Plan) -> Doubt | None:
    """Return the one argument in which two plans differ, where one has a value and the other a task's result."""
    found = [
        (task.id, value, twin.arguments.get(name))
        for task, twin in zip(one.tasks, other.tasks, strict=False)
        for name, value in task.arguments.items()
        if value != twin.arguments.get(name)
    ]
    match found:
        case [(task, Constant() as given, FromTask() as made)]:
            return Doubt(task, made.task, given, 0)
        case [(task, FromTask() as made, Constant() as given)]:
            return Doubt(task, made.task, given, 1)
    return None


def _value(argument: Argument) -> Any:
    value = argument.value if isinstance(argument, Constant) else None
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def confirm(scene: Scene, judged: Judged, box: Box) -> Question:
    """Ask whether the understood part is what the person wants."""
    plan, language = judged.plan, judged.plan.language
    words = ", ".join(scene.tokens[at].text for at in judged.unexplained)
    key = "confirm" if words else "unsure"
    return whether(plan, wording.say(language, key, words=words, plan=in_words(plan, box)))


def without_asides(plan: Plan, box: Box) -> Question:
    """Ask whether a sentence is meant as it reads without what is said in passing."""
    return whether(plan, wording.say(plan.language, "aside", plan=in_words(plan, box)))


def whether(plan: Plan, text: str) -> Question:
    """Ask, in these words, whether a plan is what the person wants."""
    choices = (wording.say(plan.language, "yes"), wording.say(plan.language, "no"))
    return Question(text, plan.tasks[0].id, NO_PARAMETER, plan, choices, (plan_to_json(plan), None))


def in_words(plan: Plan, box: Box) -> str:
    """Return a plan in one line: what each task does, with its values, for each of what, and under which conditions."""
    return "; ".join(_task_in_words(task, box, plan.language) for task in plan.tasks)


def _task_in_words(task: Task, box: Box, language: str) -> str:
    told = {name: _argument(value, language) for name, value in task.arguments.items()}
    values = ", ".join(f"{_label(language, name)}{said}" for name, said in told.items() if said)
    summary = wording.summary(language, box.tool(task.tool))
    bounds = [each_words(task.each, language), when_words(task.when, language)]
    return ", ".join(filter(None, [f"{summary} ({values})" if values else summary, *bounds]))


def _label(language: str, name: str) -> str:
    """A parameter's name is a word of English."""
    return f"{name.replace('_', ' ')}: " if language == "en" else ""


def _argument(value: Argument, language: str) -> str:
    if isinstance(value, FromTask):
        step = value.task.removeprefix("t")
        field = value.field if language == "en" else ""
        return wording.say(language, "field" if field else "result", field=field.replace("_", " "), step=step)
    if isinstance(value.value, str) and is_said_by(value.text, value.value):
        return value.value
    return value.text if value.text and not _only_points(value.text) else shown(value.value, language)


def _only_points(text: str) -> bool:
    """ "It" says nothing to whoever has to choose what it is."""
    return all(is_pronoun(word) for word in text.casefold().split())


def decline(scene: Scene, candidates: Sequence[Candidate], box: Box, judged: Judged | None) -> Decline:
    """Say that nothing fits; the nearest tools are named beside the sentence, which says no more than that."""
    language = scene.intent.language
    near = tuple(tool for tool in nearest_tools(candidates, judged) if box.knows(tool))
    if judged is not None and judged.grave and judged.unexplained:
        words = ", ".join(scene.tokens[at].text for at in judged.unexplained)
        return Decline(wording.say(language, "grave", words=words), near, words)
    return Decline(wording.say(language, "decline"), near)


def decline_long(scene: Scene) -> Decline:
    """Say that the request is longer than what is read at a time, and what to do instead."""
    return Decline(wording.say(scene.intent.language, "too_long", count=scene.size, most=w.MAX_TOKENS))


def decline_unnamed(scene: Scene, candidates: Sequence[Candidate], box: Box, judged: Judged, words: str) -> Decline:
    """Say that no file is called what was to be found, and how a search for words inside documents is asked for."""
    near = tuple(tool for tool in nearest_tools(candidates, judged) if box.knows(tool))
    return Decline(wording.say(scene.intent.language, "unnamed_file", words=words), near)


def nearest_tools(candidates: Sequence[Candidate], judged: Judged | None) -> tuple[ToolId, ...]:
    """Return up to three tools: those of the best composition, then the best candidates."""
    best: dict[ToolId, float] = {}
    for one in candidates:
        best[one.tool] = max(one.score, best.get(one.tool, 0.0))
    ranked = sorted(best, key=lambda tool: -best[tool])
    own = list(judged.draft.tools) if judged is not None else []
    return tuple(dict.fromkeys([*own, *ranked]))[:_NEAREST]
