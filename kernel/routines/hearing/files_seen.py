"""What happens to files: "a PDF turns up in Downloads", "Wird eine Rechnung nach Documents verschoben".

The verb says which change it is, wherever the language puts it; what is left is a thing and a place, in either order.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from kernel.context.naming import Wanted
from kernel.routines.hearing.changes import CHANGES
from kernel.routines.hearing.folders import PREPOSITIONS, Place, place
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.opening import Weight
from kernel.routines.hearing.reading import Clause, Doubt, Reading, has
from kernel.routines.hearing.things_seen import Thing, by_name, is_vague, thing, with_name
from kernel.routines.model import About, Change, FileSeen

C = Change
_STATES = frozenset("liegt liegen lieg gibt there exists fehlt missing gone weg".split())
_AUXILIARIES = frozenset(
    "is are 's gets get has have been be being was were wird werden wurde wurden worden ist sind hat habe haben hab "
    "got goes "
    "i'm there's sich".split()
)
_BEING = frozenset("is are ist sind".split())
_PAST, _PAST_DE = frozenset("was were".split()), frozenset("wurde wurden worden war waren".split())
_HAVE = frozenset("has have hat habe hab haben ist sind".split())
_PRESENT = frozenset("is are 's gets get has have there's being be".split())
_PARTICLES = frozenset(
    "up auf an rein ein dazu herein hinein runter herunter ab hinzu nieder da dort drin in there downloading".split()
)
_COMING = frozenset("comes come came gets flies".split())
_WHO = frozenset(
    "someone somebody anyone anybody i we jemand wer ich i man wir einer irgendwer irgendjemand ma "
    "they you? program".split()
)
_OWN = frozenset("i we ich wir".split())
_PARTED = {
    **dict.fromkeys(("taucht", "tauchen"), frozenset({"auf"})),
    **dict.fromkeys(("trudelt", "trudeln"), frozenset("ein rein herein".split())),
}
"""Verbs that say nothing without their other part."""
_GETTING = frozenset("get receive bekomme bekommen kriege krieg kriegen erhalte erhalten".split())
"""What a person gets comes to be there; of anything else "get" is no such verb ("gets too big")."""
_STEWARD = frozenset("you du steward".split())
_FILLING = (("at", "all"), ("at", "any", "point"), ("at", "any", "time"), ("at", "some", "point"))
_AT_ALL = frozenset(
    "again wieder neu newly neulich mal plötzlich suddenly gerade grad just irgendwann ever je jemals".split()
)


def file_seen(clause: Clause) -> Reading | Doubt | None:
    """Return what of files the clause speaks of."""
    read = _seen_in(clause)
    return read if isinstance(read, Reading) else _with_name(clause) or read


def _with_name(clause: Clause) -> Reading | None:
    """What its end says of the name is taken out: "there's a PDF in Downloads | that has invoice in its name"."""
    for at in range(_LEAST, len(clause.words) - 1):
        if clause.words[at] not in _NAMING:
            continue
        name = by_name(clause, clause.first + at, clause.last)
        read = _seen_in(replace(clause, last=clause.first + at)) if name else None
        if isinstance(read, Reading) and isinstance(read.trigger, FileSeen):
            return replace(read, trigger=replace(read.trigger, pattern=with_name(read.trigger.pattern, name)))
    return None


_NAMING = frozenset("that which whose with called named ending starting die der das deren dessen mit namens".split())
_LEAST = 3


def _seen_in(clause: Clause) -> Reading | Doubt | None:
    verbs = [at for at, word in enumerate(clause.words) if word in CHANGES and not _is_noun(clause, at)]
    verbs = verbs or [at for at, word in enumerate(clause.words) if word in _GETTING and _OWN & set(clause.words[:2])]
    verbs = verbs or [at for at, word in enumerate(clause.words) if word in _BEING][-1:]
    if not verbs or set(clause.words) & _STEWARD:
        return None
    if clause.opening.fronted and _PARTED.get(clause.words[0], frozenset(clause.words)).isdisjoint(clause.words[1:]):
        return None  # "Taucht in Documents, auch in den Ordnern darin, | ein neues PDF auf"
    doubt: Doubt | None = None
    for at in _in_order(clause, verbs):
        read = _with_verb(clause, at)
        if isinstance(read, Reading):
            return read
        doubt = doubt or read
    return doubt


def _in_order(clause: Clause, verbs: list[int]) -> list[int]:
    """The verb that says what happens comes before one of mere being: "is there" after "arrives"."""
    return sorted(verbs, key=lambda at: (clause.words[at] in _STATES, -at))[:3]


def _is_noun(clause: Clause, at: int) -> bool:
    """ "A download", "my changes": an article stands before it; a preposition as well ("in Downloads")."""
    before, word = clause.words[at - 1] if at else "", clause.words[at]
    if word in {"download", "downloads"}:
        return before not in _WHO
    nominal = word in {"changes", "change", "downloads", "download", "update", "updates", "copy", "drop", "show"}
    return nominal and (before in {"", "a", "the", "my", "any", "new"} or before in PREPOSITIONS)


def _with_verb(clause: Clause, verb: int) -> Reading | Doubt | None:
    words = clause.words
    gone = {verb, *(at for at, word in enumerate(words) if word in _AUXILIARIES | _AT_ALL)} - _owning(clause)
    german = clause.gist.line.language == "de"
    if german:  # "was" is "something" there
        gone -= {at for at, word in enumerate(words) if word == "was"}
    if not clause.lasting and _is_past(clause, words[verb]):
        return None
    gone |= {
        at for at in (verb + 1, len(words) - 1) if at < len(words) and words[at] in _PARTICLES and _is_loose(clause, at)
    }
    for filling in _FILLING:
        size = len(filling)
        gone |= {at + step for at in range(len(words)) if words[at : at + size] == filling for step in range(size)}
    gone |= {at for at, word in enumerate(words) if word in _WHO and at in {0, verb - 1, verb + 1, 1}}
    if words[verb] == "gibt":
        gone |= {at for at, word in enumerate(words) if word == "es"}
    change, state = CHANGES.get(words[verb], C.CREATED), words[verb] in _STATES | _BEING
    return _settled(clause, change, state, [at for at in range(len(words)) if at not in gone])


def _owning(clause: Clause) -> set[int]:
    """Where "has" and "is" tell of a thing: "a PDF that has ticket in its name", "a photo that is bigger than 5 MB"."""
    words = clause.words
    told = [at for at in range(1, len(words)) if words[at - 1] in {"that", "which"}]
    is_larger = (at for at in told if words[at] in {"is", "are"} and has(words[at + 1 : at + 2], _LARGER))
    return {*(at for at in told if words[at] in {"has", "have"}), *is_larger}


_LARGER = frozenset("larger bigger heavier more over above at called named".split())


def _is_past(clause: Clause, verb: str) -> bool:
    """What was is of now: an ordinary plan can look. "When" and "wenn" may speak of what will have been."""
    owning = _owning(clause)
    said = {word for at, word in enumerate(clause.words) if at not in owning}
    if clause.gist.line.language == "de":
        return clause.opening.weight is Weight.IF and bool(said & _PAST_DE or (said & _HAVE and verb not in _BEING))
    past = verb.endswith("ed") and not said & _PRESENT
    return past or bool(said & _PAST) or (clause.opening.weight is Weight.IF and bool(said & _HAVE))


def _is_loose(clause: Clause, at: int) -> bool:
    """A particle, and no preposition with its place behind it: "comes in", but not "lands in Downloads"."""
    word = clause.words[at]
    if word == "in" and not _COMING.intersection(clause.words):
        return False
    ahead = clause.words[at + 1] if at + 1 < len(clause.words) else ""
    return word not in PREPOSITIONS or not ahead or ahead in PREPOSITIONS or word in {"up"}


def _settled(clause: Clause, change: Change, state: bool, rest: list[int]) -> Reading | Doubt | None:
    doubt: Doubt | None = None
    there = False
    runs = list(_runs(clause, rest))
    for (a, b), (c, d) in _splits(clause, runs):
        named = thing(clause, a, b)
        where = place(clause, c, d) if d > c else None
        if named is None or (where is None and d > c):
            continue
        if isinstance(where, Doubt):
            doubt = where if doubt is None or len(where.about) < len(doubt.about) else doubt
            continue
        there = True
        read = _seen(clause, change, state, named, where, vague=is_vague(clause, a, b))
        definite = a < b and clause.words[a] in _DEFINITE
        if definite and isinstance(read, Reading) and change in (C.CHANGED, C.DELETED):
            read = _one_of(clause, read, clause.said(a, b))
        if read is not None:
            return read
    return None if there else doubt


_DEFINITE = frozenset("the die der das den".split())


def _one_of(clause: Clause, read: Reading, said: str) -> Reading | Doubt:
    """ "The table in Finance": where several lie there it is not said which one."""
    trigger = read.trigger
    if not isinstance(trigger, FileSeen) or not trigger.pattern.startswith("*.") or trigger.below:
        return read
    suffixes = frozenset(trigger.pattern.removeprefix("*.").strip("{}").split(","))
    alike = clause.world.such(Wanted(suffixes=suffixes))
    there = [path for path in alike if os.path.dirname(path) == trigger.folder]
    return Doubt(Lack.WHICH_FILE, said) if len(there) > 1 else read


def _runs(clause: Clause, rest: list[int]) -> Iterator[tuple[int, int]]:
    """The words that are left, as stretches, without the commas at their ends."""
    first = None
    for step, at in enumerate(rest):
        first = at if first is None else first
        if step + 1 == len(rest) or rest[step + 1] != at + 1:
            last, commas = at + 1, {one for one in (first, at) if clause.words[one] == ","}
            if first + (first in commas) < last - (at in commas):
                yield first + (first in commas), last - (at in commas)
            first = None


def _splits(clause: Clause, runs: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield every way to take the stretches as a thing and a place."""
    none = (0, 0)
    if not runs:
        yield none, none
    elif len(runs) == 1:
        first, last = runs[0]
        yield runs[0], none
        starts = [at for at in range(first, last) if clause.words[at] in PREPOSITIONS]
        for at in starts:
            yield (first, at), (at, last)
        if starts and starts[0] == first:
            yield from (((at, last), (first, at)) for at in range(last - 1, first, -1))
    elif len(runs) == 2:
        both = ((runs[0], runs[1]), (runs[1], runs[0]))
        yield from ((named, where) for named, where in both if clause.words[where[0]] in PREPOSITIONS)


