"""What is asked and what is right: the noise is of the size of rounding, and the comparison forgives nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from gpu_skills.graph import DType, evaluate, parameters_of, structure_of
from gpu_skills.judge import Exam, noise
from gpu_skills.judge.exam import Scene, Wanted, missed, misses, wanted, with_parameters
from gpu_skills.judge.families import Family, filled
from gpu_skills.judge.storage import bits, poison, read, stored
from gpu_skills.model import Problem
from tests.gpu_skills import programs as of
from tests.gpu_skills.test_graph import SMALL, given


@pytest.mark.parametrize("problem", SMALL, ids=lambda one: one.name)
def test_without_noise_it_is_the_oracle(problem: Problem) -> None:
    values = given(problem)
    right = evaluate(problem.program, values)
    for one in noise.stores_of(problem.program, values):
        assert np.allclose(right[one.tensor].reshape(-1)[one.places], one.values, rtol=1e-12, atol=0)


@pytest.mark.parametrize("problem", [one for one in SMALL if one.name != "cross_entropy"], ids=lambda one: one.name)
def test_a_part_is_the_part_of_the_whole(problem: Problem) -> None:
    values = given(problem)
    right = evaluate(problem.program, values)
    for one in noise.stores_of(noise.part(problem.program, 1), values):
        assert np.allclose(right[one.tensor].reshape(-1)[one.places], one.values, rtol=1e-12, atol=0)


@pytest.mark.parametrize("problem", SMALL, ids=lambda one: one.name)
def test_float32_arithmetic_is_within_the_slack_and_half_precision_is_not(problem: Problem) -> None:
    chance = np.random.default_rng(3)
    values = filled(problem.program, problem.fills, Family.NORMAL, chance)
    found = wanted(problem.program, values, evaluate, chance)["out"]
    single = found.want.astype(np.float32).astype(np.float64)
    assert misses(found, single).wrong == 0
    if problem.name != "transpose":
        assert misses(found, found.want.astype(np.float16)).wrong > 0
    assert misses(found, found.want * (1 + 1e-3) + 1e-3).wrong > 0


def test_what_all_but_cancels_is_looked_at_again() -> None:
    """Of millions of differences of products some are nearly the same in a few noisy runs: a right kernel is right."""
    problem = of.rotary(32, 512, 128)
    values = filled(problem.program, problem.fills, Family.NORMAL, np.random.default_rng(0))
    scene = Scene("", problem.program, values, wanted(problem.program, values, evaluate, np.random.default_rng(0)))
    first, second = np.split(values["x"], 2, axis=-1)
    single = values["x"] * values["cos"] + np.concatenate((-second, first), axis=-1) * values["sin"]
    assert single.dtype == np.float32
    assert 0 < misses(scene.wanted["out"], single.reshape(scene.wanted["out"].want.shape)).wrong < 10, "by chance"
    assert missed(scene, {"out": single}).wrong == 0
    off = single.copy()
    off.flat[7] *= 1.001
    assert missed(scene, {"out": off}).wrong == 1
    assert missed(scene, {"out": single.astype(np.float16).astype(np.float32)}).wrong > 1000


@pytest.mark.parametrize("axis", [0, 1])
def test_a_part_of_any_outer_axis_is_the_part_of_the_whole(axis: int) -> None:
    problem = of.rotary(2, 3, 8)
    values = given(problem)
    right = evaluate(problem.program, values)
    for one in noise.stores_of(noise.part(problem.program, 1, axis), values):
        assert np.allclose(right[one.tensor].reshape(-1)[one.places], one.values, rtol=1e-12, atol=0)


def test_large_numbers_make_the_mean_uncertain_and_no_more() -> None:
    problem = of.layernorm(4, 256)
    chance = np.random.default_rng(5)
    slack = []
    for family in (Family.NORMAL, Family.OFFSET):
        values = filled(problem.program, {}, family, chance)
        slack.append(float(np.median(wanted(problem.program, values, evaluate, chance)["out"].slack)))
    assert slack[0] * 50 < slack[1] < 0.1


@drawn(st.lists(st.sampled_from([0.0, 1.0, -2.5, np.nan, np.inf, -np.inf]), min_size=1, max_size=6), st.data())
def test_nan_and_infinity_must_stand_where_they_stand_in_the_reference(
    values: list[float], data: st.DataObject
) -> None:
    want = np.array(values)
    other = np.array(data.draw(st.permutations(values)))
    same = bool(np.all((want == other) | (np.isnan(want) & np.isnan(other))))
    assert (misses(Wanted(want, np.full(want.shape, 1e-6)), other).wrong == 0) == same


def test_where_nothing_can_be_told_nothing_is() -> None:
    found = misses(Wanted(np.array([1.0, 2.0]), np.array([np.inf, 1e-3])), np.array([50.0, 2.0]))
    assert (found.wrong, found.verified) == (0, 1)


def test_indexes_are_below_what_the_program_reads() -> None:
    problem = of.cross_entropy(40, 5)  # its own fill says so too; a held-out program has other classes
    larger = of.cross_entropy(40, 1000)
    for one in (problem.program, larger.program):
        values = filled(one, larger.fills, Family.NORMAL, np.random.default_rng(1))
        assert values["target"].max() < one.tensor("x").shape[1]


def test_weights_are_never_ones_or_zeros_and_families_differ() -> None:
    program = of.layernorm(3, 64).program
    for family in Family:
        values = filled(program, {}, family, np.random.default_rng(1))
        assert np.std(values["weight"]) > 0.1
        assert np.std(values["bias"]) > 0.1
    assert not np.isfinite(filled(program, {}, Family.SPECIAL, np.random.default_rng(1))["x"]).all()


def test_a_task_that_a_constant_would_pass_is_told() -> None:
    assert Exam(of.softmax(3, 64)).redundant == ()
    one = of.silu_mul(3, 64)
    assert Exam(one, lambda program, _: {"out": np.ones((3, 64))}).redundant == ("out",)


def test_other_parameters_are_the_same_structure() -> None:
    program = of.rmsnorm(3, 8, 1e-6).program
    assert structure_of(with_parameters(program, 10)) == structure_of(program)
    assert parameters_of(with_parameters(program, 10))[0].value == pytest.approx(1e-5)


@pytest.mark.parametrize("dtype", [DType.F64, DType.F32, DType.F16, DType.BF16, DType.I64, DType.I8])
def test_what_is_stored_is_read_again_and_poison_is_no_result(dtype: DType) -> None:
    values = np.array([0.0, 1.0, -3.0, 64.0])
    kept = stored(values, dtype)
    assert np.array_equal(read(kept, dtype), values)
    assert poison(dtype) != poison(dtype, second=True)
    assert not np.isin(bits(kept), [poison(dtype), poison(dtype, second=True)]).any()
    held = np.full(4, poison(dtype), dtype=bits(kept).dtype).view(kept.dtype)
    if kept.dtype.kind == "f" or dtype is DType.BF16:
        assert np.isnan(read(held, dtype)).all()
