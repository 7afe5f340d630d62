"""The nouns of vector stores: what is put, what is asked for, what is found, and what every store can do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from memory.model import EntityId, Json

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]

Value = str | int | float
"""What a field holds; a field has one of the three types in the whole store."""
Range = tuple[float | None, float | None]
"""From (inclusive) and to (exclusive); None is open."""


@dataclass(frozen=True, slots=True)
class Item:
    """A vector and what it may be filtered by.

    ``owner``: the memory it was made of (``fact:...``, ``turn:...``); it goes when its owner goes. ``about``: whom that
    memory is about. ``label`` is opaque here. ``fields``: short values such as a group, a person or a time.
    """

    id: str
    vector: Vector
    owner: str = ""
    about: tuple[EntityId, ...] = ()
    label: Json = None
    fields: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Where:
    """Which items may be found; what is empty or None asks for nothing.

    ``fields``: equal to a value, one of a tuple of values. ``ranges``: numbers between two. ``label`` decides from an
    item's label; it is asked once for each different label.
    """

    owners: Collection[str] | None = None
    fields: Mapping[str, Value | tuple[Value, ...]] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    label: Callable[[Json], bool] | None = None


EVERYWHERE = Where()


@dataclass(frozen=True, slots=True)
class Match:
    """An item that was found: its cosine to what was asked, -1 .. 1."""

    id: str
    score: float


class VectorStore(Protocol):
    """Unit vectors of one encoder, with an id each. Thread-safe; one process at a time for a flat or embedded store.

    All raise StoreFailed when a file or a server fails, and ValueError for a vector of another shape, that is not
    finite, or that has no direction.
    """

    name: str
    encoder: str
    dimensions: int

    def put(self, items: Iterable[Item]) -> None:
        """Add items, each in the place of the one with its id; brought to unit length. On disk when it returns."""
        ...

    def remove(self, ids: Iterable[str]) -> int:
        """Remove items: how many were there. Their bytes may stay until ``purge``."""
        ...

    def search(self, vector: Vector, limit: int = 10, where: Where = EVERYWHERE) -> list[Match]:
        """The nearest items that ``where`` lets through, nearest first; ties go by id."""
        ...

    def fetch(self, ids: Sequence[str]) -> dict[str, Vector]:
        """The vectors of those that are there."""
        ...

    def ids(self) -> list[str]:
        """The ids of all items, in order."""
        ...

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Remove, to the last byte, what is about or owned by one of ``entities`` or names one of ``words`` in a field.

        With nothing given: leave no byte of what was removed before. How many items went.
        """
        ...

    def clear(self) -> None:
        """Remove everything, to the last byte; the encoder may be another one when the store is opened again."""
        ...

    def __len__(self) -> int: ...

    def close(self) -> None:
        """Free the files or the connection."""
        ...
