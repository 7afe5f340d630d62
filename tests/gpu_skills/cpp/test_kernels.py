"""Kernels of the family against the oracle: every program, awkward sizes, every structural choice, seeded genomes."""

from __future__ import annotations

import itertools
import math
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpu_skills.building import Machine, load, report, this_machine
from gpu_skills.cpp import generate, space_of
from gpu_skills.errors import CannotGenerate
from gpu_skills.graph import (
    Access,
    Apply,
    DType,
    Fn,
    Fold,
    Folded,
    Gather,
    Library,
    Number,
    Program,
    Read,
    Reduction,
    Role,
    Store,
    Sweep,
    Tensor,
    evaluate,
    numbers_of,
    structure_of,
    with_numbers,
)
from gpu_skills.model import Built, Fill, Filling, Genome, Problem, Space
from tests.gpu_skills import programs as of
from tests.gpu_skills.random_programs import random_program, together
from tests.gpu_skills.running import Tensors, built_of, held_against, needs_compiler, same_as, values_of

pytestmark = needs_compiler
BOUND = 1e-6
SIZES = (1, 3, 7, 15, 17, 31, 33, 100, 1000)
ROWS = (of.rmsnorm, of.layernorm, of.softmax, of.silu_mul, of.gelu_mul, of.bias_gelu, of.add_rmsnorm, of.reduce_sum,
        of.cross_entropy, of.transpose)  # fmt: skip
MACHINE = this_machine()


def sized(make: Callable[..., Problem]) -> list[Problem]:
    """Return a problem at awkward sizes."""
    if make is of.rotary:
        return [of.rotary(heads, length, width) for heads, length, width in
                ((1, 1, 2), (3, 5, 14), (2, 1, 64), (5, 3, 128), (1, 7, 66))]  # fmt: skip
    if make is of.matmul_bias_relu:
        sizes = ((1, 1, 1), (3, 7, 15), (17, 31, 33), (1, 100, 1000), (100, 1, 7), (13, 33, 1), (101, 520, 300))
        return [make(*one) for one in sizes]
    pairs = {(1, size) for size in SIZES} | {(size, 1) for size in SIZES} | {(7, size) for size in SIZES} | {(33, 100)}
    return [make(*one) for one in sorted(pairs)]


def genomes(space: Space, chance: random.Random, count: int) -> Iterator[Genome]:
    """Give the default, every structural combination with the rest by default, then ``count`` at random."""
    structural = [one for one in space.knobs if one.structural and not one.name.startswith(("tile_", "lanes"))]
    for chosen in itertools.product(*(one.choices for one in structural)):
        yield {**space.default, **dict(zip((one.name for one in structural), chosen, strict=True))}
    yield from (drawn(space, chance) for _ in range(count))


def drawn(space: Space, chance: random.Random) -> Genome:
    """Return a genome of a space at random."""
    while True:
        genome = {one.name: chance.choice(one.choices) for one in space.knobs}
        if space.has(genome):
            return genome


