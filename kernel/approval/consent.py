"""Consent: a run waits until a person has answered its card, or the question about its changes.

What this stops: an answer to one question counting for another (each is told by its seal and its end), a plan that goes
on after a no, a grant that is wider than what was asked. What it does not: know who answers; the portal lets in nobody
but the user.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from kernel.approval.card import card_view
from kernel.approval.next_step import next_step
from kernel.approval.origins import known_of, on_card
from kernel.approval.rights_words import right_words
from kernel.authorize import asked, authorize, denied
from kernel.failures import reason
from kernel.model import Authorization, Plan, Resolution
from kernel.run import Run, Stop, error_view, words
from permissions import new_grant
from permissions.model import GrantMode, Principal
from permissions.policy import CLIENT
from skills.model import EffectClass

REFUSALS = {"no": "approval.refused", "expired": "approval.expired"}
"""The answers that are none, each with the code of what it ends."""


async def consent(run: Run, plan: Plan, authorization: Authorization) -> Authorization:
    """Ask until everything the plan needs is allowed: a grant may have ended while its card waited.

    A bold plan is shown in any case: what was granted was granted for other plans.
    """
    refuse_denied(run, authorization)
    if not asked(authorization) and is_bold(run, plan):
        await _shown(run, plan, authorization, consented=False)
        authorization = authorize(plan, run.around())
        refuse_denied(run, authorization)
    while asked(authorization):
        answer = await _shown(run, plan, authorization, consented=run.yes)
        await give(run, plan, authorization, answer)
        authorization = authorize(plan, run.around())
        refuse_denied(run, authorization)
    return authorization


async def _shown(run: Run, plan: Plan, authorization: Authorization, *, consented: bool) -> str:
    """Show the card of ``plan`` and return the answer: a person has then seen the values of others that stand on it."""
    known = known_of(run, plan)
    card = card_view(authorization, run.around(), plan, *run.house.level()) | on_card(known, plan.language)
    answer = await answer_to(run, {"stage": "plan", "card": card}, consented=consented)
    if not consented:
        run.vouched.update(one.key for one in known)
    return answer


def is_bold(run: Run, plan: Plan) -> bool:
    """Tell whether a model made the plan or works in it, and it does more than look: no yes in advance is for that."""
    tools = (run.house.registry.tool(task.tool) for task in plan.tasks)
    return bool(plan.maker) and any(tool.effect is not EffectClass.PURE for tool in tools)


def has_grown(run: Run, plan: Plan, authorization: Authorization) -> bool:
    """Tell whether a later version of a plan needs what its first one did not: no yes in advance was given to that.

    What the first one needs is taken note of. After a restart nobody knows it, and any later version has grown.
    """
    needed = frozenset(
        (str(run.house.registry.tool(task.tool).skill), right)
        for task, rights in zip(plan.tasks, authorization.tasks, strict=True)
        for right in rights.needs
    )
    if plan.version <= 1:
        run.foreseen = needed
        return False
    return run.foreseen is None or not needed <= run.foreseen


def refuse_denied(run: Run, authorization: Authorization) -> None:
    """Raise Stop where a person has denied something that the plan needs."""
    refusals = denied(authorization)
    if not refusals:
        return
    _, decision = refusals[0]
    what = right_words(decision.right, run.utterance.home, run.language)
    message = words(run, "denied").format(what=what, why=reason(decision.reason, run.language))
    raise Stop(
        Resolution.BLOCKED,
        message,
        error=error_view(
            "policy.denied", message, next_step(decision, run.utterance.home, run.language), node=decision.node
        ),
    )


async def answer_to(run: Run, request: Mapping[str, Any], *, consented: bool) -> str:
    """Ask for consent and wait for the answer: once, run, always. Raises Stop on no and on expiry.

    ``consented`` says that the request has answered in advance; the question is still written down.
    """
    answer = await any_answer_to(run, request, consented=consented)
    if answer in REFUSALS:
        message = words(run, REFUSALS[answer].removeprefix("approval."))
        raise Stop(Resolution.BLOCKED, message, error=error_view(REFUSALS[answer], message, ""))
    return answer


async def any_answer_to(run: Run, request: Mapping[str, Any], *, consented: bool = False) -> str:
    """Ask, and return the answer: once, run, always, no, or ``expired`` where nobody gave one in time.

    Where nobody may be asked it is no.
    """
    if not run.asks:
        return "no"
    house = run.house
    stage = str(request["stage"])
    left_s = run.held.left_s()
    lasts_s = house.settings.approval_timeout_s if left_s is None else min(left_s, house.settings.approval_timeout_s)
    expires = datetime.now(UTC) + timedelta(seconds=lasts_s)
    loop = asyncio.get_running_loop()
    began = loop.time()
    run.waiting = house.waiting[run.id] = loop.create_future()
    run.seal = str(request.get("seal") or "")
    run.expires_at = expires.isoformat()
    if consented:
        run.waiting.set_result("once")
    body = {**request, "expires_at": run.expires_at, "consented": consented}
    if run.client:
        body["card"] = {
            **(request.get("card") or {}),
            "client": run.client.removeprefix(CLIENT),
        }  # who asks is part of what is asked
    if run.shown:
        body["card"] = {**(body.get("card") or {}), **run.took_as_shown()}
    try:
        await run.log.say("approval.requested", None, body, durable=not consented)
        async with asyncio.timeout(house.settings.approval_timeout_s):
            answer = await run.waiting
    except TimeoutError:
        answer = "expired"
    finally:
        house.waiting.pop(run.id, None)
        run.waited_s += loop.time() - began
    run.waiting = None
    await run.log.say("approval.resolved", None, {"answer": answer, "stage": stage}, durable=False)
    run.confirmed = run.confirmed or answer not in REFUSALS
    return answer


async def give(run: Run, plan: Plan, authorization: Authorization, answer: str) -> None:
    """Turn a yes into grants for exactly what was asked."""
    house = run.house
    around = run.around()
    tools = {task.id: around.tool(task.tool) for task in plan.tasks}
    grants = []
    for task, decision in asked(authorization):
        skill = around.skill(tools[task].skill)
        principal = Principal(skill.id, skill.hash, tools[task].id, run.id, task, run.client)
        mode = GrantMode.RUN if tools[task].asks_always else GrantMode(answer)  # an "always" would be asked again
        grants.append(new_grant(principal, decision.right, mode, around.now_s))
    await house.grant(grants, run.id, private=run.private)
