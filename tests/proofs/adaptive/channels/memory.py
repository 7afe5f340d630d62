"""Words that get into the memory, and want to be somebody's word when they come out again."""

from __future__ import annotations

from tests.proofs.adaptive.model import Attack

ATTACKS: tuple[Attack, ...] = ()
