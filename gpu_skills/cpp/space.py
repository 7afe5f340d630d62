"""What can be chosen for a program on a machine, and the source for one choice."""

from __future__ import annotations

import math

from gpu_skills.building import Machine
from gpu_skills.cpp.functions import CALLS, COSTLY
from gpu_skills.cpp.laying import Lying, Way, lying_of
from gpu_skills.cpp.lowering import Lowered, lower
from gpu_skills.cpp.passes import follows_online, passes_of
from gpu_skills.cpp.prelude import C_TYPES, REQUIRED
from gpu_skills.cpp.products import Blocks
from gpu_skills.cpp.source import source
from gpu_skills.cpp.sweeping import Choices
from gpu_skills.errors import CannotGenerate
from gpu_skills.graph import Fn, Library, Program, Role, Sweep
from gpu_skills.model import Genome, Knob, Space

FAMILY = "c++"


def space_of(program: Program, machine: Machine) -> Space:
    """Return every kernel that the family can make for ``program`` on ``machine``.

    Raises CannotGenerate where a step stays with its library or a dtype is not covered.
    """
    sweeps = _sweeps(program)
    lowered = [lower(one) for one in sweeps]
    lyings = [lying_of(one) for one in sweeps]
    products = any(one.way is Way.PRODUCT for one in lyings)
    knobs = _always(program, machine, lowered, lyings)
    knobs += [knob for one in (_passes(lowered, lyings), _functions(lowered)) for knob in one]
    if products:
        knobs += _blocks(machine)
    return Space(FAMILY, tuple(knobs), _excluded(knobs))


def generate(program: Program, genome: Genome, machine: Machine) -> str:
    """Return the C++17 source of a kernel for the structure of ``program``.

    Raises CannotGenerate where the program is not covered or the genome is not one of its space.
    """
    space = space_of(program, machine)
    if not space.has(genome):
        raise CannotGenerate(
            "cpp.not_covered", f"The genome {dict(genome)} is none of this space.", hint="Take choices of space_of."
        )
    lanes = int(genome["lanes"])
    choices = Choices(
        lanes=lanes,
        unroll=int(genome["unroll"]),
        at_once=int(genome["rows"]),
        stream=genome["stores"] == "streaming",
        prefetch=int(genome["prefetch"]),
        ahead=bool(genome.get("ahead", False)),
        reciprocal=genome.get("division", "reciprocal") == "reciprocal",
        online=genome.get("passes", "several") == "online",
        keep=str(genome.get("keep", "none")),
    )
    blocks = Blocks(*(int(genome.get(name, one)) for name, one in zip(Blocks.__slots__, Blocks.of(lanes), strict=True)))
    return source(program, choices, blocks, precise=genome.get("functions") == "precise", split=bool(genome["threads"]))


def _sweeps(program: Program) -> list[Sweep]:
    for step in program.steps:
        if isinstance(step, Library):
            raise CannotGenerate(
                "cpp.not_covered",
                f"{step.operation} stays with its library: {step.why}.",
                hint="Optimize the other steps.",
            )
    for one in program.tensors:
        if one.dtype not in C_TYPES:
            raise CannotGenerate(
                "cpp.not_covered",
                f"{one.name} is {one.dtype}.",
                hint="This family computes in float32: cast, or keep the library.",
            )
    return [step for step in program.steps if isinstance(step, Sweep)]


def _always(program: Program, machine: Machine, lowered: list[Lowered], lyings: list[Lying]) -> list[Knob]:
    lanes = tuple(one for one in REQUIRED if machine.instructions.issuperset(REQUIRED[one]))
    heavy = any(_heavy(one, lying) for one, lying in zip(lowered, lyings, strict=True))
    # What waits for memory is served as well by vectors of 32 bytes, and on some processors better.
    most = lanes[0] if heavy or len(lanes) < 3 else lanes[1]
    several = any(one.rows is not None for one in lyings)
    large = _output_bytes(program) > max(machine.l2_bytes, 1 << 20)
    rows = 2 if any(_shares(one, lying) for one, lying in zip(lowered, lyings, strict=True)) else 1
    only_read = all(map(_reads_once, lowered))
    if only_read and not heavy and all(_has_rows(one, lying, 16) for one, lying in zip(lowered, lyings, strict=True)):
        rows = 4  # what only reads waits for memory: several rows are several streams of it
    unroll = 2 if heavy or rows > 1 else 8 if only_read else 4
    return [
        Knob("lanes", lanes, most, "how many floats one instruction takes", structural=True),
        Knob("unroll", (1, 2, 4, 8), unroll, "vectors (and accumulators of a fold) in one turn of a loop"),
        Knob("rows", (1, 2, 4) if several else (1,), rows if several else 1, "rows that go together and share reads"),
        Knob("stores", ("plain", "streaming"), "streaming" if large else "plain", "whether results pass the caches by"),
        Knob("prefetch", (0, 128, 256, 512, 1024, 2048), 0, "how many elements ahead memory is asked for"),
        Knob("threads", (False, True), False, "whether the work is shared by the threads that are allowed"),
    ]


