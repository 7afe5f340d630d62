"""Modules and tests are compiled once for all workers of the tests: each takes its share before it collects.

Left alone, every worker of a fresh clone compiles every file, because all of them come to it at the same moment, and a
file of tests takes longest: pytest rewrites its assertions. What is written here is what Python and pytest would have
written. Both look at the source again before they use it, so what a slow worker has not done yet, or has done of an
older source, is only done once more.
"""

from __future__ import annotations

import importlib.util
import py_compile
import sys
from collections.abc import Iterable
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

TESTS = ("test_*.py", "*_test.py", "conftest.py")
"""What pytest rewrites: what it collects from by default, and what it configures itself by."""


def compile_share(folders: Iterable[Path], config: pytest.Config) -> None:
    """Compile what is stale of this worker's share of all Python below ``folders``; alone, one has nothing to share."""
    worker = getattr(config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode:
        return
    number = int(worker["workerid"].removeprefix("gw"))
    sources = sorted({source for folder in folders for source in folder.rglob("*.py")})
    for source in sources[number :: worker["workercount"]]:
        with suppress(SyntaxError, ValueError, OSError, AttributeError, TypeError):  # done by whoever comes to it
            if is_stale(source):
                _compile(source, config)


def is_stale(source: Path) -> bool:
    """Tell whether ``source`` was not compiled since it was written."""
    compiled = compiled_file(source)
    return not compiled.exists() or compiled.stat().st_mtime_ns < source.stat().st_mtime_ns


def compiled_file(source: Path) -> Path:
    """Return where the compiled form of ``source`` is looked for by whoever runs it."""
    if _is_test(source):
        return rewrite.get_cache_dir(source) / (source.stem + rewrite.PYC_TAIL)
    return Path(importlib.util.cache_from_source(source))


def _compile(source: Path, config: pytest.Config) -> None:
    if not _is_test(source):
        py_compile.compile(str(source), quiet=2)
        return
    compiled = compiled_file(source)
    compiled.parent.mkdir(parents=True, exist_ok=True)
    told, code = rewrite._rewrite_test(source, config)
    rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, told, compiled)


def _is_test(source: Path) -> bool:
    return any(fnmatch(source.name, pattern) for pattern in TESTS)
