"""A sentence that is a rule: compiled, shown with its rights, and kept by a yes.

What this stops: a rule that is kept without a person having seen what it means and what it may do; a rule of a
program's, or of words that were only shown. What it does not: carry anything out now.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import NoReturn

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.interpret import read
from kernel.language import Line
from kernel.macros.requests import mentioned
from kernel.model import Decline, Plan, Proposal, Resolution, Utterance
from kernel.routines.answering import answered, ask_again, picks_one, remember, settled, wordings
from kernel.routines.asking_back import ask_of_itself, ask_whom, end_of, lacking, unclear
from kernel.routines.bringing import Bringing
from kernel.routines.compiling import Lacking, handed_over, takes_a_day, takes_the_words
from kernel.routines.consenting import authorized, changes_what_it_waits_for, keep_after_yes
from kernel.routines.editing import rewordings, wish
from kernel.routines.hearing import Heard, Lack, Unclear, begins_when, left_of
from kernel.routines.hearing.brought import is_written_to
from kernel.routines.hearing.clock import hear_clock
from kernel.routines.hearing.due_days import speaks_of_due
from kernel.routines.hearing.not_heard import not_heard
from kernel.routines.hearing.opening import begins_again, begins_with_verb, may_open
from kernel.routines.hearing.when.cron import says_cron
from kernel.routines.hearing.when.gathering import ends_in_a_sentence
from kernel.routines.model import About, Added, Change, FileSeen, Limit, Machine, Recurring, TaskDue, Trigger
from kernel.routines.not_understood import NotUnderstood, may_be_said_otherwise
from kernel.routines.own_time import Whose, is_kept_by, whose
from kernel.routines.rewording import adds_another, as_either, as_happening, as_task, wants_to_see
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.sentences import compile_heard, hear, macro_of, to_come
from kernel.routines.versions import go_back, number_in
from kernel.routines.worded import as_changed
from kernel.run import Run, Stop, error_view
from kernel.settling.answers import Answers
from kernel.settling.asked import UNCLEAR
from skills.model import EffectClass
from skills.schedule import BadSchedule


async def keep(run: Run, mind: Mind, dialogue: Dialogue, proposal: Proposal, usual: str) -> Plan | None:
    """Keep the sentence of ``run`` where it is a rule, after a yes. Raises Stop, or NotUnderstood.

    Returns None where it is none, and the plan of a rule that its one tool keeps itself (a reminder that repeats).
    """
    said, planned = run.utterance, isinstance(proposal, Plan)
    if run.client or said.shown:
        return None
    await ask_again(run)
    await _change(run, mind, dialogue)
    await _at_its_moment(run, mind, dialogue, proposal, usual)
    planned = planned and not (picks_one(run) or _is_of_macro(run, said, mind, usual))
    repeats = takes_the_words(proposal, mind.toolbox.tool)
    beyond = _ends(said, mind, usual) or (repeats and await _is_beyond_a_tool(run, said, mind, dialogue, usual))
    planned = planned and not (beyond or says_cron(said.text) or _is_vague(said, mind, usual))
    again = begins_again(said.text) and not repeats
    if planned and not (again or may_open(said.text) or speaks_of_due(said.text)):
        return None
    as_a_day = again and takes_a_day(proposal, said.text, mind.toolbox.tool)
    heard, line, said, answers = _meant(run, said, mind, usual, planned=planned, again=again, as_a_day=as_a_day)
    await _ask_which(run, line, said, mind, usual, proposal)
    if heard is None and isinstance(proposal, Plan) and not any(task.when or task.each for task in proposal.tasks):
        heard = not_heard(line)
    if heard is None or (repeats and isinstance(heard, Unclear) and heard.why not in _CANNOT_BE):
        return None
    run.language = line.language
    if isinstance(heard, Unclear):
        await _otherwise(run, said, heard, partial(_ask_when, run, line, heard))
    tools_own = repeats and not beyond
    return await _kept(run, said, line, heard, mind, dialogue, answers, tools_own=tools_own)


async def _kept(
    run: Run, said: Utterance, line: Line, heard: Heard, mind: Mind, dialogue: Dialogue, answers: Answers, *,
    tools_own: bool,
) -> Plan | None:  # fmt: skip
    """Keep a rule that was heard, after a yes; as ``keep``. ``tools_own``: a tool takes it whole, and can repeat it."""
    await ask_whom(run, line, heard)
    macro = macro_of(run, line, heard)
    found, thing = await compile_heard(run, said, line, heard, mind, dialogue, macro, answers)
    if answers.miss:
        return None
    if _writes_to_what_changed(line, heard) or (isinstance(found, Lacking) and _adds_another(line, heard)):
        await ask_of_itself(run, line.text, end_of(line, heard), answers.taken)
    if isinstance(found, Lacking):
        return None if tools_own and macro is None else await _lacks(run, said, found, answers)
    if run.private:
        raise Stop(Resolution.DECLINED, say(run.language, "private"))
    try:
        handed = handed_over(found.plan, found.trigger, said.now.date(), mind.toolbox.tool)
    except BadSchedule as error:
        if tools_own:  # the ordinary reading gives what repeats to a tool, and only has to ask
            return None
        raise Stop(Resolution.DECLINED, say(run.language, "repeats", said=found.said)) from error
    return handed or await _keep(run, found, thing, end_of(line, heard))


async def _lacks(run: Run, said: Utterance, found: Lacking, answers: Answers) -> NoReturn:
    await _otherwise(run, said, found, partial(lacking, run, said, found, answers))


async def _ask_when(run: Run, line: Line, heard: Unclear) -> NoReturn:
    await remember(run, line.text, end_of(line, heard), heard.about)
    await unclear(run, heard.why, heard.about)


async def _otherwise(
    run: Run, said: Utterance, found: Unclear | Lacking, end: Callable[[], Awaitable[NoReturn]]
) -> NoReturn:
    """End the run; raises NotUnderstood where a sentence that answers nothing may only lack other words."""
    if said.text == run.utterance.text and not run.private and may_be_said_otherwise(found):
        raise NotUnderstood(end)
    await end()


def _ends(said: Utterance, mind: Mind, usual: str) -> bool:
    """Tell whether a sentence says in another one when what it repeats ends: no tool takes that."""
    several = any(mark in said.text.rstrip(" .!?;") for mark in ".!;")
    return several and ends_in_a_sentence(read(said, mind.lexicon, usual))


def _is_vague(said: Utterance, mind: Mind, usual: str) -> bool:
    """Tell whether nobody says how often a sentence is to be done, or its moment is over: now is not what was meant."""
    heard = hear_clock(read(said, mind.lexicon, usual))
    return isinstance(heard, Unclear) and heard.why in (Lack.HOW_OFTEN, Lack.TOO_OFTEN, Lack.PAST)


async def _is_beyond_a_tool(run: Run, said: Utterance, mind: Mind, dialogue: Dialogue, usual: str) -> bool:
    """Tell whether a sentence says of what it repeats what no tool takes: when it ends, several times of one day, or a
    task whose words a tool takes apart; or wants something shown at such times, and its words without them say so by
    themselves: then no tool that repeats something of its own is meant ("every weekday at 7 tell me what's in my
    calendar").
    """
    line, heard = hear(run, said, mind, usual)
    if not isinstance(heard, Heard):
        return False
    left, when = left_of(line, heard.gone), heard.trigger
    if isinstance(when, Recurring) and (when.ends or _SEVERAL.search(when.rule) or as_task(left, line.language)):
        return True
    if not wants_to_see(left):
        return False
    found, _ = await compile_heard(run, said, line, heard, mind, dialogue)
    tool = mind.toolbox.tool
    return isinstance(found, Routine) and all(tool(one.tool).effect is EffectClass.PURE for one in found.plan.tasks)


_CANNOT_BE = frozenset({Lack.NEVER, Lack.NO_SUCH_DAY, Lack.NO_SUCH_TIME})
_SEVERAL = re.compile(r"BY(?:HOUR|MINUTE)=\d+,")


def _is_of_macro(run: Run, said: Utterance, mind: Mind, usual: str) -> bool:
    """Tell whether a sentence is a rule that has a macro done, alone or with more, though a tool takes it whole."""
    text = said.text.casefold()
    named = any(words.casefold() in text for one in run.house.macros.every() for words in (one.name, *one.phrases))
    if not named:
        return False
    line, heard = hear(run, said, mind, usual)
    return isinstance(heard, Heard) and bool(mentioned(left_of(line, heard.gone), run.house.macros.every()))


def _meant(
    run: Run, said: Utterance, mind: Mind, usual: str, *, planned: bool, again: bool, as_a_day: bool
) -> tuple[Heard | Unclear | None, Line, Utterance, Answers]:
    """Return what a sentence says of when something is to be done, also where it answers what a rule left open.

    Of one that a tool takes whole (``planned``) only what begins with what happens counts, or with how often
    (``again``): to a tool that keeps no such times "every Monday" is a day (``as_a_day``).
    """
    line, heard = hear(run, said, mind, usual, clock=again or not planned)
    if planned:
        begins = again or begins_when(said.text) or _begins_with_it(heard, said.text)
        lacks_time = as_a_day and isinstance(heard, Unclear) and heard.why is Lack.TIME_OF_DAY
        return heard if lacks_time or (isinstance(heard, Heard) and begins) else None, line, said, Answers()
    if isinstance(heard, Heard):
        return heard, line, said, Answers()
    declared = as_happening(said.text)
    worded = (replace(said, text=text) for text in ([declared] if declared else wordings(run)))
    whole = ((one, *hear(run, one, mind, usual)) for one in worded)
    said, line, heard = next((one for one in whole if isinstance(one[2], Heard)), (said, line, heard))
    return (heard, line, said, Answers(answered(run))) if heard is not None else _settling(run, line, said, mind, usual)


def _settling(
    run: Run, line: Line, said: Utterance, mind: Mind, usual: str
) -> tuple[Heard | None, Line, Utterance, Answers]:
    """Return the rule about whose deeds was asked last, as it was heard, with what was said to that; else nothing."""
    open_yet = settled(run)
    if open_yet is not None:
        rule = replace(said, text=open_yet[0])
        again, heard = hear(run, rule, mind, usual)
        if isinstance(heard, Heard):
            return heard, again, rule, Answers(open_yet[1], now=True)
    return None, line, said, Answers()


async def _at_its_moment(run: Run, mind: Mind, dialogue: Dialogue, proposal: Proposal, usual: str) -> None:
    """Keep a request that is for one moment to come, after a yes, where the moment is no deed's own. Raises Stop."""
    said, answers = run.utterance, Answers()
    line, moment = to_come(run, said, mind, usual)
    if moment is None and not isinstance(proposal, Plan):
        open_yet, given = settled(run) or ("", answered(run))
        rules = filter(None, (*wordings(run), open_yet))
        worded = ((one, *to_come(run, replace(said, text=one), mind, usual)) for one in rules)
        text, line, moment = next((one for one in worded if one[2] is not None), (said.text, line, moment))
        said, answers = replace(said, text=text), Answers(given, now=bool(open_yet))
    if moment is None:
        return
    heard, tool = moment.heard, mind.toolbox.tool
    when = line.slice(*heard.words[0])
    if is_kept_by(proposal, when, tool, leads=moment.leads):
        return
    macro = macro_of(run, line, heard)
    found, thing = await compile_heard(run, said, line, heard, mind, dialogue, macro, answers)
    if answers.miss:
        return
    owner = Whose.REQUEST if macro is not None else whose(found, moment, tool)
    if owner is None or owner is Whose.DEED:
        return
    run.language = line.language
    if owner is Whose.UNCLEAR:
        await unclear(run, Lack.WHOSE_TIME, when)
    if not moment.timed:
        await remember(run, line.text, end_of(line, heard))
        await unclear(run, Lack.TIME_OF_DAY, when)
    if isinstance(found, Lacking):
        await _lacks(run, said, found, answers)
    if run.private:
        raise Stop(Resolution.DECLINED, say(run.language, "private"))
    await _keep(run, found, thing, end_of(line, heard))


async def _change(run: Run, mind: Mind, dialogue: Dialogue) -> None:
    """Change a routine where the sentence of ``run`` wants one changed, after a yes. Raises Stop."""
    changing = wish(run)
    if changing is None:
        return
    old = changing.routine
    number = number_in(changing.words) if changing.sure else None
    if number is not None:
        await go_back(run, old, number)
    line, heard = hear(run, replace(run.utterance, text=old.words), mind, old.language)
    wordings = rewordings(line, heard, changing.words) if isinstance(heard, Heard) else ()
    for text in wordings:
        said = replace(run.utterance, text=text, cwd=old.cwd)
        again, meant = hear(run, said, mind, old.language)
        if isinstance(meant, Heard) and _asks(meant) != (old.trigger, old.such, old.limits):
            answers = Answers(old.answers)
            found, thing = await compile_heard(run, said, again, meant, mind, dialogue, answers=answers)
            if isinstance(found, Routine) and found.said.casefold() == old.said.casefold():
                found = as_changed(found, old, run.utterance.text, again, meant)
                await _keep(run, found, thing, end_of(again, meant), instead=old)
    if not changing.sure:
        return
    run.language = old.language
    text = say(old.language, "no change", name=old.name, words=changing.words)
    raise Stop(Resolution.DECLINED, text, error=error_view(UNCLEAR, text, ""))


def _asks(heard: Heard) -> tuple[Trigger, tuple[tuple[About, str], ...], tuple[tuple[Limit, float], ...]]:
    """What a rule waits for, what has to be so of it, and what keeps it still."""
    return heard.trigger, heard.such, heard.limits


def _begins_with_it(heard: Heard | Unclear | None, text: str) -> bool:
    """Tell whether a sentence is a rule although a tool takes it whole, "the charger" as part of a file's name, say:
    what becomes of the machine, or a verb that says what happens, stands at its beginning, and no tool waits for that.
    """
    if isinstance(heard, Heard) and isinstance(heard.trigger, TaskDue):
        return True  # wherever that stands: no tool waits for it
    if not isinstance(heard, Heard) or heard.words[0][0] != 0:
        return False
    return isinstance(heard.trigger, Machine) or begins_with_verb(text)


async def _ask_which(run: Run, line: Line, said: Utterance, mind: Mind, usual: str, proposal: Proposal) -> None:
    """Ask whether what is to be moved, and to stay where it is, is to be moved or copied. Raises Stop.

    A rule is asked about so, and a request that could not be planned.
    """
    either = as_either(line.text, line.language)
    heard = [(text, *hear(run, replace(said, text=text), mind, usual)) for text in either.values()]
    rule = next(((text, end_of(again, meant)) for text, again, meant in heard if isinstance(meant, Heard)), None)
    if not either or (rule is None and not isinstance(proposal, Decline)):
        return
    run.language = line.language
    if rule is not None:
        await remember(run, *rule, either=either)
        await unclear(run, Lack.MOVES_AND_STAYS, choices=list(either.values()))
    question = f"{say(run.language, f'unclear.{Lack.MOVES_AND_STAYS}')} {say(run.language, 'the whole again')}"
    raise Stop(Resolution.DECLINED, question, error=error_view(UNCLEAR, question, ""))


def _writes_to_what_changed(line: Line, heard: Heard) -> bool:
    waits = isinstance(heard.trigger, FileSeen) and heard.trigger.change in (Change.CHANGED, Change.WRITTEN)
    return waits and Limit.OWN not in dict(heard.limits) and any(is_written_to(line, one) for one in heard.brings)


def _adds_another(line: Line, heard: Heard) -> bool:
    open_yet = isinstance(heard.trigger, Added) and Limit.OWN not in dict(heard.limits)
    return open_yet and adds_another(left_of(line, heard.gone), line.language)


async def _keep(
    run: Run, routine: Routine, thing: Bringing | None, end: int, instead: Routine | None = None
) -> NoReturn:
    if instead is not None:
        routine = replace(routine, name=instead.name, version=instead.version + 1, before=instead.key)
    run.language = routine.language
    authorization = authorized(run, routine, thing)
    own = routine.worded is None
    if own and changes_what_it_waits_for(routine, authorization, run.house.registry.tool):
        await ask_of_itself(run, routine.text, end, routine.answers)
    await keep_after_yes(run, routine, thing, authorization)
