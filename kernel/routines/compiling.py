"""Compiling a rule: from what was heard and the words that are left to a routine, or to why there is none yet."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import World
from kernel.interpret import interpret
from kernel.language import Line
from kernel.model import Constant, Decline, Plan, Proposal, Question, Task, Utterance
from kernel.planning.proposing import alone
from kernel.routines.bringing import Bringing, CannotBring
from kernel.routines.hearing import Heard, Words, left_of
from kernel.routines.hearing.brought import is_owned
from kernel.routines.hearing.machine_pronouns import machine_pronouns
from kernel.routines.hearing.parts_said import parts_said
from kernel.routines.model import Called, Clock, Happened, Learnt, Recurring, Trigger
from kernel.routines.moving import standing_still
from kernel.routines.parts import Part, marked, stands_for
from kernel.routines.routine import Routine
from kernel.routines.wishes import as_notice, plainly
from kernel.routines.wording import trigger_words
from kernel.routines.writing import as_written, birthday_words, with_day_numbers
from permissions.labels import USER_SAID
from skills.model import Tool, ToolId, ValueKind
from skills.schedule import BadSchedule, checked_rule

_SURE = 0.85
"""A plan that is done again and again, with nobody looking on, is surer than one that is done once."""
_LONGEST_NAME = 40
_WORDS_OF_NAME = 4


@dataclass(frozen=True, slots=True)
class Lacking:
    """Why no routine could be made of a rule: the planner's own words about what is left of it, or moving words."""

    said: str
    proposal: Question | Decline | None = None
    moving: tuple[str, ...] = ()
    brings: bool = False  # more than its trigger brings
    macro: str = ""  # why the macro that is named cannot be done by itself
    unsure: bool = False  # a plan that is good enough to be done once, while a person looks on


def takes_the_words(proposal: Proposal, tool: Callable[[ToolId], Tool]) -> bool:
    """Tell whether a tool takes what the sentence says about repeating: then it is that tool's to repeat."""
    plan = proposal if isinstance(proposal, Plan) else proposal.draft if isinstance(proposal, Question) else None
    if plan is None:
        return False
    return any(
        isinstance(value, Constant)
        and value.value is not None
        and tool(task.tool).parameter(name).type.kind is ValueKind.RECURRENCE
        for task in plan.tasks
        for name, value in task.arguments.items()
    )


def handed_over(plan: Plan, trigger: Trigger, today: date, tool: Callable[[ToolId], Tool]) -> Plan | None:
    """Return ``plan`` with the times of a rule given to its one tool, where that repeats by itself; None where not.

    A reminder, an appointment or a task that repeats is kept by its skill; one that has a day of its own, or that waits
    for something that happens, is done anew each time. Raises BadSchedule where the skill cannot.
    """
    if len(plan.tasks) != 1 or not isinstance(trigger, Clock):
        return None
    (task,) = plan.tasks
    if any(tool(task.tool).parameter(name).type.kind is ValueKind.DATE for name in task.arguments):
        return None
    free = {one.type.kind: one.name for one in reversed(tool(task.tool).parameters) if one.name not in task.arguments}
    if ValueKind.RECURRENCE not in free:
        return None
    if not isinstance(trigger, Recurring) or trigger.ends is not None:
        raise _not_kept("it ends")
    given = {free[ValueKind.RECURRENCE]: Constant(checked_rule(trigger.rule), USER_SAID)}
    if trigger.begins != today:
        if ValueKind.DATE not in free:
            raise _not_kept("it begins later")
        given[free[ValueKind.DATE]] = Constant(trigger.begins.isoformat(), USER_SAID)
    return replace(plan, tasks=(replace(task, arguments={**task.arguments, **given}),))


def _not_kept(why: str) -> BadSchedule:
    return BadSchedule("skill.schedule", f"What repeats so is kept by no skill: {why}.")


def compiled(
    run: str, utterance: Utterance, line: Line, heard: Heard, mind: Mind, dialogue: Dialogue, world: World,
    taken: Collection[str], thing: Bringing | None,
) -> Routine | Lacking:  # fmt: skip
    """Return the routine that ``utterance`` means, called by a name that is not ``taken``.

    ``thing`` is how what its trigger brings stands in a plan.
    """
    said = left_of(line, heard.words)
    if not said:
        return Lacking("")
    around = dialogue.bare() if thing is None else thing.told(dialogue.bare(), line.language)
    found: list[Lacking] = []
    parts = parts_said(line, heard)
    brings = [line.slice(*stretch) for stretch in heard.brings]
    named_parts = [line.slice(*stretch) for stretch in parts]
    literal: Plan | None = None
    for words in _wordings(line, heard, parts, world.home):
        rest = replace(utterance, text=words)
        intent = interpret(rest, world, mind.lexicon, line.language)
        proposal = alone(rest, intent, mind=mind, dialogue=around, usual=line.language)
        meant = _meant(said, proposal, thing, brings)
        if isinstance(meant, Plan):
            if not _has_words(meant, named_parts):
                break
            literal = literal or meant
        else:
            found.append(meant)
    else:
        if literal is None:
            return found[0]
        meant = literal  # it is written as it was said
    proposal = meant
    tool = mind.toolbox.tool
    still = standing_still(proposal, proposal.language, utterance.now, tool)
    if still:
        return Lacking(said, moving=tuple(still))
    return Routine(
        named(line, heard.words, taken), utterance.text, said, proposal.language, heard.trigger,
        replace(proposal, why={}), secrets.token_hex(8), utterance.now, utterance.cwd, run, heard.limits, heard.such,
    )  # fmt: skip


