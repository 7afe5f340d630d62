"""The attacks, a file for each way in."""

from __future__ import annotations

from tests.proofs.adaptive.channels import files, memory
from tests.proofs.adaptive.model import Attack

ATTACKS: tuple[Attack, ...] = (*files.ATTACKS, *memory.ATTACKS)
