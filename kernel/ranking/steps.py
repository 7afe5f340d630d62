"""Steps: what a request asks for one after the other, without a grammar of its subject.

Sentences end where their marks say so. Within one, a connective or a comma ends a step where what follows begins like a
tool: with a word that opens some tool's name or description ("... and *convert* it", "..., *compute* the MFCC"). What a
tool is called with (paths, addresses, quotations) is never cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kernel.ranking.model import Document
from kernel.ranking.words import stem, terms

_WHOLE = re.compile(r"[\"“”][^\"“”]{1,200}[\"“”]|\S*[/\\@]\S*[^\s,.;:!?]|\b\S+\.\w{1,4}\b(?=\s|[,.;]|$)")
_MARK = re.compile(r"(?<=[.!?;:])\s+|\n+")
_JOIN = re.compile(r",?\s+(?:and then|and also|and|then|or|as well as|und dann|und|dann|sowie)\s+|,\s+", re.IGNORECASE)
_FEWEST_WORDS = 2
MOST = 12


def openers(documents: Iterable[Document]) -> frozenset[str]:
    """Return the stems that open a tool's name or a sentence of its description."""
    found: set[str] = set()
    for one in documents:
        for text in (one.title, *one.sentences[:1]):
            found.update(terms(text)[:1])
    return frozenset(found)


def steps_of(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """Return the steps of ``text``, at most MOST; the whole text where nothing ends a step."""
    kept: list[str] = []

    def hide(match: re.Match[str]) -> str:
        kept.append(match.group())
        return f"\x00{len(kept) - 1}\x00"

    hidden = _WHOLE.sub(hide, text)
    found = [_shown(piece, kept) for sentence in _MARK.split(hidden) for piece in _pieces(sentence, known)]
    told = [one for one in found if len(terms(one)) >= _FEWEST_WORDS]
    return tuple(told[:MOST]) or (text,)


def _pieces(sentence: str, known: frozenset[str]) -> list[str]:
    """Cut where a connective is followed by a word that opens a tool."""
    pieces, start = [], 0
    for match in _JOIN.finditer(sentence):
        after = re.match(r"[^\W\d_]+", sentence[match.end() :])
        if after is not None and stem(after.group().casefold()) in known:
            pieces.append(sentence[start : match.start()])
            start = match.end()
    return [*pieces, sentence[start:]]


def _shown(piece: str, kept: list[str]) -> str:
    return re.sub(r"\x00(\d+)\x00", lambda match: kept[int(match.group(1))], piece).strip(" ,.;:")
