"""The weights of the model as data: read from ``weights.toml``, refitted on a person's own log, kept in the ledger."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

_SHIPPED = Path(__file__).with_name("weights.toml")


@dataclass(frozen=True, slots=True)
class Weights:
    """A weight per reason; ``temperature`` divides scores before they become probabilities."""

    values: Mapping[str, float]
    temperature: float = 1.0

    def with_values(self, values: Mapping[str, float]) -> Weights:
        """Return these weights with ``values`` in their places; names that are not known are ignored."""
        known = {name: values.get(name, value) for name, value in self.values.items()}
        return replace(self, values=MappingProxyType(known))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The decision's weights, and from which probability to act and to ask."""

    act: float
    ask: float
    bias: float
    values: Mapping[str, float] = field(default_factory=dict)


@cache
def shipped(name: str) -> Weights:
    """Return the weights that everybody begins with: of a whole ``request``, a step of a ``set``, a ``stretch``."""
    table = _table()[name]
    return Weights(MappingProxyType(dict(table["weights"])), float(table.get("temperature", 1.0)))


@cache
def shipped_thresholds() -> Thresholds:
    """Return the decision that everybody begins with."""
    table = _table()["decision"]
    return Thresholds(
        float(table["act"]), float(table["ask"]), float(table["bias"]), MappingProxyType(dict(table["weights"]))
    )


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(_SHIPPED.read_text())
