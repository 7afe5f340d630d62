"""What this machine is: the processor, its caches, what it can do, and the compiler."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from gpu_skills.building.building import compiler
from gpu_skills.errors import CompilerMissing


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as far as kernels care. Sizes of caches are those that one core sees; 0 is unknown."""

    cpu: str
    cores: int
    instructions: frozenset[str]
    """As /proc/cpuinfo spells them: avx2, fma, avx512f."""
    l2_bytes: int
    last_cache_bytes: int
    """The largest cache, of whichever level."""
    compiler: str = ""
    """The first line of ``g++ --version``; empty where there is none."""


@cache
def this_machine() -> Machine:
    """Return what this machine is, found out once per process. What /proc and /sys do not say is unknown."""
    info = _text(Path("/proc/cpuinfo"))
    cores = len(os.sched_getaffinity(0))
    flags = re.search(r"^(?:flags|Features)\s*:\s*(.*)$", info, re.MULTILINE)
    name = re.search(r"^model name\s*:\s*(.*)$", info, re.MULTILINE)
    found = frozenset(flags.group(1).split()) if flags else _instructions()
    caches = _caches(Path("/sys/devices/system/cpu/cpu0/cache"))
    return Machine(name.group(1).strip() if name else os.uname().machine, cores, found, caches.get(2, 0),
                   max(caches.values(), default=0), _compiler())  # fmt: skip


def _instructions() -> frozenset[str]:
    """Ask the processor, as numpy does: a cell has no /proc/cpuinfo. Its spelling, but for one name, is linux's."""
    features = import_module("numpy._core._multiarray_umath").__cpu_features__
    return frozenset("fma" if name == "FMA3" else name.lower() for name, there in features.items() if there)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _caches(place: Path) -> dict[int, int]:
    """Return the bytes of the data cache of each level, as far as a folder as linux keeps it for a core says so."""
    found: dict[int, int] = {}
    for folder in sorted(place.glob("index*")):
        level, size = _text(folder / "level").strip(), re.fullmatch(r"(\d+)([KMG]?)\s*", _text(folder / "size"))
        if level.isdecimal() and size and _text(folder / "type").strip() != "Instruction":
            count = int(size.group(1)) << {"": 0, "K": 10, "M": 20, "G": 30}[size.group(2)]
            found[int(level)] = max(count, found.get(int(level), 0))
    return found


def _compiler() -> str:
    try:
        ran = subprocess.run((compiler(), "--version"), capture_output=True, text=True, timeout=20, check=True)
    except (CompilerMissing, OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.splitlines()[0] if ran.stdout else ""
