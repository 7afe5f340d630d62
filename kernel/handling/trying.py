"""The way of a dry run: authorized, dispatched and sealed like any plan, shown, and thrown away.

What this stops: a change, a letter, a fact or a right that outlives it; a plan that is tried out with more than whoever
would run it may do; a yes in advance. What it does not: spare a page that is only read from being fetched.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any

from kernel.approval.card import card_view, change_view, diff_view
from kernel.approval.consent import answer_to, give, refuse_denied
from kernel.approval.origins import known_of, on_card
from kernel.approval.plan_words import plan_view
from kernel.authorize import asked, authorize
from kernel.commit import concerns, refuse_strays
from kernel.dispatch import dispatch
from kernel.handling.ending import ended, finish
from kernel.handling.plans import failure_words, floor_of, marks_of, skills_of
from kernel.house import House
from kernel.model import Authorization, Outcome, Plan, Resolution, RunId, TaskId
from kernel.planning.plan_json import plan_to_json
from kernel.planning.voice import said_by
from kernel.remembering.bulk import FEW, kept, lean_changes, lean_result
from kernel.run import Run, Stop
from kernel.terms.held import in_time
from kernel.trying import Trial, begun, lacking, made
from kernel.trying.sayings import say
from permissions.model import ChangeSet
from permissions.transactions import FileDiff

ASIDE_S = 3.0
"""So long a card waits for the dry run that stands on it."""


async def try_out(run: Run, plan: Plan) -> None:
    """Do ``plan`` as the dry run ``run``, and end it. Raises nothing."""
    await ended(run, in_time(run.held, _tried(run, plan)))


async def aside(house: House, trial: Trial, plan: Plan) -> RunId | None:
    """Do ``plan`` beside a run that waits for it, in ``ASIDE_S``; return the dry run, None where that is too short."""
    run = await begun(house, trial)
    house.live.add(run.id)
    job = asyncio.create_task(try_out(run, plan), name=run.id)
    job.add_done_callback(lambda _: house.live.discard(run.id))
    try:
        done, _ = await asyncio.wait([job], timeout=ASIDE_S)
    finally:
        job.cancel()
        await asyncio.wait([job])
    return run.id if done else None


async def _tried(run: Run, plan: Plan) -> None:
    plan = said_by(plan, run.utterance.label)
    run.language = plan.language
    around = run.around()
    authorization = authorize(plan, around)
    body = {
        "plan": plan_view(plan, around), **kept("frozen", plan_to_json(plan)), "language": plan.language, "ms": 0,
        "skills": skills_of(plan, around),
        "rights": card_view(authorization, around, plan, *run.house.level())["rights"], **run.reply(),
    }  # fmt: skip
    await run.log.say("run.planned", None, body, durable=False)
    authorization = await _consent(run, plan, authorization)
    with run.timed("sandbox_ms"):
        outcomes = await dispatch(plan, authorization, floor_of(run, plan), made, made)
    failed = [one for one in outcomes.values() if not one.ok]
    if failed:
        error = failed[0].error or {}
        code, held = run.refusal or error.get("code", ""), bool(run.refusal) or error.get("code") == "task.revoked"
        answer = "\n".join(dict.fromkeys(failure_words(one.error or {}) for one in failed))
        raise Stop(Resolution.BLOCKED if held else Resolution.FAILED, answer, error={**error, "code": code})
    await _thrown_away(run, plan, authorization, outcomes)


async def _consent(run: Run, plan: Plan, authorization: Authorization) -> Authorization:
    """Ask for what the dry run lacks until it is allowed, for this once whatever a person answers. Raises Stop."""
    refuse_denied(run, authorization)
    needed = lacking(plan, authorization, run.house.registry.tool)
    while asked(needed):
        around, known = run.around(), known_of(run, plan)
        card = card_view(needed, around, plan, *run.house.level()) | on_card(known, plan.language)
        first = {"why": say(run.language, "dry"), "subject": say(run.language, "nothing stays")}
        card |= {"concerns": [first, *card.get("concerns", ())], "trial": run.trial}
        await answer_to(run, {"stage": "plan", "card": card}, consented=False)
        run.vouched.update(one.key for one in known)
        await give(run, plan, needed, "run")
        authorization = authorize(plan, run.around())
        refuse_denied(run, authorization)
        needed = lacking(plan, authorization, run.house.registry.tool)
    return authorization


async def _thrown_away(run: Run, plan: Plan, authorization: Authorization, outcomes: Mapping[TaskId, Outcome]) -> None:
    """Look at what was staged, and end the run without it."""
    changes, drawn = ChangeSet("", run.id, ()), list[FileDiff]()
    if run.staging is not None:
        changes = await asyncio.to_thread(run.staging.seal)
        refuse_strays(changes, authorization)
        drawn = list(await asyncio.to_thread(run.staging.diff))
    own = os.path.realpath(run.house.folders.kept)
    ordered = [outcomes[task.id] for task in plan.tasks if task.id in outcomes]
    views = lean_changes([change_view(change) for change in changes.changes], FEW)
    found: dict[str, Any] = {
        "changes": views, "diff": [diff_view(one, own) for one in drawn],
        "asks": [{"why": str(why), "subject": subject} for why, subject in concerns(changes, authorization, yes=False)],
    }  # fmt: skip
    answer = "\n".join(_lines(run.language, ordered, len(changes.changes), asks=bool(found["asks"])))
    marks = await marks_of(run, plan, outcomes, answer)
    values = {str(one.task): one.value for one in ordered if not one.skipped}
    tables = [one.table for one in ordered if one.table]
    result = lean_result(values, tables=tables, files=[], trial=found)
    await finish(run, Resolution.ROLLED_BACK, answer, result=result, effects=[], marks=marks)


def _lines(language: str, outcomes: Sequence[Outcome], count: int, *, asks: bool) -> list[str]:
    """Say what a dry run came to: what would have been said and done, then how much it would change."""
    said = [one.answer for one in outcomes if one.answer and not one.skipped]
    named = [one.answer for one in outcomes if one.answer and one.skipped]
    files = {"en": "1 file" if count == 1 else f"{count} files", "de": "1 Datei" if count == 1 else f"{count} Dateien"}
    last = say(language, "changes", count=files.get(language, files["en"])) if count else say(language, "no change")
    says = [say(language, "would say"), *said] if said else []
    return [say(language, "tried"), *says, *named, *([say(language, "would ask")] if asks else []), last]
