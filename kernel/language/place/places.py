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
from kernel.language.extremes import BY_WORD
from kernel.language.free_text import covered
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.place.deep import deep
from kernel.language.place.new_folders import new_folders
from kernel.language.place.partial import marked_names, partial_names
from kernel.language.place.place_words import (
    ARTICLES,
    PLACE_PREPOSITIONS,
    looks_like_path,
)
from kernel.language.place.spoken_names import SpokenNames, nested
from kernel.language.place.suffixes import find_suffixes
from kernel.language.place.things import things
from kernel.language.spelling import is_mended
from skills.model import ValueKind

_SPOKEN = frozenset({"stem", "part", "name"})
_ENGLISH_ARTICLES = frozenset(("the", "my", "our", "this"))  # behind them "draft" is a noun, whatever begins with it
_AS = frozenset("as under called named titled als unter namens genannt".split())
_INTRODUCING = ARTICLES | frozenset("an new file ein eine einen einer neue neuen neuer datei".split())
_MOST_WORDS_BEFORE = 6
_SURE_PLACE = 0.7
_MOST_PATHS = 20
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
        yield from _in_its_folder(line, found)
        within = list(nested(line, found))
        yield from within
        yield from deep(line, [*found, *within])

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
        yield from self._slipped(line, inside)
        yield from find_suffixes(line, self.lexicon, inside)
        spoken = list(SpokenNames(line, self.world, self.lexicon, inside).find())
        yield from spoken
        taken = {found.first: found.last for found in reversed(spoken)}
        known = sum({1 << at for one in spoken for at in range(one.first, one.last)})
        yield from partial_names(line, self.world, self.lexicon, inside, known)
        yield from marked_names(line, self.world, self.lexicon, inside)
        known_as = {(one.first, one.last, one.value) for one in spoken}
        named = things(line, self.world, self.lexicon, inside)
        yield from (one for one in named if (one.first, one.last, one.value) not in known_as)
        yield from new_folders(line, self.world, self.lexicon, inside, taken)

    def _slipped(self, line: Line, inside: frozenset[int]) -> Iterator[Found]:
        """A folder whose name has a slip of the fingers: "my dowloads". A tool's own word is more likely no folder, as
        it is where it is spelt right: "put it in my calender".
        """
        for index, token in enumerate(line.tokens):
            if index not in inside and token.norm.isalpha() and is_mended(token):
                sure = 0.5 if self.lexicon.knows(replace(token, lemma=token.norm)) else 0.8
                for path in self.world.folders(token.norm)[:_MOST_PATHS]:
                    yield Found(ValueKind.FOLDER, index, index + 1, path, sure, "place")

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
            is_noun = line.norm(noun - 1) in _ENGLISH_ARTICLES or not self.lexicon.is_verb(line.tokens[noun])
            plain = is_noun and line.norm(noun) not in BY_WORD
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
        return self._relative(path)

    def _relative(self, path: str) -> str:
        """Below the home, or what only the client's working directory has."""
        below_home = os.path.normpath(os.path.join(self.world.home, path))
        if self.world.exists(below_home):
            return below_home
        spoken = self._component_wise(path)
        below_cwd = os.path.normpath(os.path.join(self.cwd, path))
        if self.world.exists(spoken) or not self.world.exists(below_cwd):
            return spoken or below_home
        return below_cwd

    def _component_wise(self, path: str) -> str:
        """Find "documents/taxes" as ~/Documents/Taxes: the first component may be a folder's spoken name.

        What is not there is new in the folder of the home that is: "documents/old plans" makes no ~/documents.
        """
        head, *rest = path.split("/")
        if ".." in rest:
            return ""
        folders = self.world.folders(head)
        reached = [self._down(folder, [one for one in rest if one]) for folder in folders]
        there = next((one for one in reached if self.world.exists(one)), "")
        own = [one for one, folder in zip(reached, folders, strict=True) if os.path.dirname(folder) == self.world.home]
        return there or next(iter(own), "")

    def _down(self, folder: str, names: list[str]) -> str:
        """The path of ``names`` in ``folder``, each in capitals or not, as far as it is there."""
        for name in names:
            inner = os.path.join(folder, name)
            called = () if self.world.exists(inner) else self.world.inside(folder, name)
            folder = called[0] if len(called) == 1 else inner
        return folder

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


def _in_its_folder(line: Line, found: list[Found]) -> Iterator[Found]:
    """ "The robot arm parts list": the words before a file's name are the name of the folder that it lies in."""
    for one in found:
        if one.kind is not ValueKind.FILE or one.source not in _SPOKEN:
            continue
        folder = os.path.basename(os.path.dirname(str(one.value))).casefold().split()
        first = one.first - len(folder)
        if folder and first >= 0 and [line.norm(at) for at in range(first, one.first)] == folder:
            yield replace(one, first=first, confidence=min(1.0, one.confidence + 0.05))


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
