"""What a sentence says about words: that some mean something, or no longer do, or which do. Whole sentences only."""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTED = r"[\"“”„‚‘’'«»]"
_X = rf"(?:{_QUOTED}(?P<quoted>.+?){_QUOTED}|(?P<plain>.+?))"
_Y = r"(?P<meaning>.+?)"

_EXPLAINS = (
    r"(?:no,? |well,? )?(?:that|this|it|which) (?:just |simply )?"
    rf"(?:means|meant|should mean|is supposed to mean)[:,]? {_Y}",
    rf"by (?:that|this) i (?:just )?(?:mean|meant)[:,]? {_Y}",
    rf"(?:nein,? )?(?:damit|hiermit) (?:meine|meinte) ich(?: einfach)?[:,]? {_Y}",
    rf"(?:nein,? )?(?:das|dies) (?:heißt|bedeutet|soll heißen|soll bedeuten)(?: einfach)?[:,]? {_Y}",
    rf"damit ist gemeint[:,]? {_Y}",
)
"""Said of the request before, where that came to nothing."""

_DEFINES = (
    rf"(?:when(?:ever)?|if) i (?:say|type|write)[:,]? {_X}(?:,| -|:)? ?(?:then )?(?:please )?"
    rf"(?:do|i mean|it means|that means|this means|i want you to|you should)[:,]? {_Y}",
    rf"(?:when(?:ever)?|if) i (?:say|type|write)[:,]? {_QUOTED}(?P<quoted>.+?){_QUOTED},? (?:then )?(?:please )?{_Y}",
    rf"(?:immer )?wenn ich {_X},? (?:sage|sag|schreibe|tippe),? (?:dann )?(?:bitte )?"
    rf"(?:mach|mache|tu|tue|meine ich(?: damit)?|heißt das|bedeutet das|sollst du)[:,]? {_Y}",
    rf"(?:immer )?wenn ich (?:sage|schreibe|tippe)[:,]? {_X},? (?:dann )?(?:bitte )?"
    rf"(?:mach|mache|tu|tue|meine ich(?: damit)?|heißt das|bedeutet das|sollst du)[:,]? {_Y}",
    rf"(?:immer )?wenn ich {_QUOTED}(?P<quoted>.+?){_QUOTED},? (?:sage|sag|schreibe),? (?:dann )?(?:bitte )?{_Y}",
    rf"{_QUOTED}(?P<quoted>.+?){_QUOTED} (?:shall mean|should mean|soll heißen)[:,]? {_Y}",
    rf"(?:mit|by) {_QUOTED}(?P<quoted>.+?){_QUOTED} (?:meine ich|i mean)[:,]? {_Y}",
)

_BARE = (rf"{_QUOTED}(?P<quoted>.+?){_QUOTED} (?:means|bedeutet|heißt)[:,]? {_Y}",)
"""So words are explained, and so is told what words mean that are no request."""

_UNTEACHES = (
    rf"(?:please )?(?:forget|unlearn) what {_X} (?:means|meant)(?: please)?",
    rf"{_X} (?:no longer means|does ?n[o'’]t mean) (?:that|anything)(?: any ?more)?",
    rf"(?:bitte )?(?:vergiss|verlern|verlerne),?(?: bitte)?,? was {_X} (?:heißt|bedeutet|bedeuten soll)(?: bitte)?",
    rf"{_X} (?:heißt|bedeutet) (?:das )?nicht(?:s)? mehr",
)

_LISTS = (
    r"(?:which|what) (?:words|phrases|expressions) (?:have i|did i) (?:taught|teach|explained?)(?: to)? you",
    r"what have i taught you",
    r"was habe ich dir (?:alles )?beigebracht",
    r"welche (?:worte|wörter|wendungen|ausdrücke) (?:habe ich dir beigebracht|kennst du von mir)",
)

_MARKS = (
    "mean", "meine ich", "damit", "wenn ich", "when", "if i", "heiß", "bedeute", "taught", "teach", "beigebracht",
    "kennst du", "explain",
)  # fmt: skip
"""One of these stands in every such sentence: without it no pattern is tried."""

LONGEST = 600
"""Characters of a sentence that is read so."""


@dataclass(frozen=True, slots=True)
class Explains:
    """``phrase`` means ``meaning``; without a phrase the request before does.

    ``bare``: it may be about something else ("'Haus' means house"), and explains only what is understood.
    """

    meaning: str
    phrase: str = ""
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Unteaches:
    """``phrase`` no longer means anything of its own."""

    phrase: str


@dataclass(frozen=True, slots=True)
class Lists:
    """Which phrases were explained is wanted."""


Heard = Explains | Unteaches | Lists


def hear(text: str) -> Heard | None:
    """Return what the sentence says about words; None when it is a request like any other."""
    said = " ".join(text.split()).rstrip(" .!?")
    low = said.lower()  # "heißt" keeps its letters
    if len(said) > LONGEST or not any(mark in low for mark in _MARKS):
        return None
    if any(_whole(one, said) for one in _LISTS):
        return Lists()
    if match := _first(_UNTEACHES, said):
        return Unteaches(_phrase(match))
    if match := _first(_DEFINES, said):
        return Explains(match["meaning"].strip(), _phrase(match))
    if match := _first(_BARE, said):
        return Explains(match["meaning"].strip(), _phrase(match), bare=True)
    match = _first(_EXPLAINS, said)
    return Explains(match["meaning"].strip()) if match else None


def _first(patterns: tuple[str, ...], said: str) -> re.Match[str] | None:
    return next((match for one in patterns if (match := _whole(one, said))), None)


def _whole(pattern: str, said: str) -> re.Match[str] | None:
    return re.compile(pattern, re.IGNORECASE).fullmatch(said)


def _phrase(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return str(groups.get("quoted") or groups.get("plain") or "").strip(" ,;:\"'“”„‚‘’«»")
