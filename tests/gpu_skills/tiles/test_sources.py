"""What can be chosen, what is written for it, and the gate, where there is no Triton."""

from __future__ import annotations

import ast
import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpu_skills.errors import BuildFailed, BuildTookTooLong, CannotGenerate, CompilerMissing
from gpu_skills.graph import DType, Library, Program
from gpu_skills.model import Problem
from gpu_skills.tiles import TARGETS, Compiled, TritonWorker, generate, refusals, space_of
from gpu_skills.tiles.gate import read
from gpu_skills.tiles.writing import ahead
from tests.gpu_skills import programs as of
from tests.gpu_skills.random_programs import random_program

TARGET = TARGETS[90]
PROBLEMS = (of.rmsnorm(64, 256), of.softmax(64, 40000), of.rotary(4, 16, 64), of.cross_entropy(8, 100),
            of.transpose(64, 33), of.matmul_bias_relu(64, 64, 64))  # fmt: skip


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda one: one.name)
def test_every_genome_of_a_space_is_written(problem: Problem) -> None:
    space = space_of(problem.program, TARGET)
    chance = random.Random(5)
    genomes = [space.default, *({one.name: chance.choice(one.choices) for one in space.knobs} for _ in range(40))]
    written = {generate(problem.program, one, TARGET) for one in genomes if space.has(one)}
    assert len(written) > 10
    for source in written:
        names = {one.name for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)}
        assert {"sweep_0", "launch_0", "steward_launches", "steward_kernel"} <= names


@pytest.mark.parametrize("seed", range(30))
def test_programs_drawn_at_random_are_written(seed: int) -> None:
    program = random_program(seed)
    ast.parse(generate(program, space_of(program, TARGET).default, TARGET))


def test_a_source_is_made_for_a_structure_and_not_for_sizes_or_parameters() -> None:
    first, other = of.rmsnorm(8, 256).program, of.rmsnorm(3, 70, 1e-3).program
    genome = space_of(first, TARGET).default
    assert generate(first, genome, TARGET) == generate(other, genome, TARGET)


def test_a_row_that_fits_no_tile_is_gone_through_in_blocks() -> None:
    way = {one.name: one for one in space_of(of.softmax(8, 40000).program, TARGET).knobs}["way"]
    assert way.choices == ("looped", "online")
    assert way.default == "online"
    assert {one.name: one for one in space_of(of.softmax(8, 4000).program, TARGET).knobs}["way"].default == "whole"


def test_tiles_that_need_more_shared_memory_than_there_is_are_no_choice() -> None:
    program = of.matmul_bias_relu(64, 64, 64).program
    large = {"tile_rows": 128, "tile_columns": 256, "tile_depth": 64, "tile_stages": 4}
    fits = {capability: space_of(program, target).has({**space_of(program, target).default, **large})
            for capability, target in TARGETS.items()}  # fmt: skip
    assert fits == {80: False, 90: True, 100: True}


def test_what_is_not_covered_is_named() -> None:
    program = of.softmax(4, 8).program
    step = Library("conv2d", ("x",), ("out",), "windows overlap")
    with pytest.raises(CannotGenerate, match="conv2d stays with its library: windows overlap"):
        space_of(Program(program.tensors, (step,)), TARGET)
    double = replace(program, tensors=tuple(replace(one, dtype=DType.F64) for one in program.tensors))
    with pytest.raises(CannotGenerate, match="x is float64"):
        generate(double, {}, TARGET)
    with pytest.raises(CannotGenerate, match="is none of this space"):
        generate(program, {"elements": 7}, TARGET)


USAGE = (
    "Resource usage:\n Common:\n  GLOBAL:0\n Function sweep_0:\n  REG:51 STACK:16 SHARED:0 LOCAL:0 CONSTANT[0]:564\n"
)
SASS = """
        /*0000*/                   LDC R1, c[0x0][0x28] ;      /* 0x00000a00ff017b82 */
        /*0010*/              @!P0 LDG.E.128 R4, desc[UR4][R2.64] ;
        /*0020*/                   LDG.E.U16 R8, desc[UR4][R2.64] ;
        /*0030*/             @!UP1 LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64] ;
        /*0040*/                   STL.64 [R1], R8 ;
        /*0050*/                   HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24 ;
        /*0060*/                   HMMA.16816.F32 R4, R4, R8, R4 ;
        /*0070*/               @P1 STG.E.128 desc[UR4][R2.64], R4 ;
"""


def test_instructions_are_counted_in_what_the_disassembler_writes() -> None:
    assert read(USAGE + SASS) == {
        "registers": 51, "stack_bytes": 16, "spills": 1, "loads": 3, "wide_loads": 2, "wide_stores": 1,
        "tensor_cores": 2, "warp_groups": 1,
    }  # fmt: skip
    with pytest.raises(ValueError, match="no registers"):
        read(SASS)


GOOD = Compiled("sweep_0", 51, 0, 0, 1024, 8, 4, 4, 1, 0, 0, 9000, 0.5)


@pytest.mark.parametrize(
    ("changed", "said"),
    [({}, ""), ({"spills": 3}, "spills 3"), ({"shared_bytes": 300_000}, "300000 bytes of shared memory"),
     ({"registers": 128, "warps": 32}, "128 registers in each of 1024 threads")],
)  # fmt: skip
def test_the_gate_names_what_is_not_worth_measuring(changed: dict[str, int], said: str) -> None:
    found = refusals(replace(GOOD, **changed), TARGET)
    assert [said in one for one in found] == ([True] if said else [])


def test_without_triton_it_is_said_what_to_install() -> None:
    with pytest.raises(CompilerMissing) as raised, TritonWorker(python="/usr/bin/false"):
        pass
    assert raised.value.hint == "./steward setup gpu"


def test_the_steps_that_cover_an_amount_are_counted_within_32_bits() -> None:
    largest = 2**31 - 1
    for amount, step in ((largest, 1024), (largest, 1), (1, 64), (64, 64), (65, 64)):
        with np.errstate(over="raise"):
            found = eval(ahead("n0", "R"), {"n0": np.int32(amount), "R": np.int32(step)})
        assert found == -(-amount // step)


SLOW_ONCE = """#!/bin/sh
echo '{"answer": {"processors": 0}}'
read about
while read question; do
  case "$question" in *'"capability": 80'*) sleep 60;; *'"capability": 100'*) exit 1;; esac
  echo '{"answer": []}'
done
"""


def test_after_an_answer_that_did_not_come_in_time_the_next_question_is_answered(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(SLOW_ONCE)
    python.chmod(0o755)
    program = of.softmax(4, 8).program
    with TritonWorker(python=str(python), timeout_s=2.0) as worker:
        for capability, wrong in ((80, BuildTookTooLong), (100, BuildFailed)):
            began = time.monotonic()
            with pytest.raises(wrong):
                worker.compile("", program, TARGETS[capability])
            assert time.monotonic() - began < 20, "what the process has started is not waited for"
            assert worker.compile("", program, TARGET) == ()
