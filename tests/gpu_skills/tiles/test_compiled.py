"""Kernels of the family as machine code of GPUs that are not there: no spills, wide loads, tensor cores.

A sample: each family on one target, products on all. `make gpu-static` compiles every one for every target and dtype.
"""

from __future__ import annotations

import pytest

from gpu_skills.graph import DType
from gpu_skills.tiles import TARGETS, TritonWorker, generate, refusals, space_of
from tests.gpu_skills import programs as of
from tests.gpu_skills.tiles.typed import FLOATS, TARGET, held_against, typed
from tests.proofs.gpu_static import FAMILIES, faults

pytestmark = pytest.mark.triton
SAMPLE = [(name, FLOATS[at % 3], (80, 90, 100)[(at + at // 3) % 3]) for at, name in enumerate(FAMILIES)]
SAMPLE += [("matmul_bias_relu", DType.BF16, capability) for capability in TARGETS]


@pytest.mark.timeout(180)
@pytest.mark.parametrize(("name", "dtype", "capability"), SAMPLE)
def test_the_default_kernel_neither_spills_nor_lacks_anything(
    compiler: TritonWorker, name: str, dtype: DType, capability: int
) -> None:
    target, program = TARGETS[capability], typed(FAMILIES[name], dtype).program
    found = compiler.compile(generate(program, space_of(program, target).default, target), program, target)
    assert not faults(name, dtype, target, found)


@pytest.mark.timeout(180)
def test_a_tile_that_is_too_large_spills_and_is_refused(compiler: TritonWorker) -> None:
    program = of.softmax(64, 32768).program
    genome = {**space_of(program, TARGET).default, "way": "whole", "warps": 4}
    found = compiler.compile(generate(program, genome, TARGET), program, TARGET)
    assert any("spills" in said for one in found for said in refusals(one, TARGET))


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", FLOATS)
def test_a_gpu_computes_what_the_interpreter_does(gpu: TritonWorker, dtype: DType) -> None:
    for problem in (of.softmax(33, 700), of.rotary(3, 5, 14), of.matmul_bias_relu(65, 40, 130)):
        held_against(gpu, typed(problem, dtype), device="cuda")
