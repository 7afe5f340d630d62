"""What "that folder" is in a rule about files: the one in which they come or change."""

from __future__ import annotations

from kernel.language import Line
from kernel.language.free_text import covered
from kernel.language.place.place_words import FOLDER_NOUNS
from kernel.paths import short
from kernel.routines.hearing.model import Heard, Words
from kernel.routines.model import FileSeen

_POINTERS = {
    "en": frozenset("that this the said".split()),
    "de": frozenset("der den dem dieser diesen diesem jener jenen jenem das dieses".split()),
}
_NAMING = frozenset("called named namens of von with mit where wo „ “ \" ' / ~".split())
_SAME = frozenset("same very selbe selben gleiche gleichen".split())


def place_pronouns(line: Line, heard: Heard, home: str) -> dict[Words, str]:
    """Return the folder that a rule about files is about, for each stretch of the request that points at it."""
    if not isinstance(heard.trigger, FileSeen):
        return {}
    gone, folder = covered(heard.gone), short(heard.trigger.folder, home)
    found: dict[Words, str] = {}
    for at in range(line.size - 1):
        noun = at + 1 + (line.norm(at + 1) in _SAME)
        points = line.norm(at) in _POINTERS.get(line.language, ()) and line.norm(noun) in FOLDER_NOUNS
        if points and gone.isdisjoint(range(at, noun + 1)) and not _is_named(line, noun):
            found[at, noun + 1] = folder
    return found


def _is_named(line: Line, noun: int) -> bool:
    """ "The folder Backup", "dem Ordner „Alt“", "the folder called old": another one."""
    behind = line.raw(noun + 1)
    return line.norm(noun + 1) in _NAMING or (behind[:1].isupper() and line.is_content(noun + 1))
