"""Places in a sentence: written paths, bare file names, and spoken names of the person's own folders and files.

The rules are those of the command line contract: a name means what lies below the home; only what does not exist
there is sought in the client's working directory; ``./x`` and ``../x`` always mean the latter; new paths go home.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from kernel.context.world import World
from kernel.language.deep import deep
from kernel.language.extremes import BY_WORD
from kernel.language.free_text import covered
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.new_folders import new_folders
from kernel.language.partial import marked_names, partial_names
from kernel.language.place_words import (
    ARTICLES,
    FILE_NOUNS,
    FOLDER_NOUNS,
    PLACE_PREPOSITIONS,
    UNIVERSAL,
    looks_like_path,
)
from kernel.language.suffixes import find_suffixes
from skills.model import ValueKind

_AS = frozenset("as under called named titled als unter namens genannt".split())
_WRITTEN_TEXTS = (".md", ".markdown")
_INTRODUCING = ARTICLES | frozenset("an new file ein eine einen einer neue neuen neuer datei".split())
_MOST_WORDS_BEFORE = 6
_SURE_PLACE = 0.7
_DEFINITE, _INDEFINITE = 0.95, 0.6  # how far one word means a file so called: after "the", and without it
_LONGEST_NAME = 10
_MOST_PATHS = 20
_MOST_HITS = 256
_MOST_WRITTEN = 64


@dataclass(frozen=True, slots=True)
class Places:
    """How paths are read: the person's world and the client's working directory."""

    world: World
    cwd: str
    lexicon: Lexicon

    def find(self, line: Line, quoted: tuple[tuple[int, int], ...]) -> Iterator[Found]:
        """Yield FILE, FOLDER and NEW_FILE spans: written, quoted and spoken."""
        found = list(self._find(line, quoted))
        yield from (self._beside_source(line, one, found) for one in found)
        yield from self._apposed(line, found)
        yield from deep(line, found)

    def _beside_source(self, line: Line, one: Found, found: list[Found]) -> Found:
        """A new file that is named without a folder goes beside the file that the sentence names before it."""
        text = line.slice(one.first, one.last)
        if one.kind is not ValueKind.NEW_FILE or "/" in text or text.startswith("~"):
            return one
        before = [
            other
            for other in found
            if other.kind is ValueKind.FILE and other.source in ("name", "path") and other.last <= one.first
        ]
        nearest = max((other.last for other in before), default=0)
        folders = {os.path.dirname(other.value) for other in before if other.last == nearest}
        if len(folders) != 1 or not next(iter(folders)).startswith(self.world.home + "/"):
            return one
        return replace(one, value=os.path.join(folders.pop(), os.path.basename(one.value)))

    def _find(self, line: Line, quoted: tuple[tuple[int, int], ...]) -> Iterator[Found]:
        inside = covered(quoted)
        for first, last in quoted:
            yield from self._quoted(line, first, last)
        written = (index for index in range(line.size) if index not in inside and looks_like_path(line.raw(index)))
        for index in islice(written, _MOST_WRITTEN):
            longer = [] if "/" not in line.raw(index) else list(self._with_spaces(line, index, inside))
            yield from longer or self.written(line.raw(index), index, index + 1)
            yield from self._with_words_before(line, index, inside)
        yield from find_suffixes(line, self.lexicon, inside)
        spoken = [*self._home(line), *self._spoken(line, inside), *self._compounds(line, inside)]
        yield from spoken
        taken = {found.first: found.last for found in reversed(spoken)}
        known = sum({1 << at for one in spoken for at in range(one.first, one.last)})
        yield from partial_names(line, self.world, self.lexicon, inside, known)
        yield from marked_names(line, self.world, self.lexicon, inside)
        yield from new_folders(line, self.world, self.lexicon, inside, taken)

    # --- written paths

    def written(self, text: str, first: int, last: int) -> Iterator[Found]:
        """Yield what the written path ``text`` may mean."""
        path = text.replace("\\ ", " ")
        if path.startswith(("*", "http:", "https:")) or "://" in path or "\x00" in path:
            return
        if "/" not in path and path != "~":
            yield from self._bare(path, first, last)
            return
        target = self._resolve(path)
        folder_meant = path.endswith("/") or path in {"~", ".", ".."}
        if self._is_elsewhere(path, target):
            yield from _foreign(target, first, last, folder_meant)
            return
        yield from self._at(target, first, last, folder_meant)

    def _is_elsewhere(self, path: str, target: str) -> bool:
        """A place outside the home, named as such, that is not there or not ours to look at: policy speaks about it."""
        outside = target != self.world.home and not target.startswith(self.world.home.rstrip("/") + "/")
        return outside and path.startswith(("/", "~")) and not self.world.exists(target)

    def _with_spaces(self, line: Line, index: int, inside: frozenset[int]) -> Iterator[Found]:
        """A path whose last component has spaces ("Invoices/phone bill.pdf"), when it exists or ends in a suffix."""
        for last in range(min(line.size, index + 6), index + 1, -1):
            if last - 1 in inside or line.norm(last - 1)[:1] in ".,;:!?":
                continue
            text = line.slice(index, last)
            ends_in_suffix = last - index <= 4 and "/" not in line.raw(last - 1) and looks_like_path(line.raw(last - 1))
            words = all(line.is_content(step) for step in range(index + 1, last - 1))
            if self.world.exists(self._resolve(text)) or (ends_in_suffix and words and "." not in line.raw(index)):
                yield from self.written(text, index, last)
                return
        yield from self._with_capitals(line, index, inside)

    def _with_capitals(self, line: Line, index: int, inside: frozenset[int]) -> Iterator[Found]:
        """A new folder in one that is there may have a name of several words with capitals: "Work/Old Plans"."""
        last = index + 1
        while last < min(line.size, index + 5) and last not in inside and self._goes_on(line, last):
            last += 1
        target = self._resolve(line.slice(index, last))
        if last > index + 1 and self.world.is_folder(os.path.dirname(target)):
            yield Found(ValueKind.FOLDER, index, last, target, 0.45, "missing")
            yield Found(ValueKind.NEW_FILE, index, last, target, 0.6, "path")

    @staticmethod
    def _goes_on(line: Line, index: int) -> bool:
        plain = line.is_word(index) and not looks_like_path(line.raw(index))
        return line.raw(index)[:1].isupper() and plain and "." not in line.raw(index - 1)

    def _with_words_before(self, line: Line, index: int, inside: frozenset[int]) -> Iterator[Found]:
        """A new file's name may have spaces ("save it as big orders.xlsx"): the words before may belong to it."""
        if "/" in line.raw(index) or self.world.files(line.raw(index)):
            return
        start = self._after_as(line, index, inside)
        for first in range(index - 1, max(0, index - _MOST_WORDS_BEFORE), -1):
            if first in inside or first < start or not (start or self._may_name(line, first)):
                return
            path = os.path.join(self.world.home, line.slice(first, index + 1))
            if not self.world.files(line.slice(first, index + 1)):
                yield Found(ValueKind.NEW_FILE, first, index + 1, path, 0.9 if first == start else 0.45, "path")
                yield Found(ValueKind.FILE, first, index + 1, path, 0.1, "missing")

    @staticmethod
    def _after_as(line: Line, index: int, inside: frozenset[int]) -> int:
        """Where the whole name of a new file begins: right after "as", unless an article does; 0 when nowhere."""
        for first in range(index - 1, max(0, index - _MOST_WORDS_BEFORE), -1):
            if first in inside or not (line.is_word(first) or line.norm(first).isdigit()):
                return 0
            if line.norm(first - 1) in _AS:
                return 0 if line.norm(first) in _INTRODUCING or looks_like_path(line.raw(first)) else first
        return 0

    def _may_name(self, line: Line, index: int) -> bool:
        word = line.is_content(index) and line.norm(index) not in {"called", "named", "namens"}
        return word and not self.lexicon.is_verb(line.tokens[index]) and not looks_like_path(line.raw(index))

    def _apposed(self, line: Line, found: list[Found]) -> Iterator[Found]:
        """ "My report annual.pdf", "the booking Hotel.pdf": a noun that only says what kind of thing the file is."""
        for one in found:
            noun = one.first - 1
            if one.kind is not ValueKind.FILE or one.source != "name" or line.norm(noun - 1) not in ARTICLES:
                continue
            plain = not self.lexicon.is_verb(line.tokens[noun]) and line.norm(noun) not in BY_WORD
            if line.is_content(noun) and plain and "." not in line.raw(noun):
                yield replace(one, first=noun, confidence=one.confidence - 0.1)

    def _resolve(self, path: str) -> str:
        home = self.world.home
        if path == "~" or path.startswith("~/"):
            return os.path.normpath(os.path.join(home, path[2:]))
        if path.startswith("~"):  # another person's home: named as such, refused by policy
            return os.path.normpath(os.path.join(os.path.dirname(home), path[1:]))
        if path.startswith("/"):
            return os.path.normpath("/" + path.lstrip("/"))
        if path in {".", ".."} or path.startswith(("./", "../")):
            return os.path.normpath(os.path.join(self.cwd, path))
        below_home = os.path.normpath(os.path.join(home, path))
        if self.world.exists(below_home):
            return below_home
        spoken = self._component_wise(path)
        below_cwd = os.path.normpath(os.path.join(self.cwd, path))
        return spoken or (below_cwd if self.world.exists(below_cwd) else below_home)

    def _component_wise(self, path: str) -> str:
        """Find "documents/Taxes" as ~/Documents/Taxes: the first component may be a folder's spoken name."""
        head, _, rest = path.partition("/")
        for folder in self.world.folders(head):
            target = os.path.normpath(os.path.join(folder, rest))
            if self.world.exists(target):
                return target
        return ""

    def _at(self, target: str, first: int, last: int, folder_meant: bool) -> Iterator[Found]:
        if self.world.is_folder(target):
            yield Found(ValueKind.FOLDER, first, last, target, 1.0, "path")
            return
        if self.world.exists(target):
            yield Found(ValueKind.FILE, first, last, target, 1.0, "path")
            yield Found(ValueKind.NEW_FILE, first, last, target, 0.5, "path")
            return
        named = bool(os.path.splitext(target)[1]) and not folder_meant
        yield Found(ValueKind.FILE, first, last, target, 0.2 if named else 0.1, "missing")
        new = 0.45 if self.world.is_folder(os.path.dirname(target)) else 0.2
        if not named:
            yield Found(ValueKind.FOLDER, first, last, target, new, "missing")
        yield Found(ValueKind.NEW_FILE, first, last, target, 0.85 if named else 0.6, "path")

    def _bare(self, name: str, first: int, last: int) -> Iterator[Found]:
        hits = self.world.files(name)
        for path in hits[:_MOST_PATHS]:
            yield Found(ValueKind.FILE, first, last, path, 0.95, "name")
        for path in self.world.folders(name)[:_MOST_PATHS]:
            yield Found(ValueKind.FOLDER, first, last, path, 0.9, "name")
        new = os.path.join(self.world.home, name)
        if hits:
            yield Found(ValueKind.NEW_FILE, first, last, new, 0.4, "name")
            return
        if name.startswith(".") and not self.world.exists(new):
            return  # "all .heic files" names a suffix
        direct = next((path for path in (new, os.path.join(self.cwd, name)) if self.world.exists(path)), new)
        yield from self._at(direct, first, last, folder_meant=False)

    # --- quoted and spoken names

    def _quoted(self, line: Line, first: int, last: int) -> Iterator[Found]:
        text = line.slice(first + 1, last - 1).strip()
        if looks_like_path(text) or (re.search(r"\.\w{1,10}$", text) and "\n" not in text and len(text) < 256):
            yield from self.written(text, first, last)
            return
        yield from self._named(text, first, last, 0.9)

    def _named(self, name: str, first: int, last: int, confidence: float) -> Iterator[Found]:
        for path in self.world.folders(name)[:_MOST_PATHS]:
            yield Found(ValueKind.FOLDER, first, last, path, confidence, "place")
        for path in self.world.files(name)[:_MOST_PATHS]:
            yield Found(ValueKind.FILE, first, last, path, confidence, "name")
        for path in self.world.stems(name)[:_MOST_PATHS]:
            yield Found(ValueKind.FILE, first, last, path, confidence * 0.8, "stem")

    @staticmethod
    def _spoken_of(line: Line, first: int, last: int, paths: tuple[str, ...], sure: float) -> Iterator[Found]:
        """A file's name is also what one looks for, and of what is written in plain text it is the title."""
        kinds = [ValueKind.QUERY] if paths else []
        if any(path.casefold().endswith(_WRITTEN_TEXTS) for path in paths):
            kinds.append(ValueKind.TITLE)
        for kind in kinds:
            yield Found(kind, first, last, line.slice(first, last), sure, "stem")

    def _home(self, line: Line) -> Iterator[Found]:
        for index in range(line.size):
            norm, before = line.norm(index), line.norm(index - 1)
            if norm == "home" and before in PLACE_PREPOSITIONS | ARTICLES:
                last = index + 2 if line.norm(index + 1) in FOLDER_NOUNS else index + 1
                first = index - 1 if before in ARTICLES else index
                yield Found(ValueKind.FOLDER, first, last, self.world.home, 0.8, "place")
            elif norm in {"homeverzeichnis", "persönlicher", "persönlichen"} and norm[0] == "h":
                yield Found(ValueKind.FOLDER, index, index + 1, self.world.home, 0.8, "place")

    def _spoken(self, line: Line, inside: frozenset[int]) -> Iterator[Found]:
        """Yield the person's own names that stand in the sentence, the longest at each place."""
        hits = 0
        for first in range(line.size):
            if first in inside or not line.norm(first)[:1].isalnum() or hits >= _MOST_HITS:
                continue
            for last in range(self._farthest(line, first), first, -1):
                found = [] if last - 1 in inside else list(self._name_at(line, first, last))
                if found:
                    hits += len(found)
                    yield from found
                    break

    def _compounds(self, line: Line, inside: frozenset[int]) -> Iterator[Found]:
        """A name and the noun in one word: "im Musik-Ordner"."""
        for index in (at for at in range(line.size) if at not in inside and "-" in line.norm(at)):
            name, _, noun = line.raw(index).rpartition("-")
            for path in self.world.folders(name)[:_MOST_PATHS] if noun.casefold() in FOLDER_NOUNS else ():
                yield Found(ValueKind.FOLDER, index, index + 1, path, 0.97, "place")

    def _farthest(self, line: Line, first: int) -> int:
        """The end of the last token that a name beginning at ``first`` could hold."""
        reach = self.world.reach(line.raw(first))
        start = line.tokens[first].start
        last = first
        while reach and last < min(line.size, first + _LONGEST_NAME) and line.tokens[last].end - start <= reach + 4:
            last += 1
        return last

    def _name_at(self, line: Line, first: int, last: int) -> Iterator[Found]:
        name = line.slice(first, last)
        if last - first == 1 and looks_like_path(name):
            return  # was read as written
        confidence = self._trust(line, first, last)
        many = _is_many(line, first, last)
        for path in () if many else self.world.folders(name)[:_MOST_PATHS]:
            yield from _beside_noun(line, first, last, Found(ValueKind.FOLDER, first, last, path, confidence, "place"))
        for path in self.world.files(name)[:_MOST_PATHS]:
            yield Found(ValueKind.FILE, first, last, path, 0.95, "name")
        if last - first == 1 and not line.is_content(first) and not name.isdigit():
            return  # "a" is no file called a.pdf
        start, stop = _with_noun(line, first, last, FILE_NOUNS)
        stems = self.world.stems(name)[:_MOST_PATHS]
        named = len(stems) == 1 and line.norm(first - 1) in ARTICLES and not self.lexicon.knows(line.tokens[first])
        sure = confidence * (_DEFINITE if named else _INDEFINITE)
        sure = 0.8 if (start, stop) != (first, last) or last - first > 1 else sure
        for path in stems:
            yield Found(ValueKind.FILE, start, stop, path, sure, "stem")
        yield from self._spoken_of(line, first, last, stems, sure)

    def _trust(self, line: Line, first: int, last: int) -> float:
        """How likely a spoken name means the place: its capital, a preposition before it, no other use of the word."""
        if last - first > 1:
            return 0.9
        confidence = 0.55
        if line.raw(first)[:1].isupper() and first > 0:
            confidence += 0.25
        before = line.norm(first - 1)
        if before in PLACE_PREPOSITIONS or (before in ARTICLES and line.norm(first - 2) in PLACE_PREPOSITIONS):
            confidence += 0.15
        if self.lexicon.knows(line.tokens[first]):
            confidence -= 0.2
        return confidence


