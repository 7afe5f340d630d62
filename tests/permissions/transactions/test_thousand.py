"""A thousand random sets of changes, others each time: committed, killed in the middle, settled, and taken back.

``STEWARD_SEED`` repeats a run; a failure names its seed and the number of the set.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.permissions.transactions.test_properties import NAMES, Op, Oracle, Tree, plant, read

SETS = 1_000
KINDS = ("write", "mkdir", "move", "copy", "delete", "move", "write")
LATEST = 120
"""A set dies at one of so many first checkpoints, or goes through."""


def a_tree(dice: random.Random, depth: int = 0) -> Tree:
    tree: Tree = {}
    for name in dice.sample(NAMES, dice.randint(0, 3)):
        inner = depth < 3 and dice.random() < 0.4
        tree[name] = a_tree(dice, depth + 1) if inner else dice.randbytes(dice.choice((0, 3, 12, 200)))
    return tree


def some_ops(dice: random.Random) -> list[Op]:
    def one() -> Op:
        data = dice.randbytes(dice.choice((0, 5, 12, 200)))
        return dice.choice(KINDS), dice.randrange(100), dice.randrange(100), dice.randrange(len(NAMES)), data

    return [one() for _ in range(dice.randint(1, 8))]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_thousand_sets_are_committed_killed_and_taken_back(tmp_path: Path, make_lab: Any, tools: Any) -> None:
    seed = int(os.environ.get("STEWARD_SEED") or random.SystemRandom().randrange(1 << 32))
    dice = random.Random(seed)
    ends = {"before": 0, "after": 0, "nothing": 0}
    for number in range(SETS):
        top = tmp_path / "set"
        top.mkdir()
        ends[one_set(make_lab(top), tools, dice, f"STEWARD_SEED={seed}, set {number}")] += 1
        shutil.rmtree(top)
    assert min(ends["before"], ends["after"]) > SETS // 20, (seed, ends)
    assert ends["nothing"] < SETS // 4, (seed, ends)


def one_set(lab: Any, tools: Any, dice: random.Random, said: str) -> str:
    """Commit, die at a random step, settle, and take back; what did not come about is committed anew before."""
    dies_at, in_child = tools
    tree, ops, step = a_tree(dice), some_ops(dice), dice.randint(1, LATEST)
    plant(lab.home, tree)
    before = lab.snapshot()
    oracle, effects = described(lab, tree, ops)

    def commit() -> None:
        staging = lab.stage("r", *effects, tx=lab.open(dies_at(step)))
        staging.commit(staging.seal().seal)

    assert in_child(commit) in (0, signal.SIGKILL), said
    lab.tx = lab.open()
    lab.tx.recover()
    run, end = "r", "after"
    if not lab.tx.effects(run):
        assert lab.snapshot() == before, said
        run, end = "again", "before"
        oracle, effects = described(lab, tree, ops)
        if not lab.commit(run, *effects):
            return "nothing"
    assert read(lab.home) == oracle.model, said
    lab.tx.undo(run)
    assert lab.snapshot() == before, said
    assert not [path for path in lab.leftovers() if "/runs/" not in path], said
    return end


def described(lab: Any, tree: Tree, ops: list[Op]) -> tuple[Oracle, list[dict[str, Any]]]:
    oracle = Oracle(lab, tree)
    return oracle, [effect for op in ops if (effect := oracle.effect(op)) is not None]
