"""What programs come to, held against numpy; what of them is structure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gpu_skills.graph import (
    DType,
    Library,
    Program,
    Role,
    evaluate,
    numbers_of,
    parameters_of,
    structure_of,
    with_numbers,
)
from gpu_skills.model import Problem
from tests.gpu_skills import programs as of

SMALL = (of.rmsnorm(3, 8), of.layernorm(3, 8), of.softmax(3, 8), of.silu_mul(3, 8), of.gelu_mul(3, 8),
         of.bias_gelu(3, 8), of.rotary(2, 3, 8), of.add_rmsnorm(3, 8), of.reduce_sum(3, 8), of.cross_entropy(3, 8),
         of.transpose(3, 8),
         of.matmul_bias_relu(3, 4, 5))  # fmt: skip


def given(problem: Problem, seed: int = 1) -> dict[str, np.ndarray]:
    """Return values for the inputs and weights of a problem."""
    chance = np.random.default_rng(seed)
    made = {}
    for one in problem.program.of(Role.INPUT, Role.WEIGHT):
        fill = problem.fills.get(one.name)
        made[one.name] = (
            chance.integers(0, fill.below, one.shape) if fill and fill.below else chance.normal(size=one.shape)
        )
    return made


def gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def rms(x: np.ndarray, eps: float = 1e-6) -> np.ndarray:
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps)


def soft(x: np.ndarray) -> np.ndarray:
    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)


def turned(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    half = x.shape[-1] // 2
    return x * cos + np.concatenate([-x[..., half:], x[..., :half]], -1) * sin


def normed(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * weight + bias


WANTED: dict[str, Callable[..., np.ndarray]] = {
    "rmsnorm": lambda x, weight: rms(x) * weight,
    "layernorm": normed,
    "softmax": soft,
    "silu_mul": lambda g, u: g / (1 + np.exp(-g)) * u,
    "gelu_mul": lambda g, u: gelu(g) * u,
    "bias_gelu": lambda x, bias: gelu(x + bias),
    "rotary": turned,
    "add_rmsnorm": lambda x, residual, weight: rms(x + residual) * weight,
    "reduce_sum": lambda x: x.sum(-1),
    "cross_entropy": lambda x, target: -np.log(soft(x))[np.arange(len(x)), target],
    "transpose": lambda x: x.T,
    "matmul_bias_relu": lambda a, b, bias: np.maximum(a @ b + bias, 0),
}


@pytest.mark.parametrize("problem", SMALL, ids=lambda one: one.name)
def test_a_program_comes_to_what_numpy_says(problem: Problem) -> None:
    values = given(problem)
    assert np.allclose(evaluate(problem.program, values)["out"], WANTED[problem.name](**values), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("problem", SMALL, ids=lambda one: one.name)
def test_numbers_come_back_and_other_sizes_are_the_same_structure(problem: Problem) -> None:
    again = with_numbers(problem.program, numbers_of(problem.program))
    assert again == problem.program
    larger = getattr(of, problem.name)(*(6 if one == 3 else one * 2 for one in SIZES[problem.name]))
    assert structure_of(larger.program) == structure_of(problem.program)
    assert numbers_of(larger.program) != numbers_of(problem.program)


SIZES = {"rotary": (2, 3, 8), "matmul_bias_relu": (3, 4, 5)} | {
    one.name: (3, 8) for one in SMALL if one.name not in ("rotary", "matmul_bias_relu")
}


def test_a_parameter_is_no_structure_and_a_constant_is() -> None:
    one, other = of.rmsnorm(3, 8, 1e-6), of.rmsnorm(3, 8, 1e-3)
    assert structure_of(one.program) == structure_of(other.program)
    assert [each.value for each in parameters_of(other.program)] == [1e-3]
    assert len({structure_of(each.program) for each in SMALL}) == len(SMALL)


def test_what_stays_with_its_library_is_not_evaluated() -> None:
    program = Program(of.softmax(2, 2).program.tensors, (Library("conv2d", ("x",), ("out",), "it is one"),))
    with pytest.raises(ValueError, match="conv2d stays with its library"):
        evaluate(program, {"x": np.zeros((2, 2))})


def test_an_access_outside_of_its_tensor_is_refused() -> None:
    good = of.reduce_sum(3, 8).program
    numbers = list(numbers_of(good))
    numbers[1] = 9
    with pytest.raises(ValueError, match="element 24 of 24"):
        evaluate(with_numbers(good, tuple(numbers)), {"x": np.zeros((3, 8))})


def test_an_index_outside_is_refused() -> None:
    problem = of.cross_entropy(3, 8)
    with pytest.raises(ValueError, match="outside of 0 to 7"):
        evaluate(problem.program, {"x": np.zeros((3, 8)), "target": np.array([0, 8, 1])})


def test_elements_of_a_tensor_have_a_size() -> None:
    assert {one.value for one in DType} >= {"float32", "bfloat16", "int64"}
