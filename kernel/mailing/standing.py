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


# "again" is unclear still: the first copy may have been taken, whatever becomes of the next
_SETTLED = {"found": Standing.SENT, "done": Standing.SENT, "again": Standing.UNCLEAR, "left": Standing.LEFT}
_AFTER: Mapping[str, Standing] = {
    "mail.prepared": Standing.PREPARED, "mail.handing": Standing.UNCLEAR, "mail.accepted": Standing.SENT,
    "mail.refused": Standing.REFUSED,
}  # fmt: skip


def after(kind: str, how: object = None) -> Standing | None:
    """Return how a letter stands after a step; None where the step changes nothing of it."""
    return _SETTLED.get(str(how), Standing.UNCLEAR) if kind == "mail.settled" else _AFTER.get(kind)


def standing_of(events: Iterable[Event]) -> dict[int, Standing]:
    """Return how each letter of a run stands, by its number; a private run's letters are all number 0."""
    found: dict[int, Standing] = {}
    for event in events:
        if event.kind not in KINDS:
            continue
        body = event.body or {}
        number = int(str(body.get("number", 0)))
        found[number] = after(event.kind, body.get("how")) or Standing.UNCLEAR
    return found
