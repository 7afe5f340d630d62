"""A sentence that defines a macro without doing it: "define monthly close as show the total of expenses.csv and ...".

What is defined is planned like any request, and the plan is frozen: what a tool lacks is asked for each time. It is
shown on a card (``consenting``), may do nothing yet (rights are asked for when it is done), and an undo takes it back.

What this stops: a definition of a program's, or in words that were only shown; one that nobody is sure of.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from kernel.asking.ask import NO_PARAMETER
from kernel.composition.unframed import unframed
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import tokenize
from kernel.macros.consenting import keep_after_yes
from kernel.macros.guards import guards_of
from kernel.macros.model import Macro, Parameter
from kernel.macros.naming import checked_name
from kernel.macros.placeholders import NoPlace, named_without, opened, parameters, with_words
from kernel.macros.sayings import say
from kernel.macros.spoken import A_NAME, QUOTES
from kernel.model import Argument, Decline, Plan, Proposal, Question, Resolution, Utterance
from kernel.planning.proposing import alone, answered
from kernel.routines.moving import standing_still
from kernel.run import Run, Stop, error_view
from kernel.settling.answers import Answers, sure_or_asked
from kernel.settling.asked import Left, Open, ask, left_open
from skills.model import ToolId

SURE = 0.75
"""A plan that is done again and again is surer than one that is done once, be it seen on its card."""

_STAND_IN = "stand-in-of-a-definition.txt"
"""The name of a file that stands for one that is not named. No such file is ever looked for."""

_DEFINE = {
    "en": re.compile(rf"define\s+{A_NAME}\s+(?:as|to be|to mean)\s*:?\s+(?P<text>.+)", re.IGNORECASE | re.DOTALL),
    "de": re.compile(rf"definiere?\s+{A_NAME}\s+als\s*:?\s+(?P<text>.+)", re.IGNORECASE | re.DOTALL),
}


def heard(text: str) -> tuple[str, str, str] | None:
    """Return the name that a sentence defines, what it is to mean, and the language; None where it defines nothing."""
    words = unframed(tokenize(text, "en"))
    said = text[words[0].start :].strip() if words else ""
    for language, pattern in _DEFINE.items():
        found = pattern.fullmatch(said)
        if found:
            return found["name"].strip(QUOTES), found["text"].strip(), language
    return None


async def define(run: Run, mind: Mind, dialogue: Dialogue) -> None:
    """Ask whether to keep what the sentence of ``run`` defines, or completes, and keep it. Raises Stop, BadRequest."""
    if run.client or run.utterance.shown:
        return
    said, answers = _said(run)
    found = heard(said.text)
    if found is None:
        return
    name, text, language = found
    house = run.house
    file, folders = os.path.join(said.home, _STAND_IN), await asyncio.to_thread(_folders, said.home)
    filled, places = opened(text, language, folders, file)
    world = house.world.expecting(file) if any(one.stands == file for one in places) else house.world
    meant = replace(said, text=filled)
    proposal = await asyncio.to_thread(_planned, world, meant, mind, dialogue, language, answers)
    if answers.miss:
        return
    run.language = language
    if run.private:
        raise _declined(run, "private")
    shown = partial(with_words, places, said.home)
    if isinstance(proposal, Question) and proposal.parameter == NO_PARAMETER:
        told = say(language, "asks", name=name, question=shown(proposal.text))
        about = Open(said.text, proposal.text, answers.taken)
        await ask(run, Left.DEFINITION, about, told, [shown(one) for one in proposal.choices])
    if isinstance(proposal, Decline):
        raise _declined(run, "not defined", text=text, why=shown(proposal.text))
    plan, lacks = _frozen(run, proposal)
    try:
        plan, told_each = parameters(plan, places, lambda tool: house.registry.tool(ToolId(tool)))
        name = named_without(name, places)
    except NoPlace as error:
        raise _declined(run, "no place", words=error.words, name=name, text=text) from error
    still = standing_still(plan, plan.language, said.now, house.registry.tool)
    if still:
        raise _declined(run, "no day", words=", ".join(still), name=name, text=text)
    macro = Macro(
        checked_name(name), text, (), plan.language, plan, (*told_each, *lacks), guards_of(plan, house.registry),
        secrets.token_hex(8), said.now, said.cwd, run.id,
    )  # fmt: skip
    await keep_after_yes(run, macro, mind)


def _said(run: Run) -> tuple[Utterance, Answers]:
    """Return what may define something: what is said now, or the definition about which was asked, and its answers."""
    said = run.utterance
    open_yet = left_open(run, Left.DEFINITION) if heard(said.text) is None else None
    if open_yet is None or not said.text.strip():
        return said, Answers()
    return replace(said, text=open_yet.text), Answers(open_yet.with_answer(said.text.strip()), now=True)


def _planned(
    world: HomeWorld, meant: Utterance, mind: Mind, dialogue: Dialogue, language: str, answers: Answers
) -> Proposal:  # fmt: skip
    intent, around = interpret(meant, world, mind.lexicon, language), replace(dialogue.bare(), world=world)
    found = alone(meant, intent, mind=mind, dialogue=around, usual=language)
    reply = partial(answered, meant, world=world, mind=mind, dialogue=around, usual=language)
    return answers.settle(sure_or_asked(found, mind.toolbox, SURE), reply)


def _folders(home: str) -> tuple[str, ...]:
    """Some folders that can stand for one that is not named."""
    with os.scandir(home) as found:
        return tuple(sorted(one.path for one in found if one.is_dir() and not one.name.startswith(".")))


def _frozen(run: Run, proposal: Plan | Question) -> tuple[Plan, tuple[Parameter, ...]]:
    """The plan of a definition, and what it is to be told each time: what its tool lacks."""
    if isinstance(proposal, Plan):
        return replace(proposal, why={}, reply=False), ()
    plan = proposal.draft
    task = next(one for one in plan.tasks if one.id == proposal.task)
    kind = run.house.registry.tool(ToolId(task.tool)).parameter(proposal.parameter).type
    lacks = Parameter(proposal.parameter, kind.kind, (task.id,), proposal.parameter, kind.many)
    tasks = tuple(
        replace(one, arguments=_without(one.arguments, proposal.parameter)) if one is task else one
        for one in plan.tasks
    )  # fmt: skip
    return replace(plan, tasks=tasks, why={}, reply=False), (lacks,)


def _without(arguments: Mapping[str, Argument], name: str) -> dict[str, Argument]:
    return {key: value for key, value in arguments.items() if key != name}


def _declined(run: Run, key: str, **values: str) -> Stop:
    text = say(run.language, key, **values).strip()
    return Stop(Resolution.DECLINED, text, error=error_view(f"macro.{key.replace(' ', '_')}", text, ""))
