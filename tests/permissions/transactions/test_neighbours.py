"""Editors and a sync client at work while runs are committed and undone: no update of theirs is ever lost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict
from permissions.transactions import commit, displaced, steps
from tests.permissions.transactions.conftest import Lab, version
from tests.permissions.transactions.neighbours import lost, neighbours

OURS = "ours\n"


def found_elsewhere(lab: Any) -> str:
    """What lies in the trash, and beside the files."""
    places = [*(lab.home / ".local/share/Trash/files").rglob("*"), *(lab.home / "moved").glob("*"),
              *(lab.home / "work").glob("*(other version*")]  # fmt: skip
    return "".join(path.read_text() for path in places if path.is_file())


def worked_on(lab: Any, dice: random.Random, paths: list[Path], moving: bool) -> list[dict[str, Any]]:
    """Describe what a tool does that adds a line to some files, and moves or deletes one."""
    effects = []
    for path in dice.sample(paths, dice.randint(1, 3)):
        with suppress(FileNotFoundError):
            base = version(path)
            kind = dice.choice(("delete", "move")) if moving and dice.random() < 0.1 else "write"
            if kind == "write":
                effects.append(lab.write(path, path.read_text() + OURS, base))
            elif kind == "move":
                effects.append(lab.move(path, lab.home / "moved" / f"{dice.randrange(10**9)}", base))
            else:
                effects.append(lab.delete(path, base))
    return effects


def at_work(
    lab: Any, seed: int, rounds: int, *, moving: bool = False, most: int = 20
) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Commit and undo many runs among neighbours; return what became of them, and whose updates were lost.

    Whether programs meet is chance: there are ``most`` times as many rounds where none was refused.
    """
    dice, ends = random.Random(seed), {"committed": 0, "refused": 0, "undone": 0, "kept": 0}
    (lab.home / "work").mkdir()
    with neighbours(lab.home / "work", lab.top, seed) as made:
        paths = [path for one in made for path in one.files]
        for number in range(most * rounds):
            if number >= rounds and ends["refused"]:
                break
            run = f"r{number}"
            effects = worked_on(lab, dice, paths, moving)
            time.sleep(dice.random() * 0.004)
            if not effects:
                continue
            staging = lab.tx.begin(run)
            try:
                lab.describe(staging, *effects)
                staging.commit(staging.seal().seal)
            except Conflict:
                ends["refused"] += 1
                staging.drop()
                continue
            ends["committed"] += 1
            if moving or dice.random() < 0.5:
                try:
                    lab.tx.undo(run)
                    ends["undone"] += 1
                except Conflict:
                    ends["kept"] += 1
    return ends, lost(made, found_elsewhere(lab))


@pytest.mark.parametrize(
    ("seed", "rounds"),
    [(1, 20), pytest.param(1, 100, marks=pytest.mark.slow), pytest.param(2, 400, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("moving", [False, True])
def test_no_update_of_a_neighbour_is_lost(lab: Any, seed: int, rounds: int, moving: bool) -> None:
    ends, gone = at_work(lab, seed, rounds, moving=moving)
    assert gone == [], ends
    assert ends["committed"] > 0, ends
    assert ends["refused"] > 0, ends
    assert lab.leftovers() == []


class _Whatever:
    def lies_at(self, _spot: str) -> bool:
        return True


@contextmanager
def _unseen(*_: Any) -> Iterator[_Whatever]:
    yield _Whatever()


@pytest.fixture
def careless(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Take every comparison with what was seen away: what a program does that reads, thinks and writes."""

    def make() -> None:
        monkeypatch.setattr(commit, "changed_since", lambda *_: [])
        monkeypatch.setattr(displaced, "held_still", _unseen)
        monkeypatch.setattr(steps.Engine, "_is", lambda *_: True)
        monkeypatch.setattr(commit.Commit, "_save", _save_unseen)

    kept = commit.Commit._save

    def _save_unseen(self: Any, entry: Any, record: Any) -> Any:
        return kept(self, replace(entry, base_digest=None), record)

    return make


@pytest.mark.slow
def test_control_without_comparing_updates_are_lost(tmp_path: Path, careless: Callable[[], None]) -> None:
    careless()
    for seed in range(3, 23):
        (tmp_path / str(seed)).mkdir()
        if at_work(Lab(tmp_path / str(seed)), seed, 80, most=1)[1]:
            return
    pytest.fail("twenty times 80 careless runs, and no update was lost")
