"""What keeps a sentence from being a rule yet: a refusal, or a question that is written down for its answer.

Each ends the run in words that say what to do next; nothing is kept.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NoReturn

from kernel.asking import wording
from kernel.language import Line
from kernel.model import Decline, Question, Resolution, Utterance
from kernel.paths import holds, short
from kernel.routines.answering import remember
from kernel.routines.compiling import Lacking
from kernel.routines.hearing import Heard, Lack, Unclear, left_of
from kernel.routines.limiting import OF_THE_CLOCK, OF_THE_MACHINE
from kernel.routines.model import FileSeen, Limit, Machine, State
from kernel.routines.rewording import whom_to_ask_about
from kernel.routines.sayings import say
from kernel.routines.waited_for import is_mail, known_of
from kernel.routines.watching.untold import untold
from kernel.routines.wording import limit_words, such_words, trigger_words
from kernel.run import Run, Stop, error_view
from kernel.settling.answers import Answers
from kernel.settling.asked import UNCLEAR, Left, Open, ask, put

_SAID_ANEW = frozenset({Lack.CRON, Lack.UNKNOWN, Lack.NOT_NOTICED, Lack.WHOSE_TIME})
"""What a few words do not mend: the whole has to be said again."""


async def unclear(run: Run, why: Lack, about: str = "", choices: Sequence[str] = ()) -> NoReturn:
    """Ask about what a rule says of when, or does not say. Raises Stop."""
    text = say(run.language, f"unclear.{why}", about=about)
    if why in _SAID_ANEW:
        raise Stop(Resolution.DECLINED, text, error=error_view(UNCLEAR, text, ""))
    await put(run, UNCLEAR, text, choices)


async def lacking(run: Run, said: Utterance, found: Lacking, answers: Answers) -> NoReturn:
    """Say what keeps the rule ``said`` from being one, or ask what is lacking. Raises Stop."""
    if isinstance(found.proposal, Question):
        await _ask(run, said, found, found.proposal, answers)
    if found.macro:
        text = say(run.language, f"macro {found.macro}", name=found.said, words=", ".join(found.moving))
    elif found.brings:
        text = say(run.language, "brings more", said=found.said)
    elif found.moving:
        text = say(run.language, "moving", words=", ".join(found.moving))
    elif isinstance(found.proposal, Decline):
        text = say(run.language, "not understood", said=found.said, why=found.proposal.text)
    else:
        text = say(run.language, "nothing to do")
    raise Stop(Resolution.DECLINED, text, error=error_view(UNCLEAR, text, ""))


async def _ask(run: Run, said: Utterance, found: Lacking, question: Question, answers: Answers) -> NoReturn:
    """Ask what the planner has to know of what the rule is to do, with what to choose from. Raises Stop."""
    text = say(run.language, "asks", said=found.said, question=question.text)
    await ask(run, Left.RULE, Open(said.text, found.asked, answers.taken), text, question.choices)


async def ask_whom(run: Run, line: Line, heard: Heard) -> None:
    """Ask who is meant where a mail that comes is to be forwarded to "him". Raises Stop."""
    who = whom_to_name(run, line, heard)
    if not who:
        return
    await remember(run, line.text, end_of(line, heard), who)
    await unclear(run, Lack.WHO, who)


def whom_to_name(run: Run, line: Line, heard: Heard) -> str:
    """Return the words for somebody whom nobody named, where a mail that comes is to go to them; empty for nobody."""
    mail = isinstance(heard.trigger, FileSeen) and is_mail(heard.trigger, run.house.world.home)
    return whom_to_ask_about(left_of(line, heard.gone), line.language) if mail else ""


async def ask_of_itself(run: Run, text: str, end: int, answered: Sequence[tuple[str, str]]) -> NoReturn:
    """Ask whether a rule's own changes are to be left out, where it would set itself off. Raises Stop."""
    await remember(run, text, end, yes=say(run.language, "own left out"), answered=answered)
    await unclear(run, Lack.SETS_ITSELF_OFF, choices=[wording.say(run.language, "yes")])


def refuse_unkept(run: Run, heard: Heard) -> None:
    """Say which conditions and limits are not kept of such a rule, and where nothing is watched. Raises Stop."""
    home, known = run.house.world.home, known_of(heard.trigger, run.house.world.home)
    kept = OF_THE_CLOCK | OF_THE_MACHINE | {Limit.OWN}
    kept |= {Limit.HELD} if isinstance(heard.trigger, Machine) else set()
    kept |= {Limit.LASTED} if heard.trigger == Machine(State.ONLINE) else set()
    beyond = [such_words(*one, run.language) for one in heard.such if one[0] not in known]
    beyond += [limit_words(*one, run.language) for one in heard.limits if one[0] not in kept]
    if beyond:
        when = trigger_words(heard.trigger, run.language, home)
        raise Stop(Resolution.DECLINED, say(run.language, "not yet", when=when, such=beyond[0]))
    if isinstance(heard.trigger, FileSeen):
        folder, real = heard.trigger.folder, os.path.realpath(heard.trigger.folder)
        own = any(real == one or holds(one, real) for one in run.house.private)
        if own or not f"{real}/".startswith(f"{os.path.realpath(home)}/"):
            text = say(run.language, "outside", folder=short(folder, home))
            raise Stop(Resolution.DECLINED, text, error=error_view("routine.outside", text, ""))


async def refuse_unheard(run: Run, heard: Heard) -> None:
    """Say what of a rule this machine does not tell. Raises Stop."""
    lacks, why = await untold(run.house, heard.trigger, heard.limits)
    if lacks:
        text = say(run.language, f"untold.{lacks}", why=why)
        raise Stop(Resolution.DECLINED, text, error=error_view("routine.untold", text, ""))


def end_of(line: Line, heard: Heard | Unclear) -> int:
    """How many characters go up to the end of a rule's trigger."""
    return max((line.tokens[last - 1].end for _, last in heard.words), default=0)
