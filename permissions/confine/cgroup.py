"""A control group per call, where this machine lets us have one.

What this stops: a cell as a whole using more memory or more processes than its limits, however it forks; and it tells
truly whether the kernel killed for lack of memory, and the peak.
What it does not: where no group can be had (no delegation) limits fall back to one process each (see ``limits``), and
``survey`` says so. The cell cannot leave its group: no group file system is shown inside, or writable.

Version 1 (``memory`` and ``pids`` below our own group) and version 2 (a parent that is ours by systemd's ``Delegate=``
and ``DelegateSubgroup=``, or root's) are served. A version 2 cell is born in its group; in version 1 it enters by
``tasks``, as a single thread that moves itself needs no lock over the whole machine (``cgroup.procs`` stalls 10 ms).
Source: ``cgroups(7)``, the kernel's ``cgroup-v1/memory.rst``, ``cgroup-v1/pids.rst`` and ``cgroup-v2.rst``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from permissions.model import Limits

_PREFIX = "steward-"
_CONTROLLERS = frozenset({"memory", "pids"})
_OVERHEAD = 2  # the cell's init, and one to spare


@dataclass(frozen=True, slots=True)
class Groups:
    """Where leaves may be made: version 1 folders by controller, or one version 2 folder. False where neither is."""

    memory: Path | None = None
    pids: Path | None = None
    unified: Path | None = None

    def __bool__(self) -> bool:
        return bool(self.memory or self.pids or self.unified)

    def words(self) -> str:
        """Say what can be had, for a person."""
        if self.unified:
            return "version 2, delegated: memory and processes are limited per call"
        kinds = [name for name, place in (("memory", self.memory), ("processes", self.pids)) if place]
        return f"version 1: {' and '.join(kinds)} limited per call" if kinds else "no group of our own"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a leaf saw: kills for lack of memory, and the most memory used at once in bytes (0: unknown)."""

    out_of_memory: bool = False
    peak_bytes: int = 0


@dataclass(slots=True)
class Leaf:
    """The group of one call. A process is born into ``birth`` (version 2), or writes ``0`` into each of ``entries``."""

    folders: list[Path] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    birth: int = -1
    own: Groups = Groups()
    limits: tuple[int, int] = (0, 0)  # bytes of memory, processes

    def limit(self, limits: Limits) -> None:
        """Set what the group may use, also while processes are in it. Raises ``OSError`` where that is refused."""
        wish, own = (limits.memory_bytes, limits.processes), self.own
        if wish == self.limits:
            return
        self.limits = wish
        if own.unified:
            _write(own.unified / "memory.max", limits.memory_bytes)
            _write(own.unified / "pids.max", limits.processes + _OVERHEAD)
            with suppress(OSError):  # absent where swap is not counted
                _write(own.unified / "memory.swap.max", 0)
        if own.memory:
            with suppress(OSError):  # absent where swap is not counted; it may never be below the other one
                _write(own.memory / "memory.memsw.limit_in_bytes", limits.memory_bytes)
            _write(own.memory / "memory.limit_in_bytes", limits.memory_bytes)
            with suppress(OSError):
                _write(own.memory / "memory.memsw.limit_in_bytes", limits.memory_bytes)
        if own.pids:
            _write(own.pids / "pids.max", limits.processes + _OVERHEAD)

    def close(self) -> None:
        """Close the descriptors; whoever entered stays in."""
        for descriptor in (*self.entries, *([self.birth] if self.birth >= 0 else [])):
            os.close(descriptor)
        self.entries.clear()
        self.birth = -1

    def usage(self) -> Usage:
        """Read what happened in the group."""
        killed, peak = False, 0
        for folder in self.folders[:1]:  # the one of memory is made first
            events = _read(folder / "memory.events") or _read(folder / "memory.oom_control")
            counts = dict(line.split()[:2] for line in events.splitlines())
            killed = killed or counts.get("oom_kill", "0") != "0"
            text = (_read(folder / "memory.peak") or _read(folder / "memory.max_usage_in_bytes")).strip()
            peak = max(peak, int(text)) if text.isdigit() else peak
        return Usage(killed, peak)

    def remove(self) -> None:
        """Remove the group; its processes must have ended."""
        self.close()
        for folder in self.folders:
            with suppress(OSError):
                folder.rmdir()


