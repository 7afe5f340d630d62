"""Kernels of the family in Triton's interpreter against the oracle: programs, dtypes, awkward sizes, every way."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gpu_skills.errors import BuildFailed
from gpu_skills.graph import (
    Access,
    Apply,
    DType,
    Fn,
    Fold,
    Folded,
    Gather,
    Number,
    Program,
    Read,
    Reduction,
    Role,
    Store,
    Sweep,
    Tensor,
)
from gpu_skills.model import Genome, Problem
from gpu_skills.tiles import TritonWorker, generate, space_of
from tests.benchmarks.gpu.problems import attention, swiglu_mlp
from tests.gpu_skills import programs as of
from tests.gpu_skills.random_programs import random_program, together
from tests.gpu_skills.running import values_of
from tests.gpu_skills.tiles.typed import FLOATS, TARGET, held_against, typed

pytestmark = pytest.mark.triton
SMALL: dict[str, Problem] = {
    "rmsnorm": of.rmsnorm(3, 70), "layernorm": of.layernorm(3, 64), "softmax": of.softmax(5, 33),
    "silu_mul": of.silu_mul(7, 33), "gelu_mul": of.gelu_mul(2, 130), "bias_gelu": of.bias_gelu(5, 17),
    "rotary": of.rotary(3, 5, 14), "add_rmsnorm": of.add_rmsnorm(3, 70), "reduce_sum": of.reduce_sum(5, 100),
    "cross_entropy": of.cross_entropy(4, 50), "transpose": of.transpose(33, 70),
    "matmul_bias_relu": of.matmul_bias_relu(17, 40, 33), "swiglu_mlp": swiglu_mlp(5, 24, 36),
    "attention": attention(2, 20, 16),
}  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", SMALL)
def test_the_default_kernel_is_right(interpreter: TritonWorker, name: str, dtype: DType) -> None:
    held_against(interpreter, typed(SMALL[name], dtype))


SIZES: dict[Callable[..., Problem], tuple[tuple[int, ...], ...]] = {
    of.softmax: ((1, 1), (1, 7), (7, 1), (3, 128)),
    of.bias_gelu: ((1, 1), (1, 9), (9, 1), (16, 64)),
    of.transpose: ((1, 3), (3, 1), (65, 2)),
    of.matmul_bias_relu: ((1, 1, 1), (1, 33, 7), (33, 1, 70), (16, 16, 64)),
    of.rotary: ((1, 1, 2), (2, 1, 64)),
}


@pytest.mark.parametrize(("make", "sizes"), [(make, one) for make, each in SIZES.items() for one in each])
def test_a_kernel_is_right_at_any_size(
    interpreter: TritonWorker, make: Callable[..., Problem], sizes: tuple[int, ...]
) -> None:  # fmt: skip
    held_against(interpreter, make(*sizes))


def structural(program: Program) -> list[Genome]:
    """Return the default and every genome that differs from it in one structural choice."""
    space = space_of(program, TARGET)
    knobs = [one for one in space.knobs if one.structural and one.name not in ("tile_rows", "tile_columns")]
    return [{**space.default, "elements": 512, one.name: choice} if "elements" in space.default
            else {**space.default, one.name: choice} for one in knobs for choice in one.choices[:3]]  # fmt: skip


@pytest.mark.parametrize("name", ["softmax", "layernorm", "cross_entropy", "rotary", "matmul_bias_relu"])
def test_every_way_to_go_through_is_right(interpreter: TritonWorker, name: str) -> None:
    make = {"softmax": of.softmax(3, 600), "layernorm": of.layernorm(2, 600), "cross_entropy": of.cross_entropy(2, 700)}
    problem = make.get(name, SMALL[name])
    for genome in structural(problem.program):
        held_against(interpreter, problem, genome)


@pytest.mark.parametrize("first", [*(pytest.param(at, marks=pytest.mark.slow) for at in range(6, 60, 6)), 0])
def test_programs_drawn_at_random_are_right(interpreter: TritonWorker, first: int) -> None:
    program = together([random_program(seed) for seed in range(first, first + 6)])
    space, chance = space_of(program, TARGET), random.Random(first)
    genome = {one.name: chance.choice(one.choices) for one in space.knobs}
    genome = genome if first and space.has(genome) else space.default
    held_against(interpreter, Problem("random", program), genome, values=values_of(Problem("random", program), first),
                 bound=2e-6)  # fmt: skip


def one(fn: Fn, *more: float) -> Problem:
    """Return a function of every element."""
    store = Store(Access("out", (1,)), Apply(fn, (Read("x"), *map(Number, more))))
    tensors = (Tensor("x", (64,), DType.F32, Role.INPUT), Tensor("out", (64,), DType.F32, Role.OUTPUT))
    return Problem(fn.value, Program(tensors, (Sweep((64,), (("x", Access("x", (1,))),), (), (store,)),)))


SPECIAL = np.array(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-5, -1e-5, 0.5, -0.5, 2.5, -3.5, 0.25, 80.0, -80.0]
)
FUNCTIONS = [(fn, ()) for fn in Fn if fn not in (Fn.AND, Fn.WHERE, Fn.POW) and fn not in (
    Fn.ADD, Fn.SUB, Fn.MUL, Fn.DIV, Fn.MAXIMUM, Fn.MINIMUM, Fn.LT, Fn.LE, Fn.EQ, Fn.NE)]  # fmt: skip
FUNCTIONS += [(fn, (0.5,)) for fn in (Fn.DIV, Fn.MAXIMUM, Fn.MINIMUM, Fn.LT, Fn.LE, Fn.EQ, Fn.NE, Fn.AND)]
FUNCTIONS += [(Fn.POW, (each,)) for each in (5.0, -3.0, 1.5)]


@pytest.mark.parametrize(("fn", "more"), FUNCTIONS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_function_is_right_where_numbers_are_special(
    interpreter: TritonWorker, fn: Fn, more: tuple[float, ...]
) -> None:  # fmt: skip
    drawn = np.random.default_rng(4).standard_normal(48) * 3
    values = {"x": np.concatenate([SPECIAL, drawn]).astype(np.float32)}
    held_against(interpreter, one(fn, *more), values=values, bound=1e-5 if fn is Fn.POW else 1e-6)


@pytest.mark.parametrize("way", ["whole", "looped", "online"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_no_number_stays_none_in_its_row(interpreter: TritonWorker, way: str) -> None:
    problem = of.softmax(5, 600)
    x = values_of(problem)["x"]
    x[0, 3], x[1, 599], x[2, 0] = np.nan, np.inf, -np.inf
    x[3] = -np.inf
    genome = {**space_of(problem.program, TARGET).default, "way": way, "elements": 512}
    held_against(interpreter, problem, genome, values={"x": x})


def test_a_place_that_an_index_names_is_read_and_one_outside_is_no_number(interpreter: TritonWorker) -> None:
    problem = of.cross_entropy(4, 50)
    values = values_of(problem)
    values["target"] = np.array([0, 49, 50, -1])
    program = problem.program
    given = {"x": values["x"], "target": values["target"]}
    found = interpreter.run(generate(program, space_of(program, TARGET).default, TARGET), program, given)
    assert list(np.isnan(found["out"])) == [False, False, True, True]


def test_an_index_beyond_what_a_float_holds_is_exact(interpreter: TritonWorker) -> None:
    """A row is chosen whose number a float32 would round: of a table of which only that one is looked at."""
    rows = (1 << 24) + 2
    sweep = Sweep((1, 2), (("row", Access("table", (0, 1))), ("i", Access("index", (1, 0)))), (),
                  (Store(Access("out", (2, 1)), Gather("row", Read("i"), 0, rows)),))  # fmt: skip
    tensors = (Tensor("table", (2,), DType.F32, Role.INPUT), Tensor("index", (1,), DType.I64, Role.INPUT),
               Tensor("out", (1, 2), DType.F32, Role.OUTPUT))  # fmt: skip
    program = Program(tensors, (sweep,))
    source = generate(program, space_of(program, TARGET).default, TARGET)
    table = np.array([3.0, 4.0], np.float32)
    for at, there in ((rows - 1, True), (rows, False)):
        found = interpreter.run(source, program, {"table": table, "index": np.array([at])})
        assert np.array_equal(found["out"][0], table) is there


def test_rows_whose_neighbours_lie_across_are_folded(interpreter: TritonWorker) -> None:
    """The maximum of each column, and the column less it."""
    x = Read("x")
    stores = (Store(Access("out", (1, 37)), Apply(Fn.SUB, (x, Folded("top")))),
              Store(Access("top", (1, 0)), Folded("top"), once=True))  # fmt: skip
    sweep = Sweep((37, 21), (("x", Access("x", (1, 37))),), (Reduction("top", Fold.MAX, x),), stores)
    tensors = (Tensor("x", (21, 37), DType.F32, Role.INPUT), Tensor("out", (21, 37), DType.F32, Role.OUTPUT),
               Tensor("top", (37,), DType.F32, Role.OUTPUT))  # fmt: skip
    held_against(interpreter, Problem("columns", Program(tensors, (sweep,))))


def test_whole_numbers_and_truth_values_are_read_and_written(interpreter: TritonWorker) -> None:
    reads = tuple((name, Access(name, (5, 1))) for name in ("i", "b"))
    total = Apply(Fn.ADD, (Read("i"), Read("b")))
    stores = (Store(Access("sum", (5, 1)), total), Store(Access("less", (5, 1)), Apply(Fn.LT, (total, Number(3.0)))))
    tensors = (Tensor("i", (4, 5), DType.I32, Role.INPUT), Tensor("b", (4, 5), DType.BOOL, Role.INPUT),
               Tensor("sum", (4, 5), DType.I64, Role.OUTPUT),
               Tensor("less", (4, 5), DType.BOOL, Role.OUTPUT))  # fmt: skip
    program = Program(tensors, (Sweep((4, 5), reads, (), stores),))
    i, b = np.arange(-10, 10, dtype=np.int32).reshape(4, 5), np.arange(20).reshape(4, 5) % 3 == 0
    found = interpreter.run(generate(program, space_of(program, TARGET).default, TARGET), program, {"i": i, "b": b})
    assert np.array_equal(found["sum"], i + b)
    assert np.array_equal(found["less"], i + b < 3)


def test_a_row_that_does_not_fit_is_refused_with_nothing_written(interpreter: TritonWorker) -> None:
    small, wide = of.softmax(1, 64).program, of.softmax(1, 40000).program
    source = generate(small, {**space_of(small, TARGET).default, "way": "whole"}, TARGET)
    assert "whole" not in next(one for one in space_of(wide, TARGET).knobs if one.name == "way").choices
    with pytest.raises(BuildFailed, match="not made for these numbers"):
        interpreter.run(source, wide, {"x": np.zeros((1, 40000), np.float32)})


def test_a_source_that_writes_beside_its_results_is_found_out(interpreter: TritonWorker) -> None:
    program = of.bias_gelu(3, 20).program
    source = generate(program, space_of(program, TARGET).default, TARGET)
    wrong = source.replace(", mask=m0 & m1)", ")")
    assert wrong != source
    with pytest.raises(BuildFailed, match="beside its results"):
        interpreter.run(wrong, program, values_of(of.bias_gelu(3, 20)))


def test_a_source_that_fails_is_an_answer_and_the_next_one_runs(interpreter: TritonWorker) -> None:
    problem = replace(of.softmax(2, 8), name="after")
    with pytest.raises(BuildFailed, match="ZeroDivisionError"):
        interpreter.run("def steward_kernel(*_):\n    return 1 // 0\n", problem.program, values_of(problem))
    held_against(interpreter, problem)


def test_numbers_are_rounded_to_the_even_whole_one_wherever_float32_has_halves(interpreter: TritonWorker) -> None:
    problem, chance = one(Fn.ROUND), np.random.default_rng(5)
    edges = np.array([0.5, 1.5, -2.5, -0.0, -0.25, 4194303.5, 4194304.5, 4194305.5, 8388607.5, 8388608.0, 3e9])
    halves = chance.integers(2**22, 2**23, 53 - len(edges)) + 0.5
    x = np.concatenate([edges, halves, -halves])[:64].astype(np.float32)
    x = np.resize(x, 64)
    source = generate(problem.program, space_of(problem.program, TARGET).default, TARGET)
    found = interpreter.run(source, problem.program, {"x": x})["out"]
    np.testing.assert_array_equal(found, np.rint(x))
    np.testing.assert_array_equal(np.signbit(found), np.signbit(x))
