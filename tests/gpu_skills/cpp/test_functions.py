"""Functions of elements against float64 over dense samples of all floats: error in ulp, ends, what is no number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from gpu_skills.building import load, this_machine
from gpu_skills.cpp import BOUNDS, space_of
from gpu_skills.graph import Access, Apply, DType, Fn, Program, Read, Role, Store, Sweep, Tensor
from tests.gpu_skills.running import Array, Tensors, built_of, needs_compiler

pytestmark = needs_compiler
SMALLEST = np.float32(2.0**-126)
ORACLES: dict[Fn, Callable[[Array], Array]] = {
    Fn.EXP: np.exp, Fn.EXPM1: np.expm1, Fn.LOG: np.log, Fn.LOG1P: np.log1p, Fn.TANH: np.tanh,
    Fn.SIGMOID: lambda x: 1 / (1 + np.exp(-x)), Fn.ERF: np.vectorize(math.erf, otypes=[np.float64]), Fn.SIN: np.sin,
    Fn.COS: np.cos, Fn.RSQRT: lambda x: 1 / np.sqrt(x),
}  # fmt: skip
ENDS = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e-45, -1e-45, 1e-38, 3e38, -3e38, 88.7, 89.0, -87.3,
                 -88.0, -104.0, 1e6, 1.1e6, -1e30], np.float32)  # fmt: skip


def samples() -> Array:
    """Return floats of all sizes and both signs, and densely those at which something happens."""
    bits = np.arange(0, 2**32, 52_711, dtype=np.uint64).astype(np.uint32).view(np.float32)
    dense = np.concatenate([np.linspace(-20, 20, 60_001), np.linspace(-104, 89, 30_001), np.linspace(0.5, 2, 30_001),
                            np.linspace(-1e6, 1e6, 50_001)])  # fmt: skip
    return np.concatenate([ENDS, bits, dense.astype(np.float32)])


def program_of(fns: Sequence[Fn], count: int) -> Program:
    """Return a program that stores each function of one input."""
    stores = tuple(Store(Access(fn.value, (1,)), Apply(fn, (Read("x"),))) for fn in fns)
    outs = (Tensor(fn.value, (count,), DType.F32, Role.OUTPUT) for fn in fns)
    sweep = Sweep((count,), (("x", Access("x", (1,))),), (), stores)
    return Program((Tensor("x", (count,), DType.F32, Role.INPUT), *outs), (sweep,))


@pytest.fixture(scope="module", params=[(lanes, how) for lanes in (16, 8, 4) for how in ("precise", "fast")], ids=str)
def computed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Tensors]:
    """Return what the kernels of one level and one precision make of the samples."""
    lanes, how = request.param
    machine, x = this_machine(), samples()
    program = program_of(tuple(ORACLES), len(x))
    space = space_of(program, machine)
    if lanes not in space.knobs[0].choices:
        pytest.skip(f"this processor has no vectors of {lanes} floats")
    genome = {**space.default, "functions": how, "lanes": lanes, "unroll": 1}
    tensors = Tensors(program, {"x": x})
    assert (
        load(built_of(program, genome, machine, tmp_path_factory.mktemp("functions")))(program, tensors.arrays, 1) == 0
    )
    tensors.check()
    return how, tensors


@pytest.mark.parametrize("fn", ORACLES, ids=lambda one: one.value)
def test_a_function_stays_within_its_bound(fn: Fn, computed: tuple[str, Tensors]) -> None:
    how, tensors = computed
    x, found = tensors.arrays["x"], tensors.arrays[fn.value]
    with np.errstate(all="ignore"):
        wanted = ORACLES[fn](x.astype(np.float64))
        rounded = wanted.astype(np.float32)
        ulp = np.spacing(np.maximum(np.abs(rounded), SMALLEST)).astype(np.float64)
        off = np.abs(found.astype(np.float64) - wanted) / ulp
    assert (np.isnan(found) == np.isnan(wanted)).all(), x[np.isnan(found) != np.isnan(wanted)][:5]
    infinite = np.isinf(rounded)
    assert (found[infinite] == rounded[infinite]).all(), x[infinite & (found != rounded)][:5]
    normal = np.isfinite(rounded) & (np.abs(rounded) >= SMALLEST)
    worst = int(np.argmax(np.where(normal, off, 0)))
    assert off[worst] <= BOUNDS[fn][how == "fast"], f"{fn}({x[worst]!r}) is {found[worst]!r}: {off[worst]:.2f} ulp"
    lost = np.isfinite(rounded) & ~normal
    assert (np.abs(found[lost]) <= 1.3e-38).all()


def test_no_fast_function_is_worse_than_a_millionth() -> None:
    assert all(max(bound) * 2.0**-23 < 1e-6 for bound in BOUNDS.values())
