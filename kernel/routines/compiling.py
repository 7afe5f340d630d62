"""Compiling a rule: from what was heard and the words that are left to a routine, or to why there is none yet."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Line
from kernel.model import Constant, Decline, Plan, Proposal, Question, Utterance
from kernel.paths import short
from kernel.planning.proposing import alone
from kernel.routines.bringing import Bringing, CannotBring, kind_of
from kernel.routines.hearing import Heard, left_of
from kernel.routines.hearing.brought import is_owned
from kernel.routines.hearing.model import Words
from kernel.routines.model import Called, Clock, Recurring, Trigger
from kernel.routines.moving import standing_still
from kernel.routines.owning import of_it
from kernel.routines.part_words import heading_of, part_of, that_day
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.wishes import plainly
from kernel.routines.wording import trigger_words
from permissions.labels import USER_SAID
from skills.model import Tool, ToolId, ValueKind
from skills.schedule import BadSchedule, checked_rule

_SURE = 0.85
"""A plan that is done again and again, with nobody looking on, is surer than one that is done once."""
_LONGEST_NAME = 40
_ONE_TIME = frozenset({ValueKind.DATE, ValueKind.PERIOD, ValueKind.HOURS})
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


def takes_a_day(proposal: Proposal, tool: Callable[[ToolId], Tool]) -> bool:
    """Tell whether a plan takes some time that was said for one day or hour."""
    tasks = proposal.tasks if isinstance(proposal, Plan) else ()
    given = (tool(task.tool).parameter(name).type.kind for task in tasks for name in task.arguments)
    return any(kind in _ONE_TIME for kind in given)


def handed_over(plan: Plan, trigger: Trigger, today: date, tool: Callable[[ToolId], Tool]) -> Plan | None:
    """Return ``plan`` with the times of a rule given to its one tool, where that repeats by itself; None where not.

    A reminder, an appointment or a task that repeats is kept by its skill. Raises BadSchedule where the skill cannot.
    What happens now and then repeats nothing by itself.
    """
    if len(plan.tasks) != 1 or not isinstance(trigger, Clock):
        return None
    (task,) = plan.tasks
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
    run: str, utterance: Utterance, line: Line, heard: Heard, mind: Mind, dialogue: Dialogue, world: HomeWorld,
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
    if thing is not None and thing.place:
        world = world.expecting(thing.place)
        around = replace(around, world=world)
    for words in _wordings(line, heard, world.home, thing):
        rest = replace(utterance, text=words)
        intent = interpret(rest, world, mind.lexicon, line.language)
        proposal = alone(rest, intent, mind=mind, dialogue=around, usual=line.language)
        if isinstance(proposal, Question) and thing is not None:
            proposal = thing.answers(proposal, mind.toolbox.tool) or proposal
        meant = _meant(said, proposal, thing, list(_names(line, heard, world.home)), mind.toolbox.tool)
        if isinstance(meant, Plan):
            break
        found.append(meant)
    else:
        return (
            found[0]
            if thing is None or not thing.place
            else _readable(found[0], thing.place, world.home, line.language)
        )
    proposal = meant
    tool = mind.toolbox.tool
    still = standing_still(proposal, proposal.language, utterance.now, tool)
    if still:
        return Lacking(said, moving=tuple(still))
    return Routine(
        named(line, heard.words, taken), utterance.text, said, proposal.language, heard.trigger,
        replace(proposal, why={}), secrets.token_hex(8), utterance.now, utterance.cwd, run, heard.limits, heard.such,
    )  # fmt: skip


def _readable(found: Lacking, place: str, home: str, language: str) -> Lacking:
    """Return what is lacking with the file that comes called so, and not by the place that stood for it."""
    proposal = found.proposal
    if proposal is None:
        return found

    def called(text: str) -> str:
        words = say(language, "brought file")
        return text.replace(short(place, home), words).replace(place, words)

    if isinstance(proposal, Decline):
        return replace(found, proposal=replace(proposal, text=called(proposal.text)))
    choices = tuple(map(called, proposal.choices))
    return replace(found, proposal=replace(proposal, text=called(proposal.text), choices=choices))


def _wordings(line: Line, heard: Heard, home: str, thing: Bringing | None) -> Iterator[str]:
    """Yield what is left of a rule in the words that it may be planned by, the clearest first.

    A file that its trigger brings is called by its place wherever it is named ("the PDF"), and where something of it is
    ("the total"); anything else that it brings may be a pronoun. In a rule about something that happens, whoever is to
    be told is told by a notice, "the same day" is the day on which it happens. Parts of an appointment or a mail are
    called as the tool calls them that finds it.
    """
    happens = "" if isinstance(heard.trigger, Clock) else trigger_words(heard.trigger, line.language, home)
    kind = kind_of(heard.trigger, home)
    parts = {one: words for one in heard.brings if (words := _part(line, one, kind))}
    itself = [one for one in heard.brings if isinstance(heard.trigger, Called) or not is_owned(line, one)]
    pronouns = dict.fromkeys(itself, "es" if line.language == "de" else "it")
    named: dict[Words, str] = {}
    ways: list[dict[Words, str]] = []
    if thing is not None and thing.place:
        place = short(thing.place, home)
        named = {one: place for one in itself if one[1] - one[0] > 1}
        gone = frozenset(at for first, last in (*heard.words, *itself) for at in range(first, last))
        owned = of_it(line, gone, thing.values, place)
        ways += [{**named, **owned}] if owned else []
    heading = heading_of(kind, line.language)
    ways += [named, *([{**pronouns, **named}] if pronouns.keys() - named.keys() else [])]
    ways += [dict.fromkeys(pronouns, heading)] if heading and pronouns else []
    for instead in ways:
        said = left_of(line, heard.words, parts | instead)
        yield plainly(that_day(said, line.language), line.language, happens) if happens else said


def _names(line: Line, heard: Heard, home: str) -> Iterator[str]:
    """Yield what the thing and its parts are called in the rule: none of it is a value by itself."""
    kind = kind_of(heard.trigger, home)
    for first, last in heard.brings:
        yield line.slice(first, last)
        part = _part(line, (first, last), kind)
        if part:
            yield from (line.raw(last - 1), part, part.partition(" ")[2])


def _part(line: Line, stretch: tuple[int, int], kind: str) -> str:
    """Return a part of the thing ("seinem Ort") as the tool calls it ("seinem place"); empty where it is none."""
    first, last = stretch
    part = part_of(kind, line.norm(last - 1)) if is_owned(line, stretch) and last == first + 2 else ""
    return f"{line.raw(first)} {part}" if part else ""


def _meant(
    said: str, proposal: Proposal, thing: Bringing | None, brings: Sequence[str], tool: Callable[[ToolId], Tool]
) -> Plan | Lacking:
    """Return the plan with what the trigger brings in it; what it is called is never taken as it was said."""
    if not isinstance(proposal, Plan):
        return Lacking(said, proposal)
    if proposal.score < _SURE:
        return Lacking(said, unsure=True)
    try:
        plan = proposal if thing is None else thing.put(proposal, tool)
    except CannotBring:
        return Lacking(said, brings=True)
    given = ((tool(task.tool).parameter(name), one) for task in plan.tasks for name, one in task.arguments.items())
    said_of_it = [one.text for of, one in given if isinstance(one, Constant) and of.type.kind is not ValueKind.CHOICE]
    is_named = any(f" {words} ".casefold() in f" {text} ".casefold() for text in said_of_it for words in brings)
    return Lacking(said, brings=True) if thing is not None and is_named else plan


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
