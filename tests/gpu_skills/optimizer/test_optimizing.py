"""The whole way with what is known: a search is advised by what others found, and what it finds is learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpu_skills.building import Machine
from gpu_skills.knowledge import Knowledge, features_of
from gpu_skills.model import Genome
from gpu_skills.optimizer import Own, Wish, optimized
from gpu_skills.optimizer.learning import learnt
from gpu_skills.search import Found, Proposal, Refusal
from gpu_skills.search.model import Trial
from tests.gpu_skills import programs as of
from tests.gpu_skills.running import needs_compiler

MACHINE = Machine("a processor", 8, frozenset({"avx2", "fma"}), 1 << 20, 32 << 20, "g++ 12")
FEATURES = features_of(of.softmax(8, 64).program, "softmax", "c++", MACHINE)
SOURCE = """import torch


def gated(gate, up):
    return torch.sigmoid(gate) * gate * up
"""


def found_of(*trials: Trial) -> Found:
    return Found(None, None, None, trials, "", {}, 1.0)


def test_what_a_search_found_is_a_row_for_each_genome() -> None:
    fine = Trial(Proposal({"lanes": 8}, made_by="tpe", parents=("a",)), (30.0, 10.0, 20.0), accepted=True)
    wrong = Trial(Proposal({"lanes": 4}), (5.0,), Refusal("errors", "off"))
    unbuilt = Trial(Proposal({"lanes": 16}), (), Refusal("build", "no"))
    foreseen, free = Trial(Proposal({"lanes": 2}), (), Refusal("foreseen")), Trial(Proposal(source="int x;"), (1.0,))
    rows = list(learnt(found_of(fine, wrong, unbuilt, foreseen, free), FEATURES, MACHINE))
    assert [(one.genome["lanes"], one.best_ns, one.median_ns, one.samples, one.verdict) for one in rows] == [
        (8, 10.0, 20.0, 3, ""), (4, 5.0, 5.0, 1, "errors"), (16, None, None, 0, "build")]  # fmt: skip
    assert rows[0].parents == ("a",)
    assert all(one.compiler == "g++ 12" and one.features == FEATURES for one in rows)


@pytest.mark.torch
@pytest.mark.slow
@pytest.mark.timeout(400)
@needs_compiler
def test_a_search_learns_and_so_does_the_next_one(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="reading a problem needs PyTorch: ./steward setup kernels")
    file = tmp_path / "gated.py"
    file.write_text(SOURCE)
    with Knowledge(tmp_path / "known.db") as known:
        first = run(file, "64x1024,64x1024", tmp_path / "first", known)
        rows = known.rows()
        tried = [one.proposal.genome for one in first.trials if one.samples or one.refusal]
        assert sorted(map(repr, map(_ordered, tried))) == sorted(repr(_ordered(one.genome)) for one in rows)
        second = run(file, "96x2048,96x2048", tmp_path / "second", known)
        assert len(known.rows()) > len(rows)
        # The fastest of all may be the default, with which a search begins anyway: another one wins by what is learned.
        default = first.trials[0].proposal.genome
        won = min((one for one in rows if not one.verdict), key=lambda one: one.best_ns or 0.0)
        other = next(one for one in rows if not one.verdict and one.genome != default)
        known.learn([replace(other, best_ns=1.0)])
        third = run(file, "96x1024,96x1024", tmp_path / "third", known)
    tried_by = [[(one.proposal.made_by, one.proposal.genome) for one in each.trials] for each in (first, second, third)]
    assert "knowledge" not in dict(tried_by[0])
    assert won.genome == default or tried_by[1][1] == ("knowledge", won.genome)
    assert tried_by[2][1] == ("knowledge", other.genome)


def _ordered(genome: Genome) -> list[tuple[str, object]]:
    return sorted(genome.items())


def run(file: Path, shapes: str, folder: Path, known: Knowledge) -> Found:
    """Optimize once, briefly; return what the search found."""
    yard = Own(folder)
    try:
        work = optimized(Wish(file, "", shapes, seconds=120.0, builds=5, compiled=False), yard, "now", knowledge=known)
    finally:
        yard.close()
    found = work.results[0].found
    assert found is not None
    return found
