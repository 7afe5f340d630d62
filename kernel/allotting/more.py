"""More memory than a person's limit: how much may be offered to a call that met it, and what was given so far.

What this stops: more being given than was asked about. A raise counts for the limit of one node and only as long as
that limit is the amount that the person saw; every other limit of the tree holds, and so does what the machine has.
What it does not: ask. ``kernel.approval.more`` does, and a raise ends with its run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernel.allotting.met import Bound
from permissions.policy import Bound as Limit
from permissions.policy import Policy

TIMES = 2
"""A call that met its limit is offered so many times as much, where the machine has it."""

LEAST_SHARE = 4
"""An offer of less than a quarter more than the limit is none: the call would be back at once."""

_STEP_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Short:
    """A call that met a person's limit for memory, ended, and can be made once more.

    ``peak_bytes`` is the most that it had (0: unknown); ``reached`` are hosts where it may have changed something.
    """

    task: str
    tool: str
    bound: Bound
    peak_bytes: int = 0
    reached: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Raise:
    """A limit at ``node`` that counts as ``now_bytes`` while it is ``before_bytes``: for one task, or the whole run."""

    node: str
    before_bytes: int
    now_bytes: int
    task: str = ""


def offered(bound: Bound, spare_bytes: int) -> int:
    """Return how much a call that met ``bound`` may be offered where the machine can spare so much; 0 for nothing."""
    most = min(TIMES * bound.amount, spare_bytes)
    if most < TIMES * bound.amount:
        most -= most % _STEP_BYTES
    return most if most - bound.amount >= bound.amount // LEAST_SHARE else 0


class Raises:
    """What a person gave the calls of one run beyond the limits of the tree, the latest last."""

    def __init__(self) -> None:
        self._given: list[Raise] = []

    def give(self, one: Raise) -> None:
        """Let ``one`` count from the next call on."""
        self._given.append(one)

    def applied(self, policy: Policy, task: str) -> Policy:
        """Return the tree as it counts for the calls of ``task``."""
        for one in self._given:
            bound = memory_at(policy, one.node)
            if bound is not None and bound.amount == one.before_bytes and one.task in ("", task):
                more = replace(bound, amount=one.now_bytes)
                policy = policy.with_nodes([policy.node(one.node).with_bound(more)])
        return policy


def memory_at(policy: Policy, node: str) -> Limit | None:
    """Return the limit of each call's memory that stands at ``node`` itself, None where there is none."""
    return next((one for one in policy.node(node).bounds if one.meter == "memory" and not one.total), None)