def _wordings(line: Line, heard: Heard, parts: Mapping[Words, Part], home: str) -> Iterator[str]:
    """Yield what is left of a rule in the words that it may be planned by: as it was said, and with a pronoun for what
    its trigger brings, and with words that stand in for ``parts`` of it. In a rule about something that happens,
    whoever is to be told is told by a notice; in one about the machine, what it speaks of has its name instead of a
    pronoun.
    """
    german = line.language == "de"
    happens = "" if isinstance(heard.trigger, Clock) else trigger_words(heard.trigger, line.language, home)
    itself = (one for one in heard.brings if isinstance(heard.trigger, Called) or not is_owned(line, one))
    pronouns = {stretch: "es" if german else "it" for stretch in itself}
    names = machine_pronouns(line, heard)
    stands = {stretch: f" {stands_for(part)}" for stretch, part in parts.items()}
    others = {stretch: word for stretch, word in pronouns.items() if not any(_meets(stretch, one) for one in parts)}
    ways = (names, {}) if names else ({}, pronouns) if pronouns else ({},)
    whole = stands_for(Part.TEXT) if isinstance(heard.trigger, Called | Happened | Learnt) else ""
    spelled = {stretch: f" {whole}" for stretch in others} if whole else {}
    if heard.trigger == Learnt("birthday") and others:  # it is a day of somebody's
        spelled = {next(iter(others)): f" {birthday_words(line.language)}"}
    further = (stands, others | stands, spelled | stands) if stands else (spelled,) if spelled else ()
    for instead in (*further, *ways) if stands else (*ways, *further):
        said = left_of(line, heard.words, instead)
        wish = plainly(said, line.language, happens) if happens else said
        if instead is not names or wish == said:  # a notice says what a person said
            yield as_written(wish, line.language) if instead not in ways else wish
    left = left_of(line, heard.words)
    yield from {with_day_numbers(left, line.language), "" if happens else as_notice(left, line.language)} - {"", left}


def _meets(one: Words, other: Words) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _meant(said: str, proposal: Proposal, thing: Bringing | None, brings: Sequence[str]) -> Plan | Lacking:
    """Return the plan with what the trigger brings in it; what it is called is never taken as it was said."""
    if not isinstance(proposal, Plan):
        return Lacking(said, proposal)
    if proposal.score < _SURE:
        return Lacking(said, unsure=True)
    try:
        plan = proposal if thing is None else thing.put(proposal)
    except CannotBring:
        return Lacking(said, brings=True)
    if thing is not None and _has_words(plan, brings):
        return Lacking(said, brings=True)
    return replace(plan, tasks=tuple(_with_marks(task) for task in plan.tasks))


def _with_marks(task: Task) -> Task:
    return replace(task, arguments={name: marked(one) for name, one in task.arguments.items()})


def _has_words(plan: Plan, phrases: Sequence[str]) -> bool:
    """Tell whether a value of ``plan`` has one of ``phrases`` as it was said."""
    taken = [one.text for task in plan.tasks for one in task.arguments.values() if isinstance(one, Constant)]
    plain = [words.strip(" ,") for words in phrases]
    return any(f" {words} ".casefold() in f" {text} ".casefold() for text in taken for words in plain)


def named(line: Line, gone: Sequence[tuple[int, int]], taken: Collection[str]) -> str:
    """Return a short name out of the content words that are left, as it stands in the tree of rights."""
    out = {at for first, last in gone for at in range(first, last)}
    words = [line.norm(at) for at in range(line.size) if at not in out and line.is_content(at)]
    return called(" ".join(words[:_WORDS_OF_NAME]), taken)


def called(words: str, taken: Collection[str]) -> str:
    """Return ``words`` as a name in the tree of rights, which is not ``taken``."""
    plain = unicodedata.normalize("NFKD", words.casefold())
    name = re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode()).strip("-")[:_LONGEST_NAME].strip("-")
    name = name if name[:1].isalpha() else f"routine-{name}".strip("-")
    return free(name, taken)


def free(name: str, taken: Collection[str]) -> str:
    """Return ``name``, with a number behind it where another routine is called so."""
    return next(one for one in (name, *(f"{name}-{n}" for n in range(2, len(taken) + 3))) if one not in taken)
