"""Programs drawn at random beside eager PyTorch: expression trees over several reads, some folded along their rows.

Each program is drawn twice with one seed: small, with sizes that fill no vector, where its kernel is held against
the oracle in float64; and large, where it is timed beside the same expressions in plain PyTorch (no copy into a
result, constants as Python numbers, equal expressions once). Right is within 2e-6 of the norm or, where the drawn
expression all but cancels (``sigmoid(x) - 0.5`` of a small x), within what the judge of kernels allows each element,
which follows from the roundings of its operations. The kernel is that of the default genome, since 200 searches would
take hours. One thread, processor time, rounds interleaved, outputs allocated anew on both sides with one allocator that
keeps its pages.

python -P -m tests.benchmarks.kernels_random FOLDER COUNT: the child that measures, one JSON line a program.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from gpu_skills.building import load, this_machine
from gpu_skills.cpp import space_of
from gpu_skills.errors import KernelsError
from gpu_skills.graph import (
    Access,
    Apply,
    Expr,
    Fn,
    Fold,
    Folded,
    Number,
    Parameter,
    Position,
    Program,
    Read,
    Role,
    Size,
    Store,
    Sweep,
    evaluate,
)
from gpu_skills.judge.exam import Scene, missed, wanted
from gpu_skills.judge.leash import KEPT_PAGES
from gpu_skills.model import Built, Candidate, Language, Problem
from tests.benchmarks.machine import ROOT
from tests.gpu_skills.random_programs import random_program
from tests.gpu_skills.running import Tensors, built_of, held_against, values_of

FIRST_SEED = 20_000
LARGE = {2: (512, 2048), 3: (8, 128, 1024)}
SMALL = {2: (5, 67), 3: (3, 5, 67)}
BOUND, BOUND_BESIDE = 2e-6, 1e-4
ROUNDS, PATIENCE_S = 5, 600.0
_FOLDS = {Fold.SUM: "sum", Fold.MAX: "amax", Fold.MIN: "amin"}
_OPERATORS = {Fn.ADD: "__add__", Fn.SUB: "__sub__", Fn.MUL: "__mul__", Fn.DIV: "__truediv__", Fn.NEG: "__neg__",
              Fn.LT: "__lt__", Fn.LE: "__le__"}  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """What became of a program: empty or what was wrong, and what a call takes, ours and theirs.

    ``by_rounding``: it is right by what the roundings of its operations allow alone.
    """

    seed: int
    wrong: str
    ns: float = 0.0
    eager_ns: float = 0.0
    by_rounding: bool = False


def measured(count: int, folder: Path, left_s: float = PATIENCE_S) -> tuple[dict[str, float], list[str]]:
    """Draw, build and measure ``count`` programs in the time that is left; return the figures, and what the page says.

    One that was not measured, because time was up or its process ended, is wrong.
    """
    until = time.monotonic() + left_s
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(lambda seed: build(seed, folder), seeds(count)))
    lines_of = told_by(command_of(folder, count), folder / "told.jsonl", max(until - time.monotonic(), 1.0))
    known = {one.seed: one for one in (Drawn(**json.loads(line)) for line in lines_of)}
    found = [known.get(seed, Drawn(seed, "it was not measured")) for seed in seeds(count)]
    right = [one for one in found if not one.wrong]
    ratios = [one.eager_ns / one.ns for one in right]
    told = {"random": float(count), "random_wrong": float(count - len(right)),
            "random_geomean_vs_eager": float(np.exp(np.mean(np.log(ratios)))) if ratios else 0.0,
            "random_below_1": float(sum(one < 1 for one in ratios)),
            "random_by_rounding": float(sum(one.by_rounding for one in right))}  # fmt: skip
    lines = ["", "## Expression trees drawn at random", "", (__doc__ or "").split("\n\n")[1]]
    lines += [f"Seed {one.seed} is wrong: {one.wrong}." for one in found if one.wrong]
    lines += [f"Seed {one.seed} is right by what roundings allow alone." for one in right if one.by_rounding]
    if ratios:
        low, high = np.quantile(ratios, (0.05, 0.95))
        lines.append(
            f"Between the 5th and the 95th of 100 they are {low:.2f} to {high:.2f} times as fast as eager PyTorch."
        )
    return told, lines


def command_of(folder: Path, count: int) -> list[str]:
    """Return the command of the child that measures."""
    return [sys.executable, "-P", "-m", "tests.benchmarks.kernels_random", str(folder), str(count)]


def told_by(command: list[str], file: Path, left_s: float) -> list[str]:
    """Return the whole lines of JSON that a process prints, until it ends, however it does, or the time is up."""
    environment = {**os.environ, **KEPT_PAGES, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    with file.open("wb") as told, suppress(subprocess.TimeoutExpired):
        subprocess.run(command, env=environment, cwd=ROOT, stdout=told, timeout=left_s, check=False)
    lines = file.read_text(errors="replace").splitlines(keepends=True)
    return [one for one in lines if one.startswith("{") and one.endswith("}\n")]


def seeds(count: int) -> range:
    """Return the seeds of the programs; none of them was used to write the generator."""
    return range(FIRST_SEED, FIRST_SEED + count)


def build(seed: int, folder: Path) -> None:
    """Build the default kernel of a seed's large program; one that cannot be built is missing, and counts as wrong."""
    program, machine = random_program(seed, LARGE), this_machine()
    with suppress(KernelsError):
        built_of(program, space_of(program, machine).default, machine, folder / str(seed))


