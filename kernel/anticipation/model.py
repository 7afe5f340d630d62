"""The nouns of anticipation: a request of the past, the moment in which the next one is foretold, an offer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

SHOWN, DISMISSED, SWITCHED = "offers.shown", "offer.dismissed", "offers.switched"
"""Offers were shown unasked (keys, at); one was put away for good (key); a source was turned off or on (source, on)."""

AHEAD_SWITCHED = "ahead.switched"
"""For offers of a source something is made ahead, or no longer (source, on)."""

AHEAD_SOURCES = ("sequence", "time", "files", "calendar")
"""What an offer is made from before anything is said: what was just done, the time of day and of the week, files that
were just made or have just come, what a skill's clock has just told and an appointment that is near. For such offers
something may be made ahead.
"""

TYPED = "words"
SOURCES = (*AHEAD_SOURCES, TYPED)
"""These, and the words that were typed so far. Each can be turned off."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "time": ("hour", "weekday"), "files": ("made", "fresh"), "calendar": ("told", "event"),
}  # fmt: skip
"""What is the case around a request, by the source that it belongs to."""

ONLY_WHERE_IT_WAS = frozenset({"fresh", "event"})
"""Of these nothing is weighed where none of them was ever the case: what other sources say stays as it is."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A request that a person made, that ended well, and that was not taken back. No word in it is of others.

    ``item`` is what its plan did (the tools, in order), ``key`` that with all its arguments. ``around`` is what was the
    case before it. ``made`` are the kinds of the files that it left (``.pdf``).
    """

    run: str
    conversation: str
    at: datetime  # with the zone of the person
    text: str
    language: str
    item: str
    group: str
    key: str
    made: tuple[str, ...] = ()
    around: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """Words that a person may want to say next. Taking one up fills the line; nothing is done by it.

    ``run`` is the last one that they were said in, ``made`` when that was.
    """

    key: str
    text: str
    language: str
    tools: tuple[str, ...]
    chance: float
    source: str
    why: str
    run: str
    made: datetime
