"""The nouns of memory: what is written once, and what is read back.

Ids of other rooms are opaque strings here, and labels are opaque JSON values: memory stores them and never reads
them (permissions owns the lattice).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NewType

EntityId = NewType("EntityId", str)
"""Who or what an event is about, e.g. ``person:anna``; forgetting an entity destroys the keys of its events."""

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
"""A JSON value. Inside the ledger it is canonicalised by RFC 8785."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that has not been written yet.

    ``durable`` events are on disk (fsync) before ``Ledger.append`` returns; others may share one commit with their
    neighbours (progress events), but order is kept. What a ``volatile`` one says is never written: the ledger has that
    it happened, and hands its words out until ``Ledger.let_go``, or until it is closed.
    """

    kind: str
    body: Mapping[str, Json]
    run: str | None = None
    task: str | None = None
    entities: tuple[EntityId, ...] = ()
    label: Json = None
    durable: bool = True
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """An event as the ledger holds it. ``body`` is None once its key has been destroyed (forgotten)."""

    seq: int
    at_ns: int
    kind: str
    run: str | None
    task: str | None
    body: Mapping[str, Json] | None
    label: Json
    hash: str
    entities: tuple[EntityId, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that ``Ledger.verify`` found. ``seq`` is the event it concerns, 0 when it concerns the whole file."""

    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What ``Ledger.verify`` found. ``checked`` is the last seq that was looked at; ``problems`` is cut at 100."""

    events: int
    checked: int
    forgotten: int
    checkpoints: int
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems
