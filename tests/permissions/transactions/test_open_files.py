"""A program that has a file open, or puts size and times back, loses nothing to a commit, an undo or their way back.

The control of each: without the look at what was displaced, what the program writes is lost.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict, PermissionsError
from permissions.transactions import displaced, steps, syscalls
from permissions.transactions.model import ident

LATE = b"WRITTEN LATE"


class _Known:
    """What was there before: the displaced thing has the old inode, size and time, and that is all."""

    def __init__(self, folders: Any, was: Any) -> None:
        self._folders, self._was = folders, was

    def lies_at(self, spot: str) -> bool:
        return ident(self._folders.lstat(spot)) == self._was


@contextmanager
def _only_known(folders: Any, _path: str, was: Any, _seen: str, _said: str) -> Iterator[_Known]:
    yield _Known(folders, was)


@pytest.fixture
def unguarded(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Take the look at what was displaced away."""

    def take_away() -> None:
        monkeypatch.setattr(syscalls, "lease", lambda _descriptor, _kind: None)
        monkeypatch.setattr(displaced, "held_still", _only_known)

    return take_away


@contextmanager
def editor(path: Path, kind: str) -> Iterator[Callable[[], None]]:
    """Somebody with the file open; yields what writes through that."""
    opened = os.open(path, os.O_RDWR)
    mapped = None
    if kind == "mapped":
        mapped = mmap.mmap(opened, len(LATE))
        os.close(opened)

    def save() -> None:
        if mapped is not None:
            mapped[: len(LATE)] = LATE
            mapped.flush()
        else:
            os.pwrite(opened, LATE, 0)

    yield save
    if mapped is not None:
        mapped.close()
    else:
        os.close(opened)


def overwrite(lab: Any, path: Path) -> None:
    lab.commit("r", lab.over(path, "ours"))


def overwrite_one_of_two_names(lab: Any, path: Path) -> None:
    lab.commit("r", lab.over(path, "ours"))


def undo_an_overwrite(lab: Any, _path: Path) -> None:
    lab.tx.undo("before")


def undo_a_creation(lab: Any, _path: Path) -> None:
    lab.tx.undo("before")


ACTS = [overwrite, overwrite_one_of_two_names, undo_an_overwrite, undo_a_creation]


def prepared(lab: Any, act: Any) -> Path:
    if act is undo_a_creation:
        path: Path = lab.home / "a"
        lab.commit("before", lab.write(path, "new and long enough"))
        return path
    path = lab.file("a", "old and long enough")
    if act is overwrite_one_of_two_names:
        os.link(path, lab.home / "second")
    if act is undo_an_overwrite:
        lab.commit("before", lab.over(path, "new and long enough"))
    return path


def everywhere(lab: Any) -> bytes:
    """What can be found of contents in the home, the trash included."""
    return b"|".join(path.read_bytes() for path in lab.home.rglob("*") if path.is_file())


@pytest.mark.parametrize("kind", ["open", "mapped"])
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("guarded", [True, False])
def test_what_is_open_for_writing_is_in_use(
    lab: Any, unguarded: Callable[[], None], act: Any, kind: str, guarded: bool
) -> None:
    path = prepared(lab, act)
    with editor(path, kind) as save:
        before = lab.snapshot()
        if not guarded:
            unguarded()
            act(lab, path)
            save()
            fills = act is overwrite_one_of_two_names and kind == "open"  # the file stays the same one, but shorter
            assert (LATE in everywhere(lab)) is fills, "the control"
            return
        with pytest.raises(Conflict) as refused:
            act(lab, path)
        assert (refused.value.code, refused.value.paths) == ("conflict.open", (str(path),))
        assert refused.value.hint
        assert lab.snapshot() == before
        save()
    assert path.read_bytes().startswith(LATE)


def test_a_file_that_is_only_read_is_overwritten_and_one_that_is_closed_again_as_well(lab: Any) -> None:
    path = lab.file("a", "old")
    with open(path) as reader:
        lab.commit("r1", lab.over(path, "ours"))
        assert reader.read() == "old"
    with open(path, "r+") as writer:
        writer.write("theirs")
    lab.commit("r2", lab.over(path, "ours again"))
    assert path.read_text() == "ours again"


