"""The nouns of recalling: what a sentence asks about what was. Words are as they were said; nothing is looked up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kernel.language.place.deed_words import Thing, Verb
from kernel.language.time.past_times import When


class Part(StrEnum):
    """Which part of what was is asked for."""

    ASKED = "asked"  # what the person said
    TOLD = "told"  # what was answered
    BOTH = "both"  # a conversation
    DONE = "done"  # what was changed


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said about ``words`` ("" for anything), ``when``. ``latest``: when it was last."""

    part: Part
    language: str
    words: str = ""
    when: When | None = None
    latest: bool = False


@dataclass(frozen=True, slots=True)
class Doing:
    """When ``verb`` was last done to ``thing`` (``latest``), or to which things it was done ``when``.

    ``verb_said`` is the verb as it was said, ``place`` the folder that something was put into, by its name.
    """

    verb: Verb
    verb_said: str
    thing: Thing
    language: str
    place: str = ""
    when: When | None = None
    latest: bool = False


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Changes that are to be taken back, by when they were made and what they were about."""

    language: str
    words: str = ""
    when: When | None = None


Heard = Talk | Doing | TakeBack
