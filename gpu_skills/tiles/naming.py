"""What the numbers of a sweep are called in a Triton kernel, in the order in which ``numbers_of`` gives them."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpu_skills.cpp.lowering import gathers_of
from gpu_skills.graph import Access, DType, Program, Sweep, parameters_of


@dataclass(slots=True)
class Names:
    """The names of one sweep: ``n0`` an axis; ``r0o``, ``r0s1`` offset and stride of a read, ``w0o`` of a store.

    ``t2`` is the third tensor of the program, ``p0`` the first parameter, ``g0s`` and ``g0n`` stride and size of the
    first gather. ``first`` is where the numbers of the sweep begin, ``order`` what they are called.
    """

    program: Program
    sweep: Sweep
    at: int
    first: int
    order: list[str] = field(default_factory=list)
    reads: dict[str, int] = field(default_factory=dict)
    parameters: dict[str, int] = field(default_factory=dict)

    def access(self, what: str) -> Access:
        """Return the access behind ``r0`` or ``w0``."""
        at = int(what[1:])
        return self.sweep.reads[at][1] if what[0] == "r" else self.sweep.stores[at].to

    def stride(self, what: str, axis: int) -> str:
        """Return by how much an access moves along an axis: "0", "1" or the name of the number."""
        stride = self.access(what).strides[axis]
        return str(stride) if stride in (0, 1) else f"{what}s{axis}"

    def tensor(self, what: str) -> str:
        """Return what the pointer of an access is called."""
        return f"t{self._place(self.access(what).tensor)}"

    def dtype(self, what: str) -> DType:
        """Return the dtype of what an access reads or writes."""
        return self.program.tensor(self.access(what).tensor).dtype

    @property
    def tensors(self) -> list[int]:
        """Return the places of the tensors that the sweep touches, each once."""
        accesses = [access for _, access in self.sweep.reads] + [one.to for one in self.sweep.stores]
        return sorted({self._place(one.tensor) for one in accesses})

    def _place(self, tensor: str) -> int:
        return [one.name for one in self.program.tensors].index(tensor)


def names_of(program: Program, at_step: int) -> Names:
    """Return the names of the sweep at ``at_step`` of a program of sweeps."""
    sweeps = [one for one in program.steps if isinstance(one, Sweep)]
    first = sum(len(_order(one)) for one in sweeps[:at_step])
    sweep = sweeps[at_step]
    reads = {name: at for at, (name, _) in enumerate(sweep.reads)}
    parameters = {one.name: at for at, one in enumerate(parameters_of(program))}
    return Names(program, sweep, at_step, first, _order(sweep), reads, parameters)


def _order(sweep: Sweep) -> list[str]:
    names = [f"n{axis}" for axis in range(len(sweep.axes))]
    accesses = [(f"r{at}", access) for at, (_, access) in enumerate(sweep.reads)]
    accesses += [(f"w{at}", one.to) for at, one in enumerate(sweep.stores)]
    for name, access in accesses:
        names.append(f"{name}o")
        names += [f"{name}s{axis}" for axis, stride in enumerate(access.strides) if stride not in (0, 1)]
    for which in range(gathers_of(sweep)):
        names += [f"g{which}s", f"g{which}n"]
    return names
