"""Modules of an environment, compiled once in a cell instead of at every call; nothing of them runs.

What this stops: what compiles becoming part of anything else than the call that imports it. It is made of the very
sources that were unpacked, lies beside them read-only with its sum, and only a call of the skill, confined, loads it.
What it does not: speed up what a module does when it is imported.
"""

from __future__ import annotations

import os
import py_compile
import stat
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from skills.environments.model import BOUNDS

_LARGEST_FACTOR, _LARGEST_MORE = 8, 1 << 16
"""So much larger than its source a compiled module may be."""
_PASSED_OVER = (py_compile.PyCompileError, OSError, ValueError, RecursionError, MemoryError, OverflowError)


def compiled(environment: Path, goal: Path) -> int:
    """Compile what can be, below ``goal``; return how many. In a cell: a source may bring the compiler down."""
    made = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source in sorted(environment.rglob("*.py")):
            made += _is_compiled(source, goal / source.relative_to(environment).with_suffix(".pyc"))
    return made


def _is_compiled(source: Path, goal: Path) -> bool:
    """Compile one module, with no look back at its source: what belongs together has its sums. False: it is none."""
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    try:
        py_compile.compile(str(source), str(goal), doraise=True, invalidation_mode=mode)
    except _PASSED_OVER:  # said by the call that imports it
        return False
    return True


def take(compiled_in: Path, lib: Path) -> int:
    """Put what was compiled beside the sources in ``lib``; return how many. Nothing else that lies there is taken.

    All of it is no larger than an environment may be; what is beyond is left to the calls that import it.
    """
    made, left = 0, BOUNDS.total_bytes
    compiled_in = compiled_in.parent.resolve() / compiled_in.name  # the way to the folder is ours, and may have links
    for source in list(_sources(lib)):
        size = _taken(compiled_in, lib, source, left)
        made, left = made + bool(size), left - size
    return made


def _sources(lib: Path) -> Iterator[Path]:
    yield from sorted(path for path in lib.rglob("*.py") if stat.S_ISREG(path.lstat().st_mode))


def _taken(compiled_in: Path, lib: Path, source: Path, left: int) -> int:
    """Put one compiled module beside its source; return its size, 0 where there is none to take."""
    most = min(left, _LARGEST_FACTOR * source.stat().st_size + _LARGEST_MORE)
    content = _content(compiled_in / source.relative_to(lib).with_suffix(".pyc"), most)
    if content:
        place = source.parent / "__pycache__"
        place.mkdir(exist_ok=True)
        (place / f"{source.stem}.{sys.implementation.cache_tag}.pyc").write_bytes(content)
    return len(content)


def _content(made: Path, most: int) -> bytes:
    """Return what a file holds; nothing of one that is too large, or is none, or that a link leads to.

    Nobody is at work there any more: what made it, in a cell that a source may have taken over, has ended.
    """
    if os.path.realpath(made) != str(made):
        return b""
    try:
        held = os.open(made, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        content = os.read(held, most + 1) if stat.S_ISREG(os.fstat(held).st_mode) else b""
    finally:
        os.close(held)
    return content if len(content) <= most else b""
