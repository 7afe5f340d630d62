"""The nouns of the graph: what is claimed, what is known, about whom.

World time (when something is true) and system time (when Steward learnt it) are nanoseconds since 1970-01-01 UTC, like
the ledger's; ``day_ns`` makes one of an ISO day. An interval holds its beginning and not its end. World time None is
"unknown" at the beginning and "open" at the end. Days that are values (a birthday) stay ISO texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import NewType

from memory.model import EntityId, Json

FactId = NewType("FactId", str)
"""``fact:`` and 16 hexadecimal digits; forgetting it destroys the keys of the events about this fact alone."""

DAY_NS = 86_400 * 10**9
ENDLESS = 2**63 - 1
"""World and system times lie strictly between ``-ENDLESS`` and ``ENDLESS``."""


class Kind(StrEnum):
    """What a predicate says: how things are, what happened, or what somebody likes."""

    STATE = "state"
    EVENT = "event"
    PREFERENCE = "preference"


class Type(StrEnum):
    """What an object is. Numbers are decimal texts, so that an amount of money stays exact."""

    ENTITY = "entity"
    TEXT = "text"
    NUMBER = "number"
    AMOUNT = "amount"
    DAY = "day"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Object:
    """What a fact says of its subject: ``value`` in the canonical text of its type, ``unit`` for amounts.

    ENTITY: an entity's id. NUMBER, AMOUNT: a decimal such as ``19.99``. DAY: ``2026-01-31``. TIME: nanoseconds.
    """

    type: Type
    value: str
    unit: str = ""

    @classmethod
    def entity(cls, id: str) -> Object:
        """An entity by its id."""
        return cls(Type.ENTITY, id)

    @classmethod
    def text(cls, text: str) -> Object:
        """A text."""
        return cls(Type.TEXT, text)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A declared relation. Only a functional one has one value at a time.

    ``half_life_days``: how fast its facts sink in an order (nothing is ever dropped for age); ``prior``: their weight
    beside other relations when fresh, above 0.
    """

    name: str
    type: Type
    kind: Kind = Kind.STATE
    functional: bool = False
    symmetric: bool = False
    half_life_days: float = 365.0
    prior: float = 1.0


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact as it is asserted.

    ``extractor`` is who says it: one name for each source that may disagree with others (``user``,
    ``contacts:work``, ``document:4f2a``). ``source`` is the seq of the event that it was read from, 0 for none.
    ``about`` are entities that it concerns beside subject and object. ``owner`` is the skill that it belongs to.
    """

    subject: EntityId
    predicate: str
    object: Object
    extractor: str
    valid_from: int | None = None
    valid_to: int | None = None
    source: int = 0
    confidence: float = 1.0
    label: Json = None
    owner: str = ""
    about: tuple[EntityId, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as it is known at a system time.

    ``valid_to`` is what the source said or, for a functional predicate, where ``closed_by`` begins, whichever is
    earlier; ``valid_from`` of an undated change is when it was told. ``recorded_to`` is None while it counts.
    ``source`` is the event that it was read from, or its own.
    """

    id: FactId
    seq: int
    subject: EntityId
    predicate: str
    object: Object
    valid_from: int | None
    valid_to: int | None
    recorded_from: int
    recorded_to: int | None
    source: int
    extractor: str
    confidence: float
    label: Json
    owner: str
    closed_by: FactId | None = None

    @property
    def begin(self) -> int:
        """``valid_from``; an unknown beginning counts as long ago."""
        return -ENDLESS if self.valid_from is None else self.valid_from

    @property
    def end(self) -> int:
        """``valid_to``; an open end counts as never."""
        return ENDLESS if self.valid_to is None else self.valid_to

    def holds_at(self, at_ns: int) -> bool:
        """Whether it is true at a world time."""
        return self.begin <= at_ns < self.end

    @property
    def voice(self) -> tuple[str, str]:
        """Who says it, with which label: only facts of one voice succeed each other."""
        return self.extractor, canonical(self.label)


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something. ``names`` begins with ``name``; ``same_as`` are the others it was merged with."""

    id: EntityId
    kind: str
    name: str
    names: tuple[str, ...]
    same_as: tuple[EntityId, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a name may mean: ``score`` 0 .. 1, ``reasons`` such as ``exact``, ``kind``, ``near:2``."""

    entity: Entity
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two facts of a functional predicate that different sources say of one time; never settled by itself."""

    subject: EntityId
    predicate: str
    first: Fact
    second: Fact


@dataclass(frozen=True, slots=True)
class Query:
    """Which facts to read; what is None asks for nothing.

    ``either`` is subject or object. ``valid_at``: true at this world time. ``recorded_at``: as Steward knew it at this
    system time. ``source``: the event that it was read from. ``label`` decides from a fact's label. ``retracted``: also
    those that were taken back.
    """

    subject: EntityId | None = None
    object: Object | None = None
    either: EntityId | None = None
    predicate: str | None = None
    valid_at: int | None = None
    recorded_at: int | None = None
    source: int | None = None
    extractor: str | None = None
    owner: str | None = None
    label: Callable[[Json], bool] | None = None
    retracted: bool = False
    ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a forget did: events whose keys are gone, rows purged by each store that joined.

    ``kept`` are entities whose own names still hold a name of what was forgotten.
    """

    entities: tuple[EntityId, ...]
    events: int
    stores: Mapping[str, int]
    kept: tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a forget would reach: entities and facts that go (``late``: those that only mention a name), the names that
    are looked for in texts (``words``), and entities that would stay though their own names hold one of them.
    """

    entities: tuple[EntityId, ...]
    facts: tuple[FactId, ...]
    words: tuple[str, ...]
    kept: tuple[EntityId, ...]
    late: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stats:
    """How much there is. ``size_bytes`` counts the graph's own files."""

    entities: int
    facts: int
    retracted: int
    merged: int
    conflicts: int
    size_bytes: int


def day_ns(day: str) -> int:
    """The beginning of an ISO day in UTC. Raises ValueError."""
    return (date.fromisoformat(day) - date(1970, 1, 1)).days * DAY_NS


def iso(at_ns: int) -> str:
    """A time for people and programs: ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at_ns // 10**9, UTC).isoformat().replace("+00:00", "Z")


def canonical(label: Json) -> str:
    """One text for each label, so that equal labels are told without being read."""
    return json.dumps(label, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
