"""The candidate built again with sanitizers, and asked the small scenes once more in blocks of exactly a tensor's size.

What this stops: reading or writing one element beside a tensor, undefined behaviour that happens to work, and results
that hang on memory never written (automatic variables begin as a pattern, blocks of the heap too).
What it does not: races between threads; those show as other bits, or errors, over repeated calls.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from gpu_skills.errors import JudgeUnavailable
from gpu_skills.judge.model import Gate, GateName
from gpu_skills.model import Built

_KEPT = re.compile(r"-(m[\w=.,-]+|std=.+|D.+|I.+|f(?!lto|sanitize|visibility|profile|whole)[\w=-]+)")
_FLAGS = (
    "-x", "c++", "-shared", "-fPIC", "-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer", "-ftrivial-auto-var-init=pattern",
)  # fmt: skip
_BUILD_S = 120.0
_OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:exitcode=86:symbolize=0:max_malloc_fill_size=1073741824:malloc_fill_byte=190",
    "UBSAN_OPTIONS": "halt_on_error=1:exitcode=86:print_stacktrace=0:symbolize=0",
}


def compiler() -> str:
    """Return g++. Raises JudgeUnavailable."""
    found = shutil.which("g++")
    if found is None:
        raise JudgeUnavailable("judge.compiler", "There is no g++ on this machine.", hint="apt install g++")
    return found


def build(built: Built, folder: Path) -> Path | Gate:
    """Build a candidate with sanitizers into ``folder``, or return the gate that says why it cannot be."""
    library = folder / "sanitized.so"
    kept = [one for one in built.command if _KEPT.fullmatch(one)]
    command = [compiler(), *kept, *_FLAGS, "-", "-o", str(library), "-lm"]
    try:
        done = subprocess.run(command, input=built.candidate.source, capture_output=True, text=True, check=False,
                              timeout=_BUILD_S, cwd=folder)  # fmt: skip
    except subprocess.TimeoutExpired:
        return Gate(GateName.SANITIZER, False, f"it could not be built with sanitizers within {_BUILD_S:g} s")
    if done.returncode:
        return Gate(GateName.SANITIZER, False, f"it cannot be built with sanitizers: {done.stderr[-600:]}")
    return library


def environment() -> Mapping[str, str]:
    """Return what a racer with a sanitized library is started with."""
    asked = subprocess.run([compiler(), "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    place = Path(asked.stdout.strip()).resolve()
    if not place.is_file():
        raise JudgeUnavailable("judge.sanitizer", "g++ has no address sanitizer.", hint="apt install libasan8 (or g++)")
    return {**_OPTIONS, "LD_PRELOAD": str(place)}


def folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder for the build that goes when it is left."""
    return tempfile.TemporaryDirectory(prefix="steward-judge-")