def _seen(
    clause: Clause, change: Change, state: bool, named: Thing, where: Place | None, *, vague: bool
) -> Reading | Doubt | None:
    nowhere = where is None and not CHANGES.keys() & set(clause.words)  # "a file is ..."
    if nowhere or (state and not named.fresh and not clause.lasting):
        return None
    state = state and (not named.fresh or clause.opening.weight is Weight.IF)
    if where is not None and where.file:
        if not vague or change is C.MOVED_IN:
            return None
        folder, name = os.path.split(where.path)
        return Reading(
            FileSeen(C.CHANGED if change is C.CREATED else change, folder, name), nouns=frozenset({name.casefold()})
        )
    if named.path:
        return _of_one(clause, change, named, where)
    if where is None and named.folder:
        where = Place(named.folder)
    if where is None:
        return _anywhere(clause, change, named, vague=vague)
    trigger = FileSeen(change, where.path, named.pattern, below=where.below)
    moved = change is C.MOVED_IN  # somebody put it there
    such = [one for one in named.such if not (moved and one[0] is About.IS and _is_called_after(where.path, one[1]))]
    return Reading(trigger, such=tuple(such), nouns=named.nouns, state=state)


_PLURALS = ("", "s", "es", "e", "en", "n", "er")


def _is_called_after(folder: str, noun: str) -> bool:
    """Tell whether a folder is one of such things by its name: what comes into Contracts is one, whatever its name."""
    return os.path.basename(folder).casefold() in {noun.casefold() + ending for ending in _PLURALS}