def _heavy(lowered: Lowered, lying: Lying) -> bool:
    """Tell whether a sweep computes more than it reads: products, and costly functions of every element."""
    values = lowered.values
    moving = [one for one in values if one.fn in COSTLY and lying.lanes in one.axes]
    # Dividing by a value of the row is a multiplication.
    costly = [one for one in moving if one.fn is not Fn.DIV or lying.lanes in values[one.inputs[1]].axes]
    return lying.way in (Way.PRODUCT, Way.TURNED) or bool(costly)


def _excluded(knobs: list[Knob]) -> tuple[Genome, ...]:
    """Return what does not fit into the registers: large tiles of rows and vectors."""
    choices = {one.name: one.choices for one in knobs}
    pairs = [(rows, unroll) for rows in choices["rows"] for unroll in choices["unroll"]]
    found: list[Genome] = [{"rows": rows, "unroll": unroll} for rows, unroll in pairs if int(rows) * int(unroll) > 8]
    tiles = [(lanes, rows, vectors) for lanes in choices["lanes"] for rows in choices.get("tile_rows", ())
             for vectors in choices["tile_vectors"]]  # fmt: skip
    for lanes, rows, vectors in tiles:
        if int(rows) * int(vectors) > (28 if lanes == 16 else 12):
            found.append({"lanes": lanes, "tile_rows": rows, "tile_vectors": vectors})
    return tuple(found)


def _shares(lowered: Lowered, lying: Lying) -> bool:
    """Tell whether rows that go together share a read that another row would make again."""
    if lying.rows is None or lying.way is not Way.ALONG or lowered.folds:
        return False
    reads = [access for _, access in lowered.sweep.reads]
    return any(one.strides[lying.rows] == 0 and sum(map(bool, one.strides)) > 1 for one in reads)


def _reads_once(lowered: Lowered) -> bool:
    """Tell whether a sweep goes through its rows once and keeps nothing of them but folds."""
    single = not any(lowered.values[one.value].folds for one in lowered.folds)
    return bool(lowered.folds) and single and all(one.once for one in lowered.stores)


def _has_rows(lowered: Lowered, lying: Lying, least: int) -> bool:
    return lying.rows is not None and lowered.sweep.axes[lying.rows] >= least


def _output_bytes(program: Program) -> int:
    return sum(4 * math.prod(one.shape) for one in program.of(Role.OUTPUT))


def _passes(lowered: list[Lowered], lyings: list[Lying]) -> list[Knob]:
    knobs = []
    swept = [one for one, lying in zip(lowered, lyings, strict=True) if lying.way in (Way.ALONG, Way.DOWN)]
    if any(follows_online(one, fold) for one in swept for fold in one.folds):
        decides = "whether a sum of exponentials follows a running maximum in one pass"
        knobs.append(Knob("passes", ("several", "online"), "several", decides, structural=True))
    if any(len(passes_of(one, online=False, keep="none").each) > 1 for one in swept):
        decides = "what of a row is kept in a buffer from pass to pass"
        knobs.append(Knob("keep", ("none", "costly", "all"), "costly", decides, structural=True))
        knobs.append(
            Knob("ahead", (False, True), True, "whether the second pass over a row asks memory for the next row")
        )
    return knobs


def _functions(lowered: list[Lowered]) -> list[Knob]:
    used = {value.fn for one in lowered for value in one.values}
    knobs = []
    if used & {Fn.EXP, Fn.TANH, Fn.SIGMOID, Fn.ERF} & set(CALLS):
        decides = "how exactly exp, tanh, erf and sigmoid are computed (see BOUNDS)"
        knobs.append(Knob("functions", ("fast", "precise"), "fast", decides))
    if Fn.DIV in used:
        decides = "whether a division by a value of the row is a multiplication by its inverse"
        knobs.append(Knob("division", ("reciprocal", "exact"), "reciprocal", decides))
    return knobs


def _blocks(machine: Machine) -> list[Knob]:
    lanes = next(one for one in REQUIRED if machine.instructions.issuperset(REQUIRED[one]))
    default = Blocks(*Blocks.of(lanes))
    return [
        Knob("tile_rows", (4, 6, 8, 12), default.tile_rows, "rows of a product held in registers", structural=True),
        Knob("tile_vectors", (1, 2, 3, 4), default.tile_vectors, "vectors of a row held in registers", structural=True),
        Knob("block_rows", (48, 96, 192), default.block_rows, "rows of a product that stay in the second cache"),
        Knob("block_columns", (128, 256, 512), default.block_columns, "columns packed at once"),
        Knob("block_depth", (128, 256, 512), default.block_depth, "terms of a product packed at once"),
    ]
