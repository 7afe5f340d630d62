"""A sweep as a kernel and the lines that launch it: what rows and products have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpu_skills.cpp.lowering import lower
from gpu_skills.graph import Position, parameters_of
from gpu_skills.tiles.naming import Names

Digit = tuple[str, str]
"""A place of a program among all of them: its name, and how many there are of it."""


@dataclass(frozen=True, slots=True)
class Written:
    """A kernel: the lines of its body for one ``unit`` of work, and those of its launch.

    ``launch`` computes, from the sizes ``n0`` and so on, the names in ``fixed``, ``units`` and ``warps``.
    """

    body: list[str]
    launch: list[str]
    fixed: list[str]
    stages: int
    persistent: int


def taken_apart(digits: Sequence[Digit]) -> list[str]:
    """Return the lines that take ``unit`` apart into places, the first of them the fastest."""
    lines, left = [], "unit"
    for name, count in digits[:-1]:
        lines += [f"{name} = {left} % {count}", f"left = {left} // {count}"]
        left = "left"
    return [*lines, f"{digits[-1][0]} = {left}"] if digits else lines


def ahead(amount: str, step: str) -> str:
    """Return how many steps cover an amount of at least 1; nothing on the way is larger than it (int32)."""
    return f"(({amount} - 1) // {step} + 1)"


def kernel(names: Names, written: Written) -> str:
    """Return the kernel of a sweep as text."""
    at = names.at
    parameters = [f"p{each}" for each in range(len(parameters_of(names.program)))]
    arguments = [*(f"t{one}" for one in names.tensors), *names.order, *parameters, "units"]
    arguments += [f"{one}: tl.constexpr" for one in written.fixed]
    body = written.body
    if written.persistent:
        head = ["for unit in range(tl.program_id(0), units, tl.num_programs(0)):"]
        body = [*head, *(f"    {line}" for line in body)]
    else:
        body = ["unit = tl.program_id(0)", *body]
    lines = ["@triton.jit", f"def sweep_{at}({', '.join(arguments)}):", "    zero = tl.zeros([1, 1], tl.int32)"]
    return "\n".join([*lines, *(f"    {line}" for line in body)]) + "\n"


def launcher(names: Names, written: Written) -> str:
    """Return the function that says how the kernel of a sweep is launched, None for numbers it was not made for."""
    axes = range(len(names.sweep.axes))
    parameters = len(parameters_of(names.program))
    numbers = f"*N[{names.first}:{names.first + len(names.order)}]"
    sizes = ", ".join(f"n{axis}" for axis in axes)
    positions = {one.axis for one in lower(names.sweep).values if one.kind is Position}
    fits = [f"n{axis} < 1" for axis in axes] + [f"n{axis} > 16777216" for axis in sorted(positions)]
    grid = f"min(units, {written.persistent} * processors)" if written.persistent else "units"
    fixed = "{" + ", ".join(f'"{one}": {one}' for one in written.fixed) + "}"
    how = f'{{"num_warps": warps, "num_stages": {written.stages}}}'
    lines = [
        f"def launch_{names.at}(N, P, processors):",
        f"    {sizes}{',' if len(axes) == 1 else ''} = N[{names.first}:{names.first + len(axes)}]",
        f"    if {' or '.join(fits)}:",
        "        return None",
        *(f"    {line}" for line in written.launch),
        "    if units > MOST_PROGRAMS:",
        "        return None",
        f"    rest = ({numbers}, *P[:{parameters}], units)",
        f"    return sweep_{names.at}, ({grid},), {tuple(names.tensors)!r}, rest, {fixed}, {how}",
    ]
    return "\n".join(lines) + "\n"
