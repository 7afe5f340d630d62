"""What speaks for a memory, in numbers from 0 to 1: one column a feature, one row a candidate.

Everything is of one question: a word score or a cosine is brought to 0 .. 1 between its lowest and highest candidate
(min-max), since neither means anything beside another question's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memory.recall.kept import Arrays, Places
from memory.recall.model import Span

Scores = npt.NDArray[np.float32]

NAMES = (
    "words", "meaning", "around_words", "around_meaning", "before", "after", "further", "session", "session_mean",
    "speaker", "length", "asks", "answers", "graph", "time",
)  # fmt: skip
"""``around``: of a memory together with its neighbours. ``before`` .. ``further``: what words and meaning say, in equal
parts, of the one before, the one after, and the better of those two steps away; ``session``: of the best of its
session, and of the mean of its best three. ``speaker``: the question names who said it. ``length``: how much it says.
``asks``: it asks something itself; ``answers``: the one before does, and fits. ``graph``, ``time``: it is near to the
question's entities, or of its times."""
_FIRST = np.float32(0.5)
_BEST_OF_SESSION = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the candidates: float32 [memories] each, 0 where nothing is known."""

    words: Scores
    meaning: Scores
    graph: Scores
    speakers: Collection[int] = ()
    times: Sequence[Span] = field(default=())


def scaled(values: Scores) -> Scores:
    """Min-max to 0 .. 1; all 0 where all are equal."""
    if not len(values):
        return values
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def first_look(words: Scores, meaning: Scores, candidates: Places) -> Scores:
    """Words and meaning in equal parts, [candidates]."""
    return _FIRST * scaled(words[candidates]) + (1 - _FIRST) * scaled(meaning[candidates])


def table(evidence: Evidence, arrays: Arrays, candidates: Places) -> Scores:
    """All features, float32 [candidates, len(NAMES)]."""
    words, meaning = scaled(evidence.words[candidates]), scaled(evidence.meaning[candidates])
    base = np.zeros(len(arrays.at), dtype=np.float32)
    base[candidates] = _FIRST * words + (1 - _FIRST) * meaning
    before, after = arrays.before[candidates], arrays.after[candidates]
    further = np.maximum(_at(base, _next(arrays.before, before)), _at(base, _next(arrays.after, after)))
    best, mean = _sessions(base[candidates], arrays.session[candidates])
    around = [
        scaled(one[candidates] + 0.5 * _at(one, before) + 0.5 * _at(one, after))
        for one in (evidence.words, evidence.meaning)
    ]
    columns = [
        words, meaning, *around, _at(base, before), _at(base, after), further, best, mean,
        np.isin(arrays.speaker[candidates], list(evidence.speakers)), arrays.length[candidates],
        arrays.asks[candidates], _at(base, before) * _at(arrays.asks, before), scaled(evidence.graph[candidates]),
        _timely(arrays.at[candidates], evidence.times),
    ]  # fmt: skip
    return np.stack(columns, axis=1).astype(np.float32)


def _at(values: Scores, places: Places) -> Scores:
    """``values`` at ``places``, 0 where there is none."""
    return np.where(places >= 0, values[places], np.float32(0))


def _next(step: Places, places: Places) -> Places:
    return np.where(places >= 0, step[places], -1)


def _sessions(base: Scores, session: npt.NDArray[np.int32]) -> tuple[Scores, Scores]:
    """For each candidate the best of its session, and the mean of its best three."""
    order = np.lexsort((-base, session))
    ordered, ours = base[order], session[order]
    starts = np.flatnonzero(np.concatenate([[True], ours[1:] != ours[:-1]])) if len(ours) else np.empty(0, np.intp)
    lengths = np.diff(np.append(starts, len(ours)))
    rank = np.arange(len(ours)) - np.repeat(starts, lengths)
    top = np.add.reduceat(np.where(rank < _BEST_OF_SESSION, ordered, 0), starts) if len(starts) else ordered
    best, mean = np.empty_like(base), np.empty_like(base)
    best[order] = np.repeat(ordered[starts], lengths)
    mean[order] = np.repeat(top / _BEST_OF_SESSION, lengths)
    return best, mean


def _timely(at: npt.NDArray[np.int64], times: Sequence[Span]) -> Scores:
    """1 where a memory is of one of these times."""
    found = np.zeros(len(at), dtype=np.bool_)
    for low, high in times:
        found |= (at >= (at.min(initial=0) if low is None else low)) & ((at < high) if high is not None else True)
    return found.astype(np.float32)
