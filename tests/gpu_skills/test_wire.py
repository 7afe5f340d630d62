"""Programs and problems as JSON: what is written is read again, and what was not written is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from gpu_skills.graph import (
    Apply,
    Fn,
    Number,
    Program,
    Read,
    evaluate,
    program_from_json,
    program_to_json,
    structure_of,
)
from gpu_skills.intake.wire import problem_from_json, problem_to_json
from gpu_skills.model import Fill, Filling, Origin, Problem
from tests.gpu_skills import programs as of

TWELVE = of.rows_of_the_table(8, 16)


@pytest.mark.parametrize("problem", TWELVE, ids=lambda one: one.name)
def test_a_problem_comes_back_as_it_was(problem: Problem) -> None:
    origin = Origin(Path("/some/file.py"), "f", (("out", "out_given"),), (("0.weight", "v0_weight"),))
    fills = {"x": Fill(Filling.POSITIVE, 2.0)}
    whole = Problem(problem.name, problem.program, (problem.program,), fills, origin)
    for one in (problem, whole):
        assert problem_from_json(json.loads(json.dumps(problem_to_json(one)))) == one


def doubled(times: int) -> Program:
    """Return x + x, that plus itself, and so on: a tree of 2**times leaves, a graph of as many nodes as times."""
    program = of.silu_mul(2, 3).program
    expr: Read | Apply = Read("g")
    for _ in range(times):
        expr = Apply(Fn.ADD, (expr, expr))
    sweep = program.steps[0]
    store = type(sweep.stores[0])(sweep.stores[0].to, expr)
    return Program(program.tensors, (type(sweep)(sweep.axes, sweep.reads, (), (store,)),))


def test_what_stands_at_many_places_is_written_and_computed_once() -> None:
    program = doubled(60)
    data = program_to_json(program)
    assert len(data["expressions"]) == 61
    again = program_from_json(data)
    assert structure_of(again) == structure_of(program)
    values = {"g": np.ones((2, 3)), "u": np.ones((2, 3))}
    assert evaluate(again, values)["out"][0, 0] == 2.0**60


def test_numbers_that_json_lacks_come_back() -> None:
    program = doubled(0)
    sweep = program.steps[0]
    for value in (math.inf, -math.inf, math.nan, 0.1, 1e-300):
        store = type(sweep.stores[0])(sweep.stores[0].to, Number(value))
        one = Program(program.tensors, (type(sweep)(sweep.axes, sweep.reads, (), (store,)),))
        text = json.dumps(program_to_json(one), allow_nan=False)
        assert repr(program_from_json(json.loads(text)).steps[0].stores[0].expr.value) == repr(value)


def broken(change: str) -> dict[str, object]:
    data = json.loads(json.dumps(program_to_json(TWELVE[0].program)))
    match change:
        case "a row that refers to itself":
            data["expressions"][2] = ["apply", "add", 2, 2]
        case "a row before the first":
            data["expressions"][2] = ["apply", "add", -1, 0]
        case "no such function":
            data["expressions"][1] = ["apply", "system", 0]
        case "an axis that is no number":
            data["steps"][0]["axes"][0] = "4096"
        case "truth for a number":
            data["steps"][0]["axes"][0] = True
        case "a tensor of no kind":
            data["tensors"][0][2] = "object"
        case "no steps":
            del data["steps"]
        case "an access that is not there":
            data["expressions"][0] = ["read", "nothing"]
        case "a fold that is not there":
            data["expressions"][0] = ["folded", "nothing"]
        case "too few arguments":
            data["expressions"][1] = ["apply", "mul", 0]
        case "too many arguments":
            data["expressions"][1] = ["apply", "neg", 0, 0]
        case "an axis that is not there":
            data["expressions"][0] = ["size", 2]
        case "an axis of nothing":
            data["steps"][0]["axes"][0] = 0
        case "a tensor of nothing":
            data["tensors"][0][1][0] = 0
        case "nothing to choose from":
            data["expressions"][1] = ["gather", "x", 0, 1, 0]
        case "a read behind the end":
            data["steps"][0]["reads"][0][1][2] = 1
        case "too few strides":
            del data["steps"][0]["reads"][0][1][1][0]
        case "a read of no tensor":
            data["steps"][0]["reads"][0][1][0] = "nothing"
        case "two tensors of one name":
            data["tensors"].append(data["tensors"][0])
        case "a size beyond 64 bits":
            data["steps"][0]["axes"][0] = 10**400
        case "a number beyond floats":
            data["expressions"][0] = ["number", 10**400]
        case "an expression without end":
            first = len(data["expressions"])
            data["expressions"] += [["apply", "neg", first + place - 1] for place in range(5000)]
        case "a word for truth":
            data["steps"][0]["stores"][0][2] = "yes"
        case _:
            raise KeyError(change)
    return data


BROKEN = (
    "a row that refers to itself", "a row before the first", "no such function", "an axis that is no number",
    "truth for a number", "a tensor of no kind", "no steps", "an access that is not there", "a fold that is not there",
    "too few arguments", "too many arguments", "an axis that is not there", "an axis of nothing",
    "a tensor of nothing", "nothing to choose from", "a read behind the end", "too few strides", "a read of no tensor",
    "two tensors of one name", "a size beyond 64 bits", "a number beyond floats", "an expression without end",
    "a word for truth",
)  # fmt: skip


@pytest.mark.parametrize("change", BROKEN)
def test_what_is_no_program_is_refused(change: str) -> None:
    with pytest.raises(ValueError, match=r"no program|not a valid"):
        program_from_json(broken(change))


def test_zero_and_negative_zero_are_two_numbers() -> None:
    program = doubled(0)
    sweep = program.steps[0]
    both = Apply(Fn.ADD, (Apply(Fn.DIV, (Number(1.0), Number(0.0))), Apply(Fn.DIV, (Number(1.0), Number(-0.0)))))
    store = type(sweep.stores[0])(sweep.stores[0].to, both)
    one = Program(program.tensors, (type(sweep)(sweep.axes, sweep.reads, (), (store,)),))
    again = program_from_json(json.loads(json.dumps(program_to_json(one))))
    assert repr(again) == repr(one)
    plain = type(sweep.stores[0])(sweep.stores[0].to, Number(0.0))
    other = type(sweep.stores[0])(sweep.stores[0].to, Number(-0.0))
    programs = [
        Program(program.tensors, (type(sweep)(sweep.axes, sweep.reads, (), (each,)),)) for each in (plain, other)
    ]
    assert structure_of(programs[0]) != structure_of(programs[1])
