"""What follows what: counts over sequences of acts, and what they say of the next one, as a column for each reason.

A chain is interpolated over its orders (Witten and Bell 1991): what is known of the last four acts counts, and what is
left over goes to the last three, and so on down to what is usual and to nothing known at all. Beside the chain stand
the last act with all that it was done with, how often it was just done in a row, which acts come at all where some came
before, whether an act is done more than once, and what was the case around it (an hour, a weekday). Where words are
looked at, too, each says how much oftener an act comes with it than without. Items, groups, words and what is the case
are opaque strings: this room knows no tool, no person and no label.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

ORDERS = 4
COLUMNS = ("chain1", "chain3", "chain4", "whole", "row", "company", "again", "group", "groups")
"""The columns of every ``Following``; those of what is the case around an act come after them, and those of words."""
WORDS = ("words", "word")
"""The columns of what was said: what all words of it say together, and the one that says most."""
_NO_ACT = "^"
_ALMOST_NOTHING = 1e-9
_ROW = 6


@dataclass(frozen=True, slots=True)
class Act:
    """Something that was done: the ``item`` it is, the ``group`` that is of, and all that it was done with.

    ``around`` is what was the case before it was done, by kind; ``said`` the words that it was asked for with.
    """

    item: str
    group: str = ""
    about: tuple[str, ...] = ()
    around: Mapping[str, str] = field(default_factory=dict)
    said: frozenset[str] = frozenset()


class Following:
    """Counts over sequences. Sequences come and go; a count may be a share of one, where older ones count less."""

    def __init__(self, around: Sequence[str] = (), *, words: bool = False) -> None:
        """``around`` are the kinds of what is the case before an act that are counted; ``words`` what was said, too."""
        self._around = tuple(around)
        self._words = words
        self._after: dict[Hashable, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._groups: dict[str, str] = {}
        self._lines: dict[str, float] = defaultdict(float)
        self._lines_again: dict[str, float] = defaultdict(float)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return (*COLUMNS, *self._around, *(WORDS if self._words else ()))

    def knows(self, word: str) -> bool:
        """Tell whether ``word`` was ever said for an act that is not gone."""
        return sum(self._after.get(("said", word), {}).values()) > _ALMOST_NOTHING

    @property
    def items(self) -> tuple[str, ...]:
        """Every item that was counted and is not gone, by name."""
        usual = self._after.get(("chain",), {})
        return tuple(sorted(item for item, count in usual.items() if count > _ALMOST_NOTHING))

    def add(self, line: Sequence[Act], share: float = 1.0) -> None:
        """Count a sequence, oldest act first; a negative ``share`` takes one away that was added with it."""
        items = [act.item for act in line]
        for at, act in enumerate(line):
            self._groups[act.item] = act.group
            for context in self._contexts(line[:at], act.around, act.said):
                self._after[context][act.item] += share
        for item, times in Counter(items).items():
            self._lines[item] += share
            if times > 1:
                self._lines_again[item] += share

    def _contexts(
        self, before: Sequence[Act], around: Mapping[str, str], said: Iterable[str]
    ) -> list[tuple[str, ...]]:  # fmt: skip
        """Return all that an act is counted after."""
        found = [*_chain(before), *(("company", item) for item in {act.item for act in before})]
        if before:
            found += [_whole(before), _row(before)]
        if self._words:
            found += [("said", word) for word in said]
        return found + [("around", kind, around[kind]) for kind in self._around if kind in around]

    def chances(self, before: Sequence[Act], items: Sequence[str], order: int = 3) -> Doubles:
        """Return the probability of each of ``items`` after ``before``, by the chain up to ``order`` alone."""
        return self._chain(before, {item: at for at, item in enumerate(items)})[min(order, len(before) + 1)]

    def columns_of(
        self, before: Sequence[Act], around: Mapping[str, str], items: Sequence[str], said: Iterable[str] = ()
    ) -> Doubles:  # fmt: skip
        """Return what speaks for each of ``items`` coming next [items, columns]; probabilities are logarithms."""
        places = {item: at for at, item in enumerate(items)}
        chain = self._chain(before, places)
        usual, after_last = chain[0], chain[min(1, len(chain) - 1)]
        rows = [after_last, chain[min(3, len(chain) - 1)], chain[-1]]
        rows += [self._after_one(one(before), after_last, places) if before else after_last for one in (_whole, _row)]
        logs = [np.log(row) for row in rows]
        done = {act.item for act in before}
        company = [np.log(self._after_one(("company", item), usual, places)) for item in sorted(done)]
        logs.append(np.mean(company, axis=0) if company else np.log(usual))
        logs += self._repeated(before, done, items)
        for kind in self._around:
            known = kind in around
            logs.append(np.log(self._after_one(("around", kind, around[kind]), usual, places) if known else usual))
        if self._words:
            logs += self._lifts(said, usual, places)
        return np.stack(logs, axis=1)

    def _lifts(self, said: Iterable[str], usual: Doubles, places: Mapping[str, int]) -> list[Doubles]:
        """Return by how much more each item comes with the words of ``said`` than usually: on average, and at most."""
        with_each = [self._after_one(("said", word), usual, places) for word in sorted(said) if self.knows(word)]
        lifts = np.log(with_each) - np.log(usual) if with_each else np.zeros((1, len(places)))
        return [lifts.mean(axis=0), lifts.max(axis=0)]

    def _chain(self, before: Sequence[Act], places: Mapping[str, int]) -> list[Doubles]:
        """Return the interpolated chances by order, from what is usual to the longest order that there is."""
        found = []
        chance = np.full(len(places), 1.0 / max(1, len(places)))
        for context in _chain(before):
            chance = self._after_one(context, chance, places)
            found.append(chance)
        return found

    def _after_one(self, context: tuple[str, ...], else_: Doubles, places: Mapping[str, int]) -> Doubles:
        """Return the chances after one context, where what was never seen there has its share of ``else_``."""
        counts = self._after.get(context)
        seen = np.zeros(len(places))
        kinds = 0.0
        for item, count in counts.items() if counts else ():
            if count > _ALMOST_NOTHING and item in places:
                seen[places[item]] = count
                kinds += min(1.0, count)
        total = float(seen.sum())
        return (seen + kinds * else_) / (total + kinds) if total else else_

    def _repeated(self, before: Sequence[Act], done: set[str], items: Sequence[str]) -> list[Doubles]:
        """Return what speaks for an item that was done before, or whose group was at work."""
        again = [
            math.log((max(0.0, self._lines_again.get(item, 0.0)) + 0.5) / (max(0.0, self._lines.get(item, 0.0)) + 1.0))
            if item in done
            else 0.0
            for item in items
        ]
        last, groups = before[-1].group if before else None, {act.group for act in before}
        groups_of = [self._groups.get(item) for item in items]
        return [
            np.array(again),
            np.array([float(group is not None and group == last) for group in groups_of]),
            np.array([float(group in groups) for group in groups_of]),
        ]


def _chain(before: Sequence[Act]) -> list[tuple[str, ...]]:
    """Return the contexts of the chain, by order; that nothing came before is an act of its own kind."""
    items = [_NO_ACT, *(act.item for act in before)]
    return [("chain", *items[len(items) - order :]) for order in range(min(ORDERS, len(items)) + 1)]


def _whole(before: Sequence[Act]) -> tuple[str, ...]:
    """The last act with all that it was done with."""
    return ("whole", before[-1].item, *before[-1].about)


def _row(before: Sequence[Act]) -> tuple[str, ...]:
    """How often the last act was just done in a row, and after what."""
    last, times = before[-1].item, 0
    while times < len(before) and before[-1 - times].item == last:
        times += 1
    earlier = before[-1 - times].item if times < len(before) else _NO_ACT
    return ("row", last, str(min(times, _ROW)), earlier)