def _is_many(line: Line, first: int, last: int) -> bool:
    """ "All letters" are many things of a kind, never the one folder that happens to be called Letters."""
    before = first - 1
    while line.norm(before) in ARTICLES:
        before -= 1
    return line.norm(before) in UNIVERSAL and _with_noun(line, first, last, FOLDER_NOUNS) == (first, last)


def leads_to_place(line: Line, found: list[Found]) -> frozenset[int]:
    """Return the prepositions that a known folder follows, with nothing but articles between."""
    leads = set()
    for one in found:
        if one.kind is ValueKind.FOLDER and one.source != "missing" and one.confidence >= _SURE_PLACE:
            before = one.first - 1
            while line.norm(before) in ARTICLES:
                before -= 1
            if line.norm(before) in PLACE_PREPOSITIONS:
                leads.add(before)
    return frozenset(leads)


def _foreign(target: str, first: int, last: int, folder_meant: bool) -> Iterator[Found]:
    """Whether something is at ``target`` is none of our business: it may be a file or a folder, and is not missing."""
    named = bool(os.path.splitext(target)[1]) and not folder_meant
    if not folder_meant:
        yield Found(ValueKind.FILE, first, last, target, 0.95 if named else 0.85, "path")
        yield Found(ValueKind.NEW_FILE, first, last, target, 0.85 if named else 0.6, "path")
    yield Found(ValueKind.FOLDER, first, last, target, 0.4 if named else 0.9, "path")


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
