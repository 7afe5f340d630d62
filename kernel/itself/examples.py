"""Example sentences as a person is shown them: true in this home.

A manifest's example names files and folders of its author. Shown is a place that is there: the one that the example
names, for a tool that only reads a file of the same kind instead, and "…" where there is none: a blank to fill in. An
example of a tool that changes something never names a file of the person's that the manifest did not.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Protocol

from kernel.language.function_words import PRONOUNS
from skills.model import EffectClass, Example, ExampleSlot, Tool, ValueKind

BLANK, BLANK_FILE = "…", "NAME"

_FILES = frozenset({ValueKind.FILE, ValueKind.TABLE})
_PLACES = _FILES | {ValueKind.FOLDER}
_INSIDE = frozenset({ValueKind.COLUMN, ValueKind.CONDITION})  # what only that one file has
_POINTING = PRONOUNS["en"] | PRONOUNS["de"] | frozenset("its their deren dessen ihre ihren seine seinen".split())
_PLAIN_NAME = re.compile(r"\w[\w-]*\.\w+")


class Places(Protocol):
    """What an example may know of the person's places."""

    @property
    def home(self) -> str: ...
    def folders(self, name: str) -> tuple[str, ...]: ...
    def files(self, name: str) -> tuple[str, ...]: ...
    def exists(self, path: str) -> bool: ...
    def file_like(self, suffix: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Shown:
    """An example as it is shown. ``lacks`` orders them: values not given, words that point back, blanks, places."""

    text: str
    language: str
    lacks: tuple[int, int, int, int]


def shown(tool: Tool, example: Example, places: Places | None) -> Shown:
    """Return ``example`` with places that are there; as the manifest has it where no home is given."""
    text, blanks, at = "", 0, 0
    for slot in sorted(example.slots, key=lambda one: one.start):
        words = _words(tool, example, slot, places)
        if words in text and words != example.text[slot.start : slot.end]:  # one file is not two
            words = _blank(words)
        if words.startswith((BLANK, f"{BLANK_FILE}.")):  # a place that is not here is a greater lack than its column
            blanks += 1 + (tool.parameter(slot.parameter).type.kind in _PLACES)
        text, at = text + example.text[at : slot.start] + words, slot.end
    named = {slot.parameter for slot in example.slots}
    needed = {parameter.name for parameter in tool.parameters if parameter.required}
    kinds = [tool.parameter(name).type.kind for name in named]
    pointing = sum(_points(example.text[slot.start : slot.end]) for slot in example.slots)
    lacks = (len(needed - named), pointing, blanks, sum(kind in _PLACES | _INSIDE for kind in kinds))
    return Shown(text + example.text[at:], example.language, lacks)


def _points(words: str) -> bool:
    return words.split(maxsplit=1)[0].casefold() in _POINTING


def _words(tool: Tool, example: Example, slot: ExampleSlot, places: Places | None) -> str:
    """The words of a slot: as they are where they are true of any home, else what is true of this one, or a blank."""
    said, kind = example.text[slot.start : slot.end], tool.parameter(slot.parameter).type.kind
    if places is None or _points(said):
        return said
    if kind in _INSIDE:
        return BLANK
    if kind not in _PLACES or _is_there(said, kind, places):
        return said
    suffix = os.path.splitext(said)[1]
    instead = places.file_like(suffix) if kind in _FILES and tool.effect is EffectClass.PURE and suffix else ""
    name = os.path.basename(instead)
    if _PLAIN_NAME.fullmatch(name):
        return name
    return _blank(said) if kind in _FILES else BLANK


def _blank(name: str) -> str:
    suffix = os.path.splitext(name)[1]
    return f"{BLANK_FILE}{suffix}" if suffix else BLANK


def _is_there(said: str, kind: ValueKind, places: Places) -> bool:
    found = places.folders(said) if kind is ValueKind.FOLDER else places.files(said)
    return bool(found) or places.exists(os.path.join(places.home, said.removeprefix("~/")))
