"""Files beside our compiled modules that hold what is made of our own code, from one process to the next.

What this stops: bytes of a file that is torn, damaged, or made under another key being given to whoever reads values
of them.
What it does not: somebody who may write into our ``__pycache__``, whose compiled modules run in any case.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from contextlib import suppress
from pathlib import Path

_DIGEST_BYTES = hashlib.sha256().digest_size


def file_beside(module: str, suffix: str) -> Path:
    """Return where this interpreter keeps what belongs to the module of the file ``module``."""
    return Path(importlib.util.cache_from_source(module)).with_suffix(suffix)


def read_beside(file: Path, key: bytes) -> bytes | None:
    """Return what was kept in ``file`` under ``key``; None where it is missing, damaged, or of another key."""
    with suppress(OSError):
        data = file.read_bytes()
        start = len(key) + _DIGEST_BYTES
        if data[:start] == key + hashlib.sha256(data[start:]).digest():
            return data[start:]
    return None


def keep_beside(file: Path, key: bytes, data: bytes) -> None:
    """Put ``data`` into ``file`` for the next process, whole or not at all: not where nobody may write."""
    ahead = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        try:
            file.parent.mkdir(exist_ok=True)
            ahead.write_bytes(key + hashlib.sha256(data).digest() + data)
            ahead.replace(file)
        finally:
            ahead.unlink(missing_ok=True)
