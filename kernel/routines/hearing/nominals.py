"""Happenings that are said as a noun: "for every new PDF in Downloads", "bei jeder neuen Datei in Downloads"."""

from __future__ import annotations

from kernel.routines.hearing.folders import PREPOSITIONS, Place, place
from kernel.routines.hearing.reading import Clause, Doubt, Reading
from kernel.routines.hearing.things_seen import thing
from kernel.routines.model import Change, FileSeen

_CHANGE = frozenset("change changes edit update änderung änderungen bearbeitung aktualisierung".split())
_TO = frozenset("to of in an von in der am".split())


def nominal(clause: Clause) -> Reading | Doubt | None:
    """Return new files in a folder, or a change of a file; what is not said to be new is there already."""
    if clause.opening.each != "after":
        return None
    if clause.words[:1] and clause.words[0] in _CHANGE:
        return _changed(clause)
    size = len(clause.words)
    for at in range(1, size):
        if clause.words[at] not in PREPOSITIONS:
            continue
        named, where = thing(clause, 0, at), place(clause, at, size)
        if named is None or not (named.fresh or clause.points_on):
            continue
        if isinstance(where, Doubt):
            return where
        if isinstance(where, Place) and not where.file:
            trigger = FileSeen(Change.CREATED, where.path, named.pattern, below=where.below)
            return Reading(trigger, such=named.such, nouns=named.nouns)
    return None


def _changed(clause: Clause) -> Reading | Doubt | None:
    where = place(clause, 1, len(clause.words)) if clause.words[1:2] and clause.words[1] in _TO else None
    if isinstance(where, Doubt) or where is None:
        return where
    folder, _, name = where.path.rpartition("/")
    return Reading(FileSeen(Change.CHANGED, folder, name) if where.file else FileSeen(Change.CHANGED, where.path))
