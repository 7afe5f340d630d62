"""The person's own names of files and folders as they are spoken: whole, in the order in which they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kernel.context.world import World
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.place.place_words import (
    ARTICLES,
    DESKTOP_FOLDERS,
    FILE_NOUNS,
    FOLDER_NOUNS,
    PLACE_PREPOSITIONS,
    UNIVERSAL,
    looks_like_path,
)
from skills.model import ValueKind

_WRITTEN_TEXTS = (".md", ".markdown")
_CODED = re.compile(r"\w_\w|[^\W\d]\d|\d[^\W\d]")
"""What no word of a language has, as "IMG_2041" and "scan12"."""
_SURE_CODE = 0.9
_DEFINITE, _INDEFINITE = 0.95, 0.6  # how far one word means a file so called: after "the", and without it
_LONGEST_NAME = 10
_MOST_PATHS = 20
_MOST_HITS = 256
_ENDING = re.compile(r"(?<=\w\w)-?(?:ordner[ns]?|verzeichnis|unterordner|-folder|-directory)$")
_INTO = frozenset(("in", "into", "nach"))  # right behind them "documents" is a place; "in my documents" are documents
_WITHIN = frozenset("in inside within of from under im unter aus von vom".split())


@dataclass(frozen=True, slots=True)
class SpokenNames:
    """The names in one sentence; ``inside`` are quoted tokens."""

    line: Line
    world: World
    lexicon: Lexicon
    inside: frozenset[int]

    def find(self) -> Iterator[Found]:
        """Yield FILE and FOLDER spans, and what names of files mean beside: a title, words to look for."""
        yield from self._home()
        yield from self._spoken()
        yield from self._compounds()
        yield from self._singular()
        yield from self._everywhere()

    def _everywhere(self) -> Iterator[Found]:
        """A folder of every home by its German name, where it has none so called: "auf dem Schreibtisch"."""
        for index, token in enumerate(self.line.tokens):
            name = DESKTOP_FOLDERS.get(token.norm, "") if index not in self.inside else ""
            if name and self._is_place(index) and not self.world.folders(token.text):
                for path in self.world.folders(name):
                    found = Found(ValueKind.FOLDER, index, index + 1, path, 0.9, "place")
                    yield from _beside_noun(self.line, index, index + 1, found)

    def _is_place(self, index: int) -> bool:
        """Behind a preposition or beside the noun; only a desk has an article: "in meinen Dokumenten" are documents."""
        before = self.line.norm(index - 1)
        if self.line.norm(index) == "schreibtisch":
            return before in PLACE_PREPOSITIONS | ARTICLES
        beside = {before, self.line.norm(index + 1)} & FOLDER_NOUNS
        return bool(beside) or (before in PLACE_PREPOSITIONS and self.line.raw(index)[:1].isupper())

    def _home(self) -> Iterator[Found]:
        for index in range(self.line.size):
            norm, before = self.line.norm(index), self.line.norm(index - 1)
            if norm == "home" and before in PLACE_PREPOSITIONS | ARTICLES:
                last = index + 2 if self.line.norm(index + 1) in FOLDER_NOUNS else index + 1
                first = index - 1 if before in ARTICLES else index
                yield Found(ValueKind.FOLDER, first, last, self.world.home, 0.8, "place")
            elif norm in {"homeverzeichnis", "persönlicher", "persönlichen"} and norm[0] == "h":
                yield Found(ValueKind.FOLDER, index, index + 1, self.world.home, 0.8, "place")

    def _spoken(self) -> Iterator[Found]:
        """Yield the person's own names that stand in the sentence, the longest at each place."""
        hits = 0
        for first in range(self.line.size):
            if first in self.inside or not self.line.norm(first)[:1].isalnum() or hits >= _MOST_HITS:
                continue
            for last in range(self._farthest(first), first, -1):
                found = [] if last - 1 in self.inside else list(self._name_at(first, last))
                if found:
                    hits += len(found)
                    yield from found
                    break

    def _compounds(self) -> Iterator[Found]:
        """A name and the noun in one word: "im Musik-Ordner", "Musikordner"."""
        for index in (at for at in range(self.line.size) if at not in self.inside):
            noun = _ENDING.search(self.line.norm(index))
            name = self.line.raw(index)[: noun.start()] if noun else ""
            for path in (self.world.folders(name) or self._almost(name))[:_MOST_PATHS] if name else ():
                yield Found(ValueKind.FOLDER, index, index + 1, path, 0.97, "place")

    def _singular(self) -> Iterator[Found]:
        """ "The download folder" for ``Downloads``: beside the noun, a name of many may be said as one."""
        for noun in range(1, self.line.size):
            first = noun - 1
            if self.line.norm(noun) in FOLDER_NOUNS and first not in self.inside and self.line.is_content(first):
                for path in self._almost(self.line.raw(first))[:_MOST_PATHS]:
                    yield Found(ValueKind.FOLDER, first, noun + 1, path, 0.9, "place")

    def _almost(self, name: str) -> tuple[str, ...]:
        """The folders that are called like ``name`` with the s of a plural, where none is called just so."""
        found = len(name) > 2 and not looks_like_path(name) and not self.world.folders(name)
        return self.world.folders(f"{name}s") if found else ()

    def _farthest(self, first: int) -> int:
        """The end of the last token that a name beginning at ``first`` could hold."""
        reach = self.world.reach(self.line.raw(first))
        start = self.line.tokens[first].start
        last = first
        while (
            reach
            and last < min(self.line.size, first + _LONGEST_NAME)
            and self.line.tokens[last].end - start <= reach + 4
        ):
            last += 1
        return last

    def _name_at(self, first: int, last: int) -> Iterator[Found]:
        name = self.line.slice(first, last)
        if last - first == 1 and looks_like_path(name):
            return  # was read as written
        confidence = self._trust(first, last)
        many = _is_many(self.line, first, last)
        for path in () if many else self.world.folders(name)[:_MOST_PATHS]:
            yield from _beside_noun(
                self.line, first, last, Found(ValueKind.FOLDER, first, last, path, confidence, "place")
            )
        for path in self.world.files(name)[:_MOST_PATHS]:
            yield Found(ValueKind.FILE, first, last, path, 0.95, "name")
        if last - first == 1 and not self.line.is_content(first) and not name.isdigit():
            return  # "a" is no file called a.pdf
        start, stop = _with_noun(self.line, first, last, FILE_NOUNS)
        stems = self.world.stems(name)[:_MOST_PATHS]
        named = (
            len(stems) == 1
            and self.line.norm(first - 1) in ARTICLES
            and not self.lexicon.knows(self.line.tokens[first])
        )
        sure = confidence * (_DEFINITE if named else _INDEFINITE)
        sure = 0.8 if (start, stop) != (first, last) or last - first > 1 else sure
        sure = max(sure, _SURE_CODE) if len(stems) == 1 and _CODED.search(name) else sure
        for path in stems:
            yield Found(ValueKind.FILE, start, stop, path, sure, "stem")
        yield from self._spoken_of(first, last, stems, sure)

    def _trust(self, first: int, last: int) -> float:
        """How likely a spoken name means the place: its capital, a preposition before it, no other use of the word."""
        if last - first > 1:
            return 0.9
        confidence = 0.55
        capital = self.line.raw(first)[:1].isupper() and first > 0
        if capital:
            confidence += 0.25
        before = self.line.norm(first - 1)
        led = before in PLACE_PREPOSITIONS or (before in ARTICLES and self.line.norm(first - 2) in PLACE_PREPOSITIONS)
        if led:
            confidence += 0.15
        if before not in _INTO and self._is_a_tools_word(first, is_name=led or capital):
            confidence -= 0.2
        return confidence

    def _is_a_tools_word(self, at: int, *, is_name: bool) -> bool:
        """Tell whether a tool has the word; "in downloads" is the folder all the same where one knows "download"."""
        token = self.line.tokens[at]
        as_written = replace(token, lemma=token.norm) if is_name else token
        return self.lexicon.knows(as_written)

    def _spoken_of(self, first: int, last: int, paths: tuple[str, ...], sure: float) -> Iterator[Found]:
        """A file's name is also what one looks for, and of what is written in plain text it is the title."""
        kinds = [ValueKind.QUERY] if paths else []
        if any(path.casefold().endswith(_WRITTEN_TEXTS) for path in paths):
            kinds.append(ValueKind.TITLE)
        for kind in kinds:
            yield Found(kind, first, last, self.line.slice(first, last), sure, "stem")


