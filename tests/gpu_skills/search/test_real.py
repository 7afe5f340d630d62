"""The search on real programs: the C++ family, g++, the judge, a race."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpu_skills.model import Problem
from gpu_skills.search import Budget, search
from tests.gpu_skills import programs as of
from tests.gpu_skills.running import needs_compiler
from tests.gpu_skills.search.workbench import Workbench

pytestmark = [pytest.mark.slow, needs_compiler]
PROBLEMS = (
    replace(of.softmax(64, 1024), held_out=(of.softmax(5, 67).program,)),
    replace(of.add_rmsnorm(64, 1024), held_out=(of.add_rmsnorm(5, 67, 1e-5).program,)),
)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda one: one.name)
def test_a_search_on_a_real_program_finds_what_the_judge_accepts(problem: Problem, tmp_path: Path) -> None:
    bench = Workbench(problem, tmp_path)
    found = search(bench.space, bench, tmp_path / "search", budget=Budget(seconds=60, builds=10), seed=1)
    assert found.best is not None
    assert found.beats is not None
    assert found.beats.ratio > 0.9  # the default is among what was tried, and ten builds are few
    again = search(bench.space, bench, tmp_path / "search", budget=Budget(seconds=60, builds=10), seed=1)
    assert again.best == found.best
