"""Compiling a rule: from what was heard and the words that are left to a routine, or to why there is none yet."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.dispatching.standing_in import MARK
from kernel.interpret import interpret
from kernel.language import Line
from kernel.language.free_text import covered
from kernel.model import Constant, Decline, Plan, Proposal, Question, Task, Utterance
from kernel.paths import short
from kernel.planning.proposing import alone, answered
from kernel.routines.bringing import Bringing, CannotBring, takes_any
from kernel.routines.hearing import Heard, left_of
from kernel.routines.model import Clock, Recurring, Trigger
from kernel.routines.moving import standing_still
from kernel.routines.parts import in_words, is_beside_words, marked
from kernel.routines.rewording import Rewording, wants_a_reminder
from kernel.routines.rewording.its_folder import folder_left_open
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.waited_for import BROUGHT
from kernel.settling.answers import Answers, sure_or_asked
from permissions.labels import USER_SAID
from skills.model import EffectClass, Tool, ToolId, ValueKind
from skills.schedule import BadSchedule, checked_rule

_LONGEST_NAME = 40
_STOOD_IN = re.compile(rf"(?:~|/)[^\s,;()]*/{MARK}-[\w.-]*\w")
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
    asked: str = ""  # the planner's question as it stands; ``proposal`` has it in words that a person reads


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


def takes_a_day(proposal: Proposal, text: str, tool: Callable[[ToolId], Tool]) -> bool:
    """Tell whether a plan takes some time that was said for one day or hour, or writes down a text that begins with
    what comes again in "every friday write ...".
    """
    tasks = proposal.tasks if isinstance(proposal, Plan) else ()
    given = [(tool(task.tool).parameter(name).type.kind, one) for task in tasks for name, one in task.arguments.items()]
    if any(kind in _ONE_TIME for kind, _ in given):
        return True
    texts = [one.text.casefold().split() for _, one in given if isinstance(one, Constant)]
    _, *again = text.casefold().split()
    return bool(again) and any(words[:1] == again[:1] for words in texts)


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
    if not isinstance(trigger, Recurring):
        raise _not_kept("it comes by its length")
    until = "" if trigger.ends is None else f";UNTIL={trigger.ends:%Y%m%d}T235959"
    given = {free[ValueKind.RECURRENCE]: Constant(checked_rule(trigger.rule + until), USER_SAID)}
    if trigger.begins != today:
        if ValueKind.DATE not in free:
            raise _not_kept("it begins later")
        given[free[ValueKind.DATE]] = Constant(trigger.begins.isoformat(), USER_SAID)
    return replace(plan, tasks=(replace(task, arguments={**task.arguments, **given}),))


def _is_beyond_its_tool(
    plan: Plan, trigger: Trigger, today: date, tool: Callable[[ToolId], Tool], said: str
) -> bool:  # fmt: skip
    """Tell whether the one tool of a plan repeats by itself, and cannot at such times: twice a day, say; of a wish to
    be reminded also whether the plan reminds of nothing.
    """
    try:
        handed = handed_over(plan, trigger, today, tool)
    except BadSchedule:
        return True
    return handed is None and isinstance(trigger, Clock) and wants_a_reminder(said)


def _not_kept(why: str) -> BadSchedule:
    return BadSchedule("skill.schedule", f"What repeats so is kept by no skill: {why}.")


def compiled(
    run: str, utterance: Utterance, line: Line, heard: Heard, mind: Mind, dialogue: Dialogue, world: HomeWorld,
    taken: Collection[str], thing: Bringing | None, answers: Answers,
) -> Routine | Lacking:  # fmt: skip
    """Return the routine that ``utterance`` means, called by a name that is not ``taken``.

    ``thing`` is how what its trigger brings stands in a plan, ``answers`` are to what was asked about what it is to do.
    """
    said = left_of(line, heard.gone)
    if not said:
        return Lacking("")
    which = folder_left_open(line, covered(heard.gone), heard.trigger, world.home)
    if which:
        return Lacking(said, moving=(which,))
    around = dialogue.bare() if thing is None else thing.told(dialogue.bare(), line.language)
    if thing is not None and thing.place:
        world = world.expecting(thing.place)
        around = replace(around, world=world)

    def plan(text: str) -> Proposal:
        rest = replace(utterance, text=text)
        intent = interpret(rest, world, mind.lexicon, line.language)
        found = alone(rest, intent, mind=mind, dialogue=around, usual=line.language)
        reply = partial(answered, rest, world=world, mind=mind, dialogue=around, usual=line.language)
        return answers.settle(sure_or_asked(found, mind.toolbox), reply)

    def is_beyond(meant: Plan) -> bool:
        return _is_beyond_its_tool(meant, heard.trigger, utterance.now.date(), mind.toolbox.tool, said)

    meant = _planned(said, Rewording(line, heard, world.home, thing), plan, thing, mind.toolbox.tool, is_beyond)
    if isinstance(meant, Lacking):
        return _readable(meant, "" if thing is None else thing.place, world.home, line.language)
    still = standing_still(meant, meant.language, utterance.now, mind.toolbox.tool)
    if still:
        return Lacking(said, moving=tuple(still))
    return Routine(
        named(line, heard.gone, taken), utterance.text, said, meant.language, heard.trigger,
        replace(meant, why={}), secrets.token_hex(8), utterance.now, utterance.cwd, run, heard.limits, heard.such,
        answers.taken,
    )  # fmt: skip


def _planned(
    said: str, rewording: Rewording, plan: Callable[[str], Proposal], thing: Bringing | None,
    tool: Callable[[ToolId], Tool], is_beyond: Callable[[Plan], bool],
) -> Plan | Lacking:  # fmt: skip
    """Return the first plan of the wordings that has no part as it was said, and no times that its tool cannot keep;
    else the first that has one, "the date", say: it is written as it was said. Where there is no plan at all, what the
    clearest wording lacks.
    """
    found, literal = list[Lacking](), list[Plan]()
    for wording in rewording.wordings():
        proposal = plan(wording.text)
        if isinstance(proposal, Question) and thing is not None:
            proposal = thing.answers(proposal, tool) or proposal
        meant = _meant(said, proposal, thing, rewording.called(), tool, wording.title)
        if isinstance(meant, Lacking):
            found.append(meant)
        elif (thing is not None and rewording.wants_part and thing.is_taken_by_others(meant)) or (
            wording.own and thing is not None and not thing.is_only_its_own(meant)
        ):
            found.append(Lacking(said, brings=True))
        elif not wording.names_it or takes_any(meant, "name"):
            if not _has_words(meant, rewording.parts(), tool) and (wording.notice or not is_beyond(meant)):
                return meant
            literal.append(meant)
    return literal[0] if literal else found[0]


def _readable(found: Lacking, place: str, home: str, language: str) -> Lacking:
    """Return what is lacking with what the trigger brings called so: no ``place`` and no word that stood for it."""
    proposal = found.proposal
    if proposal is None:
        return found

    words = say(language, "brought file")

    def called(text: str) -> str:
        text = _STOOD_IN.sub(words, text)
        plain = text.replace(short(place, home), words).replace(place, words) if place else text
        return str(in_words(plain, language))

    if isinstance(proposal, Decline):
        return replace(found, proposal=replace(proposal, text=called(proposal.text)))
    choices = tuple(map(called, proposal.choices))
    readable = replace(proposal, text=called(proposal.text), choices=choices)
    return replace(found, proposal=readable, asked=proposal.text)


def _meant(
    said: str,
    proposal: Proposal,
    thing: Bringing | None,
    brings: Sequence[str],
    tool: Callable[[ToolId], Tool],
    title: str,
) -> Plan | Lacking:
    """Return the plan with what the trigger brings in it; what that is called is a value in ``title`` alone."""
    if not isinstance(proposal, Plan):
        return Lacking(said, proposal)
    try:
        plan = proposal if thing is None else thing.put(proposal, tool)
    except CannotBring:
        return Lacking(said, brings=True)
    if thing is not None and _has_words(plan, brings, tool, title, thing.values):
        return Lacking(said, brings=True)
    plan = replace(plan, tasks=tuple(_with_marks(task) for task in plan.tasks))
    return Lacking(said, brings=True) if _looks_up_more(plan, tool) else plan


def _with_marks(task: Task) -> Task:
    return replace(task, arguments={name: marked(one) for name, one in task.arguments.items()})


def _looks_up_more(plan: Plan, tool: Callable[[ToolId], Tool]) -> bool:
    """Tell whether something that is there is looked up by a part and by words beside it: it is not called so."""
    looks = ((tool(task.tool), name, one) for task in plan.tasks for name, one in task.arguments.items())
    return any(
        of.effect is EffectClass.PURE and of.parameter(name).type.kind is not ValueKind.TEXT and is_beside_words(one)
        for of, name, one in looks
    )


def _has_words(
    plan: Plan, phrases: Sequence[str], tool: Callable[[ToolId], Tool], title: str = "",
    values: Collection[str] = frozenset(),
) -> bool:  # fmt: skip
    """Tell whether a value of ``plan`` other than ``title`` has one of ``phrases`` as it was said.

    The words of a choice mean the choice; of ``values``, where a task takes the thing, what is read out of it.
    """
    own = [
        (task, tool(task.tool).parameter(name), one) for task in plan.tasks for name, one in task.arguments.items()
        if isinstance(one, Constant) and (not title or one.value != title)
    ]  # fmt: skip
    said = [
        text for task, of, one in own if of.type.kind is not ValueKind.CHOICE
        if (text := one.text.casefold()) not in values or BROUGHT not in task.takes()
    ]  # fmt: skip
    plain = [words.strip(" ,").casefold() for words in phrases]
    alone = {words.partition(" ")[2] for words in plain} - {""}  # "message", of "the message"
    return any(text in alone for text in said) or any(f" {words} " in f" {text} " for text in said for words in plain)


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