def nested(line: Line, found: list[Found]) -> Iterator[Found]:
    """Yield "my Travel folder in Documents" as the one folder: the first lies in the second.

    Without the noun, or with "called" before the name, it may be of a kind, or a folder still to be made.
    """
    folders = [one for one in found if one.kind is ValueKind.FOLDER and one.source != "missing"]
    for inner in (one for one in folders if _is_folder_within(line, one)):
        start = inner.last + 1
        while line.norm(start) in ARTICLES:
            start += 1
        for outer in folders:
            if outer.first == start and str(inner.value).startswith(f"{outer.value}/"):
                yield replace(inner, last=outer.last, confidence=0.97)


def _is_folder_within(line: Line, one: Found) -> bool:
    nouns = {line.norm(one.first), line.norm(one.last - 1)} & FOLDER_NOUNS
    return bool(nouns) and one.source == "place" and line.norm(one.last) in _WITHIN and one.last - one.first == 2


def _is_many(line: Line, first: int, last: int) -> bool:
    """ "All letters" are many things of a kind, never the one folder that happens to be called Letters."""
    before = first - 1
    while line.norm(before) in ARTICLES:
        before -= 1
    return line.norm(before) in UNIVERSAL and _with_noun(line, first, last, FOLDER_NOUNS) == (first, last)


def _beside_noun(line: Line, first: int, last: int, found: Found) -> Iterator[Found]:
    """The place alone and, surer, with the noun beside it."""
    start, stop = _with_noun(line, first, last, FOLDER_NOUNS)
    sure = max(found.confidence, 0.97) if (start, stop) != (first, last) else found.confidence
    yield replace(found, confidence=sure)
    if (start, stop) != (first, last):
        yield replace(found, first=start, last=stop, confidence=sure)


def _with_noun(line: Line, first: int, last: int, nouns: frozenset[str]) -> tuple[int, int]:
    """Widen [first, last) by a head noun beside it: "the folder Berlin", "Berlin folder"."""
    if line.norm(last) in nouns:
        return first, last + 1
    if line.norm(first - 1) in nouns:
        return first - 1, last
    if line.norm(first - 1) in {"called", "named", "namens"} and line.norm(first - 2) in nouns:
        return first - 2, last
    return first, last
