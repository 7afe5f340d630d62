"""What a genome decides, as the writers of kernels take it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Way(StrEnum):
    """How a row is folded: whole in registers, in a pass for each fold, or with a running maximum in one."""

    WHOLE = "whole"
    LOOPED = "looped"
    ONLINE = "online"


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices for sweeps that are no products. ``warps`` 0 is by the size of the tile."""

    elements: int
    warps: int
    persistent: int
    way: Way = Way.WHOLE
    stages: int = 1
    streaming: bool = False
    precise_division: bool = False


@dataclass(frozen=True, slots=True)
class Tiling:
    """The choices for products: a tile of results, how deep it goes at once, what goes together."""

    rows: int
    columns: int
    depth: int
    group: int
    warps: int
    stages: int
    precision: str
