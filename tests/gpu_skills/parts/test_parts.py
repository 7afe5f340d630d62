"""Own parts: what is cut out of a program, and that its pieces together come to the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpu_skills.errors import NoOwnPart
from gpu_skills.graph import (
    Access,
    Apply,
    DType,
    Fn,
    Library,
    Number,
    Program,
    Read,
    Role,
    Store,
    Sweep,
    Tensor,
    evaluate,
)
from gpu_skills.model import Problem
from gpu_skills.parts import baseline_source, is_product, parts_of
from tests.gpu_skills import programs as of

ROWS: list[tuple[str, Callable[[], Problem]]] = [
    ("rmsnorm", lambda: of.rmsnorm(7, 48)), ("layernorm", lambda: of.layernorm(5, 33)),
    ("softmax", lambda: of.softmax(4, 29)), ("sum", lambda: of.reduce_sum(6, 40)),
    ("cross entropy", lambda: of.cross_entropy(6, 31)),
]  # fmt: skip


def doubled(program: Program) -> Program:
    """Return two programs in a row with a step of a library between, which makes the second's input of ``out``."""
    (out,) = program.of(Role.OUTPUT)
    (first,) = program.of(Role.INPUT)[:1]
    renamed = {"out": "middle", first.name: "made"}
    tensors = (*program.tensors[:-1], replace(out, name="middle", role=Role.SCRATCH),
               Tensor("made", first.shape, first.dtype, Role.SCRATCH), out)  # fmt: skip
    before = _renamed(program, {"out": "middle"})
    after = _renamed(program, {first.name: "made"})
    assert renamed
    return Program(tensors, (*before.steps, Library("halve", ("middle",), ("made",), "a test"), *after.steps))


def _renamed(program: Program, names: Mapping[str, str]) -> Program:
    def access(one: Any) -> Any:
        return replace(one, tensor=names.get(one.tensor, one.tensor))

    steps = tuple(
        replace(one, reads=tuple((name, access(each)) for name, each in one.reads),
                stores=tuple(replace(each, to=access(each.to)) for each in one.stores))
        for one in program.steps
    )  # fmt: skip
    return replace(program, steps=steps)


def given_of(program: Program, seed: int = 3) -> dict[str, Any]:
    chance = np.random.default_rng(seed)
    return {
        one.name: chance.integers(0, 20, one.shape)
        if one.dtype.value.startswith("int")
        else chance.normal(size=one.shape)
        for one in program.of(Role.INPUT, Role.WEIGHT)
    }


def halved(step: Library, held: Mapping[str, Any]) -> dict[str, Any]:
    return {step.writes[0]: held[step.reads[0]] / 2}


def test_a_problem_of_one_run_is_its_only_part() -> None:
    problem = of.rmsnorm(7, 48)
    (part,) = parts_of(problem)
    assert part.problem is problem
    assert (part.begin, part.end) == (0, len(problem.program.steps))


def test_parts_and_library_steps_come_to_the_whole() -> None:
    problem = Problem("twice", doubled(of.rmsnorm(7, 48).program), (doubled(of.rmsnorm(3, 17).program),))
    parts = parts_of(problem)
    assert [(one.begin, one.end) for one in parts] == [(0, 1), (2, 3)]
    assert [len(one.problem.held_out) for one in parts] == [1, 1]
    given = given_of(problem.program)
    held: dict[str, Any] = dict(given)
    for part in parts:
        if part.begin:
            held["made"] = held["middle"] / 2
        inputs = {one.name: held[one.name] for one in part.problem.program.of(Role.INPUT, Role.WEIGHT)}
        held |= evaluate(part.problem.program, inputs)
    np.testing.assert_array_equal(held["out"], evaluate(problem.program, given, halved)["out"])


def test_what_leaves_a_part_is_its_output_and_what_stays_is_not() -> None:
    problem = Problem("twice", doubled(of.rmsnorm(7, 48).program))
    first, second = (one.problem.program for one in parts_of(problem))
    assert {one.name for one in first.of(Role.OUTPUT)} == {"middle"}
    assert {one.name for one in second.of(Role.INPUT)} == {"made"}
    assert {one.name for one in second.of(Role.WEIGHT)} == {one.name for one in first.of(Role.WEIGHT)}


def test_a_product_is_a_part_of_its_own() -> None:
    product = of.matmul_bias_relu(6, 5, 7).program
    assert is_product(product.steps[0])
    (alone,) = parts_of(Problem("one", product))
    assert alone.end == 1


def test_a_problem_of_library_steps_alone_is_refused() -> None:
    tensor = Tensor("x", (4,), of.rmsnorm(2, 4).program.tensors[0].dtype, Role.INPUT)
    step = Library("sort", ("x",), ("out",), "it sorts")
    program = Program((tensor, replace(tensor, name="out", role=Role.OUTPUT)), (step,))
    with pytest.raises(NoOwnPart, match="it sorts"):
        parts_of(Problem("sorted", program))


@pytest.mark.torch
@pytest.mark.parametrize(("name", "made"), ROWS, ids=[name for name, _ in ROWS])
def test_a_part_in_plain_torch_comes_to_what_the_graph_says(
    tmp_path: Path, name: str, made: Callable[[], Problem]
) -> None:
    torch = pytest.importorskip("torch", reason="plain torch needs PyTorch: ./steward setup kernels")
    program = made().program
    (part,) = parts_of(Problem(name, program))
    space: dict[str, Any] = {}
    exec(baseline_source(part), space)
    given = given_of(program)
    tensors = [torch.from_numpy(one.astype(program.tensor(key).dtype.value)) for key, one in given.items()]
    found = space["baseline"](*tensors)
    wanted = evaluate(program, {key: one.numpy() for key, one in zip(given, tensors, strict=True)})
    for one, output in zip(found, program.of(Role.OUTPUT), strict=True):
        np.testing.assert_allclose(one.numpy(), wanted[output.name], rtol=2e-5, atol=2e-6)


@pytest.mark.torch
def test_whole_numbers_stay_whole_where_only_the_inputs_are_wide() -> None:
    """float32 holds whole numbers up to 2^24: two ids beside it must stay two, though the output is float32."""
    torch = pytest.importorskip("torch", reason="plain torch needs PyTorch: ./steward setup kernels")
    axes, name = (4,), "ids"
    read = Read(name)
    same = Apply(Fn.EQ, (read, Number(float(2**24 + 1))))
    sweep = Sweep(axes, ((name, Access(name, (1,))),), (), (Store(Access("out", (1,)), same),))
    tensors = (Tensor(name, axes, DType.I64, Role.INPUT), Tensor("out", axes, DType.F32, Role.OUTPUT))
    (part,) = parts_of(Problem("same", Program(tensors, (sweep,))))
    space: dict[str, Any] = {}
    exec(baseline_source(part), space)
    ids = torch.tensor([2**24, 2**24 + 1, 2**24 + 2, 7])
    assert space["baseline"](ids)[0].tolist() == [0.0, 1.0, 0.0, 0.0]


@pytest.mark.torch
def test_ids_beside_floats_do_not_make_the_floats_wide() -> None:
    """A baseline that computes in float64 what torch computes in float32 would be a slow one."""
    (part,) = parts_of(of.cross_entropy(6, 31))
    assert not any("float64" in one and "_see(v_x" in one for one in baseline_source(part).splitlines())
