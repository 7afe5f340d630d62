"""What a guest hands back is read as it is: a step without a report, or without a test, has failed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs.vm.cgroup2 import figures, page, read_report
from tests.proofs.vm.guest import STEPS

STEP = STEPS[0]
TESTS = """
import pytest

def test_good():
    pass

def test_bad():
    assert 1 == 2

@pytest.fixture
def broken():
    raise OSError

def test_without_ground(broken):
    pass

@pytest.mark.parametrize("n", [1, 2])
def test_elsewhere(n):
    pytest.skip("needs a moon")
"""


def reported(folder: Path, text: str) -> Path:
    (folder / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={folder}/{STEP.name}.xml"]
    subprocess.run([*command, "test_it.py"], cwd=folder, capture_output=True, check=False)
    return folder


def test_every_kind_of_outcome_is_counted(tmp_path: Path) -> None:
    report = read_report(STEP, reported(tmp_path, TESTS))
    assert (report.passed, report.failed) == (1, ("test_it::test_bad", "test_it::test_without_ground"))
    assert report.skipped == ("needs a moon", "needs a moon")
    assert "- needs a moon (2)" in page([report], "about", 1.0)
    seen = figures([report], [STEP], 1.0)
    assert (seen["tests"], seen["failed"], seen["skipped"]) == (3, 2, 2)


@pytest.mark.parametrize("text", ["", "import nothing_of_that_name", "def test_x():\n    import pytest; pytest.skip()"])
def test_where_nothing_passed_the_step_has_failed(tmp_path: Path, text: str) -> None:
    assert read_report(STEP, reported(tmp_path, text)).failed


@pytest.mark.parametrize("text", [None, "", "<testsuites><testsuite"])
def test_a_report_that_is_missing_or_cut_is_a_failure(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / f"{STEP.name}.xml").write_text(text)
    assert read_report(STEP, tmp_path).failed == (f"{STEP.name}: it left no report",)