def test_who_reads_a_file_of_two_names_is_waited_for_and_not_for_ever(lab: Any) -> None:
    path = lab.file("a", "old")
    os.link(path, lab.home / "second")
    with open(path), pytest.raises(Conflict) as refused:
        lab.commit("r1", lab.over(path, "ours"))
    assert refused.value.code == "conflict.open"
    lab.commit("r2", lab.over(path, "ours"))
    assert (lab.home / "second").read_text() == "ours"


def saves_with_the_old_size_and_times(path: Path) -> None:
    info = path.stat()
    path.write_bytes(LATE[: info.st_size].ljust(info.st_size, b"."))
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


@pytest.mark.parametrize(
    ("act", "at"),
    [(overwrite, "step:swap"), (overwrite_one_of_two_names, "step:fill"), (undo_an_overwrite, "step:swap"),
     (undo_a_creation, "step:move")],
)  # fmt: skip
@pytest.mark.parametrize("guarded", [True, False])
def test_a_save_in_the_last_moment_that_puts_size_and_times_back_is_seen(
    lab: Any, unguarded: Callable[[], None], act: Any, at: str, guarded: bool
) -> None:
    path, passed = prepared(lab, act), []

    def checkpoint(name: str) -> None:
        if name == at and not passed:
            passed.append(name)
            saves_with_the_old_size_and_times(path)

    lab.tx = lab.open(checkpoint)
    if not guarded:
        unguarded()
        if act is not overwrite_one_of_two_names:  # there the digest is looked at in the step itself
            act(lab, path)
            assert LATE not in everywhere(lab), "the control"
        return
    with pytest.raises(Conflict) as refused:
        act(lab, path)
    assert refused.value.paths == (str(path),)
    assert passed
    assert path.read_bytes().startswith(LATE)


@pytest.mark.parametrize("act", [overwrite, undo_an_overwrite, undo_a_creation])
@pytest.mark.parametrize("guarded", [True, False])
def test_who_had_found_the_file_before_it_was_exchanged_and_opens_it_after_that_is_seen(
    lab: Any, monkeypatch: pytest.MonkeyPatch, act: Any, guarded: bool
) -> None:
    path, opened = prepared(lab, act), []
    old = os.open(path, os.O_PATH)

    def checkpoint(name: str) -> None:
        if name == "steps:done":
            opened.append(os.open(f"/proc/self/fd/{old}", os.O_RDWR))

    lab.tx = lab.open(checkpoint)
    if not guarded:
        monkeypatch.setattr(steps.Engine, "look_again", lambda *_: None)
        act(lab, path)
        os.pwrite(opened[0], LATE, 0)
        assert LATE not in everywhere(lab), "the control"
    else:
        with pytest.raises(Conflict) as refused:
            act(lab, path)
        assert refused.value.code == "conflict.open"
        os.pwrite(opened[0], LATE, 0)
        assert path.read_bytes().startswith(LATE)
    for descriptor in (old, *opened):
        os.close(descriptor)


@pytest.mark.parametrize("act", [overwrite, undo_an_overwrite, undo_a_creation])
def test_what_vanishes_in_the_last_moment_is_a_conflict(lab: Any, act: Any) -> None:
    path, gone = prepared(lab, act), []

    def checkpoint(name: str) -> None:
        if name in ("step:swap", "step:move") and not gone:
            gone.append(name)
            path.rename(path.with_name("elsewhere"))

    lab.tx = lab.open(checkpoint)
    with pytest.raises(Conflict) as refused:
        act(lab, path)
    assert refused.value.paths == (str(path),)
    assert gone
    assert not path.exists()
    assert "long enough" in path.with_name("elsewhere").read_text()


def saves_by_rename(path: Path, text: bytes) -> None:
    beside = path.with_suffix(".new")
    beside.write_bytes(text)
    beside.rename(path)


