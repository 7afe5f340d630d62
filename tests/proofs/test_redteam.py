"""A sample of the suite that attacks the judge of kernels."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.proofs.redteam.__main__ import ROWS, SEED, cheat, refused
from tests.proofs.redteam.cheats import CHEATS, MEASURED
from tests.proofs.redteam.kernels import RIGHT
from tests.proofs.redteam.mutants import MUTANTS

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++: apt install g++")


def test_every_row_has_a_cheat_and_there_are_enough_mutants() -> None:
    assert sorted([*(one.row for one in CHEATS), *MEASURED]) == list(range(1, ROWS + 1))
    assert len({one.source for one in MUTANTS}) == len(MUTANTS) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("row", [2, 5, 10])
def test_a_cheat_deceives_the_naive_judge_and_not_the_judge(row: int, tmp_path: Path) -> None:
    found = cheat(next(one for one in CHEATS if one.row == row), tmp_path)
    assert found.accepted
    assert found.caught, found


@pytest.mark.slow
@pytest.mark.parametrize("index", range(0, len(MUTANTS), 27))
def test_a_wrong_kernel_is_refused_and_the_right_one_is_not(index: int, tmp_path: Path) -> None:
    mutant = MUTANTS[index]
    assert refused(mutant.right, mutant.source, tmp_path, SEED)
    assert not refused(mutant.right, mutant.right.source, tmp_path, SEED)


def test_right_kernels_have_names_of_their_own() -> None:
    assert len({one.name for one in RIGHT}) == len(RIGHT)
