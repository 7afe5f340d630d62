"""Where something happens: "in Downloads", "im Ordner Steuer", "in my Pictures folder or below".

A name means a folder that is there, or it is said to be missing; none is taken for another that it resembles.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache

from kernel.language.place.place_words import (
    ARTICLES,
    DESKTOP_FOLDERS,
    FILE_NOUNS,
    FOLDER_NOUNS,
    PLACE_PREPOSITIONS,
    announces_folder,
    looks_like_path,
)
from kernel.language.place.places import Places
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.reading import Clause, Doubt
from skills.model import ValueKind

PREPOSITIONS = PLACE_PREPOSITIONS | frozenset("am an aufn aufm inner innen zu irgendwo anywhere somewhere".split())
_SKIPPED = ARTICLES | frozenset(
    "dei deim dein your einem einen directly somewhere anywhere irgendwo direkt ' \" “ ” „ ‘ ’ `".split()
)
_AND = "(?:or|and|as well as|including|with|plus|oder|und|samt|mit|inklusive|einschließlich|sowie|incl|inkl)"
_SOME_EN = "(?:(?:in|from|to|into|anywhere|somewhere|any|all|one|each|of|a|the|its|their|those|that) )*"
_SOME_DE = (
    "(?:(?:in|aus|nach|irgendwo|einem|einer|eines|den|der|dem|allen|aller|all|seinen|seiner|dessen|deren|ihren|ihrer|"
    "irgendeinem|jedem|weiter) )*"
)
_UNDER_EN = "(?:below|inside|under|underneath|beneath|within|in)"
_UNDER_DE = "(?:darin|darunter|drunter|drin|unterhalb|dadrunter|davon|dadrin)"
_BELOW = (
    rf"(?P<tail>(?:, )?(?:{_AND} |auch |also |even )"
    rf"(?:{_SOME_EN}subfolders?|{_SOME_DE}(?:unterordnern?|unterverzeichnisse[ns]?)|"
    rf"{_SOME_EN}folders? {_UNDER_EN}(?: (?:it|them|that|there|that one))?|{_SOME_DE}ordnern? {_UNDER_DE}|"
    rf"{_SOME_EN}(?:below|deeper|beneath|underneath)(?: (?:it|that|there))?|{_SOME_DE}(?:{_UNDER_DE}|tiefer)))$"
)
"""What is said behind a folder for what lies below it: "or in one of the folders inside it", "samt Unterordnern"."""
_ANYWHERE = frozenset("anywhere somewhere irgendwo under unter unterhalb".split())
_MOST_WORDS = 7


@dataclass(frozen=True, slots=True)
class Place:
    """A folder, with what lies below it or not; or one ``file``."""

    path: str
    below: bool = False
    file: bool = False


def place(clause: Clause, first: int, last: int) -> Place | Doubt | None:
    """Return the place that the words [first, last) of the clause name, a preposition before them."""
    words = clause.words
    below = any(word in _ANYWHERE for word in words[first : first + 2])
    while last > first and words[last - 1] == ",":
        last -= 1
    tail = _below().search(" ".join(words[first:last]))
    if tail is not None and tail.start() > 0:
        last, below = last - tail["tail"].count(" ") - 1, True
    announced, doubtful = False, words[first] in _PERSONAL
    while first < last and (
        words[first] in _SKIPPED | FILE_NOUNS or words[first] in PREPOSITIONS or announces_folder(words[first])
    ):
        announced |= announces_folder(words[first])
        first += 1
    while last > first and (words[last - 1] in _SKIPPED or words[last - 1] in FOLDER_NOUNS):
        announced |= words[last - 1] in FOLDER_NOUNS
        last -= 1
    if first >= last or last - first > _MOST_WORDS or words[first] in _NO_PLACE:
        return None
    found = _paths(clause, first, last)
    if len(found) > 1:
        return Doubt(Lack.WHICH_FOLDER, clause.said(first, last))
    if found:
        path = found[0]
        return Place(path, below, file=not clause.world.is_folder(path))
    named = announced or clause.said(first, last)[:1].isupper() or "/" in words[first] or last - first == 1
    sure = named and (announced or not doubtful)
    return Doubt(Lack.NO_SUCH_FOLDER, clause.said(first, last)) if sure else None


@cache
def _below() -> re.Pattern[str]:
    """No start waits for it: most sentences have no trigger."""
    return re.compile(_BELOW)


def says_below(text: str) -> bool:
    """Tell whether words behind a folder say that what lies below it counts as well: "including its subfolders"."""
    return _below().fullmatch(text) is not None


_PERSONAL = frozenset("from von vom of an at by am bei".split())
_NO_PLACE = frozenset(
    "its their his her name names title it them me us mir uns him night nacht evening abend morning morgen time "
    "zeit least "
    "all mail post same der hause zuhause daheim".split()
)


def _paths(clause: Clause, first: int, last: int) -> tuple[str, ...]:
    """What is there and called so: a written path, a spoken name, or a folder in a folder."""
    said, world = clause.said(first, last), clause.world
    if looks_like_path(said) or "/" in said:
        return written(clause, said)
    spoken = world.folders(said) or world.folders(DESKTOP_FOLDERS.get(said.casefold(), ""))
    if spoken:
        return spoken
    for at in range(first + 1, last - 1):
        if clause.words[at] in PREPOSITIONS:
            outer = place(clause, at, last)
            inner = clause.said(first, at).split()
            named = " ".join(word for word in inner if word.casefold() not in FOLDER_NOUNS)
            if isinstance(outer, Place) and not outer.file:
                return tuple(path for path in world.inside(outer.path, named) if world.is_folder(path))
    return ()


def written(clause: Clause, said: str) -> tuple[str, ...]:
    """Return the whole paths of what is there and may be meant by a path as it was written."""
    kinds = {ValueKind.FOLDER, ValueKind.FILE}
    read = Places(clause.world, clause.cwd, clause.lexicon).written(said, 0, 1)
    there = {str(one.value): None for one in read if one.kind in kinds and clause.world.exists(str(one.value))}
    return tuple(os.path.normpath(path) for path in there)
