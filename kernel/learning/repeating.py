"""The same as at another time with another value: "do the same as last month with the March invoice".

What this stops: that a plan is repeated which nobody named: it is one that was confirmed, in the time that was said,
and takes a value of the kind that was said. Of several the person is asked which; what takes something away is asked
about in any case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from kernel.asking import wording
from kernel.asking.ask import NO_PARAMETER, in_words
from kernel.asking.taken import plan_takes_away
from kernel.composition.scene import Scene, scene_of
from kernel.context.dialogue import Dialogue, LastRun
from kernel.context.toolbox import Toolbox
from kernel.dialogue.answers import lacking
from kernel.dialogue.followup import with_values
from kernel.learning.hearing import LONGEST
from kernel.learning.templates import Templates, shape_of
from kernel.model import Argument, FromTask, Intent, Plan, Proposal, Question, Task
from kernel.planning.plan_json import plan_to_json
from skills.model import ValueKind

_EN = (
    r"(?:please )?(?:(?:do|run|repeat) )?(?:it |that |this |the )?(?:same |same thing )?(?:once )?(?:again )?"
    r"(?:as|like) (?:you did |i did |we did )?(?P<when>.+?),? (?:but )?(?:this time )?(?:with|for|on|in) (?P<with>.+?)"
)
_DE = (
    r"(?:bitte )?(?:mach |mache |tu )?(?:das |es )?(?:bitte )?(?:nochmal |noch mal |noch einmal |wieder )?"
    r"(?:das gleiche |dasselbe |das selbe |genau ?so )?(?:nochmal |noch mal |noch einmal |wieder )?"
    r"wie (?P<when>.+?),? (?:aber )?(?:diesmal )?(?:mit|für|bei|in) (?P<with>.+?)"
)
_MARKS = ("same", "again", "repeat", "nochmal", "noch mal", "noch einmal", "gleiche", "dasselbe", "das selbe", "wieder")
_SAME = tuple(
    re.compile(rf"\s*{pattern}[\s.!?]*", re.IGNORECASE)
    for pattern in (
        r"(?:please |and |now )*(?:do|repeat) (?:exactly )?the same(?: thing)?(?: again)? (?:with|for) (?P<with>.+?)",
        r"(?:bitte |und |jetzt )*(?:mach|mache|tu) (?:bitte )?(?:genau )?(?:das gleiche|dasselbe|das selbe)(?: bitte)?"
        r"(?: nochmal| noch mal| noch einmal)? (?:mit|für) (?P<with>.+?)",
    )
)
_TIMES = frozenset({ValueKind.DATE, ValueKind.PERIOD})
_NAMES = frozenset({ValueKind.TITLE, ValueKind.NEW_FILE})
_MOST = 4


@dataclass(frozen=True, slots=True)
class Again:
    """That what was done at some time (the characters of ``when``) is wanted with what is said from ``start`` on."""

    when: tuple[int, int]
    start: int


def hear(text: str) -> Again | None:
    """Return what is to be repeated, where the whole sentence asks for that."""
    low = text.casefold()
    if len(text) > LONGEST or not any(mark in low for mark in _MARKS):
        return None
    for pattern in (_EN, _DE):
        match = re.compile(rf"\s*{pattern}[\s.!?]*", re.IGNORECASE).fullmatch(text)
        if match:
            return Again(match.span("when"), match.start("with"))
    return None


def repeated(intent: Intent, templates: Templates, toolbox: Toolbox, home: str) -> Proposal | None:
    """Return the plan of the time that was said with the new value, or which of several; None for other sentences."""
    again = hear(intent.text) if templates.done else None
    time = _time(intent, again) if again is not None else None
    if again is None or time is None:
        return None
    scene = scene_of(intent, home)
    first = next((at for at, one in enumerate(intent.tokens) if one.start >= again.start), len(intent.tokens))
    found: dict[object, Plan] = {}
    for done in reversed(templates.done):
        plan = _with_value(scene, toolbox, done.plan, first) if _is_in(done.at, time) else None
        if plan is not None:
            found.setdefault(shape_of(plan), plan)
    return _proposal(list(found.values())[:_MOST], toolbox)


def same_again(intent: Intent, dialogue: Dialogue, toolbox: Toolbox) -> Proposal | None:
    """Return all of the last plan, which had several steps, with the new value; None for other sentences.

    A name that it gave to something new is asked for: that one is taken.
    """
    last = dialogue.last
    if (
        last is None
        or len(last.plan.tasks) < 2
        or len(intent.text) > LONGEST
        or dialogue.unsettled
        or dialogue.pending is not None
    ):
        return None
    match = next((found for one in _SAME if (found := one.fullmatch(intent.text))), None)
    if match is None or not any(isinstance(one, FromTask) for task in last.plan.tasks for one in _given(task)):
        return None
    first = next((at for at, one in enumerate(intent.tokens) if one.start >= match.start("with")), len(intent.tokens))
    plan = _with_value(scene_of(intent, dialogue.home), toolbox, last.plan, first)
    if plan is None or plan_takes_away(plan, toolbox):
        return None
    plan = replace(plan, tasks=tuple(_without_names(task, toolbox) for task in plan.tasks))
    return lacking(plan, toolbox) or plan


def _given(task: Task) -> tuple[Argument, ...]:
    return tuple(task.arguments.values())


def _without_names(task: Task, toolbox: Toolbox) -> Task:
    """The task without the name of what it only makes anew."""
    tool = toolbox.tool(task.tool)
    actions = {right.action for right in tool.rights}
    makes = "fs.create" in actions and not actions & {"fs.delete", "fs.write"}
    new = {one.name for one in tool.parameters if makes and one.required and one.type.kind in _NAMES}
    return replace(task, arguments={name: value for name, value in task.arguments.items() if name not in new})


def _time(intent: Intent, again: Again) -> Any:
    """The time that all of the words say, as its span has it."""
    start, end = again.when
    spans = [one for one in intent.spans if one.kind in _TIMES]
    said = [one for one in spans if intent.tokens[one.first].start <= start and intent.tokens[one.last - 1].end >= end]
    return max(said, key=lambda one: one.confidence).value if said else None


def _is_in(at: datetime, time: Any) -> bool:
    day = at.date()
    if isinstance(time, dict):
        first, last = str(time.get("start") or "0001-01-01"), str(time.get("end") or "9999-12-31")
        return date.fromisoformat(first[:10]) <= day < date.fromisoformat(last[:10])
    return day.isoformat() == str(time)[:10]


def _with_value(scene: Scene, toolbox: Toolbox, plan: Plan, first: int) -> Plan | None:
    revised = with_values(scene, toolbox, LastRun(plan, {}), first, opened=True, whole=True)
    return revised.plan if revised is not None and isinstance(revised.plan, Plan) else None


def _proposal(plans: Sequence[Plan], toolbox: Toolbox) -> Proposal | None:
    if not plans or (len(plans) == 1 and not plan_takes_away(plans[0], toolbox)):
        return plans[0] if plans else None
    language = plans[0].language
    texts = [in_words(one, toolbox) for one in plans]
    if len(plans) == 1:
        text = wording.say(language, "unsure", plan=texts[0])
        either = (wording.say(language, "yes"), wording.say(language, "no"))
        return Question(text, plans[0].tasks[0].id, NO_PARAMETER, plans[0], either, (plan_to_json(plans[0]), None))
    values = (*map(plan_to_json, plans), None)
    choices = (*texts, wording.say(language, "none"))
    return Question(wording.say(language, "which"), plans[0].tasks[0].id, NO_PARAMETER, plans[0], choices, values)
