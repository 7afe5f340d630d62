"""Files by the words of their names, in any order: which files are meant by "bright office invoice from march".

What this stops: a scan of all names at each request. The walk tells of every name that comes or goes, and each word
leads to the paths whose names have it.
What it does not: decide. It returns all that fit, and ``Wanted`` says no more than a person said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from skills import one_import

_RUN = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"\d+|[^\W\d_]?[^\W\d_A-Z]+|[^\W\d_]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ı": "i", "ø": "o", "ł": "l", "đ": "d"})
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:[-_. ]?(0[1-9]|1[0-2]))?(?!\d{3})")
_GERMAN_DAY = re.compile(r"(?<!\d)\d{1,2}\.(0?[1-9]|1[0-2])\.((?:19|20)\d\d)(?!\d)")
_MOST_LOOKED_AT = 4_096
_FEW = 64
_LEAST_SLIPPED = 6


def key_of(name: str) -> str:
    """Return the form under which a name is compared: NFC, case-folded, single spaces."""
    if name.isascii():
        return " ".join(name.lower().split())
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def without_umlauts(key: str) -> str:
    """Return a compared name as it is typed on a keyboard without umlauts and accents: "kaesekuchen", "resume"."""
    if key.isascii():
        return key
    spread = unicodedata.normalize("NFKD", key.translate(_UMLAUTS))
    return "".join(one for one in spread if not unicodedata.combining(one))


def plain(text: str) -> str:
    """Return the form under which single words of names are compared: a key without umlauts."""
    return without_umlauts(key_of(text))


def split_name(path: str) -> tuple[str, str]:
    """Return the name at the end of a path without its suffix, and the suffix in lower case without the dot."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return (stem, suffix.lower()) if dot and stem else (name, "")


@lru_cache(maxsize=512)
def parts_of(path: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a file's name without suffix, each with the pieces that it is made of: "MyScan2" has two."""
    return _parts(path)


def _parts(path: str) -> tuple[tuple[str, ...], ...]:
    stem = split_name(path)[0]
    stem = stem if stem.isascii() else unicodedata.normalize("NFC", stem)
    return tuple((_plain_run(run), *map(_plain_run, _pieces(run))) for run in _RUN.findall(stem))


def _plain_run(run: str) -> str:
    return run.lower() if run.isascii() else plain(run)


def _pieces(run: str) -> list[str]:
    alike = run.islower() or run.isupper() or run[1:].islower()
    return [] if run.isdigit() or (run.isalpha() and alike) else _PIECE.findall(run)


def date_in(path: str) -> tuple[int, int]:
    """Return the year and the month that a file's name has in digits; 0 for what it does not have."""
    stem = split_name(path)[0]
    german = _GERMAN_DAY.search(stem) if "." in stem else None
    if german:
        return int(german[2]), int(german[1])
    found = _DAY.search(stem)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was said of a file: words of its name, the suffixes that it may have, the year and month of its name.

    ``suffixes`` is None where nothing was said of the kind; 0 is any month, and any year of the month. Of each set in
    ``either`` the name has one word: they mean the same.
    """

    words: frozenset[str] = frozenset()
    suffixes: frozenset[str] | None = None
    year: int = 0
    month: int = 0
    either: tuple[frozenset[str], ...] = ()

    def all_words(self) -> frozenset[str]:
        """Return every word that the name may have for what was said."""
        return self.words.union(*self.either)


class NamedBy:
    """From each word of a file's name to the paths with it. Most words are in one name only, and cost a string.

    The suffix and the month of a name are kept as further words, with a mark that no word has.
    """

    def __init__(self) -> None:
        self._one: dict[str, str] = {}
        self._many: dict[str, set[str]] = {}

    def copied(self) -> NamedBy:
        """Return the same, to be changed apart."""
        other = NamedBy()
        other._one, other._many = dict(self._one), {word: set(paths) for word, paths in self._many.items()}
        return other

    def add(self, path: str) -> None:
        """Take in the name at the end of ``path``."""
        for word in _words(path):
            if word in self._many:
                self._many[word].add(path)
            elif self._one.setdefault(word, path) != path:
                self._many[word] = {self._one.pop(word), path}

    def remove(self, path: str) -> None:
        """Forget it."""
        for word in _words(path):
            if self._one.get(word) == path:
                del self._one[word]
            self._many.get(word, set()).discard(path)

    def has_near(self, word: str) -> bool:
        """Tell whether some name has a word that is one slip of the fingers away from ``word``, of six letters on."""
        if len(word) < _LEAST_SLIPPED:
            return False
        with one_import:  # with a library of distances: no start waits for it
            from kernel.context.slips import is_one_off

        known = (one for words in (self._one, self._many) for one in words if one[:1] == word[:1])
        return any(is_one_off(word, one) for one in known)

    def fitting(self, wanted: Wanted) -> Iterator[str]:
        """Yield the paths with all the words of ``wanted`` that fit what else was said.

        Words that are all in more than 4,096 names say nothing about one of them.
        """
        if min((len(self._paths(word)) for word in wanted.words), default=0) > _MOST_LOOKED_AT:
            return
        words = wanted.words | _dated(wanted.year, wanted.month)
        if wanted.suffixes is None:
            yield from self._named(words, wanted.either)
        for suffix in wanted.suffixes or ():
            yield from self._named(words | {f".{suffix}"}, wanted.either)

    def _named(self, words: frozenset[str], either: tuple[frozenset[str], ...]) -> Collection[str]:
        """The paths with all of ``words`` and one of each set in ``either``."""
        one_of_each = [{path for word in same for path in self._few(word)} for same in either]
        held = sorted((*(self._paths(word) for word in words), *one_of_each), key=len)
        if len(held) < 2 or not held[0]:
            return held[0] if held else ()
        if len(held[0]) <= _FEW:
            return [path for path in held[0] if all(path in other for other in held[1:])]
        return set(held[0]).intersection(*held[1:])

    def _few(self, word: str) -> Collection[str]:
        """The paths with the word; none where it says nothing about one of them."""
        paths = self._paths(word)
        return paths if len(paths) <= _MOST_LOOKED_AT else ()

    def _paths(self, word: str) -> Collection[str]:
        one = self._one.get(word)
        return (one,) if one is not None else self._many.get(word, ())


def _words(path: str) -> set[str]:
    year, month = date_in(path)
    words = {word for pieces in _parts(path) for word in pieces}
    words.add(f".{split_name(path)[1]}")
    return words | _dated(0, month) | _dated(year, month) if month else words


def _dated(year: int, month: int) -> frozenset[str]:
    """The mark of a month, of any year where ``year`` is 0."""
    return frozenset({f"#{year}-{month}"} if month else ())
