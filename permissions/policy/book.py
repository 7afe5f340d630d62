"""The grants of a tree in one order, with an index: a card may have given thousands, and each check looks them up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from permissions.policy.grants import Grant
from permissions.policy.node import Key, key_of


@dataclass(frozen=True, slots=True)
class Book:
    """Grants, the oldest first; of two with the same id the later one counts.

    ``soonest_s`` is when the first of them ends (Unix seconds; infinity where none does).
    """

    grants: tuple[Grant, ...] = ()
    soonest_s: float = field(init=False, repr=False, compare=False)
    _by: Mapping[tuple[str, str], Mapping[Key, list[Grant]]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Order and index the grants."""
        ordered = sorted({grant.id: grant for grant in self.grants}.values(), key=_age)
        found: dict[tuple[str, str], dict[Key, list[Grant]]] = {}
        for grant in ordered:
            found.setdefault((grant.client, grant.skill), {}).setdefault(key_of(grant.right), []).append(grant)
        object.__setattr__(self, "grants", tuple(ordered))
        ends = (grant.expires_s for grant in ordered if grant.expires_s is not None)
        object.__setattr__(self, "soonest_s", min(ends, default=math.inf))
        object.__setattr__(self, "_by", found)

    def covering(self, skill: str, keys: Sequence[Key], client: str = "") -> list[Grant]:
        """Return what ``client`` (none: the person) was granted for ``skill`` that implies the right with these keys,
        the oldest first.
        """
        held = self._by.get((client, skill))
        if held is None:
            return []
        return sorted((grant for key in keys for grant in held.get(key, ())), key=_age)


def _age(grant: Grant) -> tuple[float, str]:
    return (grant.at_s, grant.id)
