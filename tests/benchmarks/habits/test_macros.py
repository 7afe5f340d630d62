"""The row on macros measures what it says: both ways are gone, and both do the same."""

from __future__ import annotations

import pytest

from tests.benchmarks.habits import macros


@pytest.mark.slow
def test_one_round_goes_both_ways_and_finds_the_same_effects() -> None:
    figures = macros.measure(rounds=1)
    assert figures.keys() >= macros.LIMITS.keys() | macros.LEAST.keys()
    assert figures["macro_pairs"] == len(macros.REQUESTS)
    assert figures["macro_other_effects"] == 0
