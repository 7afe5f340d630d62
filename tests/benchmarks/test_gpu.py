"""The check on a GPU, without one: it says so, its floors are the published ones, its table says what was measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpu_skills.graph import DType, Role, evaluate
from tests.benchmarks.gpu.check import Result, _untouched, run
from tests.benchmarks.gpu.page import floor_us, lines, told, whole
from tests.benchmarks.gpu.problems import typed
from tests.benchmarks.gpu.rows import rows
from tests.benchmarks.gpu.sides import Inputs, autokernel
from tests.benchmarks.gpu.timing import OutOfTime, within
from tests.benchmarks.machine import RESULTS, ROOT

TORCH = SimpleNamespace(nn=SimpleNamespace(functional=None))
PEAKS = {"copy_gb_s": 4300.0, "matmul_tflop_s": 788.0}
PUBLISHED_US = {
    "rmsnorm": 62.4, "softmax": 62.4, "layernorm": 31.2, "cross_entropy": 121.9, "reduce_sum": 31.2, "rotary": 31.5,
    "add_rmsnorm": 124.9, "swiglu": 125.8, "matmul": 174, "swiglu_mlp": 703, "attention": 44,
}  # fmt: skip


def test_floors_are_those_of_the_formulas() -> None:
    found = {one.name: floor_us(one, PEAKS) for one in rows(TORCH)}
    assert found == pytest.approx(PUBLISHED_US, rel=0.01)


def test_where_there_is_no_gpu_nothing_is_written_and_the_reason_is_told() -> None:
    if os.path.exists("/dev/nvidia0"):
        pytest.skip("there is an NVIDIA GPU")
    before = {one: one.stat().st_mtime_ns for one in RESULTS.iterdir()}
    command = [sys.executable, "-m", "tests.benchmarks.gpu"]
    ran = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("gpu-check: nothing was measured and nothing is written: ")
    assert {one: one.stat().st_mtime_ns for one in RESULTS.iterdir()} == before


def test_the_table_has_medians_and_ratios_of_pairs_and_names_what_was_not_raced() -> None:
    row = next(one for one in rows(TORCH) if one.name == "softmax")
    samples = {"ours": [70.0, 80.0, 75.0] * 3, "compile": [77.0, 88.0, 82.5] * 3}
    result = Result(row, {}, 4, samples, failed={"autokernel": "off by 1.0e+00 of the norm"})
    table = "\n".join(lines(PEAKS, [result]))
    assert "| softmax 8192x8192 | 62.4 | 75.0 | 83 | - | - | 82.5 | - | - | - | 1.10 [1.10, 1.10] | - |" in table
    assert "- softmax, autokernel: off by 1.0e+00 of the norm" in table


def test_a_run_is_short_unless_every_wanted_row_was_measured_and_is_right() -> None:
    row = next(one for one in rows(TORCH) if one.name == "softmax")
    samples = {"ours": [70.0] * 9, "compile": [77.0] * 9, "eager": [60.0] * 9}
    good = Result(row, {}, 4, samples, errors={"ours": 1e-3})
    assert told([good], ["softmax"]) == "RESULT gpu-check pass rows=1/1 rows_below_1=1 softmax=1.1"
    assert told([], ["softmax"]) == "RESULT gpu-check short rows=0/1 rows_below_1=0"
    assert whole([good], ["softmax"])
    assert not whole([good], ["softmax", "matmul"])
    assert not whole([good], [])
    assert not whole([replace(good, errors={"ours": 1.0})], ["softmax"])
    assert not whole([replace(good, samples={"ours": [70.0] * 9})], ["softmax"])


def test_what_takes_too_long_is_ended() -> None:
    with pytest.raises(OutOfTime), within(0.05):
        time.sleep(20)
    with within(5.0):
        time.sleep(0.01)


@pytest.mark.torch
def test_code_of_others_is_loaded_when_it_is_called_and_gets_inputs_of_its_own(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch: ./steward setup kernels")
    row = next(one for one in rows(torch, scale=256) if one.name == "softmax")
    inputs, place = Inputs(torch, row, 2, "cpu"), tmp_path / "kernels" / f"{row.theirs}.py"
    place.parent.mkdir()
    place.write_text("raise RuntimeError('no such GPU')\n")
    side = autokernel(tmp_path, inputs)["autokernel"]
    with pytest.raises(RuntimeError, match="no such GPU"):
        side(0)
    place.write_text("def kernel_fn(x):\n    return x.zero_()\n")
    side = autokernel(tmp_path, inputs)["autokernel"]
    side(0)
    result = Result(row, {}, 1, {"autokernel": [1.0], "ours": [1.0]})
    _untouched(result, inputs, {"autokernel": side})
    assert result.samples == {"ours": [1.0]}
    assert result.failed == {"autokernel": "it wrote into its inputs"}
    inputs.sets[1][0].zero_()
    _untouched(result, inputs, {})
    assert not result.samples


def test_rows_are_told_one_by_one_and_a_row_that_fails_is_no_loss_of_others() -> None:
    class Rows:
        def left_s(self) -> float:
            return 500.0

        def row(self, torch: Any, row: Any, share_s: float, folder: Path) -> Result:
            if row.name == "layernorm":
                raise OutOfTime
            return Result(row, {}, 1)

    said: list[list[str]] = []
    torch = SimpleNamespace(cuda=SimpleNamespace(empty_cache=lambda: None))
    check: Any = Rows()
    run(check, torch, rows(TORCH)[:4], lambda results: said.append([one.row.name for one in results]))
    assert [len(one) for one in said] == [1, 2, 3]
    assert "layernorm" not in said[-1]


@pytest.mark.torch
def test_a_program_and_what_it_is_held_against_come_to_the_same() -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch: ./steward setup kernels")
    chance = np.random.default_rng(3)
    for row in rows(torch, scale=256):
        program = typed(row.problem, DType.F32).program
        given = {one.name: chance.integers(0, row.below, one.shape) if one.dtype is DType.I64
                 else chance.standard_normal(one.shape) for one in program.of(Role.INPUT, Role.WEIGHT)}  # fmt: skip
        found = evaluate(program, given)
        shapes = row.shapes or [one.shape for one in given.values()]
        tensors = [torch.from_numpy(one).reshape(shape) for one, shape in zip(given.values(), shapes, strict=True)]
        for side in (row.plain, row.library):
            made = side(*tensors) if side is not None else tuple(map(torch.from_numpy, found.values()))
            outputs = made if isinstance(made, tuple) else (made,)
            for one, wanted in zip(outputs, found.values(), strict=True):
                np.testing.assert_allclose(one.numpy().reshape(wanted.shape), wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.triton
@pytest.mark.timeout(240)
def test_a_run_goes_its_whole_way_in_the_interpreter() -> None:
    pytest.importorskip("triton", reason="there is no Triton: ./steward setup gpu")
    command = [sys.executable, "-m", "tests.benchmarks.gpu.rehearsal", "softmax", "swiglu_mlp"]
    environ = {**os.environ, "TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, env=environ)
    told = [json.loads(line[4:]) for line in ran.stdout.splitlines() if line.startswith("ROW ")]
    assert [one["row"] for one in told] == ["softmax", "swiglu_mlp"], ran.stdout + ran.stderr
    for one in told:
        assert not one["failed"], one
        assert one["tried"] == 3
        assert one["samples"]["ours"] == one["samples"]["eager"] == 6
        assert all(off < 2e-2 for off in one["errors"].values()), one
