"""The nouns of sequences: an entry of a session, where a sequence was seen, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Items = tuple[str, ...]
"""A sequence: its items, in order."""


class Entry(NamedTuple):
    """Something that happened ``at`` (seconds), as one or several items, the most general first.

    Entries next to each other with the same ``group`` belong together: nothing is passed over between them.
    """

    items: tuple[str, ...]
    at: float
    group: str = ""


class Occurrence(NamedTuple):
    """Where a sequence was seen: the number of the session, the places of its items there, and when it began."""

    session: int
    places: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What counts as a sequence, and how much is kept.

    ``gap`` groups at most lie between two items that follow each other, at most ``apart_s`` seconds apart; it has at
    most ``longest`` items and was seen in ``least`` sessions. It is left out where a longer or more particular one has
    at least ``closed`` of its support. Support halves in ``half_life_s``. Of each sequence the ``latest`` places are
    kept, of sessions the last ``sessions``, of sequences ``most``.
    """

    gap: int = 1
    apart_s: float = 1800.0
    longest: int = 7
    least: int = 3
    closed: float = 0.85
    half_life_s: float = 120 * 86_400.0
    latest: int = 48
    sessions: int = 6_000
    most: int = 150_000


@dataclass(frozen=True, slots=True)
class Found:
    """A sequence that comes again. ``times`` counts sessions, ``support`` the same after decay, ``score`` is
    log-lift x sqrt(support), ``occurrences`` are the latest ones, oldest first.
    """

    items: Items
    times: int
    support: float
    lift: float
    score: float
    occurrences: tuple[Occurrence, ...]
