"""Races and the clock: intervals, a kernel against itself and a slower one, a side that falls, the machine's peaks."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_skills.judge import Native, Torch, ceilings, race
from gpu_skills.judge.racing import interval
from tests.gpu_skills import programs as of
from tests.proofs.redteam.kernels import BY_NAME, HEAD, built

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++: apt install g++")
SUM = BY_NAME["sum"]
PROBLEM = replace(of.reduce_sum(64, 1024), held_out=())
SLOW = SUM.source.replace(
    "const int64_t R", "for (volatile int64_t w = 0; w < 200000; w = w + 1) {}\n  const int64_t R"
)


@given(st.lists(st.floats(0.1, 10), min_size=6, max_size=60))
def test_the_interval_holds_the_median(samples: list[float]) -> None:
    median, low, high = interval(samples)
    assert low <= median <= high


@pytest.mark.parametrize("count", [6, 9, 20, 30])
def test_the_interval_misses_the_true_median_at_most_once_in_twenty(count: int) -> None:
    """The oracle is the binomial distribution: the true median lies outside when too few samples are on one side."""
    low = interval(list(range(count)))[1]
    outside = 2 * sum(math.comb(count, one) for one in range(int(low) + 1)) / 2**count
    assert outside <= 0.05
    chance = np.random.default_rng(7)
    missed = sum(
        not (found[1] <= 0 <= found[2]) for found in (interval(list(chance.normal(size=count))) for _ in range(400))
    )
    assert missed <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05)


@pytest.mark.slow
@needs_compiler
def test_a_slower_side_is_slower_and_a_kernel_is_not_faster_than_itself(tmp_path: Path) -> None:
    one, slow = built("one", SUM.source, tmp_path), built("slow", SLOW, tmp_path)
    found = race([Native("one", one), Native("same", one), Native("slow", slow)], PROBLEM, pairs=8, seed=2)
    assert found.fell == ""
    same, slower = found.ratios
    assert slower.kept
    assert slower.low > 1.5
    assert same.low < 1.5
    assert {len(each) for each in found.cpu_ns.values()} == {8}
    assert "pages" in found.policy


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(("body", "said"), [("  abort();\n", "ended with"), ("", "were not written")])
def test_a_side_that_falls_ends_the_race_and_is_named(tmp_path: Path, body: str, said: str) -> None:
    good, bad = built("good", SUM.source, tmp_path), built("bad", f"{HEAD}{body}  return 0;\n}}\n", tmp_path)
    found = race([Native("good", good), Native("bad", bad)], PROBLEM, pairs=6, seed=2)
    assert said in found.fell
    assert found.ratios == ()


def test_a_race_of_one_is_none() -> None:
    with pytest.raises(ValueError, match="two sides"):
        race([Torch("eager", Path("none.py"), "f")], PROBLEM, seed=1)


@needs_compiler
def test_ceilings_are_of_this_machine() -> None:
    found = ceilings(rounds=2)
    assert 0.5 < found.copy_gb_s < 2000
    assert 0.5 < found.read_gb_s < 2000
    assert found.copy_past_cache_gb_s > 0.5
    assert found.multiply_add_gflop_s > 1


@pytest.mark.slow
@needs_compiler
@pytest.mark.torch
def test_a_torch_function_is_raced_and_its_results_are_checked(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the kernels extra")
    place = tmp_path / "user.py"
    place.write_text("def total(x):\n    return x.sum(-1)\n\n\ndef wrong(x):\n    return x.mean(-1)\n")
    one = Native("one", built("one", SUM.source, tmp_path))
    found = race([one, Torch("eager", place, "total")], PROBLEM, pairs=6, seed=3)
    assert found.fell == ""
    assert found.ratios[0].median > 0
    assert "wrong" in race([one, Torch("eager", place, "wrong")], PROBLEM, pairs=6, seed=3).fell
    assert race([one, Torch("eager", tmp_path / "none.py", "total")], PROBLEM, pairs=6, seed=3).fell
