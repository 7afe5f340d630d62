"""A clause about a file that says what must stand in it: that is taken out, and the rest is read as ever.

Where nothing else happens in it ("a text file in Notes says urgent"), it is a file of that folder that is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from kernel.routines.hearing.contents import said_by_verb, stretches
from kernel.routines.hearing.folders import PREPOSITIONS, Place, place
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.reading import Clause, Doubt, Reading
from kernel.routines.hearing.things_seen import thing
from kernel.routines.hearing.totals import Such
from kernel.routines.model import About, Change, FileSeen

Read = Callable[[Clause], Reading | Doubt | None]

_MOST_CONDITIONS = 3
_MOST_READINGS = 32  # of what is left of a clause: a text may say at every word what must stand somewhere
_ANY = frozenset(
    "a an any some another one ein eine einer einem einen irgendein irgendeine irgendeiner irgendeinem".split()
)


def conditioned(clause: Clause, read: Read) -> Reading | Doubt | None:
    """Return what the clause means with what it says of a file's contents; None where it says nothing of them."""
    return _conditioned(clause, read, 0, iter(range(_MOST_READINGS)))


def _conditioned(clause: Clause, read: Read, depth: int, tries: Iterator[int]) -> Reading | Doubt | None:
    doubt: Doubt | None = None
    for (first, last, such), _ in zip(stretches(clause), tries, strict=False):
        rest = without(clause, first, last)
        meant = read(rest) if rest.last > rest.first else None
        if not isinstance(meant, Reading) and depth < _MOST_CONDITIONS:
            meant = _conditioned(rest, read, depth + 1, tries) or meant
        if isinstance(meant, Reading) and meant.is_of_a_file:
            return replace(meant, such=(*meant.such, *such))
        doubt = doubt or (meant if isinstance(meant, Doubt) else None)
    return _written(clause) or doubt


def with_kinds(such: Such) -> Such:
    """Return conditions where something must stand in a file: then what it is ("an invoice") may stand there, too."""
    if not {About.HOLDS, About.TOTAL}.intersection(about for about, _ in such):
        return such
    return tuple((About.KIND if about is About.IS else about, said) for about, said in such)


def without(clause: Clause, first: int, last: int) -> Clause:
    """Return the clause without its words [first, last)."""
    gist, begin, end = clause.gist, clause.first + first, clause.first + last
    words, spans = (*gist.words[:begin], *gist.words[end:]), (*gist.spans[:begin], *gist.spans[end:])
    return replace(clause, gist=Gist(gist.line, words, spans), last=clause.last - (last - first))


def _written(clause: Clause) -> Reading | None:
    """Read "a text file in Notes says urgent", "in einer Textdatei in Notizen „dringend“ steht"."""
    words, size = clause.words, len(clause.words)
    begin = int(words[:1] == ("in",))
    if clause.opening.each or not words[begin : begin + 1] or words[begin] not in _ANY:
        return None
    for at in range(begin + 1, size - 1):
        if words[at] not in PREPOSITIONS:
            continue
        for end in range(size - 1, at + 1, -1):
            such = said_by_verb(clause, end, size)
            named, where = (thing(clause, begin, at), place(clause, at, end)) if such else (None, None)
            if named is not None and not named.path and isinstance(where, Place) and not where.file:
                trigger = FileSeen(Change.WRITTEN, where.path, named.pattern, below=where.below)
                return Reading(trigger, such=(*named.such, *such), nouns=named.nouns)
    return None
