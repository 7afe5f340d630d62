"""Foretelling: which act comes next, with a probability that holds, learned from sequences of a person's own.

A conditional logit (McFadden 1974) over what ``memory.sequences`` counts. It begins as the plain chain (and what words
say of it, where they are known), and moves from there as far as the sequences say, each held against the counts of the
others alone. How strongly it is held is what
does best on sequences that its weights were not fitted on; its probabilities are those that came true there (Platt
1999).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernel.ranking.fitting import Doubles, fit_choice, fit_logistic
from memory.sequences.following import Act, Following

Line = Sequence[Act]
Group = tuple[Doubles, int]

PULLS = (0.03, 0.003, 0.0003)
AS_IT_IS = np.array([0.0, 1.0])
"""The calibration that changes nothing: bias and slope of the log odds (Platt 1999)."""

_START = ("chain3", "words")
"""What counts before anything was learned: the plain chain, and by how much more than usual an act comes with words."""

FOLDS = 5
FEWEST = 10
"""Below so many sequences the plain chain stays as it is."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """An act that may come next. ``reasons`` are by column, each what it adds to this one over what else is
    probable."""

    item: str
    chance: float
    reasons: Mapping[str, float]


class Foreteller:
    """What comes next after what was done. Immutable after it is made."""

    def __init__(self, following: Following, items: Sequence[str], weights: Doubles, platt: Doubles = AS_IT_IS) -> None:
        self._following = following
        self._items = tuple(items)
        self._weights = weights
        self._platt = platt

    def over(self, following: Following, items: Sequence[str]) -> Foreteller:
        """Return one with the same weights over other counts of the same columns."""
        return Foreteller(following, items, self._weights, self._platt)

    def knows(self, word: str) -> bool:
        """Tell whether ``word`` was ever said for something that was counted."""
        return self._following.knows(word)

    def foretell(
        self, before: Line, around: Mapping[str, str] | None = None, said: Iterable[str] = ()
    ) -> list[Foretold]:  # fmt: skip
        """Return every item, the most probable first. ``said`` are the words that it is being asked for with."""
        if not self._items:
            return []
        columns = self._following.columns_of(before, around or {}, self._items, said)
        shares = _shares(columns @ self._weights)
        chances = 1.0 / (1.0 + np.exp(-self._platt[0] - self._platt[1] * _odds(shares)))
        others = (shares @ columns - shares[:, None] * columns) / np.maximum(1.0 - shares, 1e-9)[:, None]
        parts = (columns - others) * self._weights
        return [
            Foretold(
                self._items[at],
                float(chances[at]),
                dict(zip(self._following.columns, parts[at].tolist(), strict=True)),
            )
            for at in np.argsort(-shares, kind="stable")
        ]


def learned(
    lines: Sequence[Line], items: Sequence[str] | None = None, *, around: Sequence[str] = (),
    words: bool = False, shares: Sequence[float] | None = None, pulls: Sequence[float] = PULLS,
    fitted: int | None = None, known: Foreteller | None = None,
) -> Foreteller:  # fmt: skip
    """Return what ``lines`` teach. ``items`` is what may come at all (what came, where it is left out).

    ``words`` where the words of an act are known before it is foretold. ``shares`` says how much each line counts;
    weights are fitted on the last ``fitted`` of them, or are those of ``known``, which looked at the same columns.
    """
    counted = list(shares) if shares is not None else [1.0] * len(lines)
    following = Following(around, words=words)
    for line, share in zip(lines, counted, strict=True):
        following.add(line, share)
    every = tuple(items) if items is not None else following.items
    if known is not None:
        return known.over(following, every)
    start = np.array([float(name in _START) for name in following.columns])
    if len(lines) < FEWEST:
        return Foreteller(following, every, start)
    first = max(0, len(lines) - fitted) if fitted else 0
    by_line = _choices(lines[first:], counted[first:], following, every)
    pull, platt = _chosen(by_line, start, pulls)
    weights = fit_choice([one for choices in by_line for one in choices], start, pull=pull)
    return Foreteller(following, every, weights, platt)


def _choices(
    lines: Sequence[Line], shares: Sequence[float], following: Following, items: Sequence[str]
) -> list[list[Group]]:
    """Return, for every line, its acts as choices among ``items``, as the other lines alone have them."""
    places = {item: at for at, item in enumerate(items)}
    found = []
    for line, share in zip(lines, shares, strict=True):
        following.add(line, -share)
        found.append([
            (following.columns_of(line[:at], act.around, items, act.said), places[act.item])
            for at, act in enumerate(line) if act.item in places
        ])  # fmt: skip
        following.add(line, share)
    return found


def _chosen(by_line: Sequence[list[Group]], start: Doubles, pulls: Sequence[float]) -> tuple[float, Doubles]:
    """Return the pull that does best on lines that the weights were not fitted on, and how chances come true there."""
    tried = [(pull, _held_out(by_line, start, pull)) for pull in pulls]
    pull, scores = min(tried, key=lambda one: sum(_loss(each, meant) for each, meant in one[1]))
    first = np.array([float(_shares(each).max()) for each, _ in scores])
    right = np.array([float(each.argmax() == meant) for each, meant in scores])
    platt = fit_logistic(_odds(first)[:, None], right)
    return pull, platt if platt[1] > 0 else AS_IT_IS


def _held_out(by_line: Sequence[list[Group]], start: Doubles, pull: float) -> list[tuple[Doubles, int]]:
    """Return the scores of every choice under weights that were fitted on the lines of other folds, and what it was."""
    found = []
    for fold in range(FOLDS):
        fitted = [one for at, choices in enumerate(by_line) if at % FOLDS != fold for one in choices]
        weights = fit_choice(fitted, start, pull=pull)
        found += [(columns @ weights, meant) for choices in by_line[fold::FOLDS] for columns, meant in choices]
    return found


def _loss(scores: Doubles, meant: int) -> float:
    top = float(scores.max())
    return float(np.log(np.exp(scores - top).sum())) + top - float(scores[meant])


def _odds(chances: Doubles) -> Doubles:
    held = np.clip(chances, 1e-6, 1.0 - 1e-6)
    return np.asarray(np.log(held / (1.0 - held)))


def _shares(scores: Doubles) -> Doubles:
    grown = np.exp(scores - scores.max())
    return np.asarray(grown / grown.sum())
