"""What a library says of itself without being loaded: symbols, functions that run on loading, instructions, spills.

Stops: a library that asks for anything but arithmetic and memory of its own (``ALLOWED``), or that runs code when it
is loaded. Does not stop: system calls written as instructions, or addresses made by arithmetic; the wall around the
judge's racer does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpu_skills.building.elf import Elf, read_elf
from gpu_skills.errors import NotLoadable

_MATH: Final = "exp expm1 log log1p pow tanh erf sin cos sqrt fmax fmin floor ceil rint fmod".split()
ALLOWED: Final = frozenset(
    [*_MATH, *(f"{one}f" for one in _MATH), "memcpy", "memset", "memmove", "malloc", "aligned_alloc", "free",
     "pthread_create", "pthread_join", "__cpu_model", "__cpu_indicator_init", "__stack_chk_fail",
     "__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable"]
)  # fmt: skip
"""What a kernel may ask of the system: memory, elementary functions, threads; the rest is the linker's own."""
_LIBRARIES: Final = ("libc.so", "libm.so", "libgcc_s.so", "libpthread.so", "libstdc++.so", "ld-linux")


@dataclass(frozen=True, slots=True)
class Report:
    """What a library is made of. Counts of instructions are None where there is no objdump to count them."""

    undefined: tuple[str, ...]
    forbidden: tuple[str, ...]
    """Symbols and libraries that are not allowed."""
    runs_on_loading: int
    """Functions that loading would run, beyond the one that every library has."""
    size_bytes: int
    vector: dict[str, int] | None = None
    """Instructions on registers of 512, 256 and 128 bits: zmm, ymm, xmm."""
    spills: int | None = None
    """Vector registers written to the stack, anywhere in the code."""

    @property
    def allowed(self) -> bool:
        """Tell whether the library asks for nothing that is not allowed, and does nothing on being loaded."""
        return not self.forbidden and self.runs_on_loading == 0


def report(library: Path) -> Report:
    """Return what a library is made of. Raises NotLoadable where it is no shared library of 64 bits."""
    elf = read_elf(library.read_bytes())
    if "steward_kernel" not in elf.defined:
        raise NotLoadable(
            "build.not_loadable", f"{library.name} has no steward_kernel.", hint="A candidate exports that function."
        )
    forbidden = [one for one in elf.undefined if one not in ALLOWED]
    forbidden += [one for one in elf.needed if not one.startswith(_LIBRARIES)]
    vector, spills = _instructions(library)
    return Report(elf.undefined, tuple(forbidden), _on_loading(elf), library.stat().st_size, vector, spills)


def _on_loading(elf: Elf) -> int:
    """Count what loading runs, but for the two that the compiler puts into every library (frame_dummy and its pair)."""
    return max(0, elf.initializers - 1) + max(0, elf.finalizers - 1) + elf.indirect_functions


def _instructions(library: Path) -> tuple[dict[str, int] | None, int | None]:
    objdump = shutil.which("objdump")
    if objdump is None:
        return None, None
    command = (objdump, "-d", "--no-show-raw-insn", str(library))
    try:
        text = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None, None
    counts = {one: len(re.findall(rf"\n[^\n]*%{one}", text)) for one in ("zmm", "ymm", "xmm")}
    return counts, len(re.findall(r"\n[^\n]*\bv?mov[a-z0-9]*\s+%[xyz]mm\d+,-?(?:0x[0-9a-f]+)?\(%r[sb]p\)", text))
