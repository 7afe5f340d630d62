"""A control group per call, where this machine lets us have one.

What this stops: a cell as a whole using more memory or more processes than its limits, however it forks; and it tells
truly whether the kernel killed for lack of memory, the peak, and how many processes it refused. Who gives a call more
memory while it runs is ``reservation``. What outlived a launcher that was killed is killed at the next start.
What it does not: where no group can be had (no delegation) limits fall back to one process each (see ``limits``), and
``survey`` says so. The cell cannot leave its group: no group file system is shown inside, or writable.

Version 1 (``memory`` and ``pids`` below our own group) and version 2 (a parent that is ours by systemd's ``Delegate=``
and ``DelegateSubgroup=``, or root's) are served. A version 2 cell is born in its group; in version 1 it enters by
``tasks``, as a single thread that moves itself needs no lock over the whole machine (``cgroup.procs`` stalls 10 ms).
Source: ``cgroups(7)``, the kernel's ``cgroup-v1/memory.rst``, ``cgroup-v1/pids.rst`` and ``cgroup-v2.rst``.
"""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from permissions.model import Limits

_PREFIX = "steward-"
_LEAF = re.compile(rf"{_PREFIX}(?P<owner>(?P<pid>[0-9]+)-[0-9]+)-[0-9]+")
_CONTROLLERS = frozenset({"memory", "pids"})
_OVERHEAD = 1
"""The cell's init. With one more ``RLIMIT_NPROC`` (``limits``) would refuse first where it binds, uncounted."""


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


USUAL = (Limits().memory_bytes, Limits().processes)
"""What a group is held to as it is made: as a call is that says nothing else."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a leaf saw: kills for lack of memory, the most memory used at once in bytes (0: unknown), forks refused."""

    out_of_memory: bool = False
    peak_bytes: int = 0
    refused_processes: int = 0


@dataclass(slots=True)
class Leaf:
    """The group of one call. A process is born into ``birth`` (version 2), or writes ``0`` into each of ``entries``."""

    folders: list[Path] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    birth: int = -1
    own: Groups = Groups()
    limits: tuple[int, int] = (0, 0)  # bytes of memory, processes

    def limit(self, memory_bytes: int, processes: int) -> None:
        """Set what the group may use, also while processes are in it. Raises ``OSError`` where that is refused."""
        wish, own = (memory_bytes, processes), self.own
        if wish == self.limits:
            return
        self.limits = wish
        if own.unified:
            write(own.unified / "memory.max", memory_bytes)
            write(own.unified / "pids.max", processes + _OVERHEAD)
            for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1)):
                with suppress(OSError):  # absent where swap is not counted, or before Linux 4.19
                    write(own.unified / name, value)
        if own.memory:
            with suppress(OSError):  # absent where swap is not counted; it may never be below the other one
                write(own.memory / "memory.memsw.limit_in_bytes", memory_bytes)
            write(own.memory / "memory.limit_in_bytes", memory_bytes)
            with suppress(OSError):
                write(own.memory / "memory.memsw.limit_in_bytes", memory_bytes)
        if own.pids:
            write(own.pids / "pids.max", processes + _OVERHEAD)

    def close(self) -> None:
        """Close the descriptors; whoever entered stays in."""
        for descriptor in (*self.entries, *([self.birth] if self.birth >= 0 else [])):
            os.close(descriptor)
        self.entries.clear()
        self.birth = -1

    def usage(self) -> Usage:
        """Read what happened in the group."""
        own = self.own
        memory, pids = own.unified or own.memory, own.unified or own.pids
        refused = counts(pids / "pids.events").get("max", 0) if pids else 0
        if memory is None:
            return Usage(refused_processes=refused)
        killed = counts(memory / ("memory.events" if own.unified else "memory.oom_control")).get("oom_kill", 0)
        peak = read(memory / ("memory.peak" if own.unified else "memory.max_usage_in_bytes")).strip()
        return Usage(killed > 0, int(peak) if peak.isdigit() else 0, refused)

    def tasks(self) -> int:
        """Return how many processes and threads are in the group now; 0 where nobody counts them."""
        place = self.own.unified or self.own.pids
        return int(read(place / "pids.current") or 0) if place else 0

    def where(self) -> tuple[str, bool] | None:
        """Return the folder that counts its memory, and whether it is of version 2; None where none does."""
        place = self.own.unified or self.own.memory
        return (str(place), self.own.unified is not None) if place else None

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
    lines = (line.split(":", 2) for line in read(Path("/proc/self/cgroup")).splitlines())
    return {name: path for _, names, path in lines for name in names.split(",")}


