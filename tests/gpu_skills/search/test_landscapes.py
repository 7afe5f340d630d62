"""The search against random search, in small (in full: tests/proofs/searches.py)."""

from __future__ import annotations

import pytest

from tests.gpu_skills.search.landscapes import SHAPES, Landscape
from tests.proofs.searches import at_random, ratio, searched


@pytest.mark.parametrize("shape", SHAPES)
def test_landscapes_are_what_they_are_called(shape: str) -> None:
    one, other = Landscape(shape, 1), Landscape(shape, 2)
    assert one.times != other.times
    assert 0 < one.near < 0.2
    share = len(one.times) / 15552
    assert (0.6 < share < 0.8) if shape == "failing" else share == 1


@pytest.mark.parametrize("shape", ["separable", pytest.param("noisy", marks=pytest.mark.slow)])
def test_where_there_is_structure_far_fewer_samples_are_needed(shape: str) -> None:
    seeds = range(5)
    ours = [searched(Landscape(shape, one), one, most=150)[0] for one in seeds]
    random = [at_random(Landscape(shape, one), one) for one in seeds]
    assert ratio(random, ours)[0] > 1.5
