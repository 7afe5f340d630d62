"""The sweep of ``make mutants`` itself: it finds the guards, sees a test fail, and tells what survives."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.benchmarks.machine import ROOT
from tests.proofs import mutants

ROOM, PATH = "tests/permissions/policy", "permissions/policy/controllers.py"


def test_the_sample_is_the_same_each_time_and_names_guards() -> None:
    chosen = mutants.sample(60)
    assert chosen == mutants.sample(60)
    assert len({(guard.path, guard.first) for guard in chosen}) == 60
    assert all(guard.path.startswith("permissions/") for guard in chosen)
    assert all(mutants.tests_of(mutants.room_of(guard.path)) for guard in chosen)


def test_a_guard_is_an_end_behind_an_if_or_a_call_that_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.py"
    path.write_text("def f(x):\n    if x:\n        y = 1\n        raise ValueError(\n            y)\n    _check(x)\n"
                    "    if y:\n        x = 2\n    checkpoint(x)\n    return x\n")  # fmt: skip
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    assert [(guard.first, guard.last) for guard in mutants.guards(path)] == [(4, 5), (6, 6)]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which one file of tests is left of a room, and one test of it fails whatever stands there."""
    copy = mutants.copied(tmp_path_factory.mktemp("mutants"), 0)
    for file in (copy / ROOM).glob("test_*.py"):
        if file.name != "test_controllers.py":
            file.write_text("")  # its own tests are enough here
    own = copy / ROOM / "test_controllers.py"
    own.write_text(f"{own.read_text()}\n\ndef test_that_always_fails() -> None:\n    raise AssertionError\n")
    return copy


@pytest.fixture(scope="module")
def book(copy: Path) -> Path:
    return mutants.first_run(copy, ROOM, copy.parent)


def tried(line: str, copy: Path, book: Path) -> str | None:
    """Take out the line of ``controllers`` that begins so; return who noticed."""
    first = next(at for at, text in enumerate((ROOT / PATH).read_text().splitlines(), 1) if text.startswith(line))
    found = mutants.try_mutant(mutants.Guard(PATH, first, first, line), copy, book, time.monotonic() + 60).killed
    assert (copy / PATH).read_text() == (ROOT / PATH).read_text()
    return found


@pytest.mark.slow
def test_a_guard_that_goes_is_noticed_and_a_line_that_guards_nothing_is_not(copy: Path, book: Path) -> None:
    guard = next(one for one in mutants.guards(ROOT / PATH) if one.text.startswith("raise"))
    killed = mutants.try_mutant(guard, copy, book, time.monotonic() + 60).killed
    assert killed is not None
    assert "always_fails" not in killed
    assert tried('    """', copy, book) is None


@pytest.mark.slow
def test_who_fails_with_every_line_in_its_place_judges_nobody(copy: Path, book: Path, tmp_path: Path) -> None:
    assert [name for name, took in json.loads(book.read_text()).items() if took is None] == [
        f"{ROOM}/test_controllers.py::test_that_always_fails"
    ]
    trusting = tmp_path / "book.json"  # one who fails only now and then, and did not when the book was written
    trusting.write_text(json.dumps({name: 0.0 for name in json.loads(book.read_text())}))
    assert tried('    """', copy, trusting) is None
    assert json.loads(trusting.read_text())[f"{ROOM}/test_controllers.py::test_that_always_fails"] is None