def _of_one(clause: Clause, change: Change, named: Thing, where: Place | None) -> Reading | None:
    folder, name = os.path.split(named.path)
    if where is not None and where.path != folder and change is not C.MOVED_IN:
        return None
    if change is C.MOVED_IN:
        return None if where is None else Reading(FileSeen(change, where.path, name), nouns=named.nouns)
    if change is C.CREATED and not set(clause.words) & {"saved", "written", "gespeichert", "save", "speichere"}:
        return Reading(FileSeen(change, folder, name), nouns=named.nouns) if clause.lasting else None
    return Reading(FileSeen(C.CHANGED if change is C.CREATED else change, folder, name), nouns=named.nouns)


def _anywhere(clause: Clause, change: Change, named: Thing, *, vague: bool) -> Reading | Doubt | None:
    """No folder is said: anywhere in the home, if the words say which files; all files there are too much."""
    if change is C.MOVED_IN:
        return None
    if named.pattern != "*" and not any(about is About.IS for about, _ in named.such):
        return Reading(
            FileSeen(change, clause.world.home, named.pattern, below=True), such=named.such, nouns=named.nouns
        )
    plain = "file" in clause.text or "datei" in clause.text
    if named.such or not (vague and clause.opening.weight is not Weight.IF and (plain or clause.lasting)):
        return None
    return Doubt(Lack.WHAT_HAPPENS, clause.said(0, len(clause.words)))
