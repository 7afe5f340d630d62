"""A process is killed before every statement of the graph, its text index, the ledger and its key file.

What was acknowledged is there, nothing is there twice, the projection is what a new one from the ledger would be, and
what was forgotten is in no file.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory import Ledger
from memory.graph import Graph
from tests.memory.conftest import Child

CHILD = Path(__file__).with_name("graph_child.py")
FORGOTTEN = (b"Quillfeather", b"quillfeather", b"marzipan")
FORGETS = 8
"""The step of the script that forgets."""


Run = Callable[[Path, int], tuple[list[str], int]]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Changes the graph of a folder in a process of its own; what it said, and how it ended."""
    child = Child(CHILD)

    def ran(folder: Path, limit: int) -> tuple[list[str], int]:
        child.start(folder=str(folder), limit=limit)
        lines, code = child.rest()
        assert code in (0, 9), lines
        return lines, code

    yield ran
    child.close()


def holding(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def content(folder: Path, *, anew: bool = False) -> list[str]:
    if anew:
        shutil.rmtree(folder / "graph")
    with Ledger.open(folder / "ledger") as ledger, Graph.open(folder / "graph", ledger) as graph:
        graph.search("anything")
        return graph.dump()


def look(folder: Path, acknowledged: int) -> None:
    """Everything that must be true after a crash and the next opening."""
    rows = content(folder)
    assert content(folder, anew=True) == rows
    facts = [row for row in rows if row.startswith("fact ")]
    assert len(facts) == len(set(facts))
    if acknowledged >= FORGETS:
        assert not any(word in holding(folder) for word in FORGOTTEN)
        assert sum("ben@example.org" in row for row in facts) == 1
    elif acknowledged > FORGETS - 2:
        assert sum("ben@example.org" in row for row in facts) == 1
    names = sum("Quillfeather" in row for row in rows)
    assert names == 0 or acknowledged < FORGETS
    if names == 0 and acknowledged >= 0:  # a forget that had begun is finished by the next opening, to the last byte
        assert not any(word in holding(folder) for word in FORGOTTEN)


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    quick = Path("/dev/shm") / f"graph-crash-{os.getpid()}"
    folder = quick if quick.parent.is_dir() else tmp_path / "crash"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_before_every_statement(scratch: Path, run: Run) -> None:
    lines, code = run(scratch / "whole", 0)
    assert code == 0
    statements = int(lines[-1].split()[1])
    assert statements > 300  # the fault is where the work is
    killed = 0
    for limit in range(1, statements, 3):
        folder = scratch / str(limit)
        lines, code = run(folder, limit)
        killed += code == 9
        last = max((int(line.split()[1]) for line in lines if line.startswith("acknowledged")), default=-1)
        look(folder, last)
        shutil.rmtree(folder)
    assert killed > statements / 4


def test_killed_in_the_middle_of_forgetting(scratch: Path, run: Run) -> None:
    """The same at a few places, for every run of the tests."""
    lines, code = run(scratch / "whole", 0)
    assert code == 0
    statements = int(lines[-1].split()[1])
    for share in (0.5, 0.6, 0.65, 0.7, 0.8):
        folder = scratch / str(share)
        lines, code = run(folder, int(statements * share))
        assert code == 9
        look(folder, max(int(line.split()[1]) for line in lines))


def test_every_older_state_catches_up_to_the_same(new_world: Any) -> None:
    world = new_world()
    states: list[Path] = []

    def keep() -> None:
        world.graph.close()
        states.append(world.folder / f"state-{len(states)}")
        shutil.copytree(world.folder / "graph", states[-1])
        world.reopen()

    anna, ben, xenon = world.made("Anna"), world.made("Ben"), world.made("Xenon", "org")
    keep()
    world.told(anna, "works_at", xenon, valid_from=5)
    keep()
    fact = world.told(ben, "partner", anna)
    world.graph.merge(anna, xenon)
    keep()
    world.graph.retract(fact.id)
    world.graph.split(anna, xenon)
    keep()
    world.graph.forget(anna)
    keep()
    expected = world.graph.dump()
    assert len({path.joinpath("graph.db").read_bytes() for path in states}) == len(states)
    for state in states:
        world.graph.close()
        shutil.rmtree(world.folder / "graph")
        shutil.copytree(state, world.folder / "graph")
        world.reopen()
        assert world.graph.dump() == expected
