"""Vouching: a value of unknown origin would decide something, and a person is asked whether it may.

What this stops: a yes that was given to a plan counting for a value that nobody had seen then; ``--yes`` answering for
one; a value of which only the beginning can be looked at; the same question again and again in a run.
What it does not: grant anything. What is decided so still needs its rights.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from kernel.approval.consent import REFUSALS, any_answer_to
from kernel.approval.origins import on_card
from kernel.asking import wording
from kernel.flow import LONGEST, Concern
from kernel.run import Run, words

STAGE = "flow"


async def ask_to_vouch(run: Run, concerns: Sequence[Concern]) -> str:
    """Ask whether ``concerns`` are all right; return why not, empty where they are."""
    async with run.asking:
        fresh = [one for one in concerns if one.key not in run.vouched]
        if not fresh:
            return ""
        longest = sum(len(one.value) for one in fresh)
        if longest > LONGEST:
            return wording.say(run.language, "origin.long", count=longest)
        card = {"rights": [], **on_card(fresh, run.language)}
        keys = "\n".join(sorted(one.key for one in fresh))
        seal = f"{STAGE}:{hashlib.sha256(keys.encode()).hexdigest()}"
        answer = await any_answer_to(run, {"stage": STAGE, "seal": seal, "card": card})
        if answer in REFUSALS:
            run.refusal = REFUSALS[answer]
            return words(run, REFUSALS[answer].removeprefix("approval."))
        run.vouched.update(one.key for one in fresh)
        return ""
