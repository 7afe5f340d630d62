"""Editors and a sync client at work during whole runs and undos of a real kernel: no update of theirs is lost."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kernel.errors import KernelError
from kernel.model import Task
from permissions.confine.machine import machine_level
from permissions.errors import PermissionsError
from permissions.model import Level
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, said, step
from tests.permissions.transactions.neighbours import lost, neighbours


def described(folder: Path, chosen: list[Path]) -> Task:
    """A tool that reads some files, and describes them with a line more."""
    return step(1, "extend", folder=said({"path": str(folder)}), paths=said(json.dumps([str(one) for one in chosen])))


def worked(folder: Path, chosen: list[Path]) -> Task:
    """A program that adds a line to some files, in a layer over the folder."""
    line = "; ".join(f"echo ours >> {one.name}" for one in chosen)
    return step(1, "shell.run", command=said(line), folder=said({"path": str(folder)}))


@pytest.mark.timeout(240)
@pytest.mark.parametrize("way", [described, worked])
@pytest.mark.parametrize(("seed", "runs", "met"), [(1, 30, 0), (2, 120, 1)])
async def test_no_update_of_a_neighbour_is_lost_to_a_run(
    hostile: Bench, tmp_path: Path, way: Any, seed: int, runs: int, met: int
) -> None:
    """At least ``runs`` runs; and as many more as it takes until a neighbour has come between ``met`` times."""
    if way is worked and machine_level() is not Level.L3:
        pytest.skip("programs work in trees at L3 alone: ./steward doctor says what is missing")
    dice, ends = random.Random(seed), Counter[str]()
    folder = hostile.home / "work"
    folder.mkdir()
    for action in ("read", "create", "write", "delete"):
        await hostile.kernel.grant("hostile", f"fs.{action}:~/work/**")
    with neighbours(folder, tmp_path, seed, pace=10) as made:
        paths = [path for one in made for path in one.files]
        while ends["run"] < runs or ends["conflict.changed"] < met:
            ends["run"] += 1
            view = await attack(hostile, way(folder, dice.sample(paths, dice.randint(1, 2))))
            while view["resolution"] == "pending":
                view = await hostile.answer(view["run"], "once")
            ends[view["error"]["code"] if view["error"] else view["resolution"]] += 1
            if not view["error"] and dice.random() < 0.5:
                try:
                    await hostile.kernel.undo(view["run"])
                    ends["undone"] += 1
                except (KernelError, PermissionsError) as problem:
                    ends[problem.code] += 1
    found = "".join(path.read_text() for path in folder.glob("*(other version*"))
    assert lost(made, found) == [], ends
    assert ends["executed"] + ends["confirmed"] > 0, ends
    harmless = {"run", "executed", "confirmed", "undone", "rolled_back", "conflict.changed", "conflict.open",
                "conflict.both", "undo.changed", "refused.replaced", "tool.missing"}  # fmt: skip
    assert ends.keys() <= harmless, ends
