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

from permissions.confine import cgroup

_EXITING = 0x4
_OWN_TASKS = 2
"""What its group counts when nothing but the call's last thread is left: that, and the init of the cell."""
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_COUNTED = os.path.exists("/proc/self/schedstat")
"""Without it a call that took less than a tick has taken nothing."""


def is_over(init: int, leaf: cgroup.Leaf) -> float | None:
    """Return the processor seconds of the call of a cell, if nothing of it will ever run again; else None.

    ``init`` is the cell's first process, which starts nothing but the call.
    """
    call = cgroup.read(f"/proc/{init}/task/{init}/children").split()
    if len(call) != 1:
        return None
    fields = cgroup.read(f"/proc/{call[0]}/stat").rpartition(")")[2].split()
    if len(fields) < 15 or not int(fields[6]) & _EXITING:
        return None
    if leaf.tasks() != _OWN_TASKS:  # asked after the mark was seen: who leaves starts nothing
        return None
    own_ns = cgroup.read(f"/proc/{call[0]}/schedstat").split()
    if _COUNTED and not own_ns:  # it has been reaped meanwhile: its init says what it used
        return None
    own_s = int(own_ns[0]) / 1e9 if own_ns else sum(map(int, fields[11:13])) * _TICK_S
    return own_s + sum(map(int, fields[13:15])) * _TICK_S
