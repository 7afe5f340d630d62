"""A shown text on its way past the planner: a handle while plans are made, the text itself when the plan stands.

What this stops: that anything which a shown text says has a part in what is planned. Until the plan stands there is
nothing of it but ``HANDLE``, so the same words make the same plan whatever is shown with them. The text then takes the
handle's place in parameters that want text, as a value of unknown origin; a plan in which the handle stands anywhere
else (a name, a place, a condition, who is written to) is refused.
What it does not: keep a tool that is given the text from believing it. Such a tool has its rights and no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from textwrap import shorten
from typing import Any

from kernel.composition.profiles.profile import Box
from kernel.composition.validate import validate
from kernel.firewall.said import HANDLE
from kernel.language.showing import MESSAGES
from kernel.model import Argument, Constant, Decline, Plan, Proposal, Question, Task, Utterance
from kernel.planning.plan_json import plan_from_json, plan_to_json
from permissions.labels import Label, join
from skills.model import Parameter, ParamRole, ValueKind

_LONGEST_LINE = 160


class _Unfit(Exception):
    """The handle stands where no text of others may."""


def handle_of(utterance: Utterance) -> str:
    """Return what stands for all that is shown with ``utterance``; empty where nothing is."""
    return HANDLE if utterance.shown else ""


def bound(proposal: Proposal, utterance: Utterance, box: Box) -> Proposal:
    """Return ``proposal`` with what is shown where its handle stands; a Decline where it may not stand there.

    A question for a text is answered by the text that is shown.
    """
    if not utterance.shown:
        return proposal
    text = "\n\n".join(one.text for one in utterance.shown)
    if isinstance(proposal, Question):
        proposal = filled(proposal, box) or proposal
    language = _language(proposal)
    try:
        return _bound(proposal, text, box)
    except _Unfit:
        return Decline(MESSAGES[language]["unfit"])


def filled(question: Question, box: Box) -> Plan | None:
    """Return the draft of ``question`` with the handle where it asks for a text, if then nothing is missing."""
    task = next((one for one in question.draft.tasks if one.id == question.task), None)
    if task is None or question.values or not box.knows(task.tool):
        return None
    parameter = next((one for one in box.tool(task.tool).parameters if one.name == question.parameter), None)
    if parameter is None or not _takes_text(parameter) or _uses(question.draft):
        return None
    given = Constant([HANDLE] if parameter.type.many else HANDLE, Label(), HANDLE)
    whole = replace(task, arguments={**task.arguments, question.parameter: given})
    tasks = tuple(whole if one is task else one for one in question.draft.tasks)
    plan = replace(question.draft, tasks=tasks, reply=question.reply)
    return None if validate(plan, box) else plan


def _language(proposal: Proposal) -> str:
    plan = proposal if isinstance(proposal, Plan) else proposal.draft if isinstance(proposal, Question) else None
    return plan.language if plan is not None and plan.language in MESSAGES else "en"


def _bound(proposal: Proposal, text: str, box: Box) -> Proposal:
    match proposal:
        case Plan():
            return _plan(proposal, text, box)
        case Question():
            values = tuple(_choice(one, text, box) for one in proposal.values)
            choices = tuple(one.replace(HANDLE, "…") for one in proposal.choices)
            draft, words = _plan(proposal.draft, text, box), proposal.text.replace(HANDLE, "…")
            return replace(proposal, draft=draft, text=words, choices=choices, values=values)
        case Decline():
            return replace(proposal, text=proposal.text.replace(HANDLE, "…"))


def _plan(plan: Plan, text: str, box: Box) -> Plan:
    return replace(plan, tasks=tuple(_task(one, text, box, plan.language) for one in plan.tasks))


def _task(task: Task, text: str, box: Box, language: str) -> Task:
    if any(_holds(one.value) for one in task.when):
        raise _Unfit
    if not any(isinstance(one, Constant) and _holds(one.value) for one in task.arguments.values()):
        return replace(task, text=task.text.replace(HANDLE, "…"))
    tool = box.tool(task.tool)
    given = {name: _argument(tool.parameter(name), one, text, language) for name, one in task.arguments.items()}
    return replace(task, text=task.text.replace(HANDLE, "…"), arguments=given)


def _argument(parameter: Parameter, given: Argument, text: str, language: str) -> Argument:
    if not isinstance(given, Constant) or not _holds(given.value):
        return given
    if not _takes_text(parameter):
        raise _Unfit
    called = MESSAGES[language if language in MESSAGES else "en"]["text"]
    if parameter.type.kind is ValueKind.TITLE:
        text = shorten(text, _LONGEST_LINE, placeholder=" …")
    return Constant(_put(given.value, text), join((given.label, Label())), called)


def _takes_text(parameter: Parameter) -> bool:
    """A text that goes nowhere, or the one line that a reminder or a task is about: never what something is called."""
    if parameter.type.kind is ValueKind.TITLE:
        return parameter.role is ParamRole.PAYLOAD
    return parameter.type.kind is ValueKind.TEXT and parameter.role is not ParamRole.SINK


def _choice(value: Any, text: str, box: Box) -> Any:
    """A choice of a question: one between plans holds plans, any other no handle."""
    if isinstance(value, Mapping) and "tasks" in value:
        return plan_to_json(_plan(plan_from_json(value), text, box))
    if _holds(value):
        raise _Unfit
    return value


def _holds(value: Any) -> bool:
    if isinstance(value, str):
        return HANDLE in value
    if isinstance(value, Mapping):
        return any(_holds(one) for one in (*value, *value.values()))
    return isinstance(value, list | tuple) and any(map(_holds, value))


def _put(value: Any, text: str) -> Any:
    if isinstance(value, str):
        return value.replace(HANDLE, text)
    return [_put(one, text) for one in value] if isinstance(value, list) else value


def _uses(plan: Plan) -> bool:
    given = (one for task in plan.tasks for one in task.arguments.values())
    return any(isinstance(one, Constant) and _holds(one.value) for one in given)
