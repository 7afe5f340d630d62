"""The paths of a call as its cell opens them: through no link, and only what was decided on.

What this stops: a file, folder or link that was put in the place of a granted one between the decision and the mount:
the descriptor that is mounted is the one whose device and inode were compared with what is held. Places that are never
shown: what belongs to the system and to other processes; pipes, sockets and devices.
What it does not: a name that led elsewhere before it was decided on; what changes inside a granted folder. A path that
is not among the held ones is shown as it is found.

Why not mount what is held: a descriptor names a mount of the namespace in which it was opened, and only a mount of its
own namespace can be cloned in a cell (``open_tree(2)``, ``EINVAL``). While the daemon holds it open its inode is not
given to anything else, so that comparing is as good.

Sources: ``openat2(2)``, ``open_tree(2)``, ``inode(7)``.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable

from permissions.confine import linux
from permissions.errors import BadScope, PermissionsError, Refused
from permissions.model import Identity
from permissions.naming import shown

OLD = "/.old"
"""Where a cell that is being built has the old root."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
SWAPPED, REPLACED = "refused.swapped", "refused.replaced"
"""Codes of what is not what it was; the second is that of a file, which an editor may have saved: who decides again may
begin the call again."""
_NEVER_SHOWN = ("/proc", "/sys", "/dev", OLD)
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES)


def holds(tree: str, path: str) -> bool:
    """Tell whether ``path`` is ``tree`` or lies in it."""
    return tree in ("/", path) or path.startswith(tree + "/")


def check_path(path: str) -> None:
    """Refuse, with ``BadScope``, a path that the wall will not show."""
    if not path.startswith("/") or "\0" in path or os.path.normpath(path) != path or path == "/":
        raise BadScope(
            "scope.path",
            f"A cell cannot be given {shown(path)}: it is not an absolute, normalised path below the root.",
            subject=shown(path),
            hint="Name a file or folder by its full path, without '.', '..' or a closing slash.",
        )
    if any(holds(tree, path) for tree in _NEVER_SHOWN):
        raise BadScope(
            "scope.system",
            f"A cell cannot be given {shown(path)}: what lies there belongs to the system and to other processes.",
            subject=shown(path),
            hint="Grant a folder with files of yours instead.",
        )


class Granted:
    """Opens the paths of one call below ``root_fd``, and holds them against what was decided on."""

    def __init__(self, root_fd: int, held: Iterable[Identity]) -> None:
        self._root_fd = root_fd
        self._held = {one.path: one for one in held}

    def open(self, path: str) -> int:
        """Open a granted path for its name (``O_PATH``); whoever asked closes it.

        What was decided on is a real path: a link in it was put there since, and leads where nobody decided.

        Raises:
            BadScope: it is gone, or is neither a file nor a folder.
            Refused: something else is in its place.
        """
        try:
            place = linux.open_in(self._root_fd, path, linux.RESOLVE_NO_SYMLINKS)
        except OSError as problem:
            raise _not_opened(path, problem) from problem
        refusal = self._refusal(path, os.fstat(place))
        if refusal is None:
            return place
        os.close(place)
        raise refusal

    def _refusal(self, path: str, found: os.stat_result) -> PermissionsError | None:
        plain = stat.S_ISREG(found.st_mode)
        if not (plain or stat.S_ISDIR(found.st_mode)):
            return _no_kind(path)
        held = self._held.get(path)
        if held is None or (held.dev, held.ino) == (found.st_dev, found.st_ino):
            return None
        return _swapped(path, REPLACED if plain else SWAPPED)


def _not_opened(path: str, problem: OSError) -> Exception:
    if problem.errno == errno.ELOOP:
        return _swapped(path, SWAPPED)
    return _vanished(path, problem) if problem.errno in _GONE else problem


def _swapped(path: str, code: str) -> PermissionsError:
    return Refused(
        code,
        f"{shown(path)} is not what it was when this was decided: something else is in its place. Nothing was done.",
        subject=shown(path),
        hint="Look at what lies there now, then ask again.",
    )


def _no_kind(path: str) -> PermissionsError:
    return BadScope(
        "scope.kind",
        f"A cell cannot be given {shown(path)}: it is neither a file nor a folder.",
        subject=shown(path),
        hint="Pipes, sockets and devices are never shown to a skill.",
    )


def _vanished(path: str, problem: OSError) -> PermissionsError:
    return BadScope(
        "scope.vanished",
        f"A cell cannot be given {shown(path)}: {os.strerror(problem.errno or 0).lower()}.",
        subject=shown(path),
        hint="Check that it still exists and that you may read it, then ask again.",
    )
