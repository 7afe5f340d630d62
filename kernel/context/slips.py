"""Whether one name is another one with a slip of the fingers in it."""

from __future__ import annotations

from rapidfuzz.distance import OSA

_SHORTEST, _LONG = 4, 8


def is_slip(name: str, other: str) -> bool:
    """Tell whether ``name`` is ``other`` but for a letter: left out, put in, another one, or two that changed places.

    From eight letters on for two of them. Names that differ in a digit are two on purpose (2024 and 2025, scan 1 and
    scan 2), and so are names of fewer than four letters.
    """
    least = min(len(name), len(other))
    most = 2 if least >= _LONG else 1
    if name == other or least < _SHORTEST or abs(len(name) - len(other)) > most:
        return False
    if OSA.distance(name, other, score_cutoff=most) > most:
        return False
    return _digits(name) == _digits(other)


def is_one_off(word: str, other: str) -> bool:
    """Tell whether one slip of the fingers at most makes ``word`` of ``other``."""
    return OSA.distance(word, other, score_cutoff=1) <= 1


def _digits(name: str) -> list[str]:
    return [letter for letter in name if letter.isdigit()]
