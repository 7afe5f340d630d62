"""The ends of a request that come to no plan: a question back, or a refusal with what is nearest."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NoReturn

from kernel.itself.instructions import instruction_words
from kernel.itself.nearest import near_words
from kernel.model import Candidate, Decline, Question, Resolution
from kernel.paths import homely, tilded
from kernel.planning.plan_json import question_to_json
from kernel.remembering.bulk import kept
from kernel.run import Run, Stop


async def ask_back(run: Run, question: Question) -> NoReturn:
    """Write down a question with its draft, and end the run with it. Raises Stop."""
    run.language = question.draft.language
    body = {"question": question.text, "choices": list(question.choices), **run.reply()}
    body |= kept("draft", question_to_json(question))
    await run.log.say("run.asked", None, body)
    home = str(run.house.folders.home)
    asked, choices = tilded(question.text, home), [homely(one, home) for one in question.choices]
    text = "\n".join([asked, *(f"  {n}. {choice}" for n, choice in enumerate(choices, 1))])
    raise Stop(Resolution.CLARIFY, text, question={"text": asked, "choices": choices})


async def decline(run: Run, proposal: Decline, candidates: Sequence[Candidate]) -> NoReturn:
    """End the run with why nothing was done, and with what is nearest. Raises Stop."""
    house = run.house
    said = "" if proposal.unclear else instruction_words(
        house.registry.skills(), run.utterance.text, run.language, str(house.folders.home), run.client
    )  # fmt: skip
    if said:
        raise Stop(Resolution.DECLINED, said)
    near = [one for one in candidates if not proposal.unclear and one.tool in proposal.nearest]
    said = await asyncio.to_thread(near_words, near, house.registry.tool, run.language, house.world)
    result = {"nearest": [str(tool) for tool in proposal.nearest]}
    raise Stop(Resolution.DECLINED, proposal.text + said, result=result)
