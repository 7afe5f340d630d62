"""The sides of a row: a kernel of ours, torch as a person writes it, its own fused function, torch.compile, AutoKernel.

All of them get the same sets of inputs and leave it to torch's allocator where their outputs lie.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gpu_skills.graph import DType, Role, numbers_of, parameters_of
from gpu_skills.model import Genome
from gpu_skills.tiles import Target, generate
from tests.benchmarks.gpu.rows import Row

Call = Callable[[int], Any]
DTYPES = {DType.BF16: "bfloat16", DType.F32: "float32", DType.I64: "int64"}


class Inputs:
    """Sets of inputs and weights for a row on the GPU, in a program's order, each with values of its own."""

    def __init__(self, torch: Any, row: Row, sets: int, device: str = "cuda") -> None:
        self.torch, self.row, self.device = torch, row, device
        self.sets = [self._one(seed) for seed in range(sets)]

    def _one(self, seed: int) -> list[Any]:
        torch = self.torch
        chance = torch.Generator(device=self.device).manual_seed(seed)
        made = []
        for one in self.row.problem.program.of(Role.INPUT, Role.WEIGHT):
            if one.dtype is DType.I64:
                made.append(torch.randint(0, self.row.below, one.shape, device=self.device, generator=chance))
            else:
                values = torch.randn(one.shape, device=self.device, generator=chance)
                few = one.role is Role.WEIGHT and len(one.shape) > 1
                made.append((values * (one.shape[-1] ** -0.5 if few else 1.0)).to(getattr(torch, DTYPES[one.dtype])))
        return made

    def again(self) -> Inputs:
        """Return the same values in memory of their own."""
        return Inputs(self.torch, self.row, len(self.sets), self.device)

    def changed(self) -> bool:
        """Tell whether something wrote into them since they were made."""
        return any(not self.torch.equal(one, other) for seed, given in enumerate(self.sets)
                   for one, other in zip(given, self._one(seed), strict=True))  # fmt: skip

    def persons(self, which: int) -> list[Any]:
        """Return a set in the shapes in which a person passes it."""
        given, shapes = self.sets[which % len(self.sets)], self.row.shapes
        return [one.view(shape) for one, shape in zip(given, shapes, strict=True)] if shapes else given


class Ours:
    """A kernel of ours. Calling it raises whatever Triton says of it.

    Each call has outputs of its own; with ``poison`` they begin as what is no number, so that nothing that an earlier
    call left in the same memory looks like a result.
    """

    def __init__(self, inputs: Inputs, genome: Genome, target: Target, folder: Path) -> None:
        program = inputs.row.problem.program
        module = _module(generate(program, genome, target), folder)
        parameters = [float(one.value) for one in parameters_of(program)]
        self._launches = module.steward_launches(numbers_of(program), parameters, target.processors)
        if self._launches is None:
            raise ValueError("it was not made for these numbers")
        roles = [one.role for one in program.tensors]
        self._given = [at for at, role in enumerate(roles) if role in (Role.INPUT, Role.WEIGHT)]
        self._made = [at for at in range(len(roles)) if at not in self._given]
        self._results = [at for at, role in enumerate(roles) if role is Role.OUTPUT]
        self._shapes = [(one.shape, getattr(inputs.torch, DTYPES[one.dtype])) for one in program.tensors]
        self._inputs, self.poison = inputs, False

    def __call__(self, which: int) -> Any:
        torch, device = self._inputs.torch, self._inputs.device
        tensors: list[Any] = [None] * len(self._shapes)
        sets = self._inputs.sets
        for at, one in zip(self._given, sets[which % len(sets)], strict=True):
            tensors[at] = one
        for at in self._made:
            shape, dtype = self._shapes[at]
            tensors[at] = torch.empty(shape, dtype=dtype, device=device)
            if self.poison:
                tensors[at].fill_(float("nan"))
        for one, grid, places, rest, fixed, how in self._launches:
            one[grid](*[tensors[at] for at in places], *rest, **fixed, **how)
        return tuple(tensors[at] for at in self._results)


