"""Where transactions keep their things, and what every part of one shares.

``runs/<run>`` staging, ``preimages/<run>`` old contents, ``holding/<tag>`` things between two places, ``journal/open``
and ``journal/done``. All of it is private to the user (0700).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from permissions.errors import BadScope
from permissions.transactions import syscalls
from permissions.transactions.places import Places
from permissions.transactions.resolve import Folders

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,119}")
_FEW = 48
"""Up to so many files and folders are made durable one by one, more by one call for the file system."""

STAGED_QUOTA_BYTES = 20 << 30
"""New content that one run may stage."""


@dataclass(frozen=True, slots=True)
class Shop:
    """The places and seams of one ``Transactions``. ``checkpoint`` is called with a name before every step that
    matters to crash safety; tests let the process die there."""

    folder: str
    home: str
    places: Places
    checkpoint: Callable[[str], None]
    umask: int

    def run_folder(self, run: str) -> str:
        """Return the staging folder of a run."""
        return f"{self.folder}/runs/{checked_name(run)}"

    def preimages(self, run: str) -> str:
        """Return the folder of a run's old contents."""
        return f"{self.folder}/preimages/{checked_name(run)}"

    def holding(self, tag: str) -> str:
        """Return the folder for things between two places of one commit or undo."""
        return f"{self.folder}/holding/{tag}"

    def journal(self, state: str) -> str:
        """Return the folder of the ``open`` or ``done`` journals."""
        return f"{self.folder}/journal/{state}"

    def make(self) -> None:
        """Create the folders, private to the user. Raises OSError."""
        for name in ("runs", "preimages", "holding", "garbage", "journal/open", "journal/done"):
            private_folder(f"{self.folder}/{name}")


def checked_name(name: str) -> str:
    """Return a run or task id that is fit to be a file name. Raises BadScope."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BadScope("scope.name", f"{name!r:.60} cannot be the id of a run or task.")
    return name


def private_folder(path: str) -> str:
    """Create ``path`` and missing parents, for the user alone; an existing one is made so. Raises OSError."""
    with suppress(FileNotFoundError):
        info = os.stat(path)
        if stat.S_ISDIR(info.st_mode) and stat.S_IMODE(info.st_mode) == 0o700:
            return path
    parent = os.path.dirname(path)
    if not os.path.isdir(parent):
        private_folder(parent)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
    if os.stat(path).st_mode & 0o7777 != 0o700:
        os.chmod(path, 0o700)
    return path


def current_umask() -> int:
    """Return the process's umask without changing it (proc_pid_status(5)), 022 where /proc is missing."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as lines:
            return next(int(line.split()[1], 8) for line in lines if line.startswith("Umask:"))
    except (OSError, StopIteration):
        return 0o022


def make_durable(folders: Folders, files: Iterable[str], below: Iterable[str]) -> None:
    """Make contents of ``files`` and then the names in folders ``below`` survive a power cut. Raises OSError."""
    contents, names = list(files), sorted(set(below))
    if len(contents) + len(names) <= _FEW:
        _sync_one_by_one(folders, contents, names)
    else:
        _sync_whole_disks(folders, {path.rpartition("/")[0] for path in contents} | set(names))


def _sync_one_by_one(folders: Folders, contents: Iterable[str], names: Iterable[str]) -> None:
    for path in contents:
        _fsync_file(folders, path)
    for path in names:
        _synced(folders, path)


def _sync_whole_disks(folders: Folders, parents: Iterable[str]) -> None:
    devices: dict[int, str] = {}
    for path in parents:
        devices.setdefault(os.fstat(folders.fd(path)).st_dev, path)
    for path in devices.values():
        syscalls.syncfs(_synced(folders, path))


def _fsync_file(folders: Folders, path: str) -> None:
    opened = folders.open(path)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _synced(folders: Folders, path: str) -> int:
    """Sync a folder, or for an unlistable one its nearest listable parent; return the descriptor. Raises OSError."""
    while True:
        opened = folders.fd(path)
        try:
            os.fsync(opened)
        except OSError as error:
            if error.errno != 9 or path in ("", "/"):  # EBADF: opened as a mere path
                raise
            path = path.rpartition("/")[0]
            continue
        return opened
