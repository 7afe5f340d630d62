"""Files by a part of their name: "the Stadtwerke bill", "die Rechnung Stadtwerke" for ``Rechnung Stadtwerke März.pdf``.

What this stops: that the file used last is taken where another one was named, if not in full.
What it does not: guess between several. Only words that exactly one file's name has name that file, behind a definite
article; a single word must be a proper name that no dictionary and no tool has.
"""

from __future__ import annotations

from collections.abc import Iterator

from kernel.context.world import World
from kernel.language.free_text import own_text
from kernel.language.lemmas import is_known
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.place.place_words import FOLDER_NOUNS, PLURAL_FILES, looks_like_path
from skills.model import ValueKind

DEFINITE = frozenset("the my our der die das den dem des mein meine meinen meinem meiner".split())
_MOST_WORDS = 4
_MOST_PHRASES = 8
_SURE = 0.85
PART = "part"
"""The source of such a name: enough to read the file, never to take it away."""


def partial_names(line: Line, world: World, lexicon: Lexicon, inside: frozenset[int], taken: int) -> Iterator[Found]:
    """Yield a FILE for each noun phrase that names a part of one file's name. ``taken`` masks what is known already."""
    tried = 0
    inside |= own_text(line, lexicon)
    for index in range(1, line.size):
        if line.norm(index - 1) not in DEFINITE or index in inside or tried >= _MOST_PHRASES:
            continue
        last = _phrase_end(line, index, inside)
        if last > index and not taken & _mask(index, last):
            tried += 1
            yield from _named(line, world, lexicon, index, last)


def marked_names(line: Line, world: World, lexicon: Lexicon, inside: frozenset[int]) -> Iterator[Found]:
    """Yield what to look for in "the IMG files": capitals by which files of the home are marked, and no known word.

    A word in small letters may say how the files are ("the old files") and is left to be asked about.
    """
    for index in range(line.size - 1):
        name = line.raw(index)
        marks = len(name) > 1 and name.isalpha() and name.isupper() and line.norm(index + 1) in PLURAL_FILES
        if marks and index not in inside and not lexicon.knows(line.tokens[index]) and world.has_word(name):
            yield Found(ValueKind.QUERY, index, index + 1, name, _SURE, "stem")


def _mask(first: int, last: int) -> int:
    return ((1 << (last - first)) - 1) << first


def _phrase_end(line: Line, first: int, inside: frozenset[int]) -> int:
    last = first
    while last < min(line.size, first + _MOST_WORDS) and last not in inside and _is_plain(line, last):
        last += 1
    return last


def _is_plain(line: Line, index: int) -> bool:
    word = line.is_content(index) or line.norm(index).isdigit()
    return word and line.norm(index) not in FOLDER_NOUNS and not looks_like_path(line.raw(index))


def _named(line: Line, world: World, lexicon: Lexicon, first: int, last: int) -> Iterator[Found]:
    """The longest run of words from the article on that one name has; else a proper name before the noun."""
    for end in range(last, first + 1, -1):
        paths = world.parts(line.slice(first, end))
        if len(paths) == 1:
            yield Found(ValueKind.FILE, first, end, paths[0], _SURE, PART)
            return
    if last == first + 2 and _is_proper(line, lexicon, first) and _is_noun(line, lexicon, first + 1):
        paths = world.parts(line.raw(first))
        if len(paths) == 1:
            yield Found(ValueKind.FILE, first, last, paths[0], _SURE, PART)


def _is_noun(line: Line, lexicon: Lexicon, index: int) -> bool:
    return lexicon.knows(line.tokens[index]) or is_known(line.norm(index))


def _is_proper(line: Line, lexicon: Lexicon, index: int) -> bool:
    name = line.raw(index)
    known = is_known(line.norm(index), line.language) or lexicon.knows(line.tokens[index])
    return name[:1].isupper() and name.isalpha() and len(name) > 3 and not known
