"""Picking among what was found: "the oldest one", "the two largest" of an earlier run's values.

What lies in the past is picked here, by the dates and sizes that its values carry; nothing is looked up again.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from kernel.language.extremes import LARGEST, NEWEST, OLDEST

_BY_AGE = (NEWEST, OLDEST)
_FROM_THE_TOP = (NEWEST, LARGEST)
_DEEPEST = 2


def pick(value: Any, which: str, count: int) -> tuple[int, ...] | None:
    """Return the places of the ``count`` extreme items of ``value``, the most extreme first.

    None when an item does not say its age or size, or when an equal one would have to be left out.
    """
    if not isinstance(value, list) or not 0 < count <= len(value):
        return None
    found = [_measure(item, which in _BY_AGE, _DEEPEST) for item in value]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    ranked = sorted(range(len(value)), key=lambda at: known[at], reverse=which in _FROM_THE_TOP)
    if count < len(value) and known[ranked[count - 1]] == known[ranked[count]]:
        return None
    return tuple(ranked[:count])


def _measure(item: Any, age: bool, depth: int) -> float | None:
    """How old or how large an item is; of a record, the one thing in it that says so."""
    if not isinstance(item, Mapping):
        return None
    own = _moment(item.get("modified")) if age else _number(item.get("size_bytes"))
    if own is not None or not depth:
        return own
    fields = item.get("fields")
    inner = fields.values() if isinstance(fields, Mapping) else item.values()
    known = [one for value in inner if (one := _measure(value, age, depth - 1)) is not None]
    return known[0] if len(known) == 1 else None


def _moment(value: Any) -> float | None:
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else None
    except ValueError:
        return None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
