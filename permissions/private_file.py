"""A file for the person's own eyes, written whole or not at all.

What this stops: a file that another account may read, even for a moment; one that is half written, or gone, after a
crash; a link planted in its place or in that of its draft leading the bytes elsewhere.
What it does not: hide it from the person's own programs.
"""

from __future__ import annotations

import os
from pathlib import Path


def write_private(path: Path, data: bytes) -> None:
    """Put ``data`` in place of what is at ``path`` (0600); it is on disk when this returns. Raises OSError."""
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(draft, flags, 0o600), "wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: str | Path) -> None:
    """Bring to the disk which files ``folder`` has. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
