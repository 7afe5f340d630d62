"""What a library says of itself without being loaded: symbols, functions that run on loading, instructions, spills.

Stops: a library that asks for anything but arithmetic and memory of its own (``_ALLOWED``), or that runs code when it
is loaded. Does not stop: system calls written as instructions, or addresses made by arithmetic; the wall around the
judge's racer does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from gpu_skills.building.elf import Elf, read_elf
from gpu_skills.errors import NotLoadable

_ONE: Final = (
    r"(a?(sin|cos|tan)h?|exp(2|m1|10)?|log(2|10|1p|b)?|pow|sqrt|cbrt|hypot|erfc?|[lt]gamma|floor|ceil|trunc|l*r?int"
    r"|l*round|nearbyint|fabs|fm(ax|in|od|a)|fdim|copysign|ldexp|frexp|modf|remainder|sincos|scalbl?n)[fl]?"
)
_ALLOWED: Final = re.compile(
    rf"{_ONE}|__{_ONE}_finite|_ZGV\w+"
    r"|mem(cpy|move|set|cmp|chr)|__mem(cpy|move|set)_chk|strlen|malloc|calloc|realloc|free|aligned_alloc|posix_memalign"
    r"|pthread_(create|join)|(GOMP|omp)_\w+"
    r"|_Zn[wa][jm]\w*|_Zd[la]Pv\w*|_ZSt\d+__throw_\w+|_ZSt9terminatev|_ZTVN10__cxxabiv1\w+|__cxa_\w+"
    r"|__gxx_personality_v0|_Unwind_\w+|abort|__assert_fail|__stack_chk_fail|__gmon_start__|_ITM_\w+|__tls_get_addr"
    r"|__(extend|trunc)[hbsdxt]f[hbsdxt]f2|__powi[sdxt]f2|__aarch64_\w+|__getauxval"
    r"|__cpu_model|__cpu_indicator_init|__init_cpu_features\w*|__dso_handle|_GLOBAL_OFFSET_TABLE_"
)
"""What a kernel may ask of the system: elementary functions, memory, threads; the rest is the compiler's own."""
_LIBRARIES: Final = re.compile(
    r"(libc|libm|libmvec|libgomp|libstdc\+\+|libgcc_s|libpthread)\.so\.\d+|ld-linux[\w-]*\.so\.\d+"
)
_MOST_CODE: Final = 48


@dataclass(frozen=True)
class Report:
    """What a library is made of."""

    library: Path
    undefined: tuple[str, ...]
    forbidden: tuple[str, ...]
    """Symbols and libraries that are not allowed."""
    runs_on_loading: int
    """What loading or unloading would run, beyond what every library has; counted, as names are the candidate's."""
    size_bytes: int

    @property
    def allowed(self) -> bool:
        """Tell whether the library asks for nothing that is not allowed, and does nothing on being loaded."""
        return not self.forbidden and self.runs_on_loading == 0

    @property
    def vector(self) -> dict[str, int] | None:
        """Count instructions on registers of 512, 256 and 128 bits (zmm, ymm, xmm); None without objdump."""
        return self._instructions[0]

    @property
    def spills(self) -> int | None:
        """Count vector registers written to the stack, anywhere in the code; None without objdump."""
        return self._instructions[1]

    @cached_property
    def _instructions(self) -> tuple[dict[str, int] | None, int | None]:
        return _instructions(self.library)


def report(library: Path) -> Report:
    """Return what a library is made of. Raises NotLoadable where it is no shared library of 64 bits."""
    elf = read_elf(library.read_bytes())
    if "steward_kernel" not in elf.defined:
        raise NotLoadable(
            "build.not_loadable", f"{library.name} has no steward_kernel.", hint="A candidate exports that function."
        )
    forbidden = [one for one in elf.undefined if not _ALLOWED.fullmatch(one)]
    forbidden += [one for one in elf.needed if not _LIBRARIES.fullmatch(one)]
    return Report(library, elf.undefined, tuple(forbidden), _on_loading(elf), library.stat().st_size)


def _on_loading(elf: Elf) -> int:
    """Count what loading runs, but for the two that the compiler puts into every library (frame_dummy and its pair)."""
    beyond = max(0, elf.initializers - 1) + max(0, elf.finalizers - 1) + (elf.code_bytes > _MOST_CODE)
    return beyond + elf.indirect_functions + elf.hooks


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
