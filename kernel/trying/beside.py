"""A dry run beside a card: what keeping something would come to, as far as nobody has to be asked for it.

What this stops: a card that waits long; a dry run on it that uses a right which nobody has given, or asks something.
What it does not: choose the plan (``kernel.routines.trying``, ``kernel.macros.consenting``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.approval.rights_words import right_words
from kernel.authorize import asked, authorize, denied
from kernel.model import Plan
from kernel.remember import run_view
from kernel.trying.acting import lacking
from kernel.trying.beginning import Trial
from kernel.trying.sayings import say

if TYPE_CHECKING:
    from kernel.run import Run


async def beside(run: Run, plan: Plan, trial: Trial, language: str, how: str) -> dict[str, Any]:
    """Return what a dry run of ``plan`` said (``said``), its ``changes`` and ``diff``, or which rights are ``missing``.

    ``how`` is the command that tries it out where it was not.
    """
    house = run.house
    around = house.circumstances(run.id, trial.cwd)
    authorization = authorize(plan, around)
    if denied(authorization):
        return {"said": say(language, "denied")}
    home = str(house.folders.home)
    needed = asked(lacking(plan, authorization, around.tool))
    missing = list(dict.fromkeys(right_words(decision.right, home, language) for _, decision in needed))
    if missing or run.aside is None:
        return {"said": say(language, "missing", how=how), "missing": missing}
    tried = await run.aside(house, trial, plan)
    if tried is None:
        return {"said": say(language, "too long", how=how)}
    view = run_view(house.ledger.events(run=tried))
    found = (view["result"] or {}).get("trial") or {}
    asks = (view["error"] or {}).get("code") == "approval.refused"
    said = say(language, "asks on the way", how=how) if asks else view["answer"]
    return {"said": said, "run": tried, **{name: found.get(name, []) for name in ("changes", "diff")}}
