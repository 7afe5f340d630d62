"""A sentence that keeps what was just done as a macro: "save that as a macro called monthly close".

What this stops: a macro of a program's, or of words that were only shown; a name that means something already.
What it does not: take a sentence that a tool takes; without the word "macro" it is one only where nothing
else is meant.
"""

from __future__ import annotations

import asyncio
import re
from typing import NoReturn

from kernel.composition.unframed import unframed
from kernel.context.mind import Mind
from kernel.itself.record import request_words
from kernel.language import tokenize
from kernel.macros.book import KEPT
from kernel.macros.freezing import Wanted, frozen_run
from kernel.macros.macro_json import to_json
from kernel.macros.naming import checked_name, refuse_taken
from kernel.macros.sayings import say
from kernel.macros.spoken import A_NAME, QUOTES
from kernel.macros.views import macro_view
from kernel.model import Resolution
from kernel.remember import run_view
from kernel.run import Run, Stop, error_view
from memory.model import Draft
from permissions.labels import KERNEL_SAID

_SAVE = r"(?:save|keep|store|remember)\s+(?:that|this|it|what you just did)\s+as\s+"
_SICHERE = r"(?:speichere?|behalte?|sichere?|merke? dir)\s+(?:das|dies|es)\s+(?:bitte\s+)?als\s+"
_A_MACRO = r"(?:(?:an?|the|my)\s+)?macro\s+(?:called\s+|named\s+|:\s*)?"
_EIN_MAKRO = r"(?:(?:ein|das|mein)\s+)?makro\s+(?:namens\s+|:\s*)?"
_NAMED = {
    "en": re.compile(rf"{_SAVE}{_A_MACRO}{A_NAME}", re.IGNORECASE),
    "de": re.compile(rf"{_SICHERE}{_EIN_MAKRO}{A_NAME}(?:\s+ab)?", re.IGNORECASE),
}
_PLAIN = {
    "en": re.compile(rf"{_SAVE}{A_NAME}", re.IGNORECASE),
    "de": re.compile(rf"{_SICHERE}{A_NAME}(?:\s+ab)?", re.IGNORECASE),
}


def heard(text: str, *, named: bool) -> tuple[str, str] | None:
    """Return the name that a sentence gives what was just done, and its language. ``named``: it says "macro"."""
    words = unframed(tokenize(text, "en"))
    said = text[words[0].start : words[-1].end] if words else ""
    for language, pattern in (_NAMED if named else _PLAIN).items():
        found = pattern.fullmatch(said)
        if found:
            return found["name"].strip(QUOTES), language
    return None


async def keep(run: Run, mind: Mind, *, named: bool) -> None:
    """Keep what was done last in the conversation where the sentence of ``run`` says so. Raises Stop, BadRequest."""
    said = run.utterance
    found = None if run.client or said.shown else heard(said.text, named=named)
    if found is None:
        return
    run.language = found[1]
    if run.private:
        raise _declined(run, "private")
    await _keep(run, mind, found[0])


async def _keep(run: Run, mind: Mind, name: str) -> NoReturn:
    house, said = run.house, run.utterance
    earlier = [one for one in house.talk.runs(said.conversation) if one != run.id]
    if not earlier:
        raise _declined(run, "nothing")
    view = run_view(house.ledger.events(run=earlier[-1]))
    view |= {"request": request_words(house.ledger, earlier[-1], view)}
    async with house.macros.keeping:
        name = checked_name(name)
        await asyncio.to_thread(refuse_taken, name, mind, house.macros.every(), said)
        macro = frozen_run(house, earlier[-1], view, Wanted(name, run=run.id), said)
        await house.write_macro(Draft(kind=KEPT, body=to_json(macro), run=run.id, label=KERNEL_SAID.to_json()))
    house.with_effects.append(run.id)
    answer = say(run.language, "kept", name=macro.name, text=macro.text)
    raise Stop(Resolution.EXECUTED, answer, result={"macro": macro_view(macro, house)})


def _declined(run: Run, key: str) -> Stop:
    text = say(run.language, key)
    return Stop(Resolution.DECLINED, text, error=error_view(f"macro.{key}", text, ""))
