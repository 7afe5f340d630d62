"""Signs: counted as if one by one, whatever the width; the fewest are found; what they miss among many is little."""

from __future__ import annotations

import numpy as np
import pytest

from kernel.ranking import signs as module
from kernel.ranking import vectors
from kernel.ranking.signs import Signs, fewest
from kernel.ranking.vectors import EXACT_ROWS, Vectors


@pytest.mark.parametrize("width", [1, 5, 64, 100, 384])
def test_differing_signs_are_counted(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle: the signs compared one by one. Rows are packed some at a time; not all of them are asked for."""
    monkeypatch.setattr(module, "_AT_ONCE", 7)
    random = np.random.default_rng(width)
    rows = random.normal(size=(40, width)).astype(np.float32)
    places = np.array([0, 3, *range(10, 40)])
    asked = random.normal(size=width).astype(np.float32)
    expected = ((rows[places] > 0) != (asked > 0)).sum(axis=1)
    assert Signs(rows, places).apart(asked).tolist() == expected.tolist()


@pytest.mark.parametrize("most", [0, 1, 99, 100, 101, 5_000])
@pytest.mark.parametrize("kind", ["spread", "equal", "few below the rest"])
def test_the_fewest_are_found(kind: str, most: int) -> None:
    """Oracle: sorting."""
    spread = np.random.default_rng(3).integers(0, 385, 4_000).astype(np.uint16)
    counts = {"spread": spread, "equal": np.zeros_like(spread), "few below the rest": np.minimum(spread, 9)}[kind]
    found = fewest(counts, most)
    assert len(set(found.tolist())) == len(found) == min(most, len(counts))
    assert sorted(counts[found].tolist()) == sorted(counts.tolist())[:most]


def _clustered(count: int) -> np.ndarray:
    """Unit vectors in 60 loose clusters."""
    random = np.random.default_rng(7)
    rows = random.normal(size=(60, 384))[random.integers(0, 60, count)] + 0.9 * random.normal(size=(count, 384))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_the_first_pass_misses_hardly_anything() -> None:
    """Beyond EXACT_ROWS signs are compared first; oracle: the exact product."""
    rows = _clustered(EXACT_ROWS + 2_000)
    vectors = Vectors(rows, [1] * len(rows), [0] * len(rows))
    random = np.random.default_rng(8)
    hits = 0
    for at in range(20):
        asked = rows[at * 700] + 0.3 * random.normal(size=384).astype(np.float32) / 19.6
        asked /= np.linalg.norm(asked)
        best = np.argsort(-(rows @ asked))[:10]
        hits += len(set(best.tolist()) & set(vectors.nearest(asked, 64).tolist()))
    assert hits >= 0.95 * 200, hits


def test_many_rows_take_half_the_room_and_keep_their_cosines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of documents with a whole, a sentence and an example each; oracle: the same rows, kept whole."""
    rows = _clustered(300)
    whole = Vectors(rows, [3] * 100, [1] * 100)
    monkeypatch.setattr(vectors, "EXACT_ROWS", 10)
    monkeypatch.setattr(vectors, "_AT_ONCE", 64)
    monkeypatch.setattr(vectors, "_COMPARED", 16)
    halved = Vectors(rows, [3] * 100, [1] * 100)
    assert halved.size_bytes < 0.6 * whole.size_bytes
    for places in (np.arange(100), np.array([7, 50, 99]), np.zeros(0, np.intp)):
        for kept, expected in zip(halved.cosines(places, rows[0]), whole.cosines(places, rows[0]), strict=True):
            assert np.abs(kept - expected).max(initial=0.0) < 5e-5
    assert halved.nearest(rows[150], 5)[0] == 50
