"""What the numbers of a sweep are called in the C++, and where they stand in the array that a kernel is given."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpu_skills.cpp.lowering import gathers_of
from gpu_skills.cpp.prelude import C_TYPES
from gpu_skills.graph import Access, Program, Sweep, parameters_of


@dataclass(slots=True)
class Names:
    """The names of one sweep: ``n0`` an axis, ``r0`` a read and ``w0`` a store with their strides, ``P[0]``."""

    program: Program
    sweep: Sweep
    at: int
    """Where the numbers of the sweep begin."""
    parameters: dict[str, int] = field(default_factory=dict)
    reads: dict[str, int] = field(default_factory=dict)
    declared: list[str] = field(default_factory=list)
    next: int = 0
    gathers_at: int = 0

    def read(self, access: str) -> Access:
        """Return an access by name."""
        return self.sweep.reads[self.reads[access]][1]

    def read_type(self, access: str) -> str:
        """Return the C type of what an access reads."""
        return C_TYPES[self.program.tensor(self.read(access).tensor).dtype]

    def store_type(self, at: int) -> str:
        """Return the C type of what a store writes."""
        return C_TYPES[self.program.tensor(self.sweep.stores[at].to.tensor).dtype]

    def read_stride(self, access: str, axis: int) -> str:
        """Return by how much an access moves along an axis: "0", "1" or the name of the number."""
        at = self.reads[access]
        return _stride(f"r{at}", self.sweep.reads[at][1], axis)

    def store_stride(self, at: int, axis: int) -> str:
        """Return by how much a store moves along an axis."""
        return _stride(f"w{at}", self.sweep.stores[at].to, axis)

    def gather_numbers(self, which: int) -> tuple[str, str]:
        """Return stride and size of a gather."""
        first = self.gathers_at + 2 * which
        return f"N[{first}]", f"N[{first + 1}]"


def _stride(name: str, access: Access, axis: int) -> str:
    stride = access.strides[axis]
    return str(stride) if stride in (0, 1) else f"{name}s{axis}"


def names_of(program: Program, at_step: int) -> Names:
    """Return the names of the sweep at ``at_step`` of a program of sweeps."""
    at = sum(_count(one) for one in program.steps[:at_step] if isinstance(one, Sweep))
    sweep = program.steps[at_step]
    assert isinstance(sweep, Sweep)
    names = Names(program, sweep, at, {one.name: at for at, one in enumerate(parameters_of(program))})
    names.reads = {name: each for each, (name, _) in enumerate(sweep.reads)}
    _declare(names)
    return names


def _count(sweep: Sweep) -> int:
    accesses = [access for _, access in sweep.reads] + [one.to for one in sweep.stores]
    strides = sum(stride not in (0, 1) for access in accesses for stride in access.strides)
    return len(sweep.axes) + len(accesses) + strides + 2 * gathers_of(sweep)


def _declare(names: Names) -> None:
    names.next = names.at
    for axis in range(len(names.sweep.axes)):
        names.declared.append(f"const int64_t n{axis} = N[{_following(names)}];")
    for at, (name, access) in enumerate(names.sweep.reads):
        _declare_access(names, f"r{at}", access, f"const {names.read_type(name)}")
    for at, store in enumerate(names.sweep.stores):
        _declare_access(names, f"w{at}", store.to, names.store_type(at))
    names.gathers_at = names.next


def _declare_access(names: Names, name: str, access: Access, c_type: str) -> None:
    tensor = [one.name for one in names.program.tensors].index(access.tensor)
    names.declared.append(f"{c_type} *const {name} = ({c_type} *)T[{tensor}] + N[{_following(names)}];")
    for axis, stride in enumerate(access.strides):
        if stride not in (0, 1):
            names.declared.append(f"const int64_t {name}s{axis} = N[{_following(names)}];")


def _following(names: Names) -> int:
    names.next += 1
    return names.next - 1
