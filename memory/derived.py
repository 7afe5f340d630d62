"""Files of what derives from something else, and may be thrown away: each with the digest of what it holds.

What this stops: a file that is there only in part; drafts that fill a disk on which nothing more can be written.
What it does not: outlast a power cut. Whoever reads one compares its digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from memory.folder import PRIVATE_FOLDER


def write_derived(file: Path, form: bytes, body: bytes, bound_to: bytes = b"") -> bool:
    """Write ``form``, the SHA-256 of ``bound_to`` and ``body``, and ``body``; tell whether that could be done.

    It is written whole or not at all, in a folder that is made where there is none.
    """
    return write_again(file, form + hashlib.sha256(bound_to + body).digest() + body)


def write_again(file: Path, data: bytes) -> bool:
    """Write what several processes may write at once, and can do without; tell whether that could be done."""
    draft = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        file.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        draft.write_bytes(data)
        draft.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        return False
    return True
