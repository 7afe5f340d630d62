"""The processes of this machine, by the name of their program: how many, what they use, whose they are.

What this stops: a command line reaching anybody. It is never read: it may hold a password.
What it does not: hide names. A program may call itself as it likes.

Source: proc_pid_stat(5), proc_pid_statm(5).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel.system.reading import PROC, below, text_of
from permissions.naming import readable

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICKS_S = os.sysconf("SC_CLK_TCK")
CUT = 15
"""Bytes to which Linux shortens a name (TASK_COMM_LEN)."""
_KTHREADD = 2
_ENDED = frozenset("ZXx")
_LOOK_S = 0.4
MOST_PROGRAMS = 500


@dataclass(frozen=True, slots=True)
class Process:
    """One process. ``own_bytes`` are in no other's memory, ``shared_bytes`` may be; ``started`` tells it from a later
    one of the same number.
    """

    pid: int
    parent: int
    uid: int
    name: str
    started: int
    cpu_s: float
    own_bytes: int
    shared_bytes: int


def processes(proc: Path = PROC) -> list[Process]:
    """Return every process but the threads of the operating system's kernel."""
    found = (process_of(int(folder.name), proc) for folder in below(proc) if folder.name.isdigit())
    return [one for one in found if one is not None and _KTHREADD not in (one.pid, one.parent)]


def process_of(pid: int, proc: Path = PROC) -> Process | None:
    """Return a process; None where it has ended, or is not shown to us."""
    folder = proc / str(pid)
    line = text_of(folder / "stat")
    end = line.rfind(")")
    try:
        uid = folder.stat().st_uid
        fields = line[end + 2 :].split()
        name = _name(line[line.index("(") + 1 : end], folder)
        if fields[0] in _ENDED:
            return None
        parent, started = int(fields[1]), int(fields[19])
        cpu_s = (int(fields[11]) + int(fields[12])) / _TICKS_S
        resident, shared = (int(part) for part in text_of(folder / "statm").split()[1:3])
    except (OSError, ValueError, IndexError):
        return None
    own = max(resident - shared, 0)
    return Process(pid, parent, uid, name, started, cpu_s, own * _PAGE_BYTES, shared * _PAGE_BYTES)


def programs(proc: Path = PROC, look_s: float = _LOOK_S) -> Mapping[str, Any]:
    """Return the programs that run, the greatest first: name, how many processes, memory, processor, whose.

    ``busy`` is the share of one processor that it used while it was looked at; there are ``processors`` of them.
    """
    before, began = {(one.pid, one.started): one.cpu_s for one in processes(proc)}, time.monotonic()
    time.sleep(look_s)
    now, passed_s = processes(proc), max(time.monotonic() - began, 1e-3)
    groups: dict[str, list[Process]] = {}
    for one in now:
        groups.setdefault(one.name, []).append(one)
    found = [_program(name, held, before, passed_s) for name, held in groups.items()]
    found.sort(key=lambda one: -one["memory_bytes"])
    return {"programs": found[:MOST_PROGRAMS], "processors": os.cpu_count() or 1}


def _program(
    name: str, held: Iterable[Process], before: Mapping[tuple[int, int], float], passed_s: float
) -> dict[str, Any]:
    """One program with all of its processes; what they share counts once, as far as that can be told."""
    held = list(held)
    used_s = sum(max(one.cpu_s - before.get((one.pid, one.started), one.cpu_s), 0.0) for one in held)
    memory = sum(one.own_bytes for one in held) + max(one.shared_bytes for one in held)
    return {
        "name": name, "processes": len(held), "memory_bytes": memory, "busy": round(used_s / passed_s, 3),
        "mine": any(one.uid == os.getuid() for one in held),
    }  # fmt: skip


def _name(short: str, folder: Path) -> str:
    """Return the name of a program, whole where Linux keeps a part of it and the file that it runs tells the rest."""
    if len(short.encode("utf-8", "surrogateescape")) >= CUT:
        try:
            file = (folder / "exe").readlink().name.removesuffix(" (deleted)")
        except OSError:
            file = ""
        short = file if file.startswith(short) else short
    return readable(short)
