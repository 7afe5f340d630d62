"""The door's work: from what was captured to a program."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpu_skills.graph import Access, Library, Program, Role, Step, Store, Sweep, Tensor
from gpu_skills.model import Fill, Filling
from gpu_skills.trace.capture import Called, Capture, captured, exported, whole_in_memory
from gpu_skills.trace.fitting import foldings, rendered
from gpu_skills.trace.grouping import Group, fitted, grouped, index_sizes
from gpu_skills.trace.terms import Load
from gpu_skills.trace.values import Value, tensors_of

_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Work:
    """One traced operation: how many elements it reads and writes, and whether a sweep of ours does it."""

    operation: str
    elements: int
    own: bool


@dataclass(frozen=True, slots=True)
class Trace:
    """A program and what it needs: ``weights`` are live torch tensors by the program's names.

    ``calls`` holds how a library step is run again, by the first tensor that it writes;
    ``renamed`` which scratch became an output. ``input_names`` and ``weight_names`` say what the module calls an
    input or weight, and what the program calls it, for those that the program has.
    """

    program: Program
    inputs: tuple[str, ...]
    fills: Mapping[str, Fill]
    weights: Mapping[str, Any]
    calls: Mapping[str, Called]
    work: tuple[Work, ...]
    renamed: Mapping[str, str]
    input_names: Mapping[str, str]
    weight_names: Mapping[str, str]


def trace(module: Any, inputs: Sequence[Any]) -> Trace:
    """Return the program of a module or function of torch tensors, for inputs of these shapes and types.

    Raises NotTraced, which names the operation and why it cannot be traced.
    """
    program = exported(module, inputs)
    names = parameter_names(module, len(inputs))
    forced: frozenset[str] = frozenset()
    for _ in range(_ROUNDS):
        found = captured(program, names, forced)
        renamed = _outputs_stored(found)
        groups = grouped(found.values.terms, found.values.tasks, _kept(found, renamed))
        more = _made_twice(found, groups)
        if not more - forced:
            break
        forced |= more
    return _finished(found, groups, renamed, inputs)


def parameter_names(module: Any, count: int) -> list[str]:
    """Return the names of the first ``count`` parameters of a module's forward or of a function."""
    called = module.forward if hasattr(module, "forward") else module
    found: list[str] = []
    try:
        signature = inspect.signature(called)
    except ValueError:  # a function of C without one
        signature = inspect.Signature()
    for one in signature.parameters.values():
        if one.kind is one.VAR_POSITIONAL:
            break
        found.append(one.name)
    return (found + [f"x{place}" for place in range(len(found), count)])[:count]


def _outputs_stored(found: Capture) -> dict[str, Tensor]:
    """Store what is given back; return the outputs that take the place of scratch."""
    renamed: dict[str, Tensor] = {}
    single = len(found.outputs) == 1
    for place, value in enumerate(found.outputs):
        name = "out" if single else f"out{place}"
        stored = _scratch_of(found, value)
        if stored and stored not in renamed:
            renamed[stored] = Tensor(name, value.shape, found.values.tensors[stored].dtype, Role.OUTPUT)
        else:
            found.values.cut(value, name, Role.OUTPUT)
    return renamed


def _scratch_of(found: Capture, value: Value) -> str:
    pieces = found.values.pieces(value)
    if len(pieces) != 1 or not isinstance(pieces[0].term, Load):
        return ""
    name = whole_in_memory(found.values, value)
    return name if found.values.tensors[name].role is Role.SCRATCH else ""


def _kept(found: Capture, renamed: Mapping[str, Tensor]) -> set[str]:
    return {one.name for one in found.values.tensors.values() if one.role is Role.OUTPUT} | set(renamed)


def _made_twice(found: Capture, groups: Sequence[Group]) -> frozenset[str]:
    """Return the nodes whose value is made in several sweeps and is dearer to make than to read."""
    named = {value.index: name for name, value in found.made_of.items() if not value.stored}
    where: dict[int, list[tuple[int, set[str]]]] = {}
    for place, group in enumerate(groups):
        for index, made_for in group.values.items():
            if index in named:
                where.setdefault(index, []).append((place, made_for))
    twice = {index: places for index, places in where.items() if _apart([made_for for _, made_for in places])}
    dear = {index for index in twice if _dear(found.values.all[index])}
    last = {
        index for index in dear
        if not any(child.index in dear and twice[child.index] == twice[index] for child in _lazy_after(found, index))
    }  # fmt: skip
    return frozenset(named[index] for index in last)


