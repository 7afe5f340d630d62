"""Environments on disk: built once, read-only, by the digest of their lock, with the sum of every file.

    environments/<digest>/lib/         what can be imported
    environments/<digest>/sums.json    the packages, and the SHA-256 of every file in lib/

What this stops: half of one (it is built elsewhere and renamed whole); a changed file being run (``check``); one
going while another process works with it (``held``).
What it does not: keep the person from changing both files and sums; it is their machine.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from skills.environments.compiling import take
from skills.environments.model import BOUNDS
from skills.errors import BadSkill
from skills.model import Pin
from skills.packages.opening import check_folder

_LIB, _SUMS = "lib", "sums.json"
ABANDONED_S = 3600.0
"""After so long nobody goes on with what is half built."""
REPAIR = "./steward skills verify --repair"
_State = tuple[tuple[str, int, int, int, int], ...]


class Kept:
    """The environments below ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[str, _State] = {}
        """By digest: how the files looked when their sums were found right."""

    def lib(self, digest: str) -> Path:
        """Return the folder of an environment that is imported from, there or not."""
        return self._folder / digest / _LIB

    def has(self, digest: str) -> bool:
        """Tell whether an environment is there."""
        return (self._folder / digest / _SUMS).is_file()

    def names(self) -> list[str]:
        """Return the digests of what is there."""
        found = self._folder.iterdir() if self._folder.is_dir() else ()
        return sorted(one.name for one in found if not one.name.startswith("."))

    @contextmanager
    def held(self, digest: str) -> Iterator[Path]:
        """Give the folder that is imported from, and let no sweep, of another process either, take it before the end.

        The system lets go of the hold where this process is killed. Raises FileNotFoundError where it is not there.
        """
        sums = self._folder / digest / _SUMS
        with sums.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            if not os.path.samestat(os.fstat(file.fileno()), sums.stat()):  # swept, or built again, meanwhile
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(sums))
            os.utime(self._folder / digest)
            yield self.lib(digest)

    def put(self, digest: str, built: Path, pins: Iterable[Pin], compiled: Path | None = None) -> None:
        """Keep what was built, with what was ``compiled`` of it; what is there already and whole stays.

        Raises Refused and OSError: then nothing does.
        """
        check_folder(built, BOUNDS)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        coming = Path(tempfile.mkdtemp(prefix=".coming-", dir=self._folder))
        try:
            shutil.copytree(built, coming / digest / _LIB)
            if compiled is not None:
                take(compiled, coming / digest / _LIB)
            about = {"packages": [f"{one.name}=={one.version}" for one in pins], "files": _sums(coming / digest / _LIB)}
            (coming / digest / _SUMS).write_text(json.dumps(about, indent=1), encoding="utf-8")
            _sealed(coming / digest)
            self.drop(digest)
            self._move_in(coming / digest)
        finally:
            _removed(coming)

    def _move_in(self, whole: Path) -> None:
        try:
            whole.rename(self._folder / whole.name)
        except OSError as error:  # somebody who tests a skill was quicker, with the same lock
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise

    def check(self, digest: str, skill: str) -> None:
        """Raise BadSkill where an environment is missing, or is not what was built: files, sums, all of it.

        What was found right is looked at again by size, time and number; where one differs, byte for byte.
        """
        if not self.has(digest):
            raise BadSkill("environment.missing", f"The Python packages of {skill} are not there.", subject=skill,
                           hint=f"Bring them: {REPAIR}")  # fmt: skip
        state = _state(self.lib(digest))
        if self._seen.get(digest) == state:
            return
        if self.changed(digest):
            message = f"The Python packages of {skill} are not what was installed, so nothing of it is run."
            raise BadSkill("environment.changed", message, subject=skill, hint=f"Build them again: {REPAIR}")
        self._seen[digest] = state

    def changed(self, digest: str) -> bool:
        """Tell whether an environment is missing, or differs in a byte, a name or a kind of file from what it was."""
        try:
            said = json.loads((self._folder / digest / _SUMS).read_text(encoding="utf-8"))
            return bool(said["files"] != _sums(self.lib(digest)))
        except (OSError, ValueError, KeyError, TypeError):
            return True

    def drop(self, digest: str) -> None:
        """Let go of an environment."""
        self._seen.pop(digest, None)
        place = self._folder / digest
        if place.exists():
            aside = Path(tempfile.mkdtemp(prefix=".going-", dir=self._folder))
            place.rename(aside / digest)  # it is gone at once, or whole
            _removed(aside)

    def sweep(self, needed: Collection[str], unused_s: float = 0.0) -> list[str]:
        """Let go of what is not ``needed``, held, or used within ``unused_s``, and of what was left half; return which.

        What was left half, by a daemon or a command that was killed, goes an hour later.
        """
        gone = [one for one in self.names() if one not in needed and self._let_go(one, time.time() - unused_s)]
        if self._folder.is_dir():
            for left in self._folder.glob(".*ing-*"):
                with suppress(FileNotFoundError):  # whoever built it has just ended
                    if time.time() - left.stat().st_mtime > ABANDONED_S:  # else somebody may be building it
                        _removed(left)
        return gone

    def _let_go(self, digest: str, before_s: float) -> bool:
        """Drop an environment that was not used since and that nobody holds; tell whether it went."""
        place = self._folder / digest
        with ExitStack() as until_it_went:
            try:
                if place.stat().st_mtime > before_s:
                    return False
                file = until_it_went.enter_context((place / _SUMS).open("rb"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            except (FileNotFoundError, NotADirectoryError):  # not whole: nobody can hold it
                pass
            self.drop(digest)
            return True


def sums_view(kept: Kept, digest: str) -> dict[str, Any]:
    """Return which packages an environment says it holds, and how many files."""
    said = json.loads((kept.lib(digest).parent / _SUMS).read_text(encoding="utf-8"))
    return {"packages": list(said["packages"]), "files": len(said["files"])}


def _sums(lib: Path) -> dict[str, str]:
    found = {}
    for top, folders, names in os.walk(lib):
        for name in (*names, *(one for one in folders if os.path.islink(os.path.join(top, one)))):
            path = Path(top, name)
            found[path.relative_to(lib).as_posix()] = _sum(path)
    return found


def _sum(path: Path) -> str:
    """Return the SHA-256 of a file; of anything else only that it is none: what is no file may never end."""
    if not stat.S_ISREG(path.lstat().st_mode):
        return "no file"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _state(lib: Path) -> _State:
    found = []
    for top, folders, names in os.walk(lib):
        for name in (*names, *folders):
            path = os.path.join(top, name)
            seen = os.lstat(path)
            found.append((path, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino))
    return tuple(sorted(found))


def _sealed(place: Path) -> None:
    """Make everything read-only and bring it to the disk; the folder itself can still be renamed."""
    for top, _, names in os.walk(place, topdown=False):
        for name in (*names, "."):
            path = os.path.join(top, name)
            held = os.open(path, os.O_RDONLY)
            try:
                os.fsync(held)
            finally:
                os.close(held)
            if name != ".":
                os.chmod(path, 0o444)
        if Path(top) != place:
            os.chmod(top, 0o555)  # noqa: S103  (nobody writes there)


def _removed(place: Path) -> None:
    for top, _, _ in os.walk(place):
        with suppress(OSError):
            os.chmod(top, 0o700)
    shutil.rmtree(place, ignore_errors=True)
