"""A rule in the words of a model: compiled like any other, and what the person did not say is marked as the model's.

What this stops: a value of a model's that passes for the person's word; a rule for a request that waits for nothing; a
trigger of a model's making that nobody sees. What the model is told of a failed try are words of this file and its own:
no name of a file, and no question that has one.
What it does not: judge whether the rule is what was wanted. It is shown, and no yes in advance counts for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import NoReturn

from kernel.asking.ask import NO_PARAMETER
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.language import Line
from kernel.model import Argument, Constant, Decline, Plan, Question, Task, Utterance
from kernel.routines.asking_back import whom_to_name
from kernel.routines.bringing import Bringing
from kernel.routines.compiling import Lacking, handed_over
from kernel.routines.consenting import authorized, changes_what_it_waits_for, keep_after_yes
from kernel.routines.hearing import Heard
from kernel.routines.hearing.when.coming import Coming
from kernel.routines.own_time import Whose, whose
from kernel.routines.routine import Routine, Worded
from kernel.routines.sentences import compile_heard, hear, to_come
from kernel.routines.times_said import telling, waits_for_what_nobody_said
from kernel.run import Run, Stop
from permissions.labels import MODEL_SAID, Integrity
from skills.model import Tool, ToolId
from skills.schedule import BadSchedule


@dataclass(frozen=True, slots=True)
class Rule:
    """A routine that a model's words mean, ready to be shown, and how its trigger's thing stands in its plan."""

    routine: Routine
    thing: Bringing | None


class NoRule(Exception):
    """Why words of a model's are no rule, said to the model."""


async def rule_in(run: Run, mind: Mind, dialogue: Dialogue, words: str, model: str) -> Rule | Plan:
    """Return the rule that ``words`` of ``model`` mean for the sentence of ``run``; the plan of one that its one tool
    repeats by itself. Raises NoRule.
    """
    line, heard, moment = _heard(run, mind, replace(run.utterance, text=words))
    if waits_for_what_nobody_said(run, mind, line, heard):
        raise NoRule("The request waits for nothing of that kind: plan it with tasks, or ask.")
    found, thing = await _compiled(run, mind, dialogue, words, line, heard)
    tool, request = mind.toolbox.tool, run.utterance.text
    if moment is not None and whose(found, moment, tool) is Whose.DEED:
        raise NoRule("A tool takes that time itself: plan it with tasks.")
    found = replace(found, plan=_of_the_model(found.plan, request))
    handed = None if moment is not None else _handed_over(found, run.utterance.now.date(), tool)
    if handed is not None:
        return replace(handed, why={"model": model})
    rule = Rule(replace(found, text=request, worded=Worded(words, model, _unsaid(line, heard, request))), thing)
    if changes_what_it_waits_for(rule.routine, authorized(run, rule.routine, thing), tool):
        raise NoRule(
            "It changes what it waits for, and the request does not say that its own changes count for nothing."
        )
    return rule


def as_changed(found: Routine, old: Routine, said: str, line: Line, heard: Heard) -> Routine:
    """Return ``found``, that a person made of ``old`` by what they ``said``: still the model's where ``old`` was."""
    if old.worded is None:
        return found
    request = f"{old.text}\n{said}"
    worded = replace(old.worded, words=found.text, unsaid=_unsaid(line, heard, request))
    return replace(found, text=old.text, plan=_of_the_model(found.plan, request), worded=worded)


async def keep_rule(run: Run, rule: Rule) -> NoReturn:
    """Show the card of ``rule``, and keep it where the person says yes. Raises Stop."""
    run.language = rule.routine.language
    await keep_after_yes(run, rule.routine, rule.thing, authorized(run, rule.routine, rule.thing))


def _heard(run: Run, mind: Mind, said: Utterance) -> tuple[Line, Heard, Coming | None]:
    """Return words as they are read and what they wait for; the moment where that is one alone. Raises NoRule."""
    line, moment = to_come(run, said, mind, run.language)
    if moment is not None and moment.timed:
        return line, moment.heard, moment
    line, heard = hear(run, said, mind, run.language)
    if isinstance(heard, Heard):
        return line, heard, None
    if heard is None:
        raise NoRule("It says no time of day and no happening that can be waited for: use one of the forms.")
    stretch = line.slice(*heard.words[0]) if heard.words else ""
    raise NoRule(f"When is not clear ({heard.why}): {stretch!r}. Use one of the forms, or ask.")


async def _compiled(
    run: Run, mind: Mind, dialogue: Dialogue, words: str, line: Line, heard: Heard
) -> tuple[Routine, Bringing | None]:
    whom = whom_to_name(run, line, heard)
    if whom:
        raise NoRule(f"Nobody knows who {whom!r} is: say the name, or ask.")
    try:
        found, thing = await compile_heard(run, replace(run.utterance, text=words), line, heard, mind, dialogue)
    except Stop as stop:
        raise NoRule("Steward cannot wait for that, or cannot keep a condition of it.") from stop
    if isinstance(found, Lacking):
        raise NoRule(_what_it_lacks(found))
    return found, thing


def _handed_over(found: Routine, today: date, tool: Callable[[ToolId], Tool]) -> Plan | None:
    """Return the plan of a rule that its one tool repeats by itself; None where it has no such tool. Raises NoRule."""
    try:
        return handed_over(found.plan, found.trigger, today, tool)
    except BadSchedule as error:
        raise NoRule("No tool repeats by itself at such times: have a notice shown instead.") from error


def _what_it_lacks(found: Lacking) -> str:
    what = f"When is clear, but not what is to be done: {found.said!r}."
    if found.brings:
        return f"{what} There is only the one thing that comes, no list, and no condition on it there."
    if found.moving:
        return f"{what} Something in it means another thing each time: say it otherwise."
    if isinstance(found.proposal, Question) and found.proposal.parameter != NO_PARAMETER:
        tool = next((one.tool for one in found.proposal.draft.tasks if one.id == found.proposal.task), "")
        return f"{what} {tool} lacks its {found.proposal.parameter}."
    unclear = found.proposal.unclear if isinstance(found.proposal, Decline) else ""
    return f"{what} {f'Not understood: {unclear!r}. ' if unclear else ''}Say it as an order, in the words of a tool."


def _of_the_model(plan: Plan, request: str) -> Plan:
    """Return ``plan`` with each value that does not stand in ``request`` letter by letter as the model's."""
    return replace(plan, tasks=tuple(_task_of_it(task, request) for task in plan.tasks))


def _task_of_it(task: Task, request: str) -> Task:
    return replace(task, arguments={name: _value_of_it(one, request) for name, one in task.arguments.items()})


def _value_of_it(value: Argument, request: str) -> Argument:
    if not isinstance(value, Constant) or value.label.integrity is not Integrity.USER or _stands(value.text, request):
        return value
    return replace(value, label=MODEL_SAID)


def _stands(words: str, request: str) -> bool:
    """Tell whether ``words`` are words of ``request``, letter by letter: "5" is none of "15"."""
    return bool(words.strip()) and re.search(rf"(?<!\w){re.escape(words.strip())}(?!\w)", request) is not None


def _unsaid(line: Line, heard: Heard, request: str) -> tuple[str, ...]:
    """Return the words of a trigger that say something and do not stand in ``request``."""
    words = (line.raw(at) for at in telling(line, heard.words))
    return tuple(dict.fromkeys(one for one in words if not _stands(one, request)))
