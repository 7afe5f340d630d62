"""Denies and limits that a person set for a time: when it is over they are taken away, as events, and not read away.

What this stops: a machine's clock that is set back keeping one alive, or one coming back with a restart: it ends by the
same steady clock as a grant, and the ledger says that it ended.
What it does not: end to the second. It is looked at when rights are decided or shown; until then it still holds.
"""

from __future__ import annotations

import math
from typing import Any

from permissions.policy import Policy

ENDED = "its time was over"


def soonest(policy: Policy) -> float:
    """Return when the first of them ends (Unix seconds); infinity where none does."""
    origins = [rule.origin for node in policy.nodes.values() for rule in node.rules]
    origins += [bound.origin for node in policy.nodes.values() for bound in node.bounds]
    return min((origin.expires_s for origin in origins if origin.expires_s is not None), default=math.inf)


def ended_denies(policy: Policy, now_s: float) -> list[str]:
    """Return the ids of the denies whose time is over."""
    rules = (rule for node in policy.nodes.values() for rule in node.rules if rule.id)
    return [rule.id for rule in rules if rule.origin.has_ended(now_s)]


def ended_limits(policy: Policy, now_s: float) -> list[dict[str, Any]]:
    """Return what takes the limits away whose time is over, as bodies of ``limit.set``."""
    return [
        {"node": node.path, "meter": bound.meter, "amount": None, "total": bound.total, "words": "",
         "by": bound.origin.by, "at_s": now_s, "why": ENDED}
        for node in policy.nodes.values() for bound in node.bounds if bound.origin.has_ended(now_s)
    ]  # fmt: skip
