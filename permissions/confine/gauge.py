"""A gauge of one control group's memory: it wakes a poll when the use crosses a mark, and tells what is needed.

What this stops: looking again and again at what rarely changes, and taking pages of files that were read for memory
that a call needs: the kernel takes those back by itself.
What it does not: bound anything. The group's hard limit is set before the call runs (``cgroup``), and the kernel holds
it whether or not anybody looks here.

Version 1 wakes by ``eventfd(2)`` at a threshold and at the end of the memory (the kernel's ``cgroup-v1/memory.rst``, 9
and 10); version 2 by ``memory.events`` when ``memory.high`` is passed (``cgroup-v2.rst``), where the call is slowed
down until the mark is moved. Setting a mark in version 1 waits for the whole machine (RCU): never do it on the loop.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from permissions.confine import cgroup

NOTHING_IS_BOUNDED = 1 << 60
"""A limit above this one is none: version 1 writes the largest number of pages there is."""


class SimpleGauge:
    """The gauge of a version 1 group. ``holds_back``: whether the kernel keeps the use near the mark by itself."""

    holds_back = False

    def __init__(self, folder: Path) -> None:
        """Raises OSError where the group has ended."""
        self._folder = folder
        self._mark, self._end = (os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK) for _ in range(2))
        self._poll = select.epoll()
        self._poll.register(self._mark, select.EPOLLIN)
        self._poll.register(self._end, select.EPOLLIN)
        try:
            self._tell(self._end, "memory.oom_control", "")
        except OSError:
            self.close()
            raise

    def fileno(self) -> int:
        """Return the descriptor that is readable when there is something to look at."""
        return self._poll.fileno()

    def woken(self) -> bool:
        """Take note of what woke the poll; True when the kernel kills for lack of memory.

        It also wakes when the group is removed, which says nothing about memory.
        """
        happened = [descriptor for descriptor, _ in self._poll.poll(0)]
        for descriptor in happened:
            os.eventfd_read(descriptor)
        return self._end in happened and self._folder.exists()

    def wake_at(self, use_bytes: int) -> None:
        """Wake when the group's use crosses ``use_bytes``. Slow: not on the loop."""
        self._tell(self._mark, "memory.usage_in_bytes", str(use_bytes))

    def wake_never(self) -> None:
        """Wake only at the end of the memory from now on; marks that were set may still wake."""

    def use(self) -> tuple[int, int]:
        """Return the bytes in use, and those of them that the kernel cannot take back."""
        used = int(cgroup.read(self._folder / "memory.usage_in_bytes") or 0)
        counts = cgroup.counts(self._folder / "memory.stat")
        return used, max(0, used - counts.get("cache", 0) + counts.get("shmem", 0))

    def room(self) -> int:
        """Return the bytes that the groups above leave."""
        return _simple_room(self._folder.parent)

    def close(self) -> None:
        """Close what it holds; the kernel forgets the marks with it."""
        self._poll.close()
        os.close(self._mark)
        os.close(self._end)

    def _tell(self, descriptor: int, name: str, mark: str) -> None:
        file = os.open(self._folder / name, os.O_RDONLY | os.O_CLOEXEC)
        try:
            cgroup.write(self._folder / "cgroup.event_control", f"{descriptor} {file} {mark}".strip())
        finally:
            os.close(file)


class UnifiedGauge:
    """The gauge of a version 2 group. The kernel kills all of it when it kills (``memory.oom.group``)."""

    holds_back = True

    def __init__(self, folder: Path) -> None:
        """Raises OSError where the group has ended."""
        self._folder = folder
        self._events = os.open(folder / "memory.events", os.O_RDONLY | os.O_CLOEXEC)
        self._poll = select.epoll()
        try:
            self._poll.register(self._events, select.EPOLLPRI)  # always readable; what is new about it is urgent
            self.woken()
        except OSError:
            self.close()
            raise

    def fileno(self) -> int:
        """Return the descriptor that is readable when there is something to look at."""
        return self._poll.fileno()

    def woken(self) -> bool:
        """Take note of what woke the poll; True when the kernel kills for lack of memory."""
        self._poll.poll(0)
        return b"oom_kill 0\n" not in os.pread(self._events, 4096, 0)

    def wake_at(self, use_bytes: int) -> None:
        """Slow the group down, and wake, when its use passes ``use_bytes``."""
        cgroup.write(self._folder / "memory.high", use_bytes)

    def wake_never(self) -> None:
        """Slow it down no more."""
        cgroup.write(self._folder / "memory.high", "max")

    def use(self) -> tuple[int, int]:
        """Return the bytes in use, and those of them that the kernel cannot take back."""
        used = int(cgroup.read(self._folder / "memory.current") or 0)
        counts = cgroup.counts(self._folder / "memory.stat")
        return used, max(0, used - counts.get("file", 0) + counts.get("shmem", 0))

    def room(self) -> int:
        """Return the bytes that the groups above leave."""
        return _unified_room(self._folder.parent)

    def close(self) -> None:
        """Close what it holds."""
        self._poll.close()
        os.close(self._events)


Gauge = SimpleGauge | UnifiedGauge


def open_gauge(folder: str, *, unified: bool) -> Gauge:
    """Return the gauge of a group. Raises OSError where it has ended."""
    return UnifiedGauge(Path(folder)) if unified else SimpleGauge(Path(folder))


def available_bytes() -> int:
    """Return the memory that this machine could still give without swapping. Source: ``proc_meminfo(5)``."""
    lines = cgroup.read(Path("/proc/meminfo")).splitlines()
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")), 0)


def room_in(groups: cgroup.Groups) -> int:
    """Return the bytes that the groups below which calls get theirs still leave."""
    if groups.unified:
        return _unified_room(groups.unified)
    return _simple_room(groups.memory) if groups.memory else NOTHING_IS_BOUNDED


def _simple_room(group: Path) -> int:
    limited = _that_have("memory.limit_in_bytes", group)
    return min(map(_left_in_simple, limited), default=NOTHING_IS_BOUNDED)


def _unified_room(group: Path) -> int:
    return min(map(_left_in_unified, _that_have("memory.max", group)), default=NOTHING_IS_BOUNDED)


def _that_have(file: str, group: Path) -> Iterator[Path]:
    """Yield a group and those above it, as far as they have such a file."""
    return takewhile(lambda one: (one / file).exists(), (group, *group.parents))


def _left_in_simple(group: Path) -> int:
    limit = int(cgroup.read(group / "memory.limit_in_bytes") or NOTHING_IS_BOUNDED)
    if limit >= NOTHING_IS_BOUNDED:
        return NOTHING_IS_BOUNDED
    used, counts = int(cgroup.read(group / "memory.usage_in_bytes") or 0), cgroup.counts(group / "memory.stat")
    return limit - used + counts.get("total_cache", 0) - counts.get("total_shmem", 0)


def _left_in_unified(group: Path) -> int:
    limit = cgroup.read(group / "memory.max").strip()
    if not limit.isdigit():
        return NOTHING_IS_BOUNDED
    used, counts = int(cgroup.read(group / "memory.current") or 0), cgroup.counts(group / "memory.stat")
    return int(limit) - used + counts.get("file", 0) - counts.get("shmem", 0)
