"""What this machine is: the processor, its caches, what it can do, and the compiler."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from gpu_skills.building.building import compiler
from gpu_skills.errors import CompilerMissing


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as far as kernels care. Sizes of caches are those of one core; 0 is unknown."""

    cpu: str
    cores: int
    instructions: frozenset[str]
    """As /proc/cpuinfo spells them: avx2, fma, avx512f."""
    l1_bytes: int
    l2_bytes: int
    l3_bytes: int
    compiler: str = ""
    """The first line of ``g++ --version``; empty where there is none."""


def this_machine() -> Machine:
    """Return what this machine is. Reads /proc and /sys; what they do not say is unknown."""
    info = _text(Path("/proc/cpuinfo"))
    cores = len(os.sched_getaffinity(0))
    flags = re.search(r"^(?:flags|Features)\s*:\s*(.*)$", info, re.MULTILINE)
    name = re.search(r"^model name\s*:\s*(.*)$", info, re.MULTILINE)
    found = frozenset(flags.group(1).split()) if flags else frozenset()
    l1, l2, l3 = (_cache(level) for level in (1, 2, 3))
    return Machine(name.group(1).strip() if name else os.uname().machine, cores, found, l1, l2, l3, _compiler())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _cache(level: int) -> int:
    """Return the bytes of the data cache of a level that the first core sees, 0 where nothing says so."""
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if _text(folder / "level").strip() == str(level) and _text(folder / "type").strip() != "Instruction":
            size = re.match(r"(\d+)([KMG]?)", _text(folder / "size"))
            return int(size.group(1)) << {"": 0, "K": 10, "M": 20, "G": 30}[size.group(2)] if size else 0
    return 0


def _compiler() -> str:
    try:
        ran = subprocess.run((compiler(), "--version"), capture_output=True, text=True, timeout=20, check=True)
    except (CompilerMissing, OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.splitlines()[0] if ran.stdout else ""
