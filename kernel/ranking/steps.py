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
_FRAMES = (
    r"and|then|also|finally|please|kindly|help me(?: to)?|(?:can|could|would|will) you|i(?: would|'d) like(?: you)? to",
    r"i (?:want|need)(?: you)? to|upon completion|und|dann|bitte|kannst du|könntest du|hilf mir",
)
_FRAME = re.compile(rf"^(?:(?:{'|'.join(_FRAMES)})[,\s]+)+", re.IGNORECASE)
_ASKING = frozenset(
    "save tell give show write make create send find get summarize organize suggest help put store report list add "
    "check convert recommend draw provide analyze compare read search download "
    "speicher speichere sag gib zeig schreib mach erstelle sende finde hol liste lies suche".split()
)
"""Verbs that begin a request whatever the tools are called."""
_KINDS = {
    "xlsx": "excel sheet",
    "xls": "excel sheet",
    "csv": "table data",
    "pptx": "presentation slides",
    "ppt": "presentation",
    "docx": "word document",
    "doc": "word document",
    "pdf": "pdf document",
    "md": "markdown text",
    "txt": "text",
    "png": "image",
    "jpg": "image",
    "svg": "image",
    "mp3": "audio",
    "wav": "audio",
    "mp4": "video",
    "html": "web page",
}
"""What a file of a suffix is called; data, to be added to."""
_PATH = re.compile(r"(?:^|\s)(?:(to|in|as|into|at|under|from|on)\s+)?(\S*/\S*\.(\w{2,4}))\b", re.IGNORECASE)
_KEEPING = re.compile(
    r"\b(?:sav\w*|writ\w*|stor\w*|creat\w*|generat\w*|export\w*|mak\w*|put|output|speicher\w*)\b", re.I
)
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
    told = [one for one in (_FRAME.sub("", piece) for piece in found) if len(terms(one)) >= _FEWEST_WORDS]
    return tuple([*told, *(step for one in told for step in _on_files(one))][:MOST]) or (text,)


def _on_files(step: str) -> list[str]:
    """A path says what is to be done with it: a file is written where something is kept, else it is read."""
    kind = {match.group(3).casefold() for match in _PATH.finditer(step)}
    verb = "write" if _KEEPING.search(step) else "read"
    return [f"{verb} {_KINDS[suffix]} file" for suffix in sorted(kind & _KINDS.keys())]


def _pieces(sentence: str, known: frozenset[str]) -> list[str]:
    """Cut where a connective is followed by a word that opens a tool."""
    pieces, start = [], 0
    for match in _JOIN.finditer(sentence):
        after = re.match(r"[^\W\d_]+", sentence[match.end() :])
        if after is not None and _begins(after.group().casefold(), known):
            pieces.append(sentence[start : match.start()])
            start = match.end()
    return [*pieces, sentence[start:]]


def _begins(word: str, known: frozenset[str]) -> bool:
    return word in _ASKING or stem(word) in known


def _shown(piece: str, kept: list[str]) -> str:
    return re.sub(r"\x00(\d+)\x00", lambda match: kept[int(match.group(1))], piece).strip(" ,.;:")
