"""The nouns of recall. Times are nanoseconds since 1970-01-01 UTC, as in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memory.model import EntityId, Json

Span = tuple[int | None, int | None]
"""From (inclusive) and to (exclusive); None is open."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said, or Steward answered, once.

    ``id`` is the same whenever it is told again from the ledger (``turn:<run>:said``). ``session`` is the conversation:
    what stands beside it in there counts as its neighbours. ``speaker``: a name, or ``user``, ``steward``. ``origin``:
    what it was read from (``conversation``, ``mail``). ``source`` is the seq of the event. ``about`` are the entities
    that the event stands under. ``label`` is opaque here.
    """

    id: str
    text: str
    at_ns: int
    session: str = ""
    speaker: str = ""
    origin: str = "conversation"
    source: int = 0
    label: Json = None
    about: tuple[EntityId, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for.

    What shuts out: ``span`` of time, ``people`` (who said it, or whom it is about), ``origins``, ``sessions``,
    ``kinds`` (``turn``, ``fact``), ``label`` (decides from a label; what it refuses does not exist for this question).
    What only draws: ``entities`` that the question names, ``times`` that it speaks of.
    """

    text: str
    limit: int = 10
    span: Span = (None, None)
    people: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    label: Callable[[Json], bool] | None = None
    entities: tuple[EntityId, ...] = ()
    times: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A turn (or a fact, as a sentence) that was found.

    ``score`` orders the hits of one question and means nothing beside another's. ``reasons``: what each feature added
    to it, greatest first; they sum to ``score``.
    """

    turn: Turn
    kind: str
    score: float
    reasons: Mapping[str, float] = field(default_factory=dict)
