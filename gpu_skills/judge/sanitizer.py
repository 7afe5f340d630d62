"""The candidate built again with sanitizers, and asked the small scenes once more in blocks of exactly a tensor's size.

What this stops: in plain C++, reading or writing one element beside a tensor, undefined behaviour that happens to work,
and results that hang on memory never written (automatic variables begin as a pattern, blocks of the heap too).
What it does not: races between threads (those show as other bits, or errors, over repeated calls); loads and stores
written in ``asm``, which no sanitizer sees; and code that a source leaves out of this build by itself, as our own
prelude does with its masked loads where ``SANITIZED`` is defined. Reading beside an input in such a way passes.

An address sanitizer reserves terabytes of addresses, which a cell does not have. There tensors lie between forbidden
pages, each ending within 64 bytes of one, and undefined behaviour traps: reads just beside a tensor may pass.
"""

from __future__ import annotations

import re
import resource
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gpu_skills import building
from gpu_skills.errors import BuildFailed, CompilerMissing, JudgeUnavailable
from gpu_skills.judge.model import Gate, GateName
from gpu_skills.model import Built

_KEPT = re.compile(r"-(m[\w=.,-]+|std=.+|D.+|I.+|f(?!lto|sanitize|visibility|profile|whole)[\w=-]+)")
_BUILD_S = 120.0
_OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:exitcode=86:symbolize=0:max_malloc_fill_size=1073741824:malloc_fill_byte=190",
    "UBSAN_OPTIONS": "halt_on_error=1:exitcode=86:print_stacktrace=0:symbolize=0",
}


_FENCED = (
    "-O1", "-g1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-fno-omit-frame-pointer",
    "-ftrivial-auto-var-init=pattern", "-DSANITIZED",
)  # fmt: skip
_SHADOW_BYTES = 1 << 45


def has_room() -> bool:
    """Tell whether this process may reserve the address space of an address sanitizer; a cell may not."""
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    hard = [resource.getrlimit(one)[1] for one in kinds]
    return all(one == resource.RLIM_INFINITY or one >= _SHADOW_BYTES for one in hard)


def build(built: Built, folder: Path, timeout_s: float = _BUILD_S, *, fenced: bool = False) -> Path | Gate:
    """Build a candidate with sanitizers into ``folder``, or return the gate that says why it cannot be.

    ``fenced``: without the one of addresses, for which forbidden pages stand in; undefined behaviour traps. The
    flags of its own build that decide what it computes are kept. Raises JudgeUnavailable.
    """
    kept = [one for one in built.command if _KEPT.fullmatch(one)]
    candidate = replace(built.candidate, id="candidate")  # its own need not name a file
    try:
        if fenced:
            return building.build(candidate, folder, timeout_s=timeout_s, flags=(*kept, *_FENCED)).library
        return building.build(candidate, folder, sanitize=True, timeout_s=timeout_s, flags=kept).library
    except CompilerMissing as error:
        raise JudgeUnavailable("judge.compiler", error.message, hint=error.hint) from error
    except BuildFailed as error:
        said = f"it cannot be built with sanitizers: {error.message[-600:]}"
        return Gate(GateName.SANITIZER, False, said)


def environment() -> Mapping[str, str]:
    """Return what a racer with a sanitized library is started with. Raises JudgeUnavailable."""
    try:
        command = [building.compiler(), "-print-file-name=libasan.so"]
    except CompilerMissing as error:
        raise JudgeUnavailable("judge.compiler", error.message, hint=error.hint) from error
    asked = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    place = Path(asked.stdout.strip()).resolve()
    if not place.is_file():
        raise JudgeUnavailable("judge.sanitizer", "g++ has no address sanitizer.", hint="apt install libasan8 (or g++)")
    return {**_OPTIONS, "LD_PRELOAD": str(place)}


def folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder for the build that goes when it is left."""
    return tempfile.TemporaryDirectory(prefix="steward-judge-")