def _apart(made_for: Sequence[set[str]]) -> bool:
    """Tell whether two sweeps make a value for different tensors: pieces of one tensor are no repetition."""
    return any(one.isdisjoint(other) for place, one in enumerate(made_for) for other in made_for[:place])


def _lazy_after(found: Capture, index: int) -> list[Value]:
    seen: dict[int, Value] = {}
    todo = list(found.values.all[index].children)
    while todo:
        one = todo.pop()
        if one.index not in seen:
            seen[one.index] = one
            todo += [] if one.stored else one.children
    return list(seen.values())


def _dear(value: Value) -> bool:
    terms = [piece.term for piece in value.pieces]
    return bool(foldings(*terms)) or any(len(tensors_of(one)) > 1 for one in terms)


def _finished(found: Capture, groups: Sequence[Group], renamed: Mapping[str, Tensor], inputs: Sequence[Any]) -> Trace:
    sizes = index_sizes(groups)
    steps = tuple(one.library if one.library else rendered(fitted(found.values.terms, one)) for one in groups)
    calls = {renamed[name].name if name in renamed else name: one for name, one in found.calls.items()}
    work = tuple(Work(*one) for one in found.work)
    program = _renamed(_program(found, steps), renamed)
    there = {one.name for one in program.tensors}
    names = (
        {old: new for old, new in each.items() if new in there} for each in (found.input_names, found.weight_names)
    )
    return Trace(program, tuple(found.inputs), _fills(found, sizes, inputs), found.weights, calls, work,
                 {old: new.name for old, new in renamed.items()}, *names)  # fmt: skip


def _program(found: Capture, steps: tuple[Step, ...]) -> Program:
    used: set[str] = set()
    for one in steps:
        if isinstance(one, Library):
            used |= {*one.reads, *one.writes}
        else:
            used |= {access.tensor for _, access in one.reads} | {store.to.tensor for store in one.stores}
    tensors = found.values.tensors.values()
    kept = [one for one in tensors if one.name in used or one.role in (Role.INPUT, Role.OUTPUT)]
    order = (Role.INPUT, Role.WEIGHT, Role.SCRATCH, Role.OUTPUT)
    return Program(tuple(sorted(kept, key=lambda one: order.index(one.role))), steps)


def _renamed(program: Program, renamed: Mapping[str, Tensor]) -> Program:
    """Return a program in which outputs take the place of scratch; the outputs in their order."""
    if not renamed:
        return _in_order(program)

    def name(one: str) -> str:
        return renamed[one].name if one in renamed else one

    def access(one: Access) -> Access:
        return replace(one, tensor=name(one.tensor))

    def step(one: Step) -> Step:
        if isinstance(one, Library):
            return replace(one, reads=tuple(map(name, one.reads)), writes=tuple(map(name, one.writes)))
        reads = tuple((label, access(each)) for label, each in one.reads)
        stores = tuple(Store(access(each.to), each.expr, each.once) for each in one.stores)
        return Sweep(one.axes, reads, one.reductions, stores)

    tensors = tuple(renamed.get(one.name, one) for one in program.tensors)
    return _in_order(Program(tensors, tuple(step(one) for one in program.steps)))


def _in_order(program: Program) -> Program:
    outputs = sorted(program.of(Role.OUTPUT), key=lambda one: int(one.name.removeprefix("out") or 0))
    return replace(program, tensors=(*(one for one in program.tensors if one.role is not Role.OUTPUT), *outputs))


def _fills(found: Capture, sizes: Mapping[str, int], inputs: Sequence[Any]) -> dict[str, Fill]:
    fills: dict[str, Fill] = {}
    for name, given in zip(found.inputs, (one for one in inputs if hasattr(one, "shape")), strict=False):
        kind = str(given.dtype)
        if kind == "torch.bool":
            fills[name] = Fill(Filling.TRUTH)
        elif name in sizes:
            fills[name] = Fill(Filling.INDEX, below=sizes[name])
        elif kind.startswith("torch.int"):
            most = int(given.max()) + 1 if math.prod(given.shape) else 1
            fills[name] = Fill(Filling.INDEX, below=max(most, 1))
    return fills
