"""A program's own parts: runs of sweeps between steps that stay with their library, each a problem of its own.

A product of matrices is a part by itself where there is more than it: its library may do it better, and what stands
beside it should not have to wait for the answer. What an earlier step wrote is an input of a part; what a later one
reads, or the caller wants, is an output of it. The
programs that are held out have the same structure, so they fall into the same parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gpu_skills.errors import NoOwnPart
from gpu_skills.graph import Apply, Fn, Fold, Library, Program, Read, Reduction, Role, Step, Sweep, Tensor
from gpu_skills.model import Problem


@dataclass(frozen=True, slots=True)
class Part:
    """A maximal run of sweeps: the steps ``begin`` to ``end`` (exclusive) of the whole, and the problem they are."""

    begin: int
    end: int
    problem: Problem


def parts_of(problem: Problem) -> tuple[Part, ...]:
    """Return the own parts of a problem, in order; a problem of one run of sweeps is its only part.

    Raises NoOwnPart where every step stays with its library.
    """
    steps = problem.program.steps
    found = tuple(_part(problem, begin, end) for begin, end in _runs(steps))
    if not found:
        why = "; ".join(dict.fromkeys(f"{one.operation}: {one.why}" for one in steps if isinstance(one, Library)))
        raise NoOwnPart("output.no_part", f"Every step of {problem.name} stays with its library ({why}).",
                        hint="Keep the library: there is nothing here to make a kernel of.")  # fmt: skip
    return found


def _runs(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    begin = 0
    for place, one in enumerate(steps):
        alone = isinstance(one, Library) or is_product(one)
        if alone and begin < place:
            yield begin, place
        if alone and isinstance(one, Sweep):
            yield place, place + 1
        begin = place + 1 if alone else begin
    if begin < len(steps):
        yield begin, len(steps)


def is_product(step: Step) -> bool:
    """Tell whether a step is a product of matrices, whatever is done with its elements afterwards."""
    return isinstance(step, Sweep) and any(map(is_sum_of_products, step.reductions)) and len(step.axes) > 2


def is_sum_of_products(one: Reduction) -> bool:
    """Tell whether a reduction adds up products of two reads."""
    match one:
        case Reduction(fold=Fold.SUM, expr=Apply(fn=Fn.MUL, arguments=(Read(), Read()))):
            return True
        case _:
            return False


def _part(whole: Problem, begin: int, end: int) -> Part:
    if end - begin == len(whole.program.steps):
        return Part(begin, end, whole)
    program = cut_out(whole.program, begin, end)
    names = {one.name for one in program.of(Role.INPUT, Role.WEIGHT)}
    held_out = tuple(cut_out(one, begin, end) for one in whole.held_out)
    fills = {name: fill for name, fill in whole.fills.items() if name in names}
    return Part(begin, end, Problem(f"{whole.name}-{begin}", program, held_out, fills))


def cut_out(program: Program, begin: int, end: int) -> Program:
    """Return the steps ``begin`` to ``end`` of a program as one of its own; its tensors have their roles there."""
    steps = program.steps[begin:end]
    outside = {name for one in (*program.steps[:begin], *program.steps[end:]) for name in touched(one)[0]}
    read = {name for one in steps for name in touched(one)[0]}
    written = {name for one in steps for name in touched(one)[1]}
    tensors = tuple(_with_role(one, written, outside) for one in program.tensors if one.name in read | written)
    order = (Role.INPUT, Role.WEIGHT, Role.SCRATCH, Role.OUTPUT)
    return Program(tuple(sorted(tensors, key=lambda one: order.index(one.role))), steps)


def _with_role(tensor: Tensor, written: set[str], outside: set[str]) -> Tensor:
    if tensor.name not in written:
        return tensor if tensor.role is Role.WEIGHT else replace(tensor, role=Role.INPUT)
    if tensor.role is Role.OUTPUT or tensor.name in outside:
        return replace(tensor, role=Role.OUTPUT)
    return tensor


def touched(step: Step) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the tensors that a step reads, and of those that it writes, each once."""
    if isinstance(step, Library):
        return step.reads, step.writes
    reads = dict.fromkeys(access.tensor for _, access in step.reads)
    writes = dict.fromkeys(store.to.tensor for store in step.stores)
    return tuple(reads), tuple(writes)
