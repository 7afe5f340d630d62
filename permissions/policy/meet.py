"""The meet: what is left where several nodes of the tree have a say.

Intersection of what is allowed, union of what is denied, minimum of what is limited. An ``Effective`` is in normal
form (no right beside one that implies it), so equal permissions are equal values, and the meet is commutative,
associative and idempotent; ``ANYTHING`` is its neutral element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from permissions.model import EVERYTHING, Action, Right
from permissions.policy.scopes import covers, everything, holds_path


@dataclass(frozen=True, slots=True)
class Effective:
    """What may be done at most: rights, what of them is denied after all, and amounts for one call."""

    allowed: frozenset[Right]
    denied: frozenset[Right] = frozenset()
    limits: Mapping[str, int] = field(default_factory=dict)

    def permits(self, right: Right) -> bool:
        """Tell whether ``right`` is left: within what is allowed, and not within, nor removing, what is denied."""
        if not self.allowed.isdisjoint(right.wider()):
            return self.denied.isdisjoint(right.wider()) and not any(removes(right, one) for one in self.denied)
        return False


def removes(right: Right, denied: Right) -> bool:
    """Tell whether ``right`` deletes a folder with a place in it that may not be deleted."""
    deletes = right.action is denied.action is Action.FS_DELETE and not right.tree
    return deletes and holds_path(right.scope, denied.scope)


ANYTHING = Effective(frozenset(everything(action) for action in Action))


def meet(one: Effective, other: Effective) -> Effective:
    """Return what both leave."""
    allowed = normal(both for a in one.allowed for b in other.allowed if (both := intersection(a, b)) is not None)
    limits = dict(one.limits)
    for meter, amount in other.limits.items():
        limits[meter] = min(amount, limits.get(meter, amount))
    return Effective(allowed, normal(one.denied | other.denied), limits)


def meet_all(several: Iterable[Effective]) -> Effective:
    """Return what all of them leave."""
    return reduce(meet, several, ANYTHING)


def normal(rights: Iterable[Right]) -> frozenset[Right]:
    """Return ``rights`` without those that another one implies."""
    held = frozenset(rights)
    return frozenset(one for one in held if not any(wide != one and wide in held for wide in one.wider()))


def intersection(one: Right, other: Right) -> Right | None:
    """Return the right that both imply and that implies everything else they both do; None when there is none.

    Two trees are one inside the other or apart; of two hosts and ports each part is met by itself.
    """
    if covers(one, other):
        return other
    if covers(other, one):
        return one
    if one.action is not Action.NET_CONNECT or other.action is not one.action:
        return None
    (host, _, port), (host2, _, port2) = one.scope.partition(":"), other.scope.partition(":")
    hosts, ports = _narrower(host, host2), _same(port, port2)
    return Right(one.action, f"{hosts}:{ports}") if hosts and ports else None


def _narrower(one: str, other: str) -> str:
    """Return the narrower of two hosts, empty when no name is in both."""
    a, b = Right(Action.NET_CONNECT, f"{one}:1"), Right(Action.NET_CONNECT, f"{other}:1")
    return other if covers(a, b) else one if covers(b, a) else ""


def _same(one: str, other: str) -> str:
    if EVERYTHING in (one, other):
        return other if one == EVERYTHING else one
    return one if one == other else ""
