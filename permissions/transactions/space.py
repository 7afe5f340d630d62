"""How much a call may write into its staging folder, watched while it runs.

What this stops: a call that fills the disk long before its set is sealed and counted, also with files that it has
unlinked and keeps open: the file system's own free space is looked at beside the folder.
What it does not: see between two looks. A call can write beyond the bound what the disk takes in a pause. It cannot
tell its own unlinked files from what another program writes meanwhile; it stops the call in either case.
"""

from __future__ import annotations

import os
import time

from permissions.errors import StorageFailed
from permissions.transactions.failures import translated
from permissions.transactions.shop import STAGED_QUOTA_BYTES

PAUSE_S = 0.1
"""Between two looks, at least; a look that takes long is followed by a pause five times as long."""

_SHARE_OF_FREE = 0.5


class Space:
    """The room of one call: what the run's quota leaves, and at most half of what is free when it begins.

    ``layers`` is where the changes collect of a call that works in trees.
    """

    def __init__(self, folder: str, run_folder: str, layers: str = "") -> None:
        self._folder = folder
        self._layers = layers
        with translated(folder):
            self._free = _free_bytes(folder)
            self._laid = size_below(layers) if layers else 0
            left = max(0, STAGED_QUOTA_BYTES - size_below(run_folder))
        self._most = min(left, int(self._free * _SHARE_OF_FREE))
        self.pause_s = PAUSE_S

    def check(self) -> None:
        """Raise StorageFailed when the call has written more than it may."""
        began = time.monotonic()
        with translated(self._folder):
            staged, gone = size_below(self._folder), self._free - _free_bytes(self._folder)
            staged += size_below(self._layers) - self._laid if self._layers else 0
        self.pause_s = max(PAUSE_S, 5 * (time.monotonic() - began))
        if staged > self._most:
            message = "The call wrote more than one run may stage, and was stopped."
            raise StorageFailed("storage.quota", message, hint="Ask for less at once. Nothing was changed.")
        if gone > self._most:
            message = "The disk was filling up while the call ran, so it was stopped."
            raise StorageFailed("storage.quota", message, hint="Free some space, or ask for less. Nothing was changed.")


def _free_bytes(folder: str) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def size_below(top: str) -> int:
    """Return the bytes that files below ``top`` take on disk."""
    total = 0
    for folder, _, names in os.walk(top):
        for name in names:
            try:
                total += os.lstat(f"{folder}/{name}").st_blocks * 512
            except (FileNotFoundError, PermissionError):  # a call may close its own folders to us; free space tells
                continue
    return total
