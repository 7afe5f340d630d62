"""Asking a reviewer about a run, and what becomes of what it says.

What this stops: words of a private request reaching another machine; evidence reaching an endpoint that may not see its
class; a reviewer that keeps a run going round; words that it read steering the planner, which is told by number and by
step what was not supported, and never in words.
What it does not: let a verdict change an answer. It is shown beside it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any

from kernel.errors import BadRequest, ModelFailed
from kernel.failures import told
from kernel.model import Outcome, Plan, TaskId
from kernel.models.model import Endpoint, Prompt, Role
from kernel.models.sizes import tokens_of
from kernel.reviewing.claims import MOST, claims_of
from kernel.reviewing.evidence import evidence_of, seen_in
from kernel.reviewing.model import REQUEST, Claim, Exhibit, Review, Verdict
from kernel.reviewing.prompt import prompt_of
from kernel.reviewing.reading import findings_of
from kernel.reviewing.words import lines_of, say
from kernel.run import Run, SentBack
from permissions import holds_path
from permissions.labels import Label
from permissions.model import Change
from permissions.transactions import FileDiff
from skills.model import EffectClass

DEADLINE_S = 60.0
"""So long a reviewer may take."""

EVENT = "run.reviewed"

_SIZES = ((MOST, 4000), (MOST, 1200), (12, 600), (6, 300))
"""How many claims, and how much of each piece of evidence: less where the endpoint is small."""


async def reviewed(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], reviewer: Endpoint) -> None:
    """Review, write the verdict down, and send the result back where it is not supported. Raises SentBack."""
    found = await _review(run, plan, outcomes, reviewer)
    again, run.replan = run.replan, None
    following = None
    if again is not None and found.count(Verdict.UNSUPPORTED) and _may_be_done_again(run, plan):
        following = await again(what_failed(found, plan))
    body = found.to_json() | {"lines": lines_of(found, run.language, back=following is not None),
                              "sent_back": following is not None, "version": plan.version}  # fmt: skip
    await run.log.say(EVENT, None, body, durable=False, label=Label())
    if following is not None:
        raise SentBack(following)


def _may_be_done_again(run: Run, plan: Plan) -> bool:
    """Tell whether nothing of the plan has happened yet: it was only looked at, or staged."""
    return all(run.house.registry.tool(task.tool).effect is not EffectClass.ONCE for task in plan.tasks)


async def _review(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome], reviewer: Endpoint) -> Review:
    empty = Review(reviewer.name, reviewer.family, reviewer.kin_of(_named(run, plan.maker)))
    if run.private and not reviewer.is_local:
        return _without(empty, say(run.language, "private"))
    changes = await asyncio.to_thread(_changes, run)
    lines = await asyncio.to_thread(_lines, run) if plan.worker else ()
    exhibits = await asyncio.to_thread(evidence_of, plan, outcomes, changes, run.utterance.home, lines)
    claims = claims_of(run.utterance.text, plan, outcomes)
    asked, prompt = _fitting(run, plan, claims, exhibits, reviewer)
    try:
        with run.timed("model_ms"):
            reply = await run.house.models.ask(Role.REVIEWER, prompt, run, deadline_s=DEADLINE_S)
    except ModelFailed as failed:
        return _without(empty, " ".join(filter(None, told(failed, run.language))))
    german = run.language == "de"
    findings = await asyncio.to_thread(
        findings_of, reply.value, asked, exhibits, home=run.utterance.home, german=german
    )
    if findings is None:
        return _without(empty, say(run.language, "useless", name=reply.endpoint))
    asked_of = _named(run, reply.endpoint) or reviewer  # the second one of the role, where the first gave nothing
    kin = asked_of.kin_of(_named(run, plan.maker))
    return Review(asked_of.name, asked_of.family, kin, findings, len(claims) - len(asked))


def _without(empty: Review, why: str) -> Review:
    return Review(empty.endpoint, empty.family, empty.kinship, failed=why)


def _changes(run: Run) -> Sequence[Change]:
    return run.staging.seal().changes if run.staging is not None else ()


def _lines(run: Run) -> Sequence[FileDiff]:
    """Return what the changes of a worker add and take away, but for what lies in the folders that skills keep."""
    own = os.path.realpath(run.house.folders.kept)
    return [one for one in run.staging.diff() if not holds_path(own, one.path)] if run.staging is not None else ()


def _fitting(
    run: Run, plan: Plan, claims: Sequence[Claim], exhibits: Sequence[Exhibit], reviewer: Endpoint
) -> tuple[Sequence[Claim], Prompt]:
    """Return the claims that are asked about, with the question: as much as the endpoint takes."""
    seen = seen_in(plan, run.house.registry.tool)
    for most, longest in _SIZES:
        prompt = prompt_of(run.utterance.text, claims[:most], exhibits, longest, seen)
        if tokens_of(reviewer, prompt) <= reviewer.context_tokens:
            break
    return claims[:most], prompt


def _named(run: Run, name: str) -> Endpoint | None:
    try:
        return run.house.models.book().endpoints.get(name)
    except BadRequest:
        return None


def what_failed(found: Review, plan: Plan) -> dict[str, Any]:
    """Return what the planner is told of a review: verdicts by step, in numbers, and no word that anybody wrote."""
    steps = []
    for task in plan.tasks:
        held = [str(one.verdict) for one in found.findings if one.claim.task == task.id]
        steps.append({"id": task.id, "tool": task.tool, **{str(one): held.count(str(one)) for one in Verdict}})
    whole = next((str(one.verdict) for one in found.findings if one.claim.number == REQUEST), str(Verdict.UNCLEAR))
    return {"request": whole, "steps": steps}
