"""In how many passes a row is gone through: which fold and which store belongs to which, what is kept between them."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpu_skills.cpp.functions import COSTLY
from gpu_skills.cpp.lowering import MASKS, Folding, Lowered, Placing
from gpu_skills.graph import Apply, Fn, Fold, Folded, Gather, Read


@dataclass(slots=True)
class Pass:
    """One time through the row: ``folds``, then ``online`` folds that follow a running one, and stores."""

    folds: list[Folding] = field(default_factory=list)
    online: list[Folding] = field(default_factory=list)
    stores: list[Placing] = field(default_factory=list)
    keeps: list[int] = field(default_factory=list)
    """Values that are written to the row buffer here, for a later pass."""

    @property
    def needs(self) -> list[int]:
        """Return the values that this pass computes for each element."""
        return [one.value for one in (*self.folds, *self.online)] + [one.value for one in self.stores]


@dataclass(slots=True)
class Passes:
    """The passes of a sweep, and the stores that happen once a row, after them."""

    each: list[Pass]
    once: list[Placing]

    @property
    def kept(self) -> list[int]:
        """Return the values in the row buffer, in order."""
        return [value for one in self.each for value in one.keeps]


def follows_online(lowered: Lowered, fold: Folding) -> str | None:
    """Return the maximum that a sum of exp(x - maximum) follows, where a fold is one."""
    exp = lowered.values[fold.value]
    if fold.fold is not Fold.SUM or exp.fn is not Fn.EXP:
        return None
    less = lowered.values[exp.inputs[0]]
    if less.fn is not Fn.SUB:
        return None
    x, top = (lowered.values[one] for one in less.inputs)
    if top.kind is not Folded or lowered.fold(top.name).fold is not Fold.MAX or x.folds:
        return None
    return top.name if lowered.fold(top.name).value == less.inputs[0] else None


def passes_of(lowered: Lowered, *, online: bool, keep: str) -> Passes:
    """Return the passes of a sweep. ``keep`` is "none", "costly" or "all": which values stay in a row buffer."""
    number: dict[str, int] = {}
    running: set[str] = set()
    for fold in lowered.folds:
        number[fold.name] = 1 + max((number[one] for one in lowered.values[fold.value].folds), default=-1)
        top = follows_online(lowered, fold) if online else None
        if top is not None:
            number[fold.name] = number[top]
            running.add(fold.name)
    return _kept(lowered, _placed(lowered, number, running), keep)


def _placed(lowered: Lowered, number: dict[str, int], running: set[str]) -> Passes:
    passes = Passes([], [one for one in lowered.stores if one.once])
    moving = [one for one in lowered.stores if not one.once]
    at = {one.at: 1 + max((number[n] for n in lowered.values[one.value].folds), default=-1) for one in moving}
    count = 1 + max((*number.values(), *at.values()), default=-1)
    passes.each = [Pass() for _ in range(count)]
    for fold in lowered.folds:
        one = passes.each[number[fold.name]]
        (one.online if fold.name in running else one.folds).append(fold)
    for store in moving:
        passes.each[at[store.at]].stores.append(store)
    return passes


def _kept(lowered: Lowered, passes: Passes, keep: str) -> Passes:
    """Keep of each pass the values that a later one needs, the outermost of them."""
    held: set[int] = set()
    for at, one in enumerate(passes.each[:-1]):
        if keep == "none":
            break
        here = _inner(lowered, [f.value for f in one.folds] + [s.value for s in one.stores], held)
        later = [value for after in passes.each[at + 1 :] for value in after.needs]
        wanted = _outermost(lowered, later, here, held)
        one.keeps = [value for value in sorted(wanted) if keep == "all" or _costly(lowered, value)]
        held |= set(one.keeps)
    return passes


def _inner(lowered: Lowered, roots: list[int], held: set[int]) -> set[int]:
    made = {one for one in lowered.under(*roots) if lowered.values[one].kind is Apply}
    return {one for one in made - held if lowered.values[one].fn not in MASKS}


def _outermost(lowered: Lowered, roots: list[int], here: set[int], held: set[int]) -> set[int]:
    """Return what the walk down from ``roots`` meets first of ``here``; below it, nothing is needed any more."""
    found: set[int] = set()
    seen: set[int] = set()
    waiting = list(roots)
    while waiting:
        one = waiting.pop()
        if one in seen or one in held:
            continue
        seen.add(one)
        if one in here and lowered.last in lowered.values[one].axes:
            found.add(one)
        else:
            waiting += lowered.values[one].inputs
    return found


def _costly(lowered: Lowered, value: int) -> bool:
    """Tell whether a value is dearer to make again than to read: a costly function, or two reads that move."""
    below = [lowered.values[one] for one in lowered.under(value)]
    moving = [one for one in below if one.kind in (Read, Gather) and len(one.axes) > 1]
    return len(moving) > 1 or any(one.fn in COSTLY and lowered.last in one.axes for one in below)