def _mounts() -> dict[str, Path]:
    """Return the mount point by controller; version 2 is under the empty name. Source: ``proc_pid_mountinfo(5)``."""
    found: dict[str, Path] = {}
    for line in read(Path("/proc/self/mountinfo")).splitlines():
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
    if place is None or not set(read(place / "cgroup.controllers").split()) >= _CONTROLLERS:
        return None
    return place if _enabled(place) or _can_be_enabled(place, mount == place) else None


def _can_be_enabled(place: Path, is_root: bool) -> bool:
    """Whether controllers may be passed on: a group that has processes of its own may not ("no internal processes")."""
    may = os.access(place / "cgroup.subtree_control", os.W_OK)
    return may and (is_root or not read(place / "cgroup.procs").strip())


def _enabled(place: Path) -> bool:
    return set(read(place / "cgroup.subtree_control").split()) >= _CONTROLLERS


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
        leaf.limit(*USUAL)
    except OSError:
        leaf.remove()
        return None
    return leaf if leaf.folders else None


def _make_unified(leaf: Leaf, place: Path, name: str) -> None:
    if not _enabled(place):
        write(place / "cgroup.subtree_control", "+memory +pids")
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


def owner_of(pid: int) -> str:
    """Return what names the owner of a group: its process id and when it was born, as ids come again; "" if it ended.

    Source: ``proc_pid_stat(5)``, field 22.
    """
    fields = read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return f"{pid}-{fields[19]}" if len(fields) > 19 and fields[0] != "Z" else ""


def sweep(groups: Groups) -> int:
    """Kill what still runs in groups whose owner was killed, and remove them; return how many processes were killed."""
    killed = 0
    for place in filter(None, (groups.memory, groups.pids, groups.unified)):
        for folder in list(place.glob(_PREFIX + "*")):
            ours = _LEAF.fullmatch(folder.name)
            if ours and ours["owner"] != owner_of(int(ours["pid"])):
                killed += _empty(folder)
                with suppress(OSError):
                    folder.rmdir()
    return killed


def _empty(folder: Path) -> int:
    """Kill every process of a group, also those that they start meanwhile; give up after a second."""
    killed: set[int] = set()
    for _ in range(100):
        members = {int(word) for word in read(folder / "cgroup.procs").split()} - {0}  # 0: of another pid namespace
        if not members:
            break
        for member in members:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)
        killed |= members
        time.sleep(0.01)
    return len(killed)


def read(path: Path | str, folder: int | None = None) -> str:
    """Return what a small file of the kernel (in a folder that is open) says; nothing where it is not there."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return ""
    parts = []
    try:
        while part := os.read(file, 1 << 16):  # it gives as many lines at once as it likes
            parts.append(part)
    except OSError:
        return ""
    finally:
        os.close(file)
    return b"".join(parts).decode()


def counts(path: Path) -> dict[str, int]:
    """Return the numbers of a file with a name and a number on each line."""
    pairs = (line.split() for line in read(path).splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def write(path: Path, value: int | str) -> None:
    """Write one value into a file of the kernel. Raises OSError."""
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(file, str(value).encode())
    finally:
        os.close(file)
