"""Places in a ranking, the usual figures over them, baselines, and the interval of a difference on the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
DRAWS = 2_000
Counts = tuple[int, int, int]


def place(scores: npt.NDArray[np.floating], meant: int) -> int:
    """The 0-based place of ``meant``; of equals, the middle one."""
    own = scores[meant]
    return int((scores > own).sum() + ((scores == own).sum() - 1) // 2)


def figures(places: Sequence[int]) -> dict[str, float]:
    """R@1, R@5 and nDCG@10 of requests with one right tool each."""
    at = np.asarray(places)
    gain = np.where(at < 10, 1.0 / np.log2(at + 2.0), 0.0)
    return {"r1": float((at < 1).mean()), "r5": float((at < 5).mean()), "ndcg10": float(gain.mean())}


def fused(text: npt.NDArray[np.floating], dense: npt.NDArray[np.floating], share: float) -> Array:
    """The min-max hybrid: ``share`` of the dense score, the rest of BM25."""
    return share * _spread(dense) + (1 - share) * _spread(text)


def reciprocal(text: npt.NDArray[np.floating], dense: npt.NDArray[np.floating]) -> Array:
    """Reciprocal rank fusion with k = 60 (Cormack et al. 2009)."""
    return sum((1.0 / (60.0 + _ranks(scores)) for scores in (text, dense)), np.zeros(len(text)))


def _spread(scores: npt.NDArray[np.floating]) -> Array:
    low, high = float(scores.min()), float(scores.max())
    return (scores - low) / (high - low) if high > low else np.zeros(len(scores))


def _ranks(scores: npt.NDArray[np.floating]) -> Array:
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks


def interval(ours: npt.ArrayLike, theirs: npt.ArrayLike, seed: int = 1) -> tuple[float, float]:
    """The 95 % interval of the mean difference, by a paired bootstrap over items (Efron and Tibshirani 1993)."""
    apart = np.asarray(ours, float) - np.asarray(theirs, float)
    drawn = np.random.default_rng(seed).integers(0, len(apart), (DRAWS, len(apart)))
    low, high = np.quantile(apart[drawn].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def f1_interval(ours: Sequence[Counts], theirs: Sequence[Counts], seed: int = 1) -> tuple[float, float]:
    """The 95 % interval of the difference of two F1, by a paired bootstrap over items.

    A count is (found, wanted, right) of one item; F1 is taken over all items that were drawn.
    """
    both = np.stack([np.asarray(ours, float), np.asarray(theirs, float)])
    drawn = np.random.default_rng(seed).integers(0, both.shape[1], (DRAWS, both.shape[1]))
    first, second = (_f1(np.stack([one[rows].sum(axis=0) for rows in drawn])) for one in both)
    low, high = np.quantile(first - second, [0.025, 0.975])
    return float(low), float(high)


def _f1(counts: Array) -> Array:
    share: Array = 2 * counts[:, 2] / np.maximum(counts[:, 0] + counts[:, 1], 1)
    return share


def auroc(inside: Sequence[float], outside: Sequence[float]) -> float:
    """How often a score of ``inside`` is above one of ``outside``; equals count half."""
    scores = np.concatenate([inside, outside])
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores[np.append(False, np.diff(np.sort(scores)) == 0)]):
        same = scores == value
        ranks[same] = ranks[same].mean()
    own = ranks[: len(inside)].sum() - len(inside) * (len(inside) + 1) / 2
    return float(own / (len(inside) * len(outside)))


def prefixed(row: str, found: Mapping[str, float]) -> dict[str, float]:
    """``found`` with the row's name before each figure."""
    return {f"{row}_{name}": value for name, value in found.items()}
