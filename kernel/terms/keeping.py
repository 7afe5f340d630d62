"""Refusing before anything is done: a plan that cannot be in time, a model that nobody can pay."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from kernel.errors import ModelFailed
from kernel.failures import told
from kernel.model import Plan, Resolution
from kernel.run import Run, Stop, error_view
from kernel.terms.fitting import KINDS, LOOKED_AT, Chain, longest
from kernel.terms.wording import duration, say


async def refuse_late(run: Run, plan: Plan) -> None:
    """End a run whose plan cannot be done before its deadline. Raises Stop."""
    left_s = run.held.left_s()
    if left_s is None:
        return
    chain = await asyncio.to_thread(_longest, run, plan)
    if chain.least_s <= left_s:
        return
    said = {"given": duration(run.held.terms.deadline_s or 0), "needed": duration(chain.least_s),
            "steps": ", ".join(chain.tools)}  # fmt: skip
    message, hint = say(run.language, "slow", **said), say(run.language, "slow.hint")
    raise Stop(Resolution.BLOCKED, message, error=error_view("request.deadline", message, hint))


def refuse_cost(run: Run, failed: ModelFailed, unplanned: str) -> NoReturn:
    """End a run for which a model would have to be asked that its budget does not pay. Raises Stop.

    ``unplanned`` says why there is nothing without the model.
    """
    message, hint = told(failed, run.language)
    raise Stop(Resolution.BLOCKED, f"{unplanned}\n{message}".strip(), error=error_view(failed.code, message, hint))


def _longest(run: Run, plan: Plan) -> Chain:
    ledger = run.house.ledger
    events = ledger.events(after=max(0, ledger.head()[0] - LOOKED_AT), kinds=KINDS)
    return longest(plan, events, run.house.registry.tool)
