"""Whole calls: the likeliest ways to fill all slots together, and what speaks for one of them as a whole.

A beam over the slots, the surest first, no two values from the same words. What a call leaves unread of the sentence,
cuts in two or takes out of order no slot can see alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kernel.slots.schema.features import Table
from kernel.slots.schema.model import Guess, Wanted

Floats = npt.NDArray[np.float64]

BEAM, MOST_GUESSES = 24, 12
MISSED = 8.0
"""What a call loses for a required slot that nothing in the sentence can fill."""

WHOLE = (
    "sum least numbers_left names_left quotes_left words_left turned turned_twins cut adjacent optional missed "
    "inside_quotes alike length leading"
).split()
"""What is known of a call as a whole; every figure is about the choice, not about the sentence."""
_NUMBERS = frozenset({"number", "percent"})
_FIGURES = re.compile(r"\d+")
_PLAIN = frozenset({Wanted.WHOLE, Wanted.NUMBER})


@dataclass(frozen=True, slots=True)
class Call:
    """A guess for each slot, by index, and the figures of ``WHOLE``."""

    chosen: tuple[int, ...]
    figures: Floats


def calls(tables: Sequence[Table], logs: Sequence[Floats]) -> list[Call]:
    """The likeliest calls by the ``logs`` of each slot's guesses, the best first."""
    if not tables:
        return [Call((), np.zeros(len(WHOLE)))]
    order = sorted(range(len(tables)), key=lambda at: -float(logs[at].max()))
    beams: list[tuple[float, tuple[int, ...], frozenset[int]]] = [(0.0, (), frozenset())]
    for at in order:
        best = np.argsort(-logs[at])[:MOST_GUESSES]
        best = best[best > 0] if tables[at].slot.required else best
        options = {*map(int, best), *([] if tables[at].slot.required else [0])}
        grown = []
        for score, path, used in beams:
            for choice in options:
                guess = tables[at].guesses[choice]
                words = frozenset(range(guess.first, guess.last))
                if not words & used:
                    grown.append((score + float(logs[at][choice]), (*path, choice), used | words))
        grown = grown or [(score - MISSED, (*path, 0), used) for score, path, used in beams]
        beams = sorted(grown, key=lambda beam: -beam[0])[:BEAM]
    place = np.argsort(order)
    said = _Said(tables)
    return [
        Call(chosen, said.figures(chosen, [float(log[one]) for log, one in zip(logs, chosen, strict=True)]))
        for _, path, _ in beams
        for chosen in [tuple(path[at] for at in place)]
    ]


class _Said:
    """What the sentence holds, by the guesses of all slots: one or more."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables, self._scene = tables, tables[0].scene
        said = (guess for table in tables for guess in table.guesses)
        self._numbers = {(guess.first, guess.last) for guess in said if guess.source in _NUMBERS}
        line = self._scene.line
        self._content = [at for at in range(line.size) if line.is_content(at)]

    def figures(self, chosen: Sequence[int], own: Sequence[float]) -> Floats:
        """The figures of ``WHOLE`` for a choice with these log probabilities."""
        pairs = [(table, table.guesses[at]) for table, at in zip(self._tables, chosen, strict=True)]
        taken = [guess for _, guess in pairs if guess.last]
        used = {word for guess in taken for word in range(guess.first, guess.last)}
        names, quotes, explained = self._scene.names, self._scene.quotes, self._scene.explained
        quoted = set(quotes)
        ends = {guess.last for guess in taken}
        values = [repr(guess.value) for _, guess in pairs if guess.source != "none"]
        return np.array(
            [
                sum(own),
                min(own, default=0.0),
                sum(not set(range(*span)) & used for span in self._numbers),
                sum(not set(range(*span)) & used for span in names if span not in quoted),
                sum(not set(range(*span)) & used for span in quotes),
                sum(at not in used and at not in explained for at in self._content) / max(len(self._content), 1),
                _turned(pairs),
                _turned_twins(pairs),
                sum(guess.cuts((*names, *quotes)) for guess in taken),
                sum(guess.first in ends for guess in taken),
                sum(guess.source != "none" and not table.slot.required for table, guess in pairs),
                sum(guess.source == "none" and table.slot.required for table, guess in pairs),
                sum(guess.is_part(quotes) for guess in taken),
                len(values) - len(set(values)),
                sum(guess.last - guess.first for table, guess in pairs if table.slot.wanted is Wanted.TEXT) / 6,
                sum(guess.first == 0 for guess in taken),
            ],
            dtype=np.float64,
        )


def _turned(pairs: Sequence[tuple[Table, Guess]]) -> float:
    """How many neighbours of one kind stand in the sentence in another order than in the schema."""
    turned = 0
    for plain in (True, False):
        starts = [
            guess.first
            for table, guess in pairs
            if guess.last and table.slot.required and (table.slot.wanted in _PLAIN) == plain
        ]
        turned += sum(later < earlier for earlier, later in pairwise(starts))
    return float(turned)


def _turned_twins(pairs: Sequence[tuple[Table, Guess]]) -> float:
    """The same for slots whose names differ by a figure alone: "side1", "side2"."""
    twins: dict[str, list[tuple[int, int]]] = {}
    for table, guess in pairs:
        figures = _FIGURES.findall(table.slot.name)
        if guess.last and len(figures) == 1:
            twins.setdefault(_FIGURES.sub("", table.slot.name), []).append((int(figures[0]), guess.first))
    return float(sum(later[1] < earlier[1] for own in twins.values() for earlier, later in pairwise(sorted(own))))