@pytest.mark.parametrize("make", [*ROWS, of.rotary, of.matmul_bias_relu], ids=lambda one: one.__name__)
def test_a_kernel_is_right_at_every_size(make: Callable[..., Problem], tmp_path: Path) -> None:
    problems = [one for one in sized(make) if 1 not in one.program.steps[0].axes]
    check_sizes(problems, 1, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("make", [*ROWS, of.rotary, of.matmul_bias_relu], ids=lambda one: one.__name__)
def test_a_kernel_is_right_where_an_axis_has_one_element(make: Callable[..., Problem], tmp_path: Path) -> None:
    check_sizes(sized(make), 2, tmp_path)


def check_sizes(problems: list[Problem], seed: int, folder: Path) -> None:
    """Build a kernel for each structure there is (a stride of 1 is structure), and run it at every size."""
    genome = list(genomes(space_of(problems[-1].program, MACHINE), random.Random(seed), 1))[-1]
    built: dict[str, Built] = {}
    for problem in problems:
        structure = structure_of(problem.program)
        if structure not in built:
            built[structure] = built_of(problem.program, _known(problem.program, genome), MACHINE, folder)
        held_against(problem.program, built[structure], values_of(problem), bound=bound_of(problem.program))


def bound_of(program: Program) -> float:
    """Return the error that a program may have: it grows with the root of how many terms are summed."""
    terms = max((one.axes[-1] for one in program.steps if isinstance(one, Sweep) and one.reductions), default=1)
    return BOUND * math.sqrt(terms)


def _known(program: Program, genome: Genome) -> Genome:
    """Return a genome for a program with as many choices of ``genome`` as its space has."""
    space = space_of(program, MACHINE)
    known = {one.name: genome[one.name] if genome.get(one.name) in one.choices else one.default for one in space.knobs}
    return known if space.has(known) else space.default


@pytest.mark.slow
@pytest.mark.parametrize("make", [*ROWS, of.rotary, of.matmul_bias_relu], ids=lambda one: one.__name__)
def test_every_structural_choice_is_right(make: Callable[..., Problem], tmp_path: Path) -> None:
    problem = sized(make)[-1]
    for genome in genomes(space_of(problem.program, MACHINE), random.Random(2), 12):
        built = built_of(problem.program, genome, MACHINE, tmp_path)
        held_against(problem.program, built, values_of(problem), bound=BOUND, threads=2)


def test_the_second_pass_over_a_row_asks_for_the_next_row() -> None:
    program = of.softmax(64, 256).program
    genome = {**space_of(program, MACHINE).default, "prefetch": 0}
    asking, silent = (generate(program, {**genome, "ahead": one}, MACHINE) for one in (True, False))
    first = asking.index("maximum(a0_")  # the pass that finds the maximum comes before
    assert "1 * r0s0);" in asking[first:]
    assert "__builtin_prefetch" not in asking[:first]
    assert "__builtin_prefetch" not in silent
    once = space_of(of.silu_mul(64, 256).program, MACHINE)
    assert "ahead" not in {knob.name for knob in once.knobs}


def some_genome(program: Program, seed: int) -> Genome:
    chance = random.Random(seed)
    space = space_of(program, MACHINE)
    return drawn(space, chance) if seed % 3 else space.default


def check_random(seeds: range, folder: Path) -> None:
    program = together([random_program(seed) for seed in seeds])
    built = built_of(program, some_genome(program, seeds[0]), MACHINE, folder)
    held_against(program, built, values_of(Problem("random", program), seeds[0]), bound=2e-6, threads=2)


@pytest.mark.parametrize("first", [*(pytest.param(at, marks=pytest.mark.slow) for at in range(0, 40, 10)), 40])
def test_programs_drawn_at_random_are_right(first: int, tmp_path: Path) -> None:
    check_random(range(first, first + 10), tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(1000, 1200, 4))
def test_two_hundred_programs_drawn_at_random_are_right(first: int, tmp_path: Path) -> None:
    check_random(range(first, first + 4), tmp_path)


ONLINE = (of.softmax, of.cross_entropy)
ODD = np.array([[1, 2, np.nan, 3], [np.inf, 1, 2, 3], [-np.inf, 1, 2, 3], [-np.inf] * 4, [1e-42, -1e-41, 1e-45, 0],
                [np.inf, -np.inf, 0, 1], [3e38, 3e38, 1, -3e38], [-0.0, 0.0, -0.0, 0.0]], np.float32)  # fmt: skip


@pytest.mark.parametrize(
    "make", [of.softmax, of.cross_entropy, of.silu_mul, of.reduce_sum], ids=lambda one: one.__name__
)
def test_what_is_no_number_stays_none_and_infinities_are_kept(make: Callable[..., Problem], tmp_path: Path) -> None:
    cols = 100
    # The sum of the row with 3e38 overflows in float32 and not in float64.
    odd = np.tile(np.delete(ODD, 6, 0) if make is of.reduce_sum else ODD, (1, cols // 4))
    problem = make(len(odd), cols)
    given = {name: odd if one.dtype.kind == "f" else one for name, one in values_of(problem).items()}
    space = space_of(problem.program, MACHINE)
    for genome in [space.default, *([{**space.default, "passes": "online"}] if make in ONLINE else [])]:
        built = built_of(problem.program, genome, MACHINE, tmp_path)
        tensors = Tensors(problem.program, given)
        assert load(built)(problem.program, tensors.arrays, 1) == 0
        with np.errstate(all="ignore"):
            wanted = evaluate(problem.program, given)["out"].astype(np.float32)
        # A sum of float32 overflows where one of float64 does not.
        narrow = np.abs(wanted) < 1e38
        found = tensors.output("out")
        assert (np.isnan(found) == np.isnan(wanted)).all(), genome
        same_as(found[narrow], wanted[narrow].astype(np.float64), bound=BOUND, of=str(genome))
        assert np.isinf(found[np.isinf(wanted)]).all()


def test_a_maximum_passes_on_what_is_no_number(tmp_path: Path) -> None:
    store = Store(Access("out", (1, 0)), Folded("top"), once=True)
    folds = (Reduction("top", Fold.MAX, Apply(Fn.MAXIMUM, (Read("x"), Number(0.0)))),)
    sweep = Sweep((4, 37), (("x", Access("x", (37, 1))),), folds, (store,))
    program = Program((tensor("x", 4, 37), tensor("out", 4, role=Role.OUTPUT)), (sweep,))
    x = np.random.default_rng(1).standard_normal((4, 37)).astype(np.float32)
    x[1, 0], x[2, 36] = np.nan, np.nan
    for lanes in space_of(program, MACHINE).knobs[0].choices:
        genome = {**space_of(program, MACHINE).default, "lanes": lanes}
        held_against(program, built_of(program, genome, MACHINE, tmp_path), {"x": x}, bound=BOUND)


def tensor(name: str, *shape: int, role: Role = Role.INPUT, dtype: DType = DType.F32) -> Tensor:
    return Tensor(name, shape, dtype, role)


@pytest.mark.parametrize("dtype", [DType.F16, DType.BF16], ids=str)
@pytest.mark.parametrize("make", [of.softmax, of.rmsnorm, of.transpose], ids=lambda one: one.__name__)
def test_sixteen_bits_are_stored_and_float32_is_computed(
    make: Callable[..., Problem], dtype: DType, tmp_path: Path
) -> None:
    problem = make(7, 37)
    program = replace(problem.program, tensors=tuple(replace(one, dtype=dtype) for one in problem.program.tensors))
    given = {name: np.trunc(one * 64) / 64 for name, one in values_of(problem).items()}
    given = {
        name: (one.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32) for name, one in given.items()
    }
    for lanes in space_of(program, MACHINE).knobs[0].choices:
        built = built_of(program, {**space_of(program, MACHINE).default, "lanes": lanes}, MACHINE, tmp_path)
        held_against(program, built, given, bound=2e-3 if dtype is DType.F16 else 6e-3)


def embedding(count: int, size: int, width: int) -> Problem:
    """Rows of a table that an index chooses, and, per element, a gather that moves along the lanes."""
    chosen = Gather("table", Read("i"), width, size)
    picked = Gather("row", Read("c"), 1, width)
    reads = (("table", Access("table", (0, 1))), ("i", Access("i", (1, 0))), ("row", Access("x", (width, 0))),
             ("c", Access("c", (width, 1))))  # fmt: skip
    stores = (Store(Access("out", (width, 1)), Apply(Fn.ADD, (chosen, picked))),)
    tensors = (tensor("table", size, width, role=Role.WEIGHT), tensor("x", count, width),
               tensor("i", count, dtype=DType.I64), tensor("c", count, width, dtype=DType.I64),
               tensor("out", count, width, role=Role.OUTPUT))  # fmt: skip
    fills = {"i": Fill(Filling.INDEX, below=size), "c": Fill(Filling.INDEX, below=width)}
    return Problem("embedding", Program(tensors, (Sweep((count, width), reads, (), stores),)), fills=fills)


def test_gathers_choose_rows_and_elements(tmp_path: Path) -> None:
    problem = embedding(5, 11, 37)
    for seed in (0, 1):
        built = built_of(problem.program, some_genome(problem.program, seed), MACHINE, tmp_path)
        held_against(problem.program, built, values_of(problem), bound=BOUND)


def test_an_index_outside_reads_nothing_and_gives_no_number(tmp_path: Path) -> None:
    problem = embedding(5, 11, 37)
    given = values_of(problem)
    given["i"][1], given["i"][2] = 11, -1
    given["c"][3, 5] = 1 << 40
    tensors = Tensors(problem.program, given)
    built = built_of(problem.program, some_genome(problem.program, 0), MACHINE, tmp_path)
    assert load(built)(problem.program, tensors.arrays, 1) == 0
    lost = np.isnan(tensors.output("out"))
    assert lost[1:3].all()
    assert lost[3, 5]
    assert lost.sum() == 2 * 37 + 1
    tensors.check()


def columns(fold: Fold, rows: int, cols: int) -> Program:
    """softmax-like down the columns: a fold over an axis that is not contiguous, then a store of every element."""
    fn = {Fold.SUM: Fn.ADD, Fold.MAX: Fn.SUB, Fold.MIN: Fn.MUL}[fold]
    sweep = Sweep((cols, rows), (("x", Access("x", (1, cols))),), (Reduction("all", fold, Read("x")),),
                  (Store(Access("out", (1, cols)), Apply(fn, (Read("x"), Folded("all")))),
                   Store(Access("folded", (1, 0)), Folded("all"), once=True)))  # fmt: skip
    outs = tensor("out", rows, cols, role=Role.OUTPUT), tensor("folded", cols, role=Role.OUTPUT)
    return Program((tensor("x", rows, cols), *outs), (sweep,))


@pytest.mark.parametrize("fold", list(Fold), ids=str)
def test_folds_go_down_columns_too(fold: Fold, tmp_path: Path) -> None:
    built = built_of(columns(fold, 2, 3), some_genome(columns(fold, 2, 3), 1), MACHINE, tmp_path)
    for rows, cols in ((2, 3), (7, 33), (100, 17), (1000, 64), (33, 1000)):
        program = columns(fold, rows, cols)
        held_against(program, built, values_of(Problem("columns", program)), bound=BOUND)


def linear(batch: int, m: int, n: int, k: int) -> Program:
    """tanh(x) @ weight^T for each of a batch: both factors contiguous along the folded axis, one of them computed."""
    reads = (("x", Access("x", (m * k, k, 0, 1))), ("w", Access("w", (0, 0, k, 1))))
    terms = Apply(Fn.MUL, (Apply(Fn.TANH, (Read("x"),)), Read("w")))
    store = Store(Access("out", (m * n, n, 1, 0)), Folded("product"), once=True)
    sweep = Sweep((batch, m, n, k), reads, (Reduction("product", Fold.SUM, terms),), (store,))
    tensors = (
        tensor("x", batch, m, k),
        tensor("w", n, k, role=Role.WEIGHT),
        tensor("out", batch, m, n, role=Role.OUTPUT),
    )
    return Program(tensors, (sweep,))


def test_factors_of_a_product_are_computed_while_they_are_packed(tmp_path: Path) -> None:
    shapes = ((2, 3, 4, 5), (3, 17, 33, 100), (1, 100, 7, 300), (2, 130, 50, 20))
    for seed in (0, 1):
        built = built_of(linear(*shapes[0]), some_genome(linear(*shapes[0]), seed), MACHINE, tmp_path)
        for shape in shapes:
            held_against(linear(*shape), built, values_of(Problem("linear", linear(*shape))), bound=BOUND, threads=2)


def test_a_step_writes_scratch_for_the_next(tmp_path: Path) -> None:
    rows, cols = 9, 40
    first = of.softmax(rows, cols).program
    scratch = tensor("middle", rows, cols, role=Role.SCRATCH)
    step = first.steps[0]
    assert isinstance(step, Sweep)
    one = replace(step, stores=(replace(step.stores[0], to=Access("middle", (cols, 1))),))
    turned = Sweep(
        (cols, rows), (("y", Access("middle", (1, cols))),), (), (Store(Access("out", (rows, 1)), Read("y")),)
    )
    program = Program((tensor("x", rows, cols), scratch, tensor("out", cols, rows, role=Role.OUTPUT)), (one, turned))
    for seed in (0, 1):
        built = built_of(program, some_genome(program, seed), MACHINE, tmp_path)
        held_against(program, built, values_of(Problem("two", program)), bound=BOUND, threads=2)


def test_the_shortest_row_has_its_buffer(tmp_path: Path) -> None:
    problem = of.layernorm(5, 2)
    genome = {**space_of(problem.program, MACHINE).default, "keep": "all"}
    held_against(problem.program, built_of(problem.program, genome, MACHINE, tmp_path), values_of(problem), bound=BOUND)


def test_the_error_of_a_long_sum_is_that_of_a_short_one(tmp_path: Path) -> None:
    program = of.reduce_sum(1, 3_000_000).program
    given = {"x": np.random.default_rng(1).random((1, 3_000_000)).astype(np.float32)}
    for genome in ({**space_of(program, MACHINE).default, "lanes": lanes} for lanes in (16, 4)):
        if space_of(program, MACHINE).has(genome):
            held_against(program, built_of(program, genome, MACHINE, tmp_path), given, bound=5e-7)


def test_numbers_it_was_not_made_for_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    program = of.softmax(4, 40).program
    built = built_of(program, space_of(program, MACHINE).default, MACHINE, tmp_path)
    numbers = numbers_of(program)
    for bad in ((0, 40), (-1, 40), (4, 0), (4, -40), (1 << 40, 1 << 40)):
        wrong = with_numbers(program, (*bad, *numbers[2:]))
        tensors = Tensors(program, values_of(of.softmax(4, 40)))
        assert load(built)(wrong, tensors.arrays, 1) == 1
        assert tensors.untouched


def test_a_deep_expression_that_shares_is_not_unfolded(tmp_path: Path) -> None:
    x = Apply(Fn.MUL, (Number(0.5), Read("x")))
    for _ in range(12):
        x = Apply(Fn.MUL, (Number(0.5), Apply(Fn.ADD, (x, x))))
    sweep = Sweep((3, 5), (("x", Access("x", (5, 1))),), (), (Store(Access("out", (5, 1)), x),))
    program = Program((tensor("x", 3, 5), tensor("out", 3, 5, role=Role.OUTPUT)), (sweep,))
    source = generate(program, space_of(program, MACHINE).default, MACHINE)
    assert len(source) < 60_000
    held_against(
        program,
        built_of(program, some_genome(program, 0), MACHINE, tmp_path),
        values_of(Problem("deep", program)),
        bound=BOUND,
    )


def test_a_kernel_asks_for_nothing_but_arithmetic_and_runs_nothing_when_loaded(tmp_path: Path) -> None:
    for problem in (of.softmax(4, 40), of.matmul_bias_relu(4, 5, 6)):
        genome = {**space_of(problem.program, MACHINE).default, "threads": problem.name == "softmax"}
        found = report(built_of(problem.program, genome, MACHINE, tmp_path).library)
        assert found.allowed, found


def test_what_is_not_covered_is_named() -> None:
    program = of.softmax(2, 2).program
    with pytest.raises(CannotGenerate, match="conv2d stays with its library"):
        space_of(replace(program, steps=(Library("conv2d", ("x",), ("out",), "it is one"),)), MACHINE)
    doubles = tuple(replace(one, dtype=DType.F64) for one in program.tensors)
    with pytest.raises(CannotGenerate, match="float64"):
        space_of(replace(program, tensors=doubles), MACHINE)
    with pytest.raises(CannotGenerate, match="none of this space"):
        generate(program, {"lanes": 3}, MACHINE)


def test_a_machine_without_vectors_is_offered_none() -> None:
    plain = Machine("plain", 1, frozenset(), 1 << 20, 1 << 20)
    assert space_of(of.softmax(2, 2).program, plain).knobs[0].choices == (4,)


@pytest.mark.slow
def test_kernels_do_not_touch_memory_beside_theirs(tmp_path: Path) -> None:
    """With the sanitizers, in a process of its own: no access outside, no undefined arithmetic."""
    for problem in (of.softmax(3, 37), of.transpose(5, 19), of.matmul_bias_relu(5, 7, 19)):
        run_sanitized(
            built_of(problem.program, some_genome(problem.program, 0), MACHINE, tmp_path, sanitize=True), problem
        )


def run_sanitized(built: Built, problem: Problem) -> None:
    asan = subprocess.run(
        ["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if "/" not in asan:
        pytest.skip("there is no libasan: apt install libasan8 (or libsanitizer)")
    shapes = [math.prod(one.shape) for one in problem.program.tensors]
    code = (
        "import ctypes, sys\n"
        "c = ctypes.CDLL(None); c.aligned_alloc.restype = ctypes.c_void_p\n"
        f"sizes = {shapes!r}\n"
        "at = [c.aligned_alloc(ctypes.c_size_t(64), ctypes.c_size_t((4 * n + 63) // 64 * 64)) for n in sizes]\n"
        "[ctypes.memset(p, 0, 4 * n) for p, n in zip(at, sizes)]\n"
        f"numbers = (ctypes.c_int64 * {len(numbers_of(problem.program))})(*{numbers_of(problem.program)!r})\n"
        "k = ctypes.CDLL(sys.argv[1]).steward_kernel\n"
        "print(k((ctypes.c_void_p * len(at))(*at), numbers, (ctypes.c_double * 1)(1e-6), 1))\n"
    )
    env = {**os.environ, "LD_PRELOAD": asan, "ASAN_OPTIONS": "detect_leaks=0"}
    ran = subprocess.run(
        [sys.executable, "-c", code, str(built.library)], capture_output=True, text=True, env=env, check=False
    )
    assert (ran.returncode, ran.stdout.strip()) == (0, "0"), ran.stderr[-3000:]
