"""Taking back what a run was given for good: "always" on its card ends with what the run did.

What this stops: a right outliving the request that it was given for, after that request was taken back.
What it does not: take away what was granted otherwise (``perms grant``, the card of another run), or what ended with
its run anyway. What runs and needs such a right is stopped, as by ``perms revoke``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kernel.approval.rights_words import right_words
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from permissions.policy import CLIENT, Grant

if TYPE_CHECKING:
    from kernel.house import House
    from memory import Ledger


def grants_of(house: House, run: str) -> tuple[Grant, ...]:
    """Return the standing grants that the card of ``run`` gave, and nobody has taken away since."""
    given = _given(house.ledger, run)
    return tuple(grant for grant in house.policy.standing(house.now_s()) if grant.id in given)


def _given(ledger: Ledger, run: str) -> set[str]:
    return {str(event.body["id"]) for event in ledger.events(run=run, kinds=("grant.added",)) if event.body}


def grant_words(grants: Sequence[Grant], home: str, language: str) -> tuple[str, ...]:
    """Say each grant in words: ``files: read everything in ~/Downloads``."""
    real = os.path.realpath(home)
    return tuple(f"{_whose(grant)}: {right_words(grant.right, real, language)}" for grant in grants)


def _whose(grant: Grant) -> str:
    client = grant.client.removeprefix(CLIENT)
    return f"{grant.skill} ({client})" if client and grant.skill != grant.client else grant.skill


async def take_grants_back(house: House, run: str) -> int:
    """Revoke the grants that ``run`` gave; return how many."""
    ids = [grant.id for grant in grants_of(house, run)]
    if ids:
        await house.revoke(*ids)
    return len(ids)


def left_of(ledger: Ledger, run: str) -> list[Draft]:
    """Return what is still to be written of the grants of a ``run`` that was taken back before a daemon ended."""
    gone = {_id(event.body) for event in ledger.events(kinds=("grant.revoked", "grant.expired")) if event.body}
    label = KERNEL_SAID.to_json()
    left = sorted(_given(ledger, run) - gone)
    return [Draft(kind="grant.revoked", body={"id": one}, label=label) for one in left]


def _id(body: Mapping[str, Any]) -> str:
    return str(body.get("id"))
