"""What a person may say here: the example sentences of the installed skills, and the names that they use.

What this stops: names that a recogniser needs being told to anybody else; they are returned, and never logged.
What it does not: decide what of them is kept where; the voice room keeps its files in STEWARD_HOME.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from skills.model import Example, Parameter, Tool

MOST_NAMES = 400  # of a kind: more of them are not told apart by their sound


class HasNames(Protocol):
    """Whom the graph knows."""

    @property
    def names(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a sentence. ``kind`` is "" for plain words, else what they name: person, note, or a kind of value."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Sayable:
    """Sentences as parts, and by kind (person, folder, file, note) the names that may stand in them."""

    sentences: tuple[tuple[Part, ...], ...]
    names: Mapping[str, tuple[str, ...]]


def sayable(tools: Iterable[Tool], people: Iterable[HasNames], folders: Iterable[str], files: Iterable[str]) -> Sayable:
    """Put together what may be said in English: of the names at most 400 of a kind, the nearest to the home first."""
    every = tuple(tools)
    places = sorted(files, key=lambda path: (path.count("/"), path))
    patterns = {parameter.names for tool in every for parameter in tool.parameters if parameter.names}
    notes = [path for path in places if any(_is_like(path, pattern) for pattern in patterns)]
    names = {
        "person": _few(name for one in people for name in one.names),
        "folder": _few(os.path.basename(path) for path in sorted(folders, key=lambda path: (path.count("/"), path))),
        "file": _few(os.path.basename(path) for path in places),
        "note": _few(os.path.splitext(os.path.basename(path))[0] for path in notes),
    }
    sentences = [
        tuple(_parts(tool, example)) for tool in every for example in tool.examples if example.language == "en"
    ]
    return Sayable(tuple(dict.fromkeys(sentences)), names)


def _is_like(path: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(path, f"*/{pattern.removeprefix('~/')}")


def _few(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name and not name.startswith(".")))[:MOST_NAMES]


def _parts(tool: Tool, example: Example) -> Iterator[Part]:
    at = 0
    for slot in sorted(example.slots, key=lambda one: one.start):
        if example.text[at : slot.start].strip():
            yield Part(example.text[at : slot.start].strip())
        yield Part(example.text[slot.start : slot.end], _kind(tool.parameter(slot.parameter)))
        at = slot.end
    if example.text[at:].strip():
        yield Part(example.text[at:].strip())


def _kind(parameter: Parameter) -> str:
    if parameter.person:
        return "person"
    if parameter.names:
        return "note"
    return str(parameter.type.kind)
