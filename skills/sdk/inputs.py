"""The files of the person's that a call has read, as they were then: a commit looks whether they still are.

What it does not: know what a library or a program opens by itself; keep more than ``MOST`` files, or ``MOST_TEXT``
characters of their paths: what a call reads beyond that is not compared.
"""

from __future__ import annotations

import os
import stat

from skills.sdk.view import Node, version

MOST = 20_000
MOST_TEXT = 2_000_000


class Inputs:
    """Notes each file once, before its content is read."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, ...]] = {}
        self._text = 0

    def note(self, node: Node) -> None:
        """Take note of a file on the disk; of a folder, or what an earlier step staged, there is nothing."""
        real = node.real
        if real is None or node.staged or node.folder or real in self._seen:
            return
        if len(self._seen) >= MOST or self._text + len(real) > MOST_TEXT:
            return
        try:
            status = os.lstat(real)
            if stat.S_ISLNK(status.st_mode):
                real = os.path.realpath(real)
                status = os.lstat(real)
        except OSError:
            return  # reading it fails, and says so
        if stat.S_ISREG(status.st_mode) and real not in self._seen:
            self._seen[real] = tuple(version(status).values())
            self._text += len(real)

    def told(self) -> dict[str, tuple[int, ...]]:
        """Return dev, ino, size, mtime_ns and ctime_ns of each file, by its real path."""
        return dict(self._seen)
