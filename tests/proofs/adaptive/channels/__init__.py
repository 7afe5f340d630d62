"""The attacks, a file for each way in."""

from __future__ import annotations

from tests.proofs.adaptive.channels import (
    addresses,
    approvals,
    errors,
    files,
    late_servers,
    late_words,
    letters,
    lists,
    memory,
    models,
    names,
    servers,
    skills,
)
from tests.proofs.adaptive.model import Attack

ATTACKS: tuple[Attack, ...] = (
    *memory.ATTACKS, *files.ATTACKS, *letters.ATTACKS, *names.ATTACKS, *skills.ATTACKS, *errors.ATTACKS,
    *servers.ATTACKS, *addresses.ATTACKS, *approvals.ATTACKS, *lists.ATTACKS, *models.ATTACKS,
    *late_servers.ATTACKS, *late_words.ATTACKS,
)  # fmt: skip
