"""Folders under watch, on the real file system."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from asyncinotify import Inotify, Mask

from kernel.routines.model import Change
from kernel.routines.watching import folders, settling
from kernel.routines.watching.folders import FolderWatch
from kernel.routines.watching.settling import Seen


class Told:
    """What a watch told, by name."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.errors: list[OSError] = []

    @property
    def names(self) -> list[tuple[str, Change]]:
        return [(os.path.basename(one.path), one.change) for one in self.seen]

    async def until(self, holds: Callable[[], bool], seconds: float = 10.0) -> None:
        """Wait until something was told."""
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110 - the test looks at what a watcher's owner would see
                await asyncio.sleep(0.02)


@asynccontextmanager
async def watching(*wanted: tuple[Path, bool]) -> AsyncIterator[Told]:
    """Watch folders, and what is below them where that is wanted."""
    told = Told()
    watch = FolderWatch(
        frozenset((str(folder), below) for folder, below in wanted), told.seen.extend, told.errors.append
    )
    task = asyncio.create_task(watch.run())
    await watch.ready.wait()
    try:
        yield told
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_files_come_change_and_go(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("x")
    async with watching((tmp_path, False)) as told:
        (tmp_path / "new.txt").write_text("x")
        (tmp_path / "old.txt").write_text("y")
        await told.until(lambda: len(told.seen) == 2)
        (tmp_path / "new.txt").unlink()
        await told.until(lambda: len(told.seen) == 3)
        assert sorted(told.names) == [
            ("new.txt", Change.CREATED),
            ("new.txt", Change.DELETED),
            ("old.txt", Change.CHANGED),
        ]


async def test_a_file_that_is_replaced_has_changed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1")
    async with watching((tmp_path, False)) as told:
        (tmp_path / ".a.csv.new").write_text("2")
        (tmp_path / ".a.csv.new").rename(tmp_path / "a.csv")
        await told.until(lambda: bool(told.seen))
        assert told.names == [("a.csv", Change.CHANGED)]


async def test_what_is_moved_in_is_told_from_what_is_renamed(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (there / "a").write_text("x")
    (here / "b").write_text("x")
    async with watching((here, False)) as told:
        (there / "a").rename(here / "a")
        (here / "b").rename(here / "c")
        await told.until(lambda: len(told.seen) == 3)
        assert {(os.path.basename(one.path), one.moved) for one in told.seen if one.change is Change.CREATED} == {
            ("a", True), ("c", False)
        }  # fmt: skip


async def test_a_folder_that_is_made_later_is_watched_with_what_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "later" / "deep"
    async with watching((folder, False)) as told:
        folder.mkdir(parents=True)
        (folder / "first").write_text("x")
        await told.until(lambda: bool(told.seen))
        shutil.rmtree(folder)
        await told.until(lambda: len(told.seen) == 2)
        folder.mkdir()
        (folder / "second").write_text("x")
        await told.until(lambda: ("second", Change.CREATED) in told.names)


async def test_below_it_new_folders_are_entered_and_hidden_ones_are_not(tmp_path: Path) -> None:
    (tmp_path / ".cache").mkdir()
    async with watching((tmp_path, True)) as told:
        (tmp_path / ".cache" / "no").write_text("x")
        (tmp_path / "a" / "b").mkdir(parents=True)
        (tmp_path / "a" / "b" / "yes").write_text("x")
        await told.until(lambda: bool(told.seen))
        (tmp_path / "a" / "b" / "too").write_text("x")
        await told.until(lambda: len(told.seen) == 2)
        assert [name for name, _ in told.names] == ["yes", "too"]


async def test_a_file_that_is_written_for_long_is_told_when_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (folders, settling):
        monkeypatch.setattr(module, "UNCLOSED_S", 1.0)
    async with watching((tmp_path, False)) as told:
        with (tmp_path / "long").open("w") as being_written:
            for _ in range(22):  # more than twice as long as one that nobody closes is waited for
                being_written.write("x")
                being_written.flush()
                await asyncio.sleep(0.1)
            assert told.seen == []
        os.link(tmp_path / "long", tmp_path / "link")
        await told.until(lambda: len(told.seen) == 2)
        assert sorted(told.names) == [("link", Change.CREATED), ("long", Change.CREATED)]


async def test_a_folder_that_cannot_be_watched_is_reported_and_the_others_are_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Inotify.add_watch
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()

    def refuses(inotify: Inotify, path: Any, mask: Mask) -> Any:
        if path == str(tmp_path / "b"):
            raise PermissionError(errno.EACCES, "closed", path)
        return real(inotify, path, mask)

    monkeypatch.setattr(Inotify, "add_watch", refuses)
    async with watching((tmp_path, True)) as told:
        (tmp_path / "b" / "no").write_text("x")
        (tmp_path / "c" / "yes").write_text("x")
        await told.until(lambda: bool(told.seen))
        assert [name for name, _ in told.names] == ["yes"]
        assert [one.errno for one in told.errors] == [errno.EACCES]


async def test_more_folders_than_are_watched_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MOST_FOLDERS", 2)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    async with watching((tmp_path, True)) as told:
        assert [one.errno for one in told.errors] == [errno.ENOSPC]
        (tmp_path / "b" / "no").write_text("x")
        (tmp_path / "a" / "yes").write_text("x")
        await told.until(lambda: bool(told.seen))
        assert [name for name, _ in told.names] == ["yes"]


async def test_what_comes_while_a_new_folder_is_looked_at_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = folders._inside

    def looked_at(folder: str) -> Any:
        found = real(folder)
        if os.path.basename(folder) == "new":
            (tmp_path / "new" / "late").mkdir()
            (tmp_path / "new" / "late" / "file").write_text("x")
        return found

    monkeypatch.setattr(folders, "_inside", looked_at)
    async with watching((tmp_path, True)) as told:
        (tmp_path / "new").mkdir()
        await told.until(lambda: ("file", Change.CREATED) in told.names)


async def test_links_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    folder = tmp_path / "folder"
    folder.mkdir()
    async with watching((folder, True)) as told:
        (folder / "door").symlink_to(secret)
        (folder / "name.pdf").symlink_to(secret / "x")
        (secret / "x").write_text("x")
        (folder / "end").write_text("x")
        await told.until(lambda: bool(told.seen))
        assert [name for name, _ in told.names] == ["end"]


@pytest.mark.slow
@pytest.mark.parametrize("count", [20_000])
async def test_more_than_the_system_keeps_is_looked_for(tmp_path: Path, count: int) -> None:
    async with watching((tmp_path, False)) as told:
        for number in range(count):  # nobody takes an event meanwhile: the system's queue holds 16,384
            (tmp_path / str(number)).touch()
        await told.until(lambda: len(told.seen) == count, 60)
        assert len({one.path for one in told.seen}) == count


async def test_nothing_is_looked_at_while_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with watching((tmp_path, False)):
        calls: list[str] = []
        monkeypatch.setattr(folders, "time", SimpleNamespace(monotonic=lambda: calls.append("looked") or 0.0))
        await asyncio.sleep(1.0)
        assert calls == []
