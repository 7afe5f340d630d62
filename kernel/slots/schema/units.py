"""Units that a schema asks for and a sentence gives: "50 mH" where henries are wanted, "two weeks" where days are."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from kernel.language.amounts.measures import in_unit
from kernel.slots.schema.model import Slot

_PREFIXES = {"p": -12, "n": -9, "µ": -6, "μ": -6, "u": -6, "m": -3, "c": -2, "k": 3, "K": 3, "M": 6, "G": 9, "T": 12}
_LONG = {"nano": -9, "micro": -6, "milli": -3, "centi": -2, "kilo": 3, "mega": 6, "giga": 9, "tera": 12}
# Coherent units with names of their own: BIPM, The International System of Units, 9th edition, table 4.
_NAMED = {
    "F": "farad", "H": "henry henries", "V": "volt", "A": "ampere", "W": "watt", "J": "joule", "N": "newton",
    "Pa": "pascal", "Hz": "hertz", "C": "coulomb", "T": "tesla", "Ω": "ohm", "Wb": "weber", "K": "kelvin",
    "m": "meter metre", "g": "gram", "s": "second", "L": "liter litre", "mol": "mole",
}  # fmt: skip
_WORDS = {word: sign for sign, words in _NAMED.items() for word in words.split()}
_WORDS |= {f"{word}s": sign for word, sign in _WORDS.items()}
_ASKED = re.compile(r"\b(?:in|of)\s+([A-Za-zµΩ]+)|\(([A-Za-zµΩ%]{1,12})\)")
_PIECES = re.compile(r"[a-z]+")


def converted(value: Decimal, unit: str, slot: Slot) -> tuple[Decimal, str] | None:
    """``value`` in the unit that the slot wants; None where it wants none, the same, or one of something else."""
    for asked in wanted(slot):
        if asked == unit or asked.rstrip("s") == unit.rstrip("s"):
            return None
        own, other = _power(unit), _power(asked)
        if own is not None and other is not None and own[0] == other[0]:
            return (value.scaleb(own[1] - other[1]), asked) if own[1] != other[1] else None
        changed = in_unit(value, unit, asked)
        if changed is not None:
            return None if changed == value else (round(changed, 10).normalize(), asked)
    return None


@lru_cache(maxsize=4_000)
def wanted(slot: Slot) -> tuple[str, ...]:
    """The units in which a slot may want its value: "in meters", "(H)", "duration_minutes"."""
    said = [word for pair in _ASKED.findall(slot.doc) for word in pair if word]
    return tuple(dict.fromkeys([*said, *_PIECES.findall(slot.name.lower())]))


@lru_cache(maxsize=4_000)
def _power(unit: str) -> tuple[str, int] | None:
    """The unit without its prefix and the power of ten of the prefix: "mH" is ("H", -3)."""
    if unit in _NAMED or unit.lower() in _WORDS:
        return _WORDS.get(unit.lower(), unit), 0
    for long, power in _LONG.items():
        if unit.lower().startswith(long) and unit.lower()[len(long) :] in _WORDS:
            return _WORDS[unit.lower()[len(long) :]], power
    if unit[:1] in _PREFIXES and unit[1:] in _NAMED:
        return unit[1:], _PREFIXES[unit[0]]
    return None
