"""A run whose sentence asks about what was, or wants something of that taken back: it is answered here.

Nothing is taken back without a question: one names the run, and where several fit, a first one asks which.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from kernel.approval.consent import answer_to
from kernel.clients.bounds import must_be_a_persons, must_remember
from kernel.context.deeds import MOST_RUNS
from kernel.context.mind import Mind
from kernel.itself import undoing
from kernel.itself.asked_back import pending, picked
from kernel.language.line import Line
from kernel.model import Intent, Resolution
from kernel.recalling.hearing import hear
from kernel.recalling.model import Doing, TakeBack, Talk
from kernel.run import Run, Stop, error_view
from memory.errors import StoreError

if TYPE_CHECKING:
    from kernel.recalling.looking import Answer, Looking

_MOST_CHOICES = 9
_WHICH = "which_run"


def take_up(run: Run) -> None:
    """Let a reply to the question which run is to be taken back be the request that it settles."""
    asked = pending(run, _WHICH)
    at = picked(run.utterance.text, asked["choices"], newest_first=True) if asked else None
    if asked and at is not None:
        run.chosen, run.answers = {_RUN: str(asked["runs"][at])}, str(asked["run"])
        run.utterance = replace(run.utterance, text=str(asked["text"]))


async def answer(run: Run, intent: Intent, mind: Mind) -> None:
    """End the run with its answer where its sentence asks about what was; else return."""
    heard = hear(Line(intent.text, intent.tokens, intent.language, run.utterance.now), mind.lexicon)
    if heard is None:
        return
    if isinstance(heard, TakeBack):
        must_be_a_persons(run)
    must_remember(run)
    looking = _looking(run, mind)
    if isinstance(heard, TakeBack):
        await _take_back(run, heard, looking)
    try:
        found = await asyncio.to_thread(_look, looking, heard)
    except StoreError as error:
        from kernel.knowing.unusable import stop_of

        run.language = heard.language
        raise stop_of(run, error) from error
    if found is not None:
        run.language = heard.language
        raise Stop(Resolution.EXECUTED, found.text, result={"recalled": found.runs})


def _looking(run: Run, mind: Mind) -> Looking:
    from kernel.recalling.looking import Looking

    past = run.house.past(run.utterance.conversation, MOST_RUNS, client=run.client)
    return Looking(run.house, past, mind.lexicon, run.utterance.now, run.id, run.client)


def _look(looking: Looking, heard: Talk | Doing) -> Answer | None:
    return looking.talk(heard) if isinstance(heard, Talk) else looking.doing(heard)


# --- taking back --------------------------------------------------------------------------------------------------

_RUN = "run to take back"


async def _take_back(run: Run, heard: TakeBack, looking: Looking) -> NoReturn:
    run.language = heard.language
    chosen = run.chosen.get(_RUN, "")
    runs = await asyncio.to_thread(looking.changed, heard.words, heard.when, heard.language)
    if chosen:
        runs = [one for one in runs if one["run"] == chosen] or [{"run": chosen}]
    if not runs:
        from kernel.recalling.wording import quoted, say

        about = say(heard.language, "about", words=quoted(heard.words, heard.language)) if heard.words else ""
        said = say(heard.language, "no_run", about=about)
        raise Stop(Resolution.DECLINED, said, error=error_view("undo.nothing", said, "./steward runs"))
    if len(runs) > 1:
        await _ask_which(run, heard, looking, runs[:_MOST_CHOICES])
    what = undoing.change_of(run.house, str(runs[0]["run"]))
    undoing.must_be_possible(run.house, what, run.language)
    await answer_to(run, undoing.question(what, run.language), consented=run.yes)
    taken = await undoing.take_back(run.house, what, run.language)
    raise Stop(Resolution.CONFIRMED, taken["answer"], effects=taken["effects"], result={"undone": taken["run"]})


async def _ask_which(run: Run, heard: TakeBack, looking: Looking, runs: Sequence[Mapping[str, Any]]) -> NoReturn:
    from datetime import datetime

    from kernel.recalling.wording import moment, quoted, say

    choices = [
        f"{moment(datetime.fromisoformat(str(one['at'])), looking.now, heard.language)}: "
        f"{quoted(str(one['text']), heard.language)} ({one['run']})"
        for one in runs
    ]
    asked = say(heard.language, "which_run", count=len(choices))
    which = {"runs": [one["run"] for one in runs], "choices": choices, "text": run.utterance.text}
    await run.log.say("run.asked", None, {"question": asked, "choices": choices, _WHICH: which, **run.reply()})
    shown = "\n".join([asked, *(f"  {number}. {line}" for number, line in enumerate(choices, 1))])
    raise Stop(Resolution.CLARIFY, shown, question={"text": asked, "choices": choices})
