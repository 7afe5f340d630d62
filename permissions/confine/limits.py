"""Resource limits of one process and its children, by ``setrlimit(2)``.

What this stops: processor time, private memory, open files, file sizes and (for an ordinary user) processes without
end; core dumps; locked memory.
What it does not: these are limits per process, not per cell; only a control group counts a cell as a whole (see
``cgroup``). The limit on processes does not bind root.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress

from permissions.model import Limits

_MAPPED_SPARE = 8 << 30
_NICEST = 19


def apply(limits: Limits, *, others: int) -> None:
    """Set the limits on this process. ``others``: how many more processes than the call's own the kernel may count."""
    _set(resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1)
    _set(resource.RLIMIT_DATA, limits.memory_bytes)
    # Address space is reserved far beyond use (thread arenas, columnar readers); this one only bounds shared mappings.
    _set(resource.RLIMIT_AS, 4 * limits.memory_bytes + _MAPPED_SPARE)
    _set(resource.RLIMIT_NPROC, limits.processes + others)
    _set(resource.RLIMIT_FSIZE, limits.file_bytes)
    _set(resource.RLIMIT_NOFILE, limits.open_files)
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_MEMLOCK, 64 << 10)
    _set(resource.RLIMIT_MSGQUEUE, 0)


def give_way() -> None:
    """Let this process, and what it starts, have the processor only while nobody else wants it (sched(7), SCHED_IDLE).

    The disk follows: a process of that kind counts as idle there as well (ioprio_set(2)).
    """
    with suppress(OSError):
        os.nice(_NICEST)
    with suppress(OSError):  # not every kernel, or wall, has it: then it is only nice
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def tasks_of_machine() -> int:
    """Return how many tasks run now; the kernel counts all of the user's, and this is at least as many."""
    with suppress(OSError, ValueError), open("/proc/loadavg") as text:
        return int(text.read().split()[3].partition("/")[2])
    return 4096


def _set(kind: int, soft: int, hard: int | None = None) -> None:
    ceiling = resource.getrlimit(kind)[1]
    most = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, most = min(soft, ceiling), min(most, ceiling)
    resource.setrlimit(kind, (soft, most))
