"""Measures rows for what is known of kernels: python -m tests.proofs.knowledge_rows OUT [GENOMES]

Eight programs at three sizes, Sobol genomes of the C++ family each, one thread, processor time, rounds interleaved. The
lines are those that knowledge exports (`gpu_skills/knowledge`); tests of transfer read them.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from gpu_skills.building import load, this_machine
from gpu_skills.cpp import space_of
from gpu_skills.graph import Program
from gpu_skills.knowledge import Knowledge, Row, features_of
from gpu_skills.model import Built, Genome, Problem
from gpu_skills.search.grid import Grid
from gpu_skills.search.sobol import sobol
from tests.gpu_skills import programs as of
from tests.gpu_skills.running import Tensors, built_of, values_of

OPS: dict[str, Callable[[int, int], Problem]] = {
    "rmsnorm": of.rmsnorm, "softmax": of.softmax, "layernorm": of.layernorm, "silu_mul": of.silu_mul,
    "bias_gelu": of.bias_gelu, "add_rmsnorm": of.add_rmsnorm, "reduce_sum": of.reduce_sum,
    "cross_entropy": of.cross_entropy,
}  # fmt: skip
SIZES = ((128, 1024), (512, 4096), (4096, 256))
ROUNDS = 9


def main(out: Path, count: int) -> None:
    """Build and measure."""
    machine = this_machine()
    with tempfile.TemporaryDirectory() as folder, Knowledge(Path(folder) / "rows.db") as kept:
        for name, make in OPS.items():
            first = make(*SIZES[0])
            genomes = _genomes(first.program, count)
            built = [built_of(first.program, one, machine, Path(folder)) for one in genomes]
            for rows, cols in SIZES:
                problem = make(rows, cols)
                samples = _measured(problem, built)
                described = features_of(problem.program, f"{name} {rows}x{cols}", "c++", machine)
                kept.learn(
                    Row(described, genome, min(ns), median(ns), len(ns), made_by="sobol", compiler=machine.compiler)
                    for genome, ns in zip(genomes, samples, strict=True)
                )
                print(name, rows, cols, f"{min(map(min, samples)):.0f} to {max(map(min, samples)):.0f} ns", flush=True)
            kept.export(out)


def _genomes(program: Program, count: int) -> list[Genome]:
    grid = Grid(space_of(program, this_machine()))
    rows = grid.at(sobol(4 * count, len(grid.sizes), np.random.default_rng(7)))
    genomes = [grid.space.default, *({**grid.genome(one), "threads": False} for one in rows)]
    return list({tuple(one.items()): one for one in genomes}.values())[:count]


def _measured(problem: Problem, built: list[Built]) -> list[list[float]]:
    tensors = Tensors(problem.program, values_of(problem))
    calls = [load(one) for one in built]
    samples: list[list[float]] = [[] for _ in built]
    for _ in range(ROUNDS):
        for call, found in zip(calls, samples, strict=True):
            began = time.thread_time_ns()
            for _ in range(2):
                assert call(problem.program, tensors.arrays, 1) == 0
            found.append((time.thread_time_ns() - began) / 2)
    return samples


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 64)
