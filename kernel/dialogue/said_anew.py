"""A number in place of the one that was said: "30" after "20 minutes" is 30 minutes, "5" after "4 pm" is 5 pm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kernel.language.amounts.numbers import number_word
from kernel.model import Constant
from skills.model import ValueKind

_WORD = re.compile(r"[^\W_]+")
_NOON, _HOURS = 12, 24


def said_anew(held: Constant, kind: ValueKind, number: int, language: str) -> Any:
    """Return the value that ``number`` stands for in place of ``held``; None where that cannot be told."""
    if kind is ValueKind.DURATION:
        return _length(held, number, language)
    return _clock(held, number) if kind is ValueKind.HOURS else None


def _length(held: Constant, number: int, language: str) -> int | None:
    """So many of the same unit: one number was said, and a whole number of seconds belongs to each of it."""
    words = _WORD.findall(held.text.casefold())
    before = [int(one) if one.isdigit() else number_word(one, language) for one in words]
    said = [one for one in before if one]
    if len(said) != 1 or number < 1 or not isinstance(held.value, int) or held.value % said[0]:
        return None
    return held.value // said[0] * number


def _clock(held: Constant, number: int) -> dict[str, Any] | None:
    """The full hour, in the half of the day that was meant before."""
    old = held.value if isinstance(held.value, Mapping) else {}
    if old.get("rough") or old.get("end") or not str(old.get("start", "")) or not 0 <= number < _HOURS:
        return None
    later = _NOON if int(str(old["start"])[:2]) >= _NOON and 0 < number < _NOON else 0
    return {"start": f"{number + later:02}:00", "end": None, "rough": False}