def find_groups() -> Groups:
    """Find where this process may make groups; nothing is changed."""
    own, mounts = _own_groups(), _mounts()
    memory, pids = (_writable(mounts.get(name), own.get(name)) for name in ("memory", "pids"))
    if memory or pids:
        return Groups(memory, pids)
    return Groups(unified=_delegated(mounts.get(""), own.get("")))


def _own_groups() -> dict[str, str]:
    """Return the own path by controller; version 2 is under the empty name."""
    lines = (line.split(":", 2) for line in _read(Path("/proc/self/cgroup")).splitlines())
    return {name: path for _, names, path in lines for name in names.split(",")}


def _mounts() -> dict[str, Path]:
    """Return the mount point by controller; version 2 is under the empty name. Source: ``proc_pid_mountinfo(5)``."""
    found: dict[str, Path] = {}
    for line in _read(Path("/proc/self/mountinfo")).splitlines():
        left, _, right = line.partition(" - ")
        kind, *_, options = right.split()
        names = [""] if kind == "cgroup2" else options.split(",") if kind == "cgroup" else []
        for name in names:
            found.setdefault(name, Path(left.split()[4]))
    return found


def _writable(mount: Path | None, own: str | None) -> Path | None:
    if mount is None or own is None:
        return None
    place = mount / own.lstrip("/")
    return place if os.access(place, os.W_OK) and os.access(place / "cgroup.procs", os.W_OK) else None


def _delegated(mount: Path | None, own: str | None) -> Path | None:
    """Return the parent of our own group where it is ours, with both controllers; leaves become our siblings."""
    place = _writable(mount, os.path.dirname(own)) if own and own != "/" else None
    if place is None or not set(_read(place / "cgroup.controllers").split()) >= _CONTROLLERS:
        return None
    return place if _enabled(place) or os.access(place / "cgroup.subtree_control", os.W_OK) else None


def _enabled(place: Path) -> bool:
    return set(_read(place / "cgroup.subtree_control").split()) >= _CONTROLLERS


def make_leaf(groups: Groups, name: str) -> Leaf | None:
    """Make the group ``name``, limited as a call is that says nothing else; ``None`` where that cannot be had."""
    leaf = Leaf()
    try:
        if groups.unified:
            _make_unified(leaf, groups.unified, name)
        else:
            memory = _make_simple(leaf, groups.memory, name) if groups.memory else None
            pids = _make_simple(leaf, groups.pids, name) if groups.pids else None
            leaf.own = Groups(memory, pids)
        leaf.limit(Limits())
    except OSError:
        leaf.remove()
        return None
    return leaf if leaf.folders else None


def _make_unified(leaf: Leaf, place: Path, name: str) -> None:
    if not _enabled(place):
        _write(place / "cgroup.subtree_control", "+memory +pids")
    folder = _make(leaf, place, name)
    leaf.own = Groups(unified=folder)
    leaf.entries.append(os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC))
    leaf.birth = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def _make_simple(leaf: Leaf, place: Path, name: str) -> Path:
    folder = _make(leaf, place, name)
    leaf.entries.append(os.open(folder / "tasks", os.O_WRONLY | os.O_CLOEXEC))
    return folder


def _make(leaf: Leaf, place: Path, name: str) -> Path:
    folder = place / (_PREFIX + name)
    folder.mkdir()
    leaf.folders.append(folder)
    return folder


def sweep(groups: Groups) -> None:
    """Remove empty groups that a launcher which was killed left behind."""
    for place in filter(None, (groups.memory, groups.pids, groups.unified)):
        for folder in list(place.glob(_PREFIX + "*")):
            owner = folder.name.removeprefix(_PREFIX).split("-")[0]
            if not os.path.exists(f"/proc/{owner}"):
                with suppress(OSError):
                    folder.rmdir()


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _write(path: Path, value: int | str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(file, str(value).encode())
    finally:
        os.close(file)
