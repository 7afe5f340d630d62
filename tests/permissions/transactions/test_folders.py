"""Folders that are deleted, moved or copied as a whole: one change each, and nothing in them is lost unseen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import Conflict
from permissions.model import ChangeKind
from permissions.transactions.disk import Disk

OPS = ["delete", "move", "copy"]


def effect_on(lab: Any, op: str) -> dict[str, Any]:
    folder = lab.home / "folder"
    return dict(lab.delete(folder) if op == "delete" else getattr(lab, op)(folder, lab.home / "there"))


@pytest.fixture
def folder(lab: Any) -> Path:
    for name, data in (("one", "1"), ("sub/two", "22"), ("sub/deep/three", "333")):
        lab.file(f"folder/{name}", data)
    (lab.home / "folder" / "link").symlink_to("one")
    return Path(lab.home / "folder")


def test_a_deleted_folder_is_one_change_that_counts_what_goes(lab: Any, folder: Path) -> None:
    before = lab.snapshot()
    (change,) = lab.commit("r", lab.delete(folder))
    assert (change.kind, change.path, change.folder) == (ChangeKind.DELETED, str(folder), True)
    assert (change.files, change.size_bytes) == (4, 6 + len("one"))
    assert not folder.exists()
    assert (lab.home / ".local/share/Trash/files/folder/sub/deep/three").read_text() == "333"
    lab.tx.undo("r")
    assert lab.snapshot() == before


@pytest.mark.parametrize("op", ["move", "copy"])
def test_a_moved_or_copied_folder_counts_what_is_in_it(lab: Any, folder: Path, op: str) -> None:
    before = lab.snapshot()
    changes = lab.commit("r", effect_on(lab, op))
    whole = next(change for change in changes if change.path == str(lab.home / "there"))
    assert (whole.files, whole.size_bytes) == (4, 9)
    assert (op == "move") == (len(changes) == 1)
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_what_was_moved_out_before_does_not_count(lab: Any, folder: Path) -> None:
    changes = lab.commit("r", lab.move(folder / "sub" / "two", lab.home / "two"), lab.delete(folder))
    gone = next(change for change in changes if change.kind is ChangeKind.DELETED)
    assert (gone.files, gone.size_bytes) == (3, 7)
    assert (lab.home / "two").read_text() == "22"


def edit(folder: Path) -> None:
    (folder / "sub" / "two").write_text("somebody's work")


def add(folder: Path) -> None:
    (folder / "sub" / "deep" / "new").write_text("somebody's work")


def remove(folder: Path) -> None:
    (folder / "sub" / "two").unlink()


def relink(folder: Path) -> None:
    (folder / "link").unlink()
    (folder / "link").symlink_to("/etc/passwd")


@pytest.mark.parametrize("when", ["before the seal", "after the seal"])
@pytest.mark.parametrize("tamper", [edit, add, remove, relink])
@pytest.mark.parametrize("op", OPS)
def test_what_changes_in_a_folder_meanwhile_is_a_conflict(
    lab: Any, folder: Path, op: str, tamper: Callable[[Path], None], when: str
) -> None:
    staging = lab.stage("r", effect_on(lab, op))
    if when == "after the seal":
        staging.seal()
    tamper(folder)
    before = lab.snapshot()
    with pytest.raises(Conflict):
        staging.commit(staging.seal().seal)
    assert lab.snapshot() == before


@pytest.mark.parametrize("op", OPS)
def test_without_the_look_into_the_folder_it_would_go_unnoticed(
    lab: Any, folder: Path, op: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Disk, "tree", lambda _disk, _folder: None)
    staging = lab.stage("r", effect_on(lab, op))
    add(folder)
    staging.commit(staging.seal().seal)
    found = [path for path in lab.home.rglob("new") if "Trash" not in path.parts]
    assert found == {"delete": [], "move": [lab.home / "there/sub/deep/new"], "copy": [folder / "sub/deep/new"]}[op]


def test_a_folder_of_thousands_is_one_step_of_the_journal(lab: Any) -> None:
    for number in range(3000):
        path = lab.home / "many" / f"{number % 30}" / f"{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    (change,) = lab.commit("r", lab.delete(lab.home / "many"))
    assert change.files == 3000
    assert os.path.getsize(lab.store / "journal" / "done" / "r") < 5_000
    lab.tx.undo("r")
    assert sum(1 for path in (lab.home / "many").rglob("*") if path.is_file()) == 3000
