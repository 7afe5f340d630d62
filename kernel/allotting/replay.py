"""The tree, the budgets and the highest time seen, made again from the ledger.

A grant that cannot be read (another version wrote it) is left out, which means asking again. A deny or a limit that
cannot be read stops the start: leaving it out would widen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memory.model import Event
from permissions.errors import BadScope, PermissionsError
from permissions.model import Verdict
from permissions.policy import Bound, Budgets, Grant, Origin, Policy, Rule, right_from_json

_log = logging.getLogger("steward.kernel")

DENIED = "you denied it"


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds: the tree, the budgets, and the latest time (Unix seconds) that any of the events knew of."""

    policy: Policy
    budgets: Budgets = field(default_factory=Budgets)
    seen_s: float = 0.0


def replay(events: Iterable[Event], policy: Policy, seen_s: float = 0.0) -> Standing:
    """Fold ``events`` into the tree of a new installation. Raises BadScope, BadAmount on a broken deny or limit."""
    told = _Told(policy, seen_s=seen_s)
    for event in events:
        told.seen_s = max(told.seen_s, event.at_ns / 1e9)
        fold = _FOLDS.get(event.kind)
        if fold is not None and event.body is not None:
            fold(told, event.body, event.seq)
    return Standing(told.policy.with_grants(tuple(told.grants.values())), told.budgets, told.seen_s)


@dataclass(slots=True)
class _Told:
    """What the events have told so far; the grants are put into the tree once, at the end."""

    policy: Policy
    grants: dict[str, Grant] = field(default_factory=dict)
    budgets: Budgets = field(default_factory=Budgets)
    seen_s: float = 0.0

    def granted(self, body: Mapping[str, Any], seq: int) -> None:
        try:
            grant = Grant.from_json(body, seq)
        except PermissionsError as error:
            _log.warning("event %d: %s It is left out and will be asked for.", seq, error)
            return
        if grant.outlives_its_run():  # what was for one run ended with it
            self.grants[grant.id] = grant

    def gone(self, body: Mapping[str, Any], _seq: int) -> None:
        if self.grants.pop(str(body["id"]), None) is None:
            self.policy = self.policy.without(str(body["id"]))

    def denied(self, body: Mapping[str, Any], seq: int) -> None:
        self.policy = with_deny(self.policy, body, seq)

    def limited(self, body: Mapping[str, Any], seq: int) -> None:
        self.policy = with_limit(self.policy, body, seq)
        if body["total"]:
            self.budgets = self.budgets.set(str(body["node"]), str(body["meter"]), body["amount"])

    def settled(self, body: Mapping[str, Any], _seq: int) -> None:
        self.budgets = self.budgets.charge(tuple(body["path"]), body["used"])

    def set_back(self, body: Mapping[str, Any], _seq: int) -> None:
        self.seen_s = max(self.seen_s, float(body["seen_s"]))


def with_deny(policy: Policy, body: Mapping[str, Any], seq: int) -> Policy:
    """Return ``policy`` with the deny of an event ``deny.added``. Raises BadScope."""
    try:
        rule = Rule(right_from_json(body), Verdict.DENY, DENIED, str(body["id"]), Origin.from_json(body, seq))
        return policy.with_nodes([policy.node(str(body["node"])).with_rules([rule])])
    except (KeyError, ValueError, TypeError) as error:
        raise BadScope("grant.malformed", f"A deny in the ledger is malformed: {error}.", subject=str(seq)) from error


def with_limit(policy: Policy, body: Mapping[str, Any], seq: int) -> Policy:
    """Return ``policy`` with the amount of an event ``limit.set``; None takes it away. Raises BadScope, BadAmount."""
    try:
        node, meter, total = policy.node(str(body["node"])), str(body["meter"]), bool(body["total"])
        if body["amount"] is None:
            return policy.with_nodes([node.without_bound(meter, total)])
        bound = Bound(meter, body["amount"], total, Origin.from_json(body, seq))
        return policy.with_nodes([node.with_bound(bound)])
    except (KeyError, ValueError, TypeError) as error:
        raise BadScope("grant.malformed", f"A limit in the ledger is malformed: {error}.", subject=str(seq)) from error


_FOLDS: Mapping[str, Callable[[_Told, Mapping[str, Any], int], None]] = {
    "grant.added": _Told.granted,
    "grant.revoked": _Told.gone,
    "grant.expired": _Told.gone,
    "deny.added": _Told.denied,
    "deny.removed": _Told.gone,
    "limit.set": _Told.limited,
    "budget.settled": _Told.settled,  # what was reserved and never settled is given back by a restart
    "clock.back": _Told.set_back,
}

KINDS = tuple(_FOLDS)
"""The events that the tree is made of."""
