"""Folders that are named but not there: a new one ("a folder called best of summer"), or one to be missed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from kernel.context.world import World
from kernel.language.lexicon import Lexicon
from kernel.language.line import Found, Line
from kernel.language.place.place_words import ARTICLES, FOLDER_NOUNS, NAMING, PLACE_PREPOSITIONS, looks_like_path
from skills.model import ValueKind

_JOINING = frozenset("and then und dann".split())
_INTO = frozenset("into in to from under inside nach im ins aus unter".split())
_NEW = frozenset("new neuen neuer neues empty leeren separate own eigenen extra".split())
_TO = frozenset("to into in inside under nach unter".split())
_MOST_WORDS = 10


def new_folders(
    line: Line, world: World, lexicon: Lexicon, inside: frozenset[int], spoken: Mapping[int, int]
) -> Iterator[Found]:
    """Yield names that stand where a folder's would but that nothing has: a new folder, or one to be missed.

    ``inside`` are quoted tokens, ``spoken`` the known names by their first token, with their ends.
    """
    for index in range(line.size):
        start = _name_start(line, index)
        if start is None or start in inside:
            continue
        opens = _place_to_go(line, index)
        if opens < index or line.norm(start - 1) in NAMING:
            yield from _named(line, world, lexicon, inside, opens, start)
            continue
        last = start
        while last < min(line.size, start + 3) and last not in inside and _names_folder(line, start, last):
            last += 1
        if last > start and spoken.get(start, 0) < last:
            path = os.path.join(world.home, line.slice(start, last))
            sure = 0.4 if line.norm(index) in FOLDER_NOUNS else 0.25
            yield Found(ValueKind.FOLDER, start, last, path, sure, "missing")


def says_new(norm: str) -> bool:
    """Tell whether the word before "folder" says that it is still to be made."""
    return norm in _NEW


def _named(
    line: Line, world: World, lexicon: Lexicon, inside: frozenset[int], noun: int, start: int
) -> Iterator[Found]:
    """ "A folder called best of summer": the name goes on to the end of the clause, or of the sentence."""
    last = start
    while last < min(line.size, start + _MOST_WORDS) and last not in inside and not line.is_mark(last):
        joined = line.norm(last) in _JOINING and last > start
        if joined and lexicon.is_verb(line.tokens[min(last + 1, line.size - 1)]):
            break
        if last > start and line.norm(last) in PLACE_PREPOSITIONS and _leads_to_folder(line, world, last + 1):
            break
        last += 1
    while last > start and not _ends_name(line, lexicon, start, last):
        last -= 1
    if last > start:
        parent, end = _parent(line, world, last) if line.norm(noun) in _NEW else ("", last)
        path = os.path.join(parent or world.home, line.slice(start, last))
        yield Found(ValueKind.FOLDER, noun, end, path, 0.45, "missing")


def _ends_name(line: Line, lexicon: Lexicon, start: int, last: int) -> bool:
    """A name ends in a word or a number, and not in the verb that ends a German sentence ("... Archiv verschieben")."""
    at = last - 1
    is_verb = line.language == "de" and at > start and line.raw(at).islower() and lexicon.is_verb(line.tokens[at])
    return not is_verb and (line.is_content(at) or line.norm(at).isdigit())


def _place_to_go(line: Line, noun: int) -> int:
    """Where "a new folder ..." begins if something is to go there ("into a new folder"); ``noun`` where it is not."""
    first, before = noun - 1, noun - 2
    while line.norm(before) in ARTICLES | {"another", "einen"}:
        before -= 1
    is_new = line.norm(noun) in FOLDER_NOUNS and line.norm(first) in _NEW
    return first if is_new and line.norm(before) in _TO else noun


def _parent(line: Line, world: World, last: int) -> tuple[str, int]:
    """The folder in which the new one is to be ("... in my home"), and where its name ends; "" where none is told."""
    at = last + 1
    while line.norm(at) in ARTICLES:
        at += 1
    if line.norm(last) not in PLACE_PREPOSITIONS or at >= line.size:
        return "", last
    known = (world.home,) if line.norm(at) == "home" else world.folders(line.raw(at))
    end = at + 1 + (line.norm(at + 1) in FOLDER_NOUNS)
    return (known[0], end) if len(known) == 1 else ("", last)


def _leads_to_folder(line: Line, world: World, index: int) -> bool:
    while line.norm(index) in ARTICLES:
        index += 1
    if index >= line.size:
        return False
    known = looks_like_path(line.raw(index)) or bool(world.folders(line.raw(index)))
    return known or line.norm(index) in FOLDER_NOUNS or line.norm(index) == "home"


def _names_folder(line: Line, start: int, index: int) -> bool:
    """The first word is any word with a capital or after the noun; the name goes on while capitals or years do."""
    if looks_like_path(line.raw(index)):
        return False
    proper = line.raw(index)[:1].isupper() or (index > start and line.norm(index).isdigit())
    named = index == start and line.norm(start - 1) in FOLDER_NOUNS | NAMING
    return line.is_content(index) and (proper or named) if index == start else proper


def _name_start(line: Line, index: int) -> int | None:
    """Where a folder's name would begin if the token at ``index`` announced one."""
    if line.norm(index) in FOLDER_NOUNS:
        return index + 2 if line.norm(index + 1) in NAMING else index + 1
    if line.norm(index) not in _INTO:
        return None
    after = index + 1
    while line.norm(after) in ARTICLES:
        after += 1
    many = line.language == "de" and after > index + 1 and _is_plural(line, after)
    return after if line.raw(after)[:1].isupper() and not many else None


def _is_plural(line: Line, index: int) -> bool:
    """ "In meinen Dokumenten": every noun has a capital in German, and many things are no folder's name."""
    return line.norm(index).endswith(("n", "s")) and line.lemma(index).casefold() != line.norm(index)
