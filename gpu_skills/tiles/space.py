"""What can be chosen for a program on a target, and the source for one choice."""

from __future__ import annotations

from typing import Final

from gpu_skills.cpp.laying import Lying, lying_of
from gpu_skills.cpp.laying import Way as Lie
from gpu_skills.cpp.lowering import Lowered, lower
from gpu_skills.cpp.passes import follows_online
from gpu_skills.errors import CannotGenerate
from gpu_skills.graph import DType, Fn, Library, Program, Sweep
from gpu_skills.model import Genome, Knob, Space
from gpu_skills.tiles.choices import Choices, Tiling, Way
from gpu_skills.tiles.model import Target
from gpu_skills.tiles.naming import names_of
from gpu_skills.tiles.products import factors, is_short
from gpu_skills.tiles.rows import MOST_COLUMNS
from gpu_skills.tiles.source import source

FAMILY: Final = "triton"
COMFORTABLE_COLUMNS: Final = 16384
"""Of a row that is held whole by default: twice as many leave a thread too few registers for two arrays."""


def space_of(program: Program, target: Target) -> Space:
    """Return every kernel that the family can make for ``program`` on ``target``.

    Raises CannotGenerate where a step stays with its library or a dtype is not covered.
    """
    sweeps = [(lower(one), lying_of(one)) for one in _sweeps(program)]
    others = [(one, lying) for one, lying in sweeps if lying.way is not Lie.PRODUCT]
    products = [(at, one, lying) for at, (one, lying) in enumerate(sweeps) if lying.way is Lie.PRODUCT]
    knobs = [*(_tiles() if others else ()), *_ways(others), *_always(program, others)]
    if products:
        knobs += _products(program, products, target)
    return Space(FAMILY, tuple(knobs), _excluded(knobs, target))


def generate(program: Program, genome: Genome, target: Target) -> str:
    """Return the Python source of a kernel for the structure of ``program``.

    Raises CannotGenerate where the program is not covered or the genome is not one of its space.
    """
    if not space_of(program, target).has(genome):
        raise CannotGenerate(
            "triton.not_covered", f"The genome {dict(genome)} is none of this space.", hint="Take choices of space_of."
        )
    choices = Choices(
        elements=int(genome.get("elements", 4096)),
        warps=int(genome.get("warps", 0)),
        persistent=int(genome["persistent"]),
        way=Way(str(genome.get("way", Way.WHOLE))),
        stages=int(genome.get("stages", 1)),
        streaming=genome.get("caches") == "streaming",
        precise_division=genome.get("division") == "exact",
    )
    tiling = Tiling(
        rows=int(genome.get("tile_rows", 64)),
        columns=int(genome.get("tile_columns", 64)),
        depth=int(genome.get("tile_depth", 32)),
        group=int(genome.get("tile_group", 8)),
        warps=int(genome.get("tile_warps", 4)),
        stages=int(genome.get("tile_stages", 2)),
        precision=str(genome.get("precision", "ieee")),
    )
    return source(program, choices, tiling)


def _sweeps(program: Program) -> list[Sweep]:
    for step in program.steps:
        if isinstance(step, Library):
            raise CannotGenerate(
                "triton.not_covered",
                f"{step.operation} stays with its library: {step.why}.",
                hint="Optimize the other steps.",
            )
    for one in program.tensors:
        if one.dtype is DType.F64:
            raise CannotGenerate(
                "triton.not_covered",
                f"{one.name} is {one.dtype}.",
                hint="This family computes in float32: cast, or keep the library.",
            )
    return [step for step in program.steps if isinstance(step, Sweep)]


def _tiles() -> list[Knob]:
    return [
        Knob("elements", (512, 1024, 2048, 4096, 8192, 16384), 4096, "elements of a tile, where a row does not decide"),
        Knob("warps", (0, 1, 2, 4, 8, 16, 32), 0, "warps of a program; 0: one for each 512 elements of its tile"),
    ]


def _ways(others: list[tuple[Lowered, Lying]]) -> list[Knob]:
    """A row is whole in registers where it fits; otherwise it is gone through in blocks."""
    folding = [one for one, lying in others if one.folds and lying.way is not Lie.DOWN]
    if not any(one.folds for one, _ in others):
        return []
    longest = max((1 << (one.sweep.axes[-1] - 1).bit_length() for one in folding), default=MOST_COLUMNS + 1)
    online = any(follows_online(one, fold) for one, _ in others for fold in one.folds)
    ways = [Way.WHOLE] if longest <= MOST_COLUMNS else []
    ways += [Way.LOOPED, Way.ONLINE] if online else [Way.LOOPED]
    best = Way.WHOLE if longest <= COMFORTABLE_COLUMNS else ways[-1]
    decides = "whether a row is held whole, gone through once for each fold, or once with a running maximum"
    stages = Knob("stages", (1, 2, 3, 4), 1, "blocks of a row that are on their way at once")
    return [Knob("way", tuple(one.value for one in ways), best.value, decides, structural=True), stages]


def _always(program: Program, others: list[tuple[Lowered, Lying]]) -> list[Knob]:
    decides = "programs that stay on each processor and take one tile after the other; 0: a program for each tile"
    knobs = [Knob("persistent", (0, 1, 2, 4, 8), 0, decides, structural=True)]
    if others:
        knobs.append(Knob("caches", ("plain", "streaming"), "plain", "whether what is read for the last time may go"))
    if any(value.fn is Fn.DIV for step in program.steps if isinstance(step, Sweep) for value in lower(step).values):
        knobs.append(Knob("division", ("fast", "exact"), "fast", "whether a division is off by up to 2 ulp"))
    return knobs


def _products(program: Program, products: list[tuple[int, Lowered, Lying]], target: Target) -> list[Knob]:
    short = all(
        is_short(one, names_of(program, at), factors(one, lying, fold))
        for at, one, lying in products
        for fold in one.folds
    )
    several = any(len(one.folds) > 1 for _, one, _ in products)
    side, depth, warps, stages = (128, 64, 8, 3) if short else (64, 32, 4, 2)
    knobs = [
        Knob("tile_rows", (32, 64, 128, 256), side, "rows of a product that one program makes", structural=True),
        Knob("tile_columns", (32, 64, 128, 256), side // 2 if several else side, "columns of it", structural=True),
        Knob("tile_depth", (16, 32, 64, 128), depth, "terms that are added up at once"),
        Knob("tile_group", (1, 4, 8, 16), 8, "rows of tiles that go together and share what they read"),
        Knob("tile_warps", (4, 8), warps, "warps of a program"),
        Knob("tile_stages", (1, 2, 3, 4, 5), stages, "blocks of the factors that are on their way at once"),
    ]
    if not short:
        knobs.append(Knob("precision", ("ieee", "tf32x3"), "ieee", "whether float32 is multiplied as three tf32"))
    return knobs


def _excluded(knobs: list[Knob], target: Target) -> tuple[Genome, ...]:
    """Return tiles that do not fit: into shared memory, with two bytes an element, or into registers."""
    choices = {one.name: one.choices for one in knobs}
    found: list[Genome] = []
    for rows in choices.get("tile_rows", ()):
        for columns in choices["tile_columns"]:
            if int(rows) * int(columns) > 128 * 256:
                found.append({"tile_rows": rows, "tile_columns": columns})
            found += [
                {"tile_rows": rows, "tile_columns": columns, "tile_depth": depth, "tile_stages": stages}
                for depth in choices["tile_depth"]
                for stages in choices["tile_stages"]
                if (int(rows) + int(columns)) * int(depth) * int(stages) * 2 > target.shared_bytes
            ]
    return tuple(found)
