"""The folder of a rule's file, said without its name: "run `make` in that folder", "wie groß der Ordner ist".

Where the trigger watches one folder and nothing below it, that is the one. What this does not: take it for a folder
that the request itself has named before ("move it to Backup and tell me how big that folder is").
"""

from __future__ import annotations

from collections.abc import Iterator

from kernel.language import Line
from kernel.language.free_text import covered, quotes
from kernel.language.line import phrases
from kernel.language.place.place_words import looks_like_path
from kernel.paths import short
from kernel.routines.hearing.model import Words
from kernel.routines.model import FileSeen, Trigger
from kernel.routines.waited_for import is_mail

_FOLDER = phrases(
    "that folder|this folder|the same folder|that very folder|the folder it lies in|the folder it is in|its folder",
    "the folder of the file|the file 's folder|that directory|this directory|the directory it lies in",
    "dieser ordner|diesen ordner|diesem ordner|der ordner|den ordner|dem ordner|derselbe ordner|denselben ordner",
    "demselben ordner|dem gleichen ordner|seinem ordner|dem ordner der datei|der ordner der datei|dieses verzeichnis",
    "diesem verzeichnis|dem verzeichnis|das verzeichnis",
)
_IN_IT = phrases("im selben ordner|im gleichen ordner|im ordner der datei|im verzeichnis|in there|there|dort|ebendort")
_GOES_TO = frozenset("to into onto nach in ins unter".split())
_NAMING = frozenset("called named namens of von with mit where wo „ “ \" ' / ~".split())
_BEING = frozenset("is are was were be ist sind war waren".split())


def its_folder(line: Line, taken: frozenset[int], trigger: Trigger, home: str) -> dict[Words, str]:
    """Return the stretches outside the tokens ``taken`` that mean the folder of the file, as its path."""
    if not isinstance(trigger, FileSeen) or trigger.below:
        return {}
    place = short(trigger.folder, home)
    return {stretch: words.format(place) for stretch, words in _meant(line, taken, trigger, home)}


def folder_left_open(line: Line, taken: frozenset[int], trigger: Trigger, home: str) -> str:
    """Return the words for the folder of the file where it may be any below the one that is watched; else ""."""
    if not isinstance(trigger, FileSeen) or not trigger.below:
        return ""
    found = _meant(line, taken, trigger, home)
    return line.slice(*found[0][0]) if found else ""


def _meant(line: Line, taken: frozenset[int], trigger: FileSeen, home: str) -> list[tuple[Words, str]]:
    if is_mail(trigger, home):
        return []
    out = covered(quotes(line)) | taken
    found = list(_said(line, out))
    return [] if found and _names_another(line, out, found[0][0][0]) else found


def _said(line: Line, out: frozenset[int]) -> Iterator[tuple[Words, str]]:
    at = 0
    while at < line.size:
        folder, inside = line.phrase(at, _FOLDER), line.phrase(at, _IN_IT)
        last = at + (folder or inside)
        if last == at or not out.isdisjoint(range(at, last)) or _goes_on(line, last, adverb=not folder):
            at += 1
            continue
        if folder or line.norm(at - 1) not in _BEING:
            yield (at, last), "{}" if folder else "in {}"
        at = last


def _goes_on(line: Line, at: int, *, adverb: bool) -> bool:
    """ "Den Ordner Music", "the folder called old": it is said behind it which; "there are" tells of something else."""
    named = line.norm(at) in _NAMING or (line.is_content(at) and line.raw(at)[:1].isupper())
    return line.norm(at) in _BEING if adverb else named


def _names_another(line: Line, out: frozenset[int], end: int) -> bool:
    """The request goes to another place before that: the folder is that one."""
    before = (at for at in range(1, end) if at not in out and line.norm(at - 1) in _GOES_TO)
    return any(looks_like_path(line.raw(at)) or line.raw(at)[:1].isupper() for at in before)
