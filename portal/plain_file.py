"""Reading a file that somebody may have exchanged: no link at its end, no folder, no pipe that never answers."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def plain_file(path: str | os.PathLike[str]) -> Iterator[tuple[int, os.stat_result]]:
    """Give the descriptor and the status of a regular file. Raises OSError on anything else."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a plain file", os.fspath(path))
        yield descriptor, found
    finally:
        os.close(descriptor)


def read_up_to(descriptor: int, most: int) -> bytes:
    """Read a file from where it stands, ``most`` bytes at most."""
    content = bytearray()
    while len(content) < most and (part := os.read(descriptor, most - len(content))):
        content += part
    return bytes(content)
