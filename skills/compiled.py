"""The compiled forms of our own skills, kept beside those of our other modules from one worker's start to the next.

Compiling them takes a worker as long as all the rest of its start. The file lies in the ``__pycache__`` of this package
and is trusted as whatever else lies there, which the worker runs in any case; a compiled form counts only for the very
bytes of the source that it was made of. Skills of others are never kept here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
from contextlib import suppress
from pathlib import Path
from types import CodeType

Compiled = dict[str, tuple[bytes, CodeType]]
"""By path: the source that was compiled, and what it was compiled to."""

_HEAD = importlib.util.MAGIC_NUMBER
_DIGEST_BYTES = hashlib.sha256().digest_size


def default_file() -> Path:
    """Return where this interpreter keeps what it compiled: beside the compiled form of this module."""
    return Path(importlib.util.cache_from_source(__file__)).with_suffix(".skills")


def read_compiled(file: Path) -> Compiled:
    """Return what was kept in ``file``; nothing where it is missing, damaged, or of another interpreter."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        data = file.read_bytes()
        start = len(_HEAD) + _DIGEST_BYTES
        if data[:start] == _HEAD + hashlib.sha256(data[start:]).digest():
            return dict(marshal.loads(data[start:]))  # noqa: S302 - as Python's own compiled files are
    return {}


def keep_compiled(file: Path, compiled: Compiled) -> None:
    """Put ``compiled`` into ``file`` for the next start, whole or not at all: not where nobody may write."""
    data = marshal.dumps(compiled)
    ahead = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        try:
            file.parent.mkdir(exist_ok=True)
            ahead.write_bytes(_HEAD + hashlib.sha256(data).digest() + data)
            ahead.replace(file)
        finally:
            ahead.unlink(missing_ok=True)
