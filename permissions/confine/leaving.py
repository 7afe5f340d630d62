"""Seeing that a call is over before the kernel has taken its memory apart.

A process that leaves is marked as leaving (``PF_EXITING``) first and reaped last; between the two the kernel gives its
memory back, which takes longer than many a call. From the mark on no instruction of it ever runs again.

What this stops: believing a call that says it is over. What it says is a hint to look; only the kernel's word counts:
the mark, and that its control group holds no other task that could still run.
What it does not: wait. Whoever is not on the way out by then has its end reported by its init, as always.

Sources: ``proc_pid_stat(5)``, ``proc_tid_children(5)``, ``linux/sched.h``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from permissions.confine import cgroup

_EXITING = 0x4
_THREADS = 17  # where ``num_threads`` stands behind the name
_OWN_TASKS = 2
"""What its group counts when nothing but the call's last thread is left: that, and the init of the cell."""
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_COUNTED = os.path.exists("/proc/self/schedstat")
"""Without it a call that took less than a tick has taken nothing."""


def is_over(own: int, leaf: cgroup.Leaf) -> float | None:
    """Return the processor seconds of a call, if nothing of it will ever run again; else None.

    ``own`` is a descriptor of its folder in ``/proc``: that is never another process's. The first process of a cell
    starts nothing but the call.
    """
    if not _leaves_alone(own) or leaf.tasks() != _OWN_TASKS:
        return None
    fields = _leaves_alone(own)  # once more: a thread that begins a program takes its leader's place and number
    if not fields:
        return None
    own_ns = cgroup.read("schedstat", own).split()
    if _COUNTED and not own_ns:  # it has been reaped meanwhile: its init says what it used
        return None
    leader_s = int(own_ns[0]) / 1e9 if own_ns else 0.0  # to the nanosecond, but without its other threads
    own_s, children_s = (sum(map(int, fields[at : at + 2])) * _TICK_S for at in (11, 13))
    return max(leader_s, own_s) + children_s


def _leaves_alone(own: int) -> list[str]:
    """Return the fields of a process that is marked as leaving and has no other thread, else nothing.

    A leader may leave while a thread of its own runs on; whoever leaves alone starts nothing.
    """
    fields = cgroup.read("stat", own).rpartition(")")[2].split()
    alone = len(fields) > _THREADS and fields[_THREADS] == "1" and int(fields[6]) & _EXITING
    return fields if alone else []


def seen(leaf: cgroup.Leaf | None, used: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call used: its group's word where there is one, else that of its processes."""
    group = leaf.usage() if leaf else cgroup.Usage()
    return {
        "cpu_s": used.get("cpu_s", 0.0),
        "oom": group.out_of_memory,
        "peak_bytes": group.peak_bytes or used.get("peak_bytes", 0),
        "refused_processes": group.refused_processes,
    }
