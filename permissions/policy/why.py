"""Why: which node decided, what each one above it said, and the one command that would change it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace

from permissions.model import Decision, Principal, Right, Verdict
from permissions.policy.budget import Budgets
from permissions.policy.controllers import controller_of
from permissions.policy.node import CEILINGS, OWNERS, Node, keys_of, node_name
from permissions.policy.tree import Policy, may_be_elsewhere, path_of, way_to

PASSES = "it lets this pass"
MAY_BE_GRANTED = "a skill may be granted it"


@dataclass(frozen=True, slots=True)
class Step:
    """What one node says: DENY or ALLOW, and of the skill also ASK."""

    node: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision, the steps that led to it from the root down, and the command that would change it (or nothing)."""

    decision: Decision
    steps: tuple[Step, ...]
    command: str


def explain(policy: Policy, principal: Principal, right: Right, *, now_s: float) -> Explanation:
    """Explain the decision on ``right``. A principal without a skill stands for whoever comes: what may be asked."""
    decision = policy.decide(principal, right, now_s=now_s)
    steps = tuple(_steps(policy, principal, decision, now_s))
    if not principal.skill and decision.verdict is not Verdict.DENY:
        remedy = f"./steward perms grant SKILL {shlex.quote(str(right))}"
        decision = Decision(right, Verdict.ASK, CEILINGS[-1], MAY_BE_GRANTED, remedy)
    return Explanation(decision, steps, _command(decision))


def _steps(policy: Policy, principal: Principal, decision: Decision, now_s: float) -> Iterator[Step]:
    keys = keys_of(decision.right)
    for path in path_of(principal.skill, principal.tool, principal.client) if principal.skill else CEILINGS:
        if decision.verdict is Verdict.DENY and path == decision.node:
            yield Step(path, Verdict.DENY, decision.reason)
            return
        refusal = policy.node(path).refusal(decision.right, keys, now_s)
        assert refusal is None or decision.verdict is Verdict.DENY
        yield Step(path, Verdict.ALLOW, _words_of(policy.node(path), decision.right) or PASSES)
    if principal.skill:
        yield Step(decision.node, decision.verdict, decision.reason)


def _words_of(node: Node, right: Right) -> str:
    """Return the reason of the rule that lets ``right`` pass, where it has one."""
    allows = {rule.right: rule.reason for rule in node.rules if rule.verdict is Verdict.ALLOW}
    return next((allows[wide] for wide in right.wider() if allows.get(wide)), "")


def _command(decision: Decision) -> str:
    """Return what a person would type; empty where nothing of theirs changes it."""
    if decision.remedy or not may_be_elsewhere(decision):
        return decision.remedy
    folder = decision.right.scope if decision.right.tree else os.path.dirname(decision.right.scope)
    return f"cd {shlex.quote(folder)} && ./steward ask ..."


@dataclass(frozen=True, slots=True)
class Amount:
    """What holds of one meter at a node: the least amount, the node that sets it, and the command that changes it."""

    meter: str
    node: str
    amount: int | None
    total: bool
    left: int | None
    command: str


def explain_amount(policy: Policy, budgets: Budgets, path: str, meter: str) -> tuple[Amount, ...]:
    """Explain ``meter`` at ``path``: for one call, and in total. Raises BadAmount when it is not counted."""
    controller = controller_of(meter)
    least = policy.limits(path).get(meter)
    found = []
    if controller.limit:
        amount, node = least or (None, "")
        command = f"./steward perms limit {node_name(node or path)} {meter} AMOUNT"
        found.append(Amount(meter, node, amount, False, None, command))
    if controller.budget:
        left, node = budgets.room(way_to(path), meter) or (None, "")
        total = policy.budgets().get((node, meter))
        command = f"./steward perms limit {node_name(node or path)} {meter} AMOUNT --total"
        found.append(Amount(meter, node, total, True, left, command))
    return tuple(found)


def for_node(path: str, skill_hash: str) -> Principal:
    """Return the principal that a node of the tree stands for: a skill, a tool of it, or (of a ceiling) nobody yet.

    That of a client or a routine is itself, or a skill that works for it.
    """
    if path in CEILINGS:
        return Principal("", "", "", "", "")
    place = path.removeprefix(f"{CEILINGS[-1]}/")
    client, _, rest = place.partition("/") if place.startswith(OWNERS) else ("", "", place)
    if not rest:
        return Principal(client, "", "", "", "", client)
    skill, _, function = rest.partition("/")
    return replace(Principal(skill, skill_hash, "", "", "", client), tool=f"{skill}.{function}" if function else "")
