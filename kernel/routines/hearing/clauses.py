"""A clause of a trigger as a whole: what happens, and what is joined to it by "and", "but" or a comma."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from kernel.routines.hearing.additions import added
from kernel.routines.hearing.conditioned import conditioned, without
from kernel.routines.hearing.deeds import deed, learnt
from kernel.routines.hearing.events_ahead import before_event
from kernel.routines.hearing.files_seen import file_seen
from kernel.routines.hearing.folders import says_below
from kernel.routines.hearing.gist import LENGTH, amount_in
from kernel.routines.hearing.lasting import lasting, stays
from kernel.routines.hearing.levels import level
from kernel.routines.hearing.limits import limit
from kernel.routines.hearing.machines import disk, idle, not_even
from kernel.routines.hearing.mails import attached, mail, something
from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.networks import comes_back, network
from kernel.routines.hearing.nominals import nominal
from kernel.routines.hearing.power import battery, charger, supply
from kernel.routines.hearing.reading import Clause, Doubt, Reading
from kernel.routines.hearing.scenes import of_scene
from kernel.routines.hearing.tasks_due import task_due
from kernel.routines.hearing.webhooks import called
from kernel.routines.model import FileSeen, Limit, Machine, State


def _file_or_added(clause: Clause) -> Reading | Doubt | None:
    """A file, also one that a tool makes ("a new note"); else what is added and is no file."""
    read = file_seen(clause)
    return read if isinstance(read, Reading) else added(clause) or read


def _nominal_or_added(clause: Clause) -> Reading | Doubt | None:
    read = nominal(clause)
    return read if isinstance(read, Reading) else added(clause) or read


Kind = Callable[[Clause], Reading | Doubt | None]

_STATES: tuple[Kind, ...] = (supply, level, battery, not_even, disk, network, charger)


def _machine(clause: Clause) -> Reading | Doubt | None:
    """A state of the machine; a length that is said in the clause is never passed over."""
    read = idle(clause) or lasting(clause, _state)
    if read is not None:
        return read
    read = _state(clause)
    passed_over = isinstance(read, Reading) and not read.limits and amount_in(clause.words, LENGTH) is not None
    return None if passed_over else read


def _state(clause: Clause) -> Reading | Doubt | None:
    return next((read for kind in _STATES if (read := kind(clause)) is not None), None)


_KINDS: tuple[Kind, ...] = (
    of_scene, deed, learnt, called, task_due, before_event, mail, something, _machine, _file_or_added,
)  # fmt: skip
_NOMINAL: tuple[Kind, ...] = (of_scene, task_due, before_event, deed, mail, _nominal_or_added)
JOINTS = frozenset("and und but aber , though doch &".split())
_MOST_PARTS = 4
_MOST_LEADING = 4  # words of a limit before what happens


def read_clause(clause: Clause, depth: int = 0) -> Reading | Doubt | None:
    """Return what the clause means, whole."""
    whole = _single(clause)
    if isinstance(whole, Reading) and whole.trigger is not None:
        return whole
    doubt = whole
    for at in range(clause.first + 1, clause.last - 1) if depth < _MOST_PARTS else ():
        if clause.gist.word(at) in JOINTS:
            read = _joined(clause, at, depth)
            if isinstance(read, Reading):
                return read
            doubt = doubt if isinstance(doubt, Doubt) else read
    if depth == 0:
        led = _led(clause) or _below(clause) or _related(clause) or conditioned(clause, _whole)
        if isinstance(led, Reading):
            return led
        doubt = doubt if led is None else led
    if isinstance(doubt, Reading):
        return doubt if depth else Doubt(Lack.UNKNOWN, clause.said(0, len(clause.words))) if clause.lasting else None
    return doubt


def _whole(clause: Clause) -> Reading | Doubt | None:
    return read_clause(clause, 1)


def _below(clause: Clause) -> Reading | None:
    """A clause in which is put that what lies below counts as well: "in Documents, auch in den Ordnern darin, ..."."""
    gist = clause.gist
    commas = [at for at in range(clause.first, clause.last) if gist.word(at) == ","]
    for first, last in pairwise(commas):
        if says_below(gist.text(first + 1, last)):
            read = _single(without(clause, first - clause.first, last + 1 - clause.first))
            if isinstance(read, Reading) and isinstance(read.trigger, FileSeen):
                return replace(read, trigger=replace(read.trigger, below=True))
    return None


def _related(clause: Clause) -> Reading | None:
    """A note of things with the clause that tells of them: "Rechnungen, die in Downloads landen - ..."."""
    words = clause.words
    at = next((one for one in range(1, len(words) - 2) if words[one] == "," and words[one + 1] in _WHICH), 0)
    if not clause.opening.asked or clause.opening.each or not at or "," in words[at + 1 :]:
        return None
    read = file_seen(without(clause, at, at + 2))
    return read if isinstance(read, Reading) else None


_WHICH = frozenset("die der das den which that".split())


def _led(clause: Clause) -> Reading | None:
    """A clause with a limit before what happens: "am Wochenende eine Mail kommt"."""
    for at in range(clause.first + 1, min(clause.first + _MOST_LEADING, clause.last - 1) + 1):
        held = limit(clause.gist.text(clause.first, at), inside=True)
        read = _single(replace(clause, first=at)) if held else None
        if isinstance(read, Reading) and read.trigger is not None:
            return replace(read, limits=(*held, *read.limits))
    return None


def _single(clause: Clause) -> Reading | Doubt | None:
    for kind in _NOMINAL if clause.opening.each else _KINDS:
        read = kind(clause)
        if read is not None:
            return read
    return None


def _joined(clause: Clause, at: int, depth: int) -> Reading | Doubt | None:
    """What happens on the left of the joint at ``at``, and what goes with it on the right, or the other way round."""
    left = _single(replace(clause, last=at))
    if left is None:
        held = limit(clause.gist.text(clause.first, at), inside=True)
        right = read_clause(replace(clause, first=at + 1), depth + 1) if held else None
        return replace(right, limits=(*held, *right.limits)) if isinstance(right, Reading) else None
    if isinstance(left, Doubt):
        return left
    return _with_rest(clause, left, at, depth)


def _with_rest(clause: Clause, left: Reading, at: int, depth: int) -> Reading | Doubt | None:
    gist = clause.gist
    held = limit(gist.text(at, clause.last), inside=True) or limit(gist.text(at + 1, clause.last), inside=True)
    if held:
        return replace(left, limits=(*left.limits, *held))
    such = attached(clause, at + 1 - clause.first, clause.last - clause.first)
    if such and left.trigger is not None:
        return replace(left, such=(*left.such, *such))
    behind = replace(clause, first=at + 1)
    lasts = stays(behind) if isinstance(left.trigger, Machine) else ()
    if lasts:
        return replace(left, limits=(*left.limits, *lasts), state=False)
    if left.trigger == Machine(State.OFFLINE):
        right = read_clause(behind, depth + 1) or comes_back(behind)
        if isinstance(right, Reading) and right.trigger == Machine(State.ONLINE):
            gone = tuple((Limit.LASTED, amount) for limit, amount in left.limits if limit is Limit.HELD)
            return replace(right, limits=(*gone, *right.limits), state=False)
    for end in range(at + 2, clause.last - 1):
        if gist.word(end) in JOINTS and depth < _MOST_PARTS:
            first = limit(gist.text(at, end), inside=True) or limit(gist.text(at + 1, end), inside=True)
            if first:
                return _with_rest(clause, replace(left, limits=(*left.limits, *first)), end, depth + 1)
    return None