@pytest.mark.parametrize("saves", [1, 2])
def test_who_saves_twice_while_it_is_exchanged_finds_both(
    lab: Any, monkeypatch: pytest.MonkeyPatch, saves: int
) -> None:
    """One save falls between the look and the exchange, the next one before what it displaced is put back."""
    path, renames = lab.file("letter.txt", "old"), []
    rename = syscalls.renameat2

    def between(*arguments: Any) -> None:
        exchanging = arguments[-1] == syscalls.RENAME_EXCHANGE
        if exchanging and len(renames) < saves:
            renames.append(arguments)
            saves_by_rename(path, b"theirs %d" % len(renames))
        rename(*arguments)

    monkeypatch.setattr(syscalls, "renameat2", between)
    with pytest.raises(Conflict) as refused:
        overwrite(lab, path)
    assert [left for left in lab.leftovers() if "/runs/" not in left] == []
    if saves == 1:
        assert refused.value.code == "conflict.changed"
        assert {one.name: one.read_bytes() for one in lab.home.glob("letter*")} == {"letter.txt": b"theirs 1"}
        return
    assert refused.value.code == "conflict.both"
    other = lab.home / "letter (other version 1).txt"
    assert refused.value.paths == (str(path), str(other))
    assert {path.read_bytes(), other.read_bytes()} == {b"theirs 1", b"theirs 2"}
    assert str(other) in str(refused.value)


def test_ours_that_somebody_works_on_is_left_when_a_commit_is_taken_back(lab: Any) -> None:
    """The second step meets a conflict; by then an editor has the result of the first one open."""
    first, second = lab.file("a", "old"), lab.file("b", "old")
    opened: list[int] = []

    def checkpoint(name: str) -> None:
        if name == "step:swap" and first.read_text() == "ours" and not opened:
            opened.append(os.open(first, os.O_RDWR))
            second.write_text("theirs")

    lab.tx = lab.open(checkpoint)
    with pytest.raises(Conflict):
        lab.commit("r", lab.over(first, "ours"), lab.over(second, "ours"))
    os.pwrite(opened[0], LATE, 0)
    os.close(opened[0])
    assert first.read_bytes() == LATE
    assert second.read_text() == "theirs"


@pytest.mark.parametrize("how", ["has it open", "wrote to it"])
def test_a_new_file_that_somebody_works_on_is_left_when_a_commit_is_taken_back(lab: Any, how: str) -> None:
    new, second = lab.home / "a", lab.file("b", "old")
    opened: list[int] = []

    def checkpoint(name: str) -> None:
        if name == "step:swap" and new.exists() and not opened:
            opened.append(os.open(new, os.O_RDWR))
            second.write_text("theirs")
            if how == "wrote to it":
                os.pwrite(opened[0], LATE, 0)
                os.close(opened[0])

    lab.tx = lab.open(checkpoint)
    with pytest.raises(Conflict):
        lab.commit("r", lab.write(new, "ours"), lab.over(second, "ours"))
    if how == "has it open":
        os.pwrite(opened[0], LATE, 0)
        os.close(opened[0])
    assert new.read_bytes() == LATE
    assert second.read_text() == "theirs"


def test_a_lease_that_is_broken_does_not_end_the_process(tmp_path: Path) -> None:
    """The default of SIGIO would; another process opens the file while the lease is held."""
    path = tmp_path / "a"
    path.write_text("x")
    code = """
import fcntl, os, subprocess, sys
from permissions.transactions import syscalls
opened = os.open(sys.argv[1], os.O_RDWR)
assert syscalls.lease(opened, fcntl.F_WRLCK)
reader = subprocess.Popen(["cat", sys.argv[1]])
try:
    reader.wait(0.5)
except subprocess.TimeoutExpired:
    print("waits", flush=True)
os.close(opened)
print(reader.wait(10))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "waits\nx0\n"), done.stderr
    held = os.open(path, os.O_RDWR)
    fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    os.close(held)


def test_where_nothing_can_be_told_of_leases_it_goes_on(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_leases(_descriptor: int, command: int, _argument: int = 0) -> int:
        if command == fcntl.F_SETLEASE:
            raise OSError(22, "this file system has none")
        return fcntl.F_UNLCK if command == fcntl.F_GETLEASE else 0

    monkeypatch.setattr(fcntl, "fcntl", no_leases)
    path = lab.file("a", "old")
    try:
        lab.commit("r", lab.over(path, "ours"))
    except PermissionsError as problem:  # pragma: no cover - what must not happen
        pytest.fail(str(problem))
    assert path.read_text() == "ours"
