"""Kernels that our own generator makes go through the judge as they are, alone and with threads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpu_skills.building import this_machine
from gpu_skills.cpp import space_of
from gpu_skills.judge import judge
from gpu_skills.model import Problem
from tests.gpu_skills import programs as of
from tests.gpu_skills.running import built_of, needs_compiler

pytestmark = [pytest.mark.slow, needs_compiler]
PROBLEMS = (
    replace(of.softmax(33, 130), held_out=(of.softmax(5, 67).program,)),
    replace(of.rmsnorm(33, 130), held_out=(of.rmsnorm(5, 67, 1e-5).program,)),
    replace(of.matmul_bias_relu(33, 48, 70), held_out=(of.matmul_bias_relu(7, 13, 65).program,)),
)


@pytest.mark.parametrize("threads", [False, True], ids=["alone", "threads"])
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda one: one.name)
def test_the_default_kernel_of_a_program_passes_every_gate(problem: Problem, threads: bool, tmp_path: Path) -> None:
    machine = this_machine()
    genome = {**space_of(problem.program, machine).default, "threads": threads}
    made = built_of(problem.program, genome, machine, tmp_path)
    found = judge(made, problem, seed=3, budget_s=0.2, threads=2 if threads else 1)
    assert found.passed, found.failed
    assert found.timing
