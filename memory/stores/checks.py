"""What every store refuses, and how it says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import numpy as np

from memory.errors import EncoderMismatch
from memory.graph.names import folded, holds, is_telling
from memory.model import EntityId, Json
from memory.stores.model import Item, Value

if TYPE_CHECKING:
    from memory.stores.model import Vector


def unit(vector: Vector, dimensions: int) -> Vector:
    """``vector`` at unit length, float32 [dimensions]. Raises ValueError."""
    row = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(row))
    if row.shape != (dimensions,) or not np.isfinite(length) or length == 0.0:
        raise ValueError(f"a vector must be finite, not zero, and of shape ({dimensions},), not {row.shape}")
    return row / np.float32(length)


def same_encoder(found: str, dimensions: int, wanted: str, wanted_dimensions: int, where: str) -> None:
    """Raises EncoderMismatch unless a store's vectors are those of the encoder in use."""
    if (found, dimensions) != (wanted, wanted_dimensions):
        raise EncoderMismatch(
            "encoder.mismatch",
            f"The vectors in {where} are of encoder {found[:12]} ({dimensions} numbers each), not of {wanted[:12]} "
            f"({wanted_dimensions}); the two cannot be compared.",
            subject=where,
            hint="Build them again with the encoder in use (open it with ``renew``), or name the other encoder again: "
            "./steward config set encoder_model FOLDER",
        )


def canonical(label: Json) -> str:
    """One text for each label, so that equal labels are told without being read."""
    return json.dumps(label, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def allowed(labels: Collection[str], label: Callable[[Json], bool] | None) -> set[str]:
    """Which of these canonical labels the filter lets through."""
    return set(labels) if label is None else {text for text in labels if label(json.loads(text))}


def concerns(
    item: tuple[str, Collection[str], Collection[Value]], ids: Collection[str], forms: Collection[str]
) -> bool:
    """Whether an item (owner, about, values of its fields) is to go with ``ids`` and folded names."""
    owner, about, values = item
    if owner in ids or not set(ids).isdisjoint(about):
        return True
    said = [form for value in values if isinstance(value, str) for form in folded(value)]
    return any(holds(text, form) for text in said for form in forms)


def telling(words: Collection[str]) -> set[str]:
    """The folded forms of names that are long enough to mean somebody."""
    return {form for word in words for form in folded(word) if is_telling(form)}


def about(entities: Collection[EntityId]) -> str:
    """Whom an item is about, as one text."""
    return json.dumps(list(entities), ensure_ascii=False)


def last_of_each(items: list[Item]) -> list[Item]:
    """Of several items with one id the last."""
    return list({item.id: item for item in items}.values())
