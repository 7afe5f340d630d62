"""Labels on values: where a value came from (integrity) and who may read it (confidentiality).

What this stops: a value of unknown origin passing for the user's own word, because labels join downwards and default
to untrusted; a private value being sent to a reader that one of its sources does not allow.
What it does not: implicit flows inside a skill's own code. A skill's output carries the join of all its inputs.

The lattice is the product of an integrity chain and the subsets of readers (Denning 1976; FIDES, arXiv 2505.23643).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Integrity(IntEnum):
    """How far a value may be trusted to steer. The join takes the lowest."""

    UNTRUSTED = 0
    TRUSTED_SOURCE = 1
    KERNEL = 2
    USER = 3


ANYONE = None
"""Readers of a public value. A frozenset names the only readers; the empty one means nobody but the user."""


@dataclass(frozen=True, slots=True)
class Label:
    """Integrity and readers of a value. The default is the safe one: untrusted, for the user's eyes only."""

    integrity: Integrity = Integrity.UNTRUSTED
    readers: frozenset[str] | None = frozenset()

    def to_json(self) -> dict[str, Any]:
        """Return ``{"integrity": name, "readers": sorted list or None}``."""
        readers = None if self.readers is ANYONE else sorted(self.readers)
        return {"integrity": self.integrity.name.lower(), "readers": readers}

    @staticmethod
    def from_json(value: Mapping[str, Any] | None) -> Label:
        """Read what ``to_json`` wrote; anything absent or unknown becomes the default (untrusted, private)."""
        if not isinstance(value, Mapping):
            return Label()
        readers = value.get("readers", ())
        return Label(integrity_in(value), ANYONE if readers is None else frozenset(str(reader) for reader in readers))


def integrity_in(value: Mapping[str, Any] | None) -> Integrity:
    """Return the integrity alone of what ``Label.to_json`` wrote; the default where it is absent or unknown."""
    name = value.get("integrity") if isinstance(value, Mapping) else None
    return _INTEGRITIES.get(name, Integrity.UNTRUSTED) if isinstance(name, str) else Integrity.UNTRUSTED


_INTEGRITIES = {one.name.lower(): one for one in Integrity}


USER_SAID = Label(Integrity.USER, frozenset())
CLIENT_SAID = Label(Integrity.UNTRUSTED, frozenset())
"""The words of a program that asks in its own name: whatever made it say them is not the person."""
MODEL_SAID = Label(Integrity.TRUSTED_SOURCE, frozenset())
"""What a model wrote into a plan that had read nothing but the person's words and the tools: no word of theirs."""
KERNEL_SAID = Label(Integrity.KERNEL, ANYONE)
FOR_THE_PERSON = Label(Integrity.KERNEL, frozenset({"person"}))
"""What Steward says by itself of what the person said or was told: its own word, and for nobody else to read."""


def join(labels: Iterable[Label]) -> Label:
    """Return the label of a value made from values with ``labels``; of nothing, the default label."""
    items = list(labels)
    if not items:
        return Label()
    integrity = min(label.integrity for label in items)
    restricted = [label.readers for label in items if label.readers is not None]
    readers = frozenset.intersection(*restricted) if restricted else ANYONE
    return Label(integrity, readers)


def may_read(label: Label, reader: str) -> bool:
    """Tell whether ``reader`` (a host or a principal) may see a value with ``label``."""
    return label.readers is None or reader in label.readers
