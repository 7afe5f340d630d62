"""How the letters of a run stand, as the ledger tells it: the only word that counts after a crash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from memory.model import Event

KINDS = ("mail.prepared", "mail.handing", "mail.accepted", "mail.refused", "mail.settled")


class Standing(StrEnum):
    """What is known of a letter."""

    PREPARED = "prepared"  # nothing of it has left
    UNCLEAR = "unclear"  # it was being handed over, and nobody knows
    SENT = "sent"
    REFUSED = "refused"  # nothing of it has left, and nothing will
    LEFT = "left"  # unclear, and a person let it be


_SETTLED = {"found": Standing.SENT, "done": Standing.SENT, "again": Standing.PREPARED, "left": Standing.LEFT}
_AFTER: Mapping[str, Standing] = {
    "mail.prepared": Standing.PREPARED, "mail.handing": Standing.UNCLEAR, "mail.accepted": Standing.SENT,
    "mail.refused": Standing.REFUSED,
}  # fmt: skip


def standing_of(events: Iterable[Event]) -> dict[int, Standing]:
    """Return how each letter of a run stands, by its number; a private run's letters are all number 0."""
    found: dict[int, Standing] = {}
    for event in events:
        if event.kind not in KINDS:
            continue
        body = event.body or {}
        number = int(str(body.get("number", 0)))
        found[number] = _AFTER.get(event.kind) or _SETTLED.get(str(body.get("how")), Standing.UNCLEAR)
    return found