def _module(source: str, folder: Path) -> Any:
    with tempfile.NamedTemporaryFile("w", suffix=".py", dir=folder, delete=False) as file:
        file.write(source)
    return _loaded(Path(file.name), f"_gpu_check_{Path(file.name).stem}")


def _loaded(place: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def torchs(inputs: Inputs) -> dict[str, Call]:
    """Return torch's sides: ``eager``, ``library`` where there is one, ``compile`` of what a person writes."""
    row, torch = inputs.row, inputs.torch
    torch._dynamo.reset()
    compiled = torch.compile(row.plain, mode="max-autotune-no-cudagraphs", dynamic=False)
    return plain(inputs) | {"compile": _called(compiled, inputs)}


def plain(inputs: Inputs) -> dict[str, Call]:
    """Return the sides that need no compiler."""
    functions = {"eager": inputs.row.plain, "library": inputs.row.library}
    return {name: _called(one, inputs) for name, one in functions.items() if one is not None}


def _called(function: Callable[..., Any], inputs: Inputs) -> Call:
    return lambda which: function(*inputs.persons(which))


def autokernel(checkout: Path | None, inputs: Inputs) -> dict[str, Call]:
    """Return AutoKernel's starter kernel for a row, where a checkout has one."""
    place = checkout / "kernels" / f"{inputs.row.theirs}.py" if checkout and inputs.row.theirs else None
    if place is None or not place.is_file():
        return {}
    return {"autokernel": Theirs(place, inputs)}


class Theirs:
    """A kernel from a file of somebody else's: loaded when it is first called, on inputs of its own."""

    def __init__(self, place: Path, inputs: Inputs) -> None:
        self._place, self._inputs = place, inputs
        self._call: Call | None = None
        self._own: Inputs | None = None

    def __call__(self, which: int) -> Any:
        if self._call is None:
            self._own = self._inputs.again()
            self._call = _called(_loaded(self._place, f"_autokernel_{self._place.stem}").kernel_fn, self._own)
        return self._call(which)

    def changed(self) -> bool:
        """Tell whether it wrote into its inputs."""
        return self._own is not None and self._own.changed()


def error_of(torch: Any, found: Any, wanted: Any) -> float:
    """Return how far outputs are off, of the norm of what they should be; infinite where they are not comparable."""
    pairs = list(zip(_flat(found), _flat(wanted), strict=False))
    if len(_flat(found)) != len(_flat(wanted)):
        return float("inf")
    worst = 0.0
    for one, other in pairs:
        right = other.mean() if one.dim() == 0 else other
        if one.numel() != right.numel():
            return float("inf")
        size = float(torch.linalg.vector_norm(right)) or 1.0
        off = float(torch.linalg.vector_norm(one.double().reshape(right.shape) - right)) / size
        worst = max(worst, off) if off == off else float("inf")
    return worst


def _flat(made: Any) -> tuple[Any, ...]:
    return tuple(made) if isinstance(made, tuple | list) else (made,)


def references(inputs: Inputs) -> list[Any]:
    """Return what each set should come to, in float64."""
    found: list[Any] = []
    for which in range(len(inputs.sets)):
        wide = [one.double() if one.is_floating_point() else one for one in inputs.persons(which)]
        made = inputs.row.plain(*wide)
        found.append(made)
    return found


def choices(space_knobs: Mapping[str, tuple[Any, ...]]) -> list[tuple[str, tuple[Any, ...]]]:
    """Return knobs in the order in which they are tried: how a thing is done before how large its parts are."""
    order = ("way", "tile_rows", "tile_columns", "tile_depth", "tile_warps", "tile_stages", "warps", "elements",
             "persistent", "caches", "tile_group", "division")  # fmt: skip
    return [(name, space_knobs[name]) for name in order if name in space_knobs]
