"""The Landlock rules of a cell: what every call may, what one call may besides.

What this stops: nothing by itself; ``landlock`` enforces what is said here.
What it does not: hide a name. At L3 the new root does; below it, names in a hidden folder can be listed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from permissions.confine import root
from permissions.confine.granted import DEVICES, Granted
from permissions.confine.landlock import Access, Rule
from permissions.model import CellSpec, Level

_BY_NAME = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_MACHINE = ("/proc/self", "/proc/stat", "/proc/meminfo", "/proc/cpuinfo", "/sys/devices/system/cpu", "/sys/fs/cgroup")
"""What libraries ask about the machine. Below L3 it is there, and some fail where they find it and may not read it."""


def of_own_places() -> list[Rule]:
    """Return what every call may do in its private folders at L3."""
    return [Rule(root.SCRATCH, Access.WRITE), Rule(root.SHARED, Access.WRITE), Rule("/etc", Access.READ)]


def of_all(base: root.Base, level: Level) -> list[Rule]:
    """Return what every call may: the system, its settings and devices."""
    rules = system(base, Access.READ)
    rules += [Rule(path, Access.READ) for path in base.settings]
    rules += [Rule(path, Access.DEVICE) for path in DEVICES]
    if level is Level.L3:
        return [*rules, Rule("/proc", Access.READ), Rule("/", Access.LIST)]
    rules += [Rule(path, Access.READ) for path, _ in base.copies]
    return [*rules, *(Rule(path, Access.READ) for path in _MACHINE)]


def system(base: root.Base, access: Access) -> list[Rule]:
    """Return ``access`` to the system and the interpreter."""
    return [Rule(path, access) for path in (*base.trees, *(path for path, _ in base.links))]


def of_call(base: root.Base, spec: CellSpec) -> list[Rule]:
    """Return what this call may besides, at L3."""
    access = Access.RUN if spec.runs_programs else Access.READ
    rules = system(base, access) if spec.runs_programs else []
    rules += [Rule(path, Access.WRITE) for path in spec.write_paths]
    rules += [Rule(path, access) for path in spec.program_paths]
    rules += [Rule(layer.tree, one) for layer in spec.layers for one in (Access.WRITE, access)]
    return [*rules, *(Rule(path, Access.READ) for path in spec.read_paths)]


def of_granted(spec: CellSpec) -> Iterator[Rule]:
    """Yield rules for the paths of the call, each held by a descriptor that was opened through no link.

    Without a new root nothing can be masked, and a rule cannot take back what another one gives, so a tree with a
    hidden place in it becomes rules for its parts: listing of the trees, reading of all in them but what is hidden.
    Links are left out, not followed. Names in a hidden folder can be listed, its files not read. A descriptor is
    closed when the next rule is asked for.
    """
    hidden = frozenset(os.path.realpath(path) for path in spec.hidden_paths)
    wanted = [(path, Access.WRITE) for path in spec.write_paths] + [(path, Access.READ) for path in spec.read_paths]
    with _opened(os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)) as here:
        granted = Granted(here, spec.held)
        for path, access in wanted:
            with _opened(granted.open(path)) as place:
                if access is Access.WRITE:
                    yield Rule(path, access, place)
                else:
                    yield from _rules_around(hidden, path, place)


def _rules_around(hidden: frozenset[str], path: str, place: int) -> Iterator[Rule]:
    if path in hidden:
        return
    if not any(inner.startswith(path + "/") for inner in hidden):
        yield Rule(path, Access.READ, place)
    elif stat.S_ISDIR(os.fstat(place).st_mode):
        yield Rule(path, Access.LIST, place)
        for name in _names_in(place):
            with suppress(FileNotFoundError), _opened(os.open(name, _BY_NAME, dir_fd=place)) as child:
                if not stat.S_ISLNK(os.fstat(child).st_mode):
                    yield from _rules_around(hidden, f"{path}/{name}", child)


def _names_in(folder: int) -> list[str]:
    try:
        with _opened(os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)) as readable:
            return os.listdir(readable)
    except OSError:  # it may not be listed from inside either
        return []


@contextmanager
def _opened(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)
