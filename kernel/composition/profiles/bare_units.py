"""The units that a tool's examples say behind its numbers: which numbers are percentages, and what says no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from kernel.language.amounts.units import BARE_UNITS, PERCENTS
from kernel.model import Token


def percentages_in(elements: list[Token | str]) -> set[str]:
    """Return the parameters behind whose slots an example says "percent"; slots are written ``<parameter>``."""
    pairs = ((one, two) for one, two in pairwise(elements) if isinstance(one, str) and isinstance(two, Token))
    return {one[1:-1] for one, two in pairs if two.norm in PERCENTS}


def mostly(percents: Counter[str], skeletons: Iterable[tuple[str, ...]]) -> frozenset[str]:
    """Return the parameters that are percentages in most of the examples that have them."""
    uses = Counter(element[1:-1] for line in skeletons for element in line if element.startswith("<"))
    return frozenset(name for name, count in percents.items() if 2 * count > uses[name])


def without_units(elements: list[Token | str]) -> list[Token | str]:
    """Leave out the unit of a bare number: "19 percent" says no more than "19 %"."""
    return [
        one
        for one, left in zip(elements, ["", *elements], strict=False)
        if not (isinstance(left, str) and left and isinstance(one, Token) and one.norm in BARE_UNITS)
    ]
