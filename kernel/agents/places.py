"""Which places a request names for a model that follows instructions.

What is written as a path is one; without any, what the words say is where something lies or goes.
What this stops: a word that happens to be a folder's name ("the notes of the walk in ~/Walks") opening that folder, to
be read and written; the id of the skill being a place, as it is while the folder that it came from is there.
What it does not: ask what is meant. The card says each place before anything is read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from kernel.language.place.deep import DEEP
from kernel.language.place.place_words import ARTICLES, FOLDER_NOUNS, PLACE_PREPOSITIONS
from kernel.model import Intent, Span
from permissions.labels import Integrity
from skills.model import ValueKind

_MOST_PLACES = 8
_WRITTEN = frozenset({"path", DEEP})
_SPOKEN = frozenset({"place", DEEP})
_WHERE = frozenset("in into inside from to within under im ins aus nach unter unterhalb innerhalb zum zur".split())
_ABOUT = (PLACE_PREPOSITIONS | frozenset("for about over für über an am".split())) - _WHERE
_SURE = 0.7
"""So sure behind a word that may lead to a thing as well: "for Letters" is the folder, "of my letters" are letters."""


@dataclass(slots=True)
class Places:
    """What a request names: ``around`` are the folders to work in, those of its files where it names no folder."""

    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    around: list[str] = field(default_factory=list)
    words: str = ""


def places_in_words(intent: Intent, home: str, skill: str) -> Places:
    """Return the places that the person's own words name; no word of the id ``skill`` is one.

    Beside a path only paths are. Beside a file that lies in the home itself nothing is around.
    """
    spans = [one for one in intent.spans
             if one.kind in (ValueKind.FILE, ValueKind.FOLDER) and one.label.integrity is Integrity.USER]  # fmt: skip
    own = _words_of(intent, skill)
    written = [one for one in spans if _is_written(intent, one)]
    chosen = _apart([one for one in written if one.source in _WRITTEN])
    if not written:  # nor is anything a place beside a path that leads nowhere
        spans = [one for one in spans if own.isdisjoint(range(one.first, one.last))]
        chosen = _apart([one for one in spans if one.source in _SPOKEN and _is_said_as_place(intent, one)])
        chosen = chosen or sorted((one for one in spans if one.kind is ValueKind.FILE), key=_rank)[:1]
    found = Places(words=" ".join(token.text for one in chosen for token in intent.tokens[one.first : one.last]))
    for span in chosen[:_MOST_PLACES]:
        places = found.folders if span.kind is ValueKind.FOLDER else found.files
        places += [one for one in [_path(span)] if one not in places]
    folders = found.folders or [str(PurePosixPath(one).parent) for one in found.files]
    found.around = list(dict.fromkeys(one for one in folders if found.folders or one != os.path.normpath(home)))
    return found


def _words_of(intent: Intent, skill: str) -> set[int]:
    """Return which tokens are the id of the skill: "weekly-digest", or its words one after the other."""
    norms, words = [token.norm for token in intent.tokens], skill.casefold().split("-")
    found = {at for at, norm in enumerate(norms) if norm == skill.casefold()}
    for spoken in (words, [part for word in words for part in (word, "-")][:-1]):
        starts = (at for at in range(len(norms)) if norms[at : at + len(spoken)] == spoken)
        found |= {at for start in starts for at in range(start, start + len(spoken))}
    return found


def _is_written(intent: Intent, span: Span) -> bool:
    """Tell whether a place stands there as a path, be it one or not."""
    slash = any("/" in token.text or token.text == "~" for token in intent.tokens[span.first : span.last])
    return span.source == "path" or (slash and span.source in (DEEP, "missing"))


def _is_said_as_place(intent: Intent, span: Span) -> bool:
    """Tell whether the words say of the name that it is a place: "in Letters", "the Letters folder"."""
    norms = [token.norm for token in intent.tokens[: span.last]]
    if not FOLDER_NOUNS.isdisjoint(norms[span.first :]):
        return True
    before = norms[: span.first]
    while before and before[-1] in ARTICLES:
        before.pop()
    lead = before[-1] if before else ""
    return lead in _WHERE or (lead in _ABOUT and span.confidence >= _SURE)


def _rank(span: Span) -> tuple[float, int]:
    return -span.confidence, span.first - span.last


def _apart(spans: Sequence[Span]) -> list[Span]:
    """Return the spans that do not overlap, the surest first, in their order in the sentence."""
    chosen: list[Span] = []
    for one in sorted(spans, key=_rank):
        if all(one.last <= other.first or other.last <= one.first for other in chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda one: one.first)


def _path(span: Span) -> str:
    value = span.value
    return str(value.get("path") if isinstance(value, dict) else value)
