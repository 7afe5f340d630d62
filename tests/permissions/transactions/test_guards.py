"""Guards that nothing else reaches: what vanished, what was seen otherwise, and disks that fail while it is looked."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict, StorageFailed
from permissions.transactions import recover, rooms, trees
from permissions.transactions.draft import Draft
from permissions.transactions.resolve import Folders


@pytest.fixture
def folders() -> Iterator[Folders]:
    found = Folders()
    yield found
    found.close()


def test_a_prepared_file_that_vanished_is_named(lab: Any, folders: Folders) -> None:
    draft = Draft(lab.tx._shop, folders, "r", ())
    with pytest.raises(FileNotFoundError) as failed:
        draft._ident(str(lab.home / "gone"))
    assert failed.value.filename == str(lab.home / "gone")


def test_a_copy_that_vanished_is_named(lab: Any, folders: Folders) -> None:
    with pytest.raises(FileNotFoundError) as failed:
        rooms._made(folders, str(lab.home / "gone"))
    assert failed.value.filename == str(lab.home / "gone")


def test_a_fault_of_our_own_disk_ends_the_recovery_and_one_of_another_waits(
    lab: Any, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: str) -> None:
        def settle(*_: object) -> None:
            raise OSError(errno.EIO, "input/output error", path)

        monkeypatch.setattr(recover, "settle", settle)

    shop = lab.tx._shop
    failing(f"{shop.folder}/journal/open/r")
    with pytest.raises(OSError, match="input/output error"):
        recover._settled(shop, folders, "r")
    failing("/media/stick/x")
    assert recover._settled(shop, folders, "r").paths == ("/media/stick/x",)


def test_a_tree_that_cannot_be_listed_because_its_disk_fails_is_not_taken_for_an_empty_one(
    lab: Any, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.file("site/index.html")
    tree = str(lab.home / "site")
    assert set(trees.survey(folders, tree).seen) == {"", "index.html"}

    def failing(_: object) -> None:
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr(os, "scandir", failing)
    with pytest.raises(OSError, match="input/output error"):
        trees.survey(folders, tree)


def test_what_was_put_into_a_folder_that_a_call_deleted_is_a_conflict_of_that_call(lab: Any) -> None:
    """It is noticed as soon as the call is taken in, and its file is named."""
    lab.file("site/css/main.css")
    staging = lab.tx.begin("r")
    (layer,) = staging.open_trees("t1", [str(lab.home / "site")])
    theirs = lab.file("site/css/theirs")
    deleted(Path(layer.upper), "css")
    with pytest.raises(Conflict) as met:
        staging.take_in("t1")
    assert str(theirs) in met.value.paths
    staging.drop()


def deleted(upper: Path, name: str) -> None:
    """Do what an overlay does when something is deleted in it, or delete it in a copy."""
    path = upper / name
    if path.exists():
        for inner in path.iterdir():
            inner.unlink()
        path.rmdir()
        return
    os.mknod(path, 0o000 | 0o020000, 0)


def test_only_folders_of_the_disk_are_compared_with_what_was_seen(lab: Any, folders: Folders) -> None:
    lab.file("site/css/main.css")
    elsewhere = lab.file("elsewhere/file").parent
    staging = lab.tx.begin("r")
    staging.open_trees("t1", [str(lab.home / "site")])
    (room,) = staging._rooms["t1"]
    before = rooms.Before(room, folders)
    site = lab.home / "site"
    assert before.changed_below(str(site / "css")) == []
    lab.file("site/css/more.css")
    assert before.changed_below(str(site / "css")) == [str(site / "css" / "more.css")]
    for other in (elsewhere, site / "css" / "main.css", site / "gone"):
        assert before.changed_below(str(other)) == []
    staging.drop()


def test_a_full_disk_is_not_taken_for_a_tree_without_layers(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.file("site/index.html")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(rooms, "survey", full)
    staging = lab.tx.begin("r")
    with pytest.raises(StorageFailed):
        staging.open_trees("t1", [str(lab.home / "site")])
    staging.drop()
