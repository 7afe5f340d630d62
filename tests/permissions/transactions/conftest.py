"""A small laboratory: a home, a Transactions beside it, and the words to stage effects."""

from __future__ import annotations

import os
import signal
import stat
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from permissions.confine.machine import machine_level
from permissions.model import Change, Level
from permissions.transactions import Staging, Transactions
from tests.permissions.transactions.trees import Workshop

Snapshot = dict[str, tuple[Any, ...]]


def version(path: Path) -> dict[str, int]:
    """The version of what lies at ``path``, as a tool reports it."""
    info = os.lstat(path)
    return {
        "dev": info.st_dev,
        "ino": info.st_ino,
        "size": info.st_size,
        "mtime_ns": info.st_mtime_ns,
        "ctime_ns": info.st_ctime_ns,
    }


def snapshot(top: Path, *, times: bool = True) -> Snapshot:
    """Names, kinds, contents, modes and mtimes of everything below ``top`` but the trash."""
    found: Snapshot = {}
    for folder, folders, names in os.walk(top):
        if folder == str(top):
            folders[:] = [name for name in folders if name != ".local"]
        for name in (*folders, *names):
            path = Path(folder, name)
            info = path.lstat()
            if stat.S_ISLNK(info.st_mode):
                found[str(path.relative_to(top))] = ("link", os.readlink(path))
                continue
            content = path.read_bytes() if stat.S_ISREG(info.st_mode) else None
            when = info.st_mtime_ns if times else 0
            found[str(path.relative_to(top))] = (stat.S_IMODE(info.st_mode), when, content)
    return found


class Lab:
    """One home with its transactions. ``stage`` describes effects; contents are given as ``data``."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.home = top / "home"
        self.store = top / "store"
        self.home.mkdir()
        (self.home / ".local" / "share" / "Trash").mkdir(parents=True, mode=0o700)
        self.tx = self.open()
        self.blobs = 0

    def open(self, checkpoint: Callable[[str], None] = lambda _name: None) -> Transactions:
        """Another Transactions over the same folders, as after a restart."""
        return Transactions(self.store, self.home, state=self.top / "state", checkpoint=checkpoint)

    def file(self, name: str, data: bytes | str = b"old\n", mode: int = 0o644, mtime: int = 1_600_000_000) -> Path:
        """Make a file of the user's."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        path.chmod(mode)
        os.utime(path, (mtime, mtime))
        return path

    def write(
        self, path: Path, data: bytes | str, base: Mapping[str, int] | None = None, **more: Any
    ) -> dict[str, Any]:
        """The effect of writing ``data``; the content goes to the task's folder when staged."""
        return {"op": "write", "path": str(path), "data": data, "base": base, **more}

    def over(self, path: Path, data: bytes | str, **more: Any) -> dict[str, Any]:
        """The effect of overwriting what is there."""
        return self.write(path, data, version(path), **more)

    def move(self, source: Path, path: Path, base: Mapping[str, int] | None = None) -> dict[str, Any]:
        """The effect of moving."""
        seen = base or (version(source) if os.path.lexists(source) else None)
        return {"op": "move", "path": str(path), "source": str(source), "base": seen}

    def copy(self, source: Path, path: Path) -> dict[str, Any]:
        """The effect of copying."""
        return {**self.move(source, path), "op": "copy"}

    def delete(self, path: Path, base: Mapping[str, int] | None = None) -> dict[str, Any]:
        """The effect of deleting."""
        return {"op": "delete", "path": str(path), "base": base or (version(path) if os.path.lexists(path) else None)}

    def mkdir(self, path: Path) -> dict[str, Any]:
        """The effect of making a folder."""
        return {"op": "mkdir", "path": str(path)}

    def describe(self, staging: Staging, *effects: Mapping[str, Any], task: str = "t1") -> None:
        """Hand effects over as a cell would."""
        folder = staging.task_folder(task)
        staging.describe(task, [self._with_blob(folder, dict(effect)) for effect in effects])

    def _with_blob(self, folder: Path, effect: dict[str, Any]) -> dict[str, Any]:
        if "data" in effect:
            data = effect.pop("data")
            self.blobs += 1
            effect["blob"] = f"{self.blobs:04d}"
            (folder / effect["blob"]).write_bytes(data.encode() if isinstance(data, str) else data)
        return effect

    def stage(self, run: str, *effects: Mapping[str, Any], tx: Transactions | None = None) -> Staging:
        """Begin a run and describe effects in it."""
        staging = (tx or self.tx).begin(run)
        self.describe(staging, *effects)
        return staging

    def commit(self, run: str, *effects: Mapping[str, Any]) -> tuple[Change, ...]:
        """Stage, seal and commit."""
        staging = self.stage(run, *effects)
        return staging.commit(staging.seal().seal)

    def snapshot(self, *, times: bool = True) -> Snapshot:
        """The home as it is."""
        return snapshot(self.home, times=times)

    def leftovers(self) -> list[str]:
        """What lies about that should not: staging, held things, open journals, temporary names in the home."""
        store = [*self.store.glob("runs/*"), *self.store.glob("holding/*"), *self.store.glob("journal/open/*")]
        return [str(path) for path in [*store, *self.home.rglob(".steward-*")]]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """A fresh laboratory."""
    return Lab(tmp_path)


def dies_at(number: int) -> Callable[[str], None]:
    """A checkpoint at which the process is killed the ``number``-th time something happens."""
    count = 0

    def checkpoint(_name: str) -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return checkpoint


def in_child(act: Callable[[], object]) -> int:
    """Run ``act`` in a forked child; returns its wait status (0: it came to its end)."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except BaseException:
            traceback.print_exc()
            os._exit(70)
        os._exit(0)
    return os.waitpid(child, 0)[1]


@pytest.fixture
def tools() -> tuple[Callable[[int], Callable[[str], None]], Callable[[Callable[[], object]], int]]:
    """``dies_at`` and ``in_child``."""
    return dies_at, in_child


Effects = Sequence[Mapping[str, Any]]


@pytest.fixture(scope="session")
def make_lab() -> Callable[[Path], Lab]:
    """Makes a laboratory in any empty folder."""
    return Lab


@pytest.fixture
def workshop(lab: Lab) -> Iterator[Workshop]:
    """A laboratory with a wall, in which programs work in trees; where the wall has no L3 there is none."""
    if machine_level() is not Level.L3:
        pytest.skip("programs work in trees at L3 alone: ./steward doctor says what is missing")
    shop = Workshop(lab)
    yield shop
    shop.close()
