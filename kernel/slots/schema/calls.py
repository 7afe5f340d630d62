"""Whole calls: the likeliest ways to fill all slots together, and what speaks for one of them as a whole.

A beam over the slots, the surest first, no two values from the same words. What a call leaves unread of the sentence,
cuts in two or takes out of order no slot can see alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kernel.language import is_function_word
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
    """What the sentence holds, by the guesses of all slots."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables

    @cached_property
    def _said(self) -> list[Guess]:
        return [guess for table in self._tables for guess in table.guesses if guess.last]

    @cached_property
    def _numbers(self) -> set[tuple[int, int]]:
        return {(guess.first, guess.last) for guess in self._said if guess.source in _NUMBERS}

    def figures(self, chosen: Sequence[int], own: Sequence[float]) -> Floats:
        """The figures of ``WHOLE`` for a choice with these log probabilities."""
        tables = self._tables
        pairs = [(table, table.guesses[at]) for table, at in zip(tables, chosen, strict=True)]
        taken = [guess for _, guess in pairs if guess.last]
        used = {word for guess in taken for word in range(guess.first, guess.last)}
        scene = tables[0].scene
        line, names, quotes = scene.line, scene.names, scene.quotes
        quoted = set(quotes)
        content = [at for at in range(line.size) if line.is_content(at) and not is_function_word(line.norm(at), "en")]
        ends = {guess.last for guess in taken}
        values = [repr(guess.value) for _, guess in pairs if guess.source != "none"]
        return np.array(
            [
                sum(own),
                min(own, default=0.0),
                sum(not set(range(*span)) & used for span in self._numbers),
                sum(not set(range(*span)) & used for span in names if span not in quoted),
                sum(not set(range(*span)) & used for span in quotes),
                sum(at not in used and at not in scene.explained for at in content) / max(len(content), 1),
                _turned(pairs),
                _turned_twins(pairs),
                sum(_cuts(guess, (*names, *quotes)) for guess in taken),
                sum(guess.first in ends for guess in taken),
                sum(guess.source != "none" and not table.slot.required for table, guess in pairs),
                sum(guess.source == "none" and table.slot.required for table, guess in pairs),
                sum(
                    any(first <= guess.first and guess.last <= last and last - first > guess.last - guess.first
                        for first, last in quotes)
                    for guess in taken
                ),
                len(values) - len(set(values)),
                sum(guess.last - guess.first for table, guess in pairs if table.slot.wanted is Wanted.TEXT) / 6,
                sum(guess.first == 0 for guess in taken),
            ],
            dtype=np.float64,
        )  # fmt: skip


def _cuts(guess: Guess, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first < guess.first < last or first < guess.last < last for first, last in spans)


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
