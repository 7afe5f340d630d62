"""What makes a computer slow, judged from its facts; every bound has its reason.

Memory: less than a tenth left, or much in the swap space while little is left (what was put there must come back).
Processor: nearly all of it in use. Disk: less than a twentieth free, where file systems begin to seek for room. Heat:
above 90 °C processors slow themselves down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LITTLE_MEMORY, _SWAPPED, _SWAPPING_MEMORY = 0.10, 0.5, 0.25
_BUSY = 0.85
_LITTLE_DISK, _LITTLE_DISK_BYTES = 0.05, 5 * 10**9
_HOT = 90.0


def reasons(facts: Mapping[str, Any]) -> list[str]:
    """Return what is the matter: some of ``memory``, ``processor``, ``disk``, ``heat``; nothing where nothing is."""
    found = {
        "memory": _is_short_of_memory(facts["memory"]),
        "processor": facts["load"]["busy"] >= _BUSY,
        "disk": any(is_full(one) for one in facts["disks"]["disks"]),
        "heat": any(one["celsius"] >= _HOT for one in facts["temperatures"]["sensors"]),
    }
    return [name for name, holds in found.items() if holds]


def is_full(disk: Mapping[str, Any]) -> bool:
    """Tell whether a disk is nearly full."""
    free = disk["free_bytes"]
    return bool(free < _LITTLE_DISK * disk["total_bytes"] and free < _LITTLE_DISK_BYTES)


def _is_short_of_memory(memory: Mapping[str, Any]) -> bool:
    left = memory["available_bytes"] / max(memory["total_bytes"], 1)
    swap = memory["swap_total_bytes"]
    swapped = 1 - memory["swap_free_bytes"] / swap if swap else 0.0
    return bool(left < _LITTLE_MEMORY or (swapped > _SWAPPED and left < _SWAPPING_MEMORY))
