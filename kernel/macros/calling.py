"""A macro on its way: looked up by its words, held against what it was frozen with, filled, asked for what is missing.

What this stops: a program, or a text that was only shown, running a macro by its words; a plan that is carried out by
other tools than it was frozen with, in silence; an answer that counts for a macro that is gone by then.
What it does not: decide rights, or do anything. The plan goes the one way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kernel.errors import BadRequest
from kernel.macros.book import CALLED
from kernel.macros.filling import asked_for, filled, marked, spread
from kernel.macros.guards import changed
from kernel.macros.model import Called, Macro
from kernel.macros.requests import macro_in
from kernel.macros.sayings import say
from kernel.macros.told_in_words import with_values
from kernel.macros.values import told
from kernel.model import Constant, Plan, Proposal, Question, Resolution
from kernel.routines.moving import CannotTell, moved
from kernel.run import Run, Stop, error_view

_LONGEST = 400
"""Characters of a sentence that may be a phrase with what frames it."""


def called(run: Run) -> Called | None:
    """Return the macro that a run is of: the one it was begun with, or that its whole sentence asks for."""
    said = run.utterance
    if run.called is not None:
        return run.called
    macros = run.house.macros.every()
    if not macros or said.client or said.shown or len(said.text) > _LONGEST:
        return None
    one = macro_in(said.text, macros)
    return Called(one.name, "words", {}) if one is not None else with_values(run.house, said, macros)


def may_answer(run: Run) -> bool:
    """Tell whether a question of the conversation is open: then a sentence may be its answer, and nothing else."""
    talk = run.house.talk
    earlier = [one for one in talk.runs(run.utterance.conversation) if one != run.id]
    return bool(earlier) and talk.is_open(earlier[-1])


async def ready(run: Run, one: Called) -> Plan | Question | None:
    """Return the plan of a macro as its words mean it today, or what it has to be told. Raises Stop.

    None where it cannot be trusted any more: then ``run`` says the macro's text, to be planned as any sentence.
    """
    house, macro = run.house, run.house.macros.get(one.name)
    if macro is None:
        raise _gone(run, one.name)
    run.language = macro.language
    other = changed(macro.plan, macro.guards, house.registry)
    run.macro = {"name": macro.name, "key": macro.key, "text": macro.text, "anew": list(other)}
    await run.log.say(CALLED, None, {**run.macro, "by": one.by}, durable=False)
    if other:
        run.called = replace(one, by="anew")
        run.utterance = replace(run.utterance, text=macro.text, cwd=macro.cwd)
        return None
    try:
        plan = moved(macro.plan, macro.language, macro.made, run.utterance.now, house.registry.tool)
    except CannotTell as error:
        text = say(macro.language, "words", words=str(error), name=macro.name, text=macro.text)
        raise Stop(Resolution.DECLINED, text, error=error_view("macro.words", text, "")) from error
    plan = filled(macro, marked(plan, macro), one.given)
    return asked_for(macro, plan, house.registry.tool, str(house.folders.home))


def planned_anew(run: Run, proposal: Proposal) -> Proposal:
    """Return what the text of a changed macro came to, with what the macro was told in its places. Raises Stop."""
    macro = run.house.macros.get(run.called.name) if run.called is not None else None
    if run.called is None or run.called.by != "anew" or macro is None:
        return proposal
    anew = tuple(str(one) for one in run.macro["anew"])
    if isinstance(proposal, Question) and not macro.parameters:
        return replace(proposal, draft=marked(proposal.draft, macro, anew))
    if not isinstance(proposal, Plan):
        if macro.parameters:
            raise _no_place(run, macro)
        return proposal
    if not macro.parameters:
        return marked(proposal, macro, anew)
    plan = marked(_emptied(run, macro, proposal), macro, anew)
    plan = filled(macro, plan, {name: _held(run, macro, name, value) for name, value in run.called.given.items()})
    return asked_for(macro, plan, run.house.registry.tool, str(run.house.folders.home))


def _emptied(run: Run, macro: Macro, plan: Plan) -> Plan:
    """The new plan without what the macro is told each time, if the same tools still take it in the same places."""
    old = {task.id: task.tool for task in macro.plan.tasks}
    new = {task.id: task for task in plan.tasks}
    for one in macro.parameters:
        for task in one.tasks:
            found = new.get(task)
            names = [] if found is None else [each.name for each in run.house.registry.tool(found.tool).parameters]
            if found is None or found.tool != old[task] or one.argument not in names:
                raise _no_place(run, macro)
            new[task] = replace(found, arguments={n: v for n, v in found.arguments.items() if n != one.argument})
    return replace(plan, tasks=tuple(new[task.id] for task in plan.tasks))


def _held(run: Run, macro: Macro, name: str, value: Constant) -> Constant:
    """A value that was told, held against the tool as it is now."""
    one = next(one for one in macro.parameters if one.name == name)
    tool = run.house.registry.tool(next(task.tool for task in macro.plan.tasks if task.id == one.tasks[0]))
    said = run.utterance
    try:
        found = told(one, value.value, tool, macro.language, said.now, said.cwd, said.home)
    except BadRequest as error:
        raise _no_place(run, macro) from error
    return replace(found, text=value.text)


def went_on(run: Run, proposal: Proposal) -> Proposal:
    """Return what the answer to a macro's question leads to: the next one, or its plan. Raises Stop.

    What only builds on the plan of a macro ("the same for March") is a request of its own.
    """
    draft = proposal.draft if isinstance(proposal, Question) else proposal if isinstance(proposal, Plan) else None
    if draft is not None and proposal.reply:
        _refuse_changed_steps(run, draft)
    origin: Mapping[str, Any] = draft.why.get("macro") or {} if draft is not None else {}
    if draft is None or not origin:
        return proposal
    if not proposal.reply:
        plain = replace(draft, why={name: one for name, one in draft.why.items() if name != "macro"})
        return replace(proposal, draft=plain) if isinstance(proposal, Question) else plain
    house = run.house
    macro = house.macros.of_key(str(origin["key"]))
    if macro is None or (not origin["anew"] and changed(macro.plan, macro.guards, house.registry)):
        run.language = draft.language
        raise _gone(run, str(origin["name"]))
    run.macro = origin
    if not origin["waits"]:
        return proposal
    plan = spread(macro, draft, str(origin["waits"][0]))
    found = asked_for(macro, plan, house.registry.tool, str(house.folders.home))
    again = isinstance(found, Question) and _waits(found.draft) == list(origin["waits"])
    return proposal if again else replace(found, reply=True)


def _refuse_changed_steps(run: Run, plan: Plan) -> None:
    """Refuse a plan that waited for an answer, where a macro among its steps is gone or changed by now. Raises Stop."""
    for step in plan.steps:
        macro = run.house.macros.of_key(str(step["key"]))
        if macro is None or changed(macro.plan, macro.guards, run.house.registry):
            run.language = plan.language
            raise _gone(run, str(step["name"]))


def _waits(plan: Plan) -> list[str]:
    return list(plan.why["macro"]["waits"])


def note(run: Run, *, done: bool) -> str:
    """Return what the answer of a run says of the macro that it came of; nothing where that was as it was kept."""
    if not run.macro or not run.macro["anew"]:
        return ""
    values = {"name": str(run.macro["name"]), "tools": ", ".join(run.macro["anew"]), "text": str(run.macro["text"])}
    said = say(run.language, "anew", **values)
    return f"{said} {say(run.language, 'keep anew', name=values['name'], run=run.id)}" if done else said


def _gone(run: Run, name: str) -> Stop:
    text = say(run.language, "gone", name=name)
    return Stop(Resolution.DECLINED, text, error=error_view("macro.gone", text, ""))


def _no_place(run: Run, macro: Macro) -> Stop:
    text = say(macro.language, "does not fit", tools=", ".join(run.macro["anew"]), name=macro.name)
    run.macro = {**run.macro, "anew": []}  # it is said here, and nothing was planned
    return Stop(Resolution.DECLINED, text, error=error_view("macro.changed", text, ""))
