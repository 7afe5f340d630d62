"""The unit behind a bare number: "96 euros". It says no more than the number, or is a value of its own."""

from __future__ import annotations

from collections.abc import Iterable

from kernel.composition.scene import bits
from kernel.composition.stretch import Stretch
from kernel.composition.window import Filler
from kernel.language.amounts.units import BARE_UNITS, PERCENTS
from skills.model import ValueKind


def with_units(stretch: Stretch, fillers: Iterable[Filler]) -> int:
    """Return the words that the values explain: their own, and the unit of a bare number, as in "96 euros"."""
    mask = 0
    for one in fillers:
        is_number = stretch.profile.parameter(one.parameter).type.kind is ValueKind.NUMBER
        mask |= bits(one.first, one.last + 1) if is_number and _unit_behind(stretch, one) else one.mask
    return mask


def _unit_behind(stretch: Stretch, one: Filler) -> str:
    unit = stretch.scene.tokens[one.last].norm if one.mask and one.last < stretch.last else ""
    return unit if unit in BARE_UNITS else ""


def is_silent(stretch: Stretch, one: Filler, fillers: Iterable[Filler]) -> bool:
    """A unit behind the value that says no more than the number; a currency does where the tool takes one."""
    unit = _unit_behind(stretch, one)
    return bool(unit) and (unit in PERCENTS or not _takes_unit(stretch, fillers))


def open_units(stretch: Stretch, fillers: tuple[Filler, ...]) -> int:
    """Return how many currencies stand behind values although the tool has a parameter for them that is empty."""
    behind = [one for one in fillers if _unit_behind(stretch, one) and not is_silent(stretch, one, fillers)]
    return len(behind)


def _takes_unit(stretch: Stretch, fillers: Iterable[Filler]) -> bool:
    named = {one.parameter for one in fillers}
    return any(one.type.kind is ValueKind.UNIT and one.name not in named for one in stretch.profile.tool.parameters)
