"""The compiled forms of our own skills, kept beside those of our other modules from one worker's start to the next.

Compiling them takes a worker as long as all the rest of its start. The file lies in the ``__pycache__`` of this package
and is trusted as whatever else lies there, which the worker runs in any case; a compiled form counts only for the very
bytes of the source that it was made of. Skills of others are never kept here.
"""

from __future__ import annotations

import importlib.util
import marshal
from contextlib import suppress
from pathlib import Path
from types import CodeType

from skills.beside import file_beside, keep_beside, read_beside

Compiled = dict[str, tuple[bytes, CodeType]]
"""By path: the source that was compiled, and what it was compiled to."""

_KEY = importlib.util.MAGIC_NUMBER


def default_file() -> Path:
    """Return where this interpreter keeps what it compiled: beside the compiled form of this module."""
    return file_beside(__file__, ".skills")


def read_compiled(file: Path) -> Compiled:
    """Return what was kept in ``file``; nothing where it is missing, damaged, or of another interpreter."""
    with suppress(ValueError, EOFError, TypeError):
        if data := read_beside(file, _KEY):
            return dict(marshal.loads(data))  # noqa: S302 - as Python's own compiled files are
    return {}


def keep_compiled(file: Path, compiled: Compiled) -> None:
    """Put ``compiled`` into ``file`` for the next start, whole or not at all: not where nobody may write."""
    keep_beside(file, _KEY, marshal.dumps(compiled))
