"""The disk as a batch of effects looks at it: every folder is opened once, without following a link, and held.

What this stops: a folder that is exchanged for a link after it was resolved and checked; what is seen through it then
is still what was checked, and the seal and the commit refuse the new one.
What it does not: change anything; read contents (the seal does, by the same rule).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from permissions.errors import BadScope, Refused
from permissions.naming import shown
from permissions.transactions import files
from permissions.transactions.failures import conflict
from permissions.transactions.model import Node, Tree, Version
from permissions.transactions.resolve import Folders, real_place


class Found(NamedTuple):
    """What lies at a path, and in which version."""

    node: Node
    version: Version


class Disk:
    """Looks for one batch. Not thread-safe. Methods raise Conflict where a link stands in the way."""

    def __init__(self) -> None:
        self._folders = Folders()
        self._real: dict[str, str] = {}

    def close(self) -> None:
        """Let go of all folders."""
        self._folders.close()

    def real(self, path: str, check: Callable[[str], None]) -> str:
        """Return ``path`` with the links of its folders resolved, once for a folder; ``check`` sees the real folder.

        From then on the folder is what was open at that moment, whatever takes its name.
        """
        folder, _, name = path.rpartition("/")
        if folder not in self._real:
            real = real_place(path).rpartition("/")[0]
            with _no_link(path):
                self._hold(real)
            check(real)
            self._real[folder] = real
        return f"{self._real[folder]}/{name}"

    def _hold(self, folder: str) -> None:
        """Open ``folder``, or the nearest one above it that is there."""
        while folder and not self._opens(folder):
            folder = folder.rpartition("/")[0]

    def _opens(self, folder: str) -> bool:
        try:
            self._folders.fd(folder)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def found(self, path: str) -> Found | None:
        """Return what lies at ``path``, None for nothing. Raises Refused for a device, pipe or socket."""
        with _no_link(path):
            try:
                info = self._folders.lstat(path)
            except PermissionError as error:
                raise BadScope("scope.path", f"{shown(path)} cannot be looked at: {error.strerror}.") from error
        if info is None:
            return None
        for is_one, node in ((stat.S_ISREG, Node.FILE), (stat.S_ISDIR, Node.FOLDER), (stat.S_ISLNK, Node.LINK)):
            if is_one(info.st_mode):
                return Found(node, Version.of(info))
        raise Refused("refused.device", f"{shown(path)} is a device, pipe or socket.", subject=path)

    def names(self, folder: str) -> set[str]:
        """Return the names in ``folder``. Raises OSError."""
        with _no_link(folder):
            return set(os.listdir(self._folders.fd(folder)))

    def below(self, folder: str) -> Iterator[str]:
        """Yield the paths of everything below ``folder``, relative to it. Raises OSError."""
        with _no_link(folder):
            yield from (name for name, _ in files.walk(self._folders, folder))

    def target(self, link: str) -> str:
        """Return where a link points to. Raises OSError."""
        with _no_link(link):
            folder, name = self._folders.at(link)
            return os.readlink(name, dir_fd=folder)

    def tree(self, folder: str) -> Tree:
        """Return what ``folder`` holds. Raises OSError."""
        with _no_link(folder):
            return files.survey(self._folders, folder)


@contextmanager
def _no_link(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise conflict([path], "has a link on its way that was not there before") from error
        raise