def built(seed: int, folder: Path) -> Built | None:
    """Return what was built."""
    found = next((folder / str(seed)).glob("*.so"), None)
    return Built(Candidate(found.stem, "", Language.CPP, ""), found, "", (), 0.0) if found else None


# --- the same in plain PyTorch ----------------------------------------------------------------------------------------


class Plain:
    """A program of one sweep as eager PyTorch: results are what its expressions give, and nothing is copied."""

    def __init__(self, torch: Any, program: Program) -> None:
        (sweep,) = program.steps
        assert isinstance(sweep, Sweep)
        self._torch, self._sweep = torch, sweep
        self._known: dict[int, Any] = {}
        self._given: dict[str, Any] = {}
        self._folded: dict[str, Any] = {}

    def __call__(self, given: dict[str, Any]) -> list[Any]:
        """Return the results in the order of the stores."""
        self._known, self._given, self._folded = {}, given, {}
        for one in self._sweep.reductions:
            whole = self._torch.broadcast_to(self._tensor(one.expr), self._sweep.axes)
            self._folded[one.name] = getattr(whole, _FOLDS[one.fold])(-1, keepdim=True)
        return [self._result(store) for store in self._sweep.stores]

    def _result(self, store: Store) -> Any:
        shape = (*self._sweep.axes[:-1], 1) if store.once else self._sweep.axes
        return self._torch.broadcast_to(self._tensor(store.expr), shape).contiguous()

    def _tensor(self, expr: Expr) -> Any:
        found = self._value(expr)
        return found if isinstance(found, self._torch.Tensor) else self._torch.tensor(float(found))

    def _value(self, expr: Expr) -> Any:
        if id(expr) not in self._known:
            self._known[id(expr)] = self._made(expr)
        return self._known[id(expr)]

    def _made(self, expr: Expr) -> Any:
        match expr:
            case Read():
                return self._seen(self._sweep.access(expr.access))
            case Number() | Parameter():
                return expr.value
            case Size():
                return float(self._sweep.axes[expr.axis])
            case Position():
                shape = [-1 if axis == expr.axis else 1 for axis in range(len(self._sweep.axes))]
                return self._torch.arange(self._sweep.axes[expr.axis], dtype=self._torch.float32).reshape(shape)
            case Folded():
                return self._folded[expr.reduction]
            case Apply():
                return self._applied(expr.fn, [self._value(one) for one in expr.arguments])
            case _:
                raise ValueError(f"{expr} is none of the drawn ones")

    def _seen(self, access: Access) -> Any:
        sizes = [size if stride else 1 for size, stride in zip(self._sweep.axes, access.strides, strict=True)]
        return self._torch.as_strided(self._given[access.tensor], sizes, access.strides, access.offset)

    def _applied(self, fn: Fn, values: list[Any]) -> Any:
        tensors = [isinstance(one, self._torch.Tensor) for one in values]
        if fn is Fn.WHERE:
            return self._torch.where(values[0], *values[1:])
        if fn in (Fn.MAXIMUM, Fn.MINIMUM) and any(tensors) and not all(tensors):
            tensor, number = values if tensors[0] else values[::-1]
            return tensor.clamp(min=number) if fn is Fn.MAXIMUM else tensor.clamp(max=number)
        if not any(tensors):
            values = [self._torch.tensor(float(one)) for one in values]
        if fn in _OPERATORS:
            return _operated(_OPERATORS[fn], values)
        return getattr(self._torch, fn.value)(*values)


