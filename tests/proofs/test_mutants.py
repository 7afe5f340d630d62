"""The sweep of ``make mutants`` itself: it finds the guards, sees a test fail, and tells what survives."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.benchmarks.machine import ROOT
from tests.proofs import mutants


def test_the_sample_is_the_same_each_time_and_names_guards() -> None:
    chosen = mutants.sample(60)
    assert chosen == mutants.sample(60)
    assert len({(guard.path, guard.first) for guard in chosen}) == 60
    assert all(guard.path.startswith("permissions/") for guard in chosen)
    assert all(mutants.tests_of(guard.path) for guard in chosen)


def test_a_guard_is_an_end_behind_an_if_or_a_call_that_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.py"
    path.write_text("def f(x):\n    if x:\n        y = 1\n        raise ValueError(\n            y)\n    _check(x)\n"
                    "    if y:\n        x = 2\n    checkpoint(x)\n    return x\n")  # fmt: skip
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    assert [(guard.first, guard.last) for guard in mutants.guards(path)] == [(4, 5), (6, 6)]


@pytest.mark.slow
def test_a_guard_that_goes_is_noticed_and_a_line_that_guards_nothing_is_not(tmp_path: Path) -> None:
    copy = mutants.copied(tmp_path, 0)
    path = "permissions/policy/controllers.py"
    for line in (copy / "tests" / "permissions" / "policy").glob("test_*.py"):
        if line.name != "test_controllers.py":
            line.write_text("")  # its own tests are enough here
    guard = next(one for one in mutants.guards(ROOT / path) if one.text.startswith("raise"))
    assert mutants.try_mutant(guard, copy, time.monotonic() + 60).killed
    lines = (ROOT / path).read_text().splitlines()
    comment = next(at for at, text in enumerate(lines, 1) if text.startswith('    """') and text.endswith('"""'))
    assert (
        mutants.try_mutant(mutants.Guard(path, comment, comment, "a docstring"), copy, time.monotonic() + 60).killed
        is None
    )
    assert (copy / path).read_text() == (ROOT / path).read_text()
