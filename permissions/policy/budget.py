"""Budgets: what is left of an amount in total, at every node of a path, as a value that goes in and comes out.

What this stops: calls that run at the same time and together use more than there is (each reserves before it begins,
at every ancestor at once or nowhere); a negative amount that fills a budget up; an account below zero.
What it does not: measure. Who runs the call says what it used; more than was reserved is counted in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from permissions.errors import BadAmount, Refused
from permissions.policy.controllers import MOST, amount_words, checked_amount, checked_meter
from permissions.policy.node import node_name

Account = tuple[str, str]
"""A node's path and a meter."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call may use up, of each meter, at every node of its path."""

    id: str
    path: tuple[str, ...]
    amounts: Mapping[str, int]

    def __post_init__(self) -> None:
        """Refuse what is no amount. Raises BadAmount."""
        for meter, amount in self.amounts.items():
            checked_amount(amount, checked_meter(meter, total=True))


@dataclass(frozen=True, slots=True)
class Budgets:
    """The budgets of the tree, what has been used of them, and what is reserved by calls under way."""

    allowed: Mapping[Account, int] = field(default_factory=dict)
    used: Mapping[Account, int] = field(default_factory=dict)
    reserved: Mapping[str, Reservation] = field(default_factory=dict)

    def set(self, node: str, meter: str, amount: int | None) -> Budgets:
        """Return the budgets with a new amount from now on (nothing of it is used yet), or without that budget."""
        account = (node, checked_meter(meter, total=True))
        allowed = {name: value for name, value in self.allowed.items() if name != account}
        used = {name: value for name, value in self.used.items() if name != account}
        if amount is not None:
            allowed[account] = checked_amount(amount, meter)
        return replace(self, allowed=allowed, used=used)

    def left(self, node: str, meter: str) -> int | None:
        """Return what is left of one budget and not reserved, never below zero; None where there is no budget."""
        account = (node, meter)
        if account not in self.allowed:
            return None
        held = sum(one.amounts.get(meter, 0) for one in self.reserved.values() if node in one.path)
        return max(0, self.allowed[account] - self.used.get(account, 0) - held)

    def room(self, path: tuple[str, ...], meter: str) -> tuple[int, str] | None:
        """Return the least that is left on a path, and at which node; None where no node has a budget of ``meter``."""
        found = [(left, node) for node in path if (left := self.left(node, meter)) is not None]
        return min(found) if found else None

    def reserve(self, wanted: Reservation) -> Budgets:
        """Return the budgets with ``wanted`` held at every ancestor. Raises Refused where one has too little left."""
        if wanted.id in self.reserved:
            raise BadAmount("limit.reserved", f"{wanted.id} is reserved already.", subject=wanted.id)
        for meter, amount in wanted.amounts.items():
            least = self.room(wanted.path, meter)
            if least is not None and least[0] < amount:
                raise used_up(least[1], meter, least[0])
        return replace(self, reserved={**self.reserved, wanted.id: wanted})

    def settle(self, reservation: str, used: Mapping[str, int]) -> Budgets:
        """Return the budgets with what a call really used, and its reservation given back. Raises BadAmount."""
        held = self.reserved.get(reservation)
        if held is None:
            raise BadAmount("limit.reserved", f"Nothing is reserved as {reservation}.", subject=reservation)
        return replace(self, reserved={k: v for k, v in self.reserved.items() if k != reservation}).charge(
            held.path, used
        )

    def charge(self, path: tuple[str, ...], used: Mapping[str, int]) -> Budgets:
        """Return the budgets with ``used`` taken from every one on ``path``. Raises BadAmount."""
        total = dict(self.used)
        for meter, amount in used.items():
            checked_amount(amount, checked_meter(meter, total=True))
            for node in path:
                if (node, meter) in self.allowed:
                    total[node, meter] = min(MOST, total.get((node, meter), 0) + amount)
        return replace(self, used=total)

    def meters(self, path: tuple[str, ...]) -> frozenset[str]:
        """Return the meters that have a budget somewhere on ``path``."""
        return frozenset(meter for node, meter in self.allowed if node in path)


def used_up(node: str, meter: str, left: int) -> Refused:
    """Return the refusal of a call for which too little is left."""
    name = node_name(node)
    return Refused(
        "refused.budget", f"The budget of {name} for {meter} has {amount_words(left, meter)} left.",
        subject=f"{name} {meter}", hint=f"Raise it: ./steward perms limit {name} {meter} AMOUNT --total",
    )  # fmt: skip