def _operated(name: str, values: list[Any]) -> Any:
    if isinstance(values[0], float):  # a number on the left: torch knows the operator from the right
        return getattr(values[1], {"__lt__": "__gt__", "__le__": "__ge__"}.get(name, f"__r{name[2:]}"))(values[0])
    return getattr(values[0], name)(*values[1:])


# --- the child --------------------------------------------------------------------------------------------------------


def main(folder: Path, count: int) -> None:
    """Measure every program, one JSON line each."""
    import torch

    torch.set_num_threads(1)
    for seed in seeds(count):
        print(json.dumps(vars(tried(torch, seed, folder))), flush=True)


def tried(torch: Any, seed: int, folder: Path) -> Drawn:
    """Hold a kernel against the oracle where it is small, and against eager where it is large; time it there."""
    made, small, large = built(seed, folder), random_program(seed, SMALL), random_program(seed, LARGE)
    if made is None:
        return Drawn(seed, "it could not be built")
    wrong, by_rounding = differs(small, made, seed)
    if wrong:
        return Drawn(seed, wrong)
    values = values_of(Problem("large", large), seed)
    given = {name: torch.empty(one.shape).copy_(torch.from_numpy(one)) for name, one in values.items()}
    kernel, plain = called(torch, made, large, given), Plain(torch, large)
    with torch.no_grad():
        for one, other in zip(kernel(), plain(given), strict=True):
            off = float((one - other.reshape(one.shape)).norm() / max(float(other.norm()), 1e-30))
            if not off <= BOUND_BESIDE:
                return Drawn(seed, f"it is {off:.1e} of the norm from eager PyTorch")
        pairs = [(_took(kernel), _took(lambda: plain(given))) for _ in range(ROUNDS + 1)][1:]
    return Drawn(seed, "", median(one for one, _ in pairs), median(one for _, one in pairs), by_rounding)


def differs(program: Program, made: Built, seed: int) -> tuple[str, bool]:
    """Return how a kernel differs from the oracle by more than rounding explains, "" where it does not; and whether it
    is further from it than ``BOUND`` of the norm all the same.
    """
    problem = Problem("small", program)
    given = values_of(problem, seed)
    try:
        held_against(program, made, given, bound=BOUND)
    except AssertionError as error:
        chance = np.random.default_rng(seed)
        scene = Scene("small", program, given, wanted(program, given, evaluate, chance))
        tensors = Tensors(program, given)
        assert load(made)(program, tensors.arrays, 1) == 0
        found = missed(scene, {one.name: tensors.arrays[one.name] for one in program.of(Role.OUTPUT)})
        return str(error).splitlines()[0] if found.wrong else "", not found.wrong
    return "", False


def called(torch: Any, made: Built, program: Program, given: dict[str, Any]) -> Callable[[], list[Any]]:
    """Return the kernel as a function that makes its results anew with each call, as eager PyTorch does."""
    entry, inputs = load(made), {name: one.numpy() for name, one in given.items()}

    def act() -> list[Any]:
        outputs = {one.name: torch.empty(one.shape) for one in program.of(Role.OUTPUT)}
        assert entry(program, inputs | {name: one.numpy() for name, one in outputs.items()}, 1) == 0
        return list(outputs.values())

    return act


def _took(act: Callable[[], object]) -> float:
    began = time.thread_time_ns()
    act()
    return float(time.thread_time_ns() - began)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
