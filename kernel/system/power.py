"""What the machine runs on: how full its batteries are together, and whether it is plugged in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kernel.system.facts import battery
from kernel.system.reading import SYS


@dataclass(frozen=True, slots=True)
class Power:
    """``percent`` is None where there is no battery that tells, ``plugged`` where nothing tells that.

    ``is_full``: the batteries say so themselves; an old one is full at less than a hundred percent.
    """

    percent: float | None
    plugged: bool | None
    is_full: bool = False


def power(sys: Path = SYS) -> Power:
    """Return what the machine runs on now. A charger that does not tell is known by what the batteries do."""
    told = battery(sys)
    held, plugged = told["batteries"], told["plugged_in"]
    levels = [one["percent"] for one in held if one["percent"] is not None]
    if plugged is None and held:
        plugged = not any(one["status"] == "discharging" for one in held)
    is_full = bool(held) and all(one["status"] == "full" for one in held)
    return Power(sum(levels) / len(levels) if levels else None, plugged, is_full)
