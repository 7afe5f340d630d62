"""Undo: whole runs, single paths, and when it says no."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from permissions.errors import BadScope, Conflict, StorageFailed


def run(lab: Any) -> None:
    lab.commit(
        "r",
        lab.over(lab.file("text"), "new"),
        lab.delete(lab.file("gone", mode=0o600)),
        lab.move(lab.file("from"), lab.home / "to"),
        lab.write(lab.home / "made" / "new", "n"),
    )


def test_undo_brings_everything_back_with_times(lab: Any) -> None:
    for name in ("text", "gone", "from"):
        lab.file(name, name, mode=0o604, mtime=1_500_000_000)
    os.utime(lab.home, (1, 1))
    before, top = lab.snapshot(), lab.home.stat().st_mtime_ns
    lab.commit(
        "r", lab.over(lab.home / "text", "new"), lab.delete(lab.home / "gone"), lab.write(lab.home / "x" / "y", "")
    )
    undone = lab.tx.undo("r")
    assert lab.snapshot() == before
    assert lab.home.stat().st_mtime_ns == top
    assert len(undone.changes) == 4
    assert lab.tx.effects("r") == ()


def test_undo_twice_and_of_nothing_is_refused(lab: Any) -> None:
    run(lab)
    lab.tx.undo("r")
    with pytest.raises(Conflict) as caught:
        lab.tx.undo("r")
    assert caught.value.code == "conflict.undone"
    with pytest.raises(BadScope):
        lab.tx.undo("never")
    with pytest.raises(BadScope):
        lab.tx.undo("../r")


@pytest.mark.parametrize("name", ["text", "to", "made/new"])
def test_what_changed_since_is_not_taken_back(lab: Any, name: str) -> None:
    run(lab)
    (lab.home / name).write_text("my own work")
    before = lab.snapshot()
    with pytest.raises(Conflict) as caught:
        lab.tx.undo("r")
    assert caught.value.paths == (str(lab.home / name),)
    assert lab.snapshot() == before
    assert lab.leftovers() == []


@pytest.mark.parametrize("name", ["gone", "from"])
def test_a_place_taken_since_is_not_overwritten(lab: Any, name: str) -> None:
    run(lab)
    (lab.home / name).write_text("my own work")
    before = lab.snapshot()
    with pytest.raises(Conflict):
        lab.tx.undo("r")
    assert lab.snapshot() == before
    assert lab.leftovers() == []


def test_single_paths_then_the_rest(lab: Any) -> None:
    before = {name: lab.file(name, name).read_text() for name in ("a", "b", "c")}
    lab.commit("r", *[lab.over(lab.home / name, "new") for name in before])
    undone = lab.tx.undo("r", paths=[str(lab.home / "b")])
    assert [change.path for change in undone.changes] == [str(lab.home / "b")]
    assert ((lab.home / "a").read_text(), (lab.home / "b").read_text()) == ("new", "b")
    with pytest.raises(Conflict):
        lab.tx.undo("r", paths=[str(lab.home / "b")])
    assert len(lab.tx.undo("r").changes) == 2
    assert {name: (lab.home / name).read_text() for name in before} == before


def test_a_single_path_inside_a_moved_folder(lab: Any) -> None:
    lab.file("f/x", "old")
    lab.commit(
        "r",
        lab.over(lab.home / "f" / "x", "new"),
        lab.move(lab.home / "f", lab.home / "g"),
        lab.write(lab.home / "h", ""),
    )
    lab.tx.undo("r", paths=[str(lab.home / "h")])
    lab.tx.undo("r", paths=[str(lab.home / "g")])
    assert (lab.home / "f" / "x").read_text() == "old"


def test_a_created_folder_with_foreign_things_stays(lab: Any) -> None:
    run(lab)
    (lab.home / "made" / "foreign").write_text("mine")
    undone = lab.tx.undo("r")
    assert undone.kept == (str(lab.home / "made"),)
    assert os.listdir(lab.home / "made") == ["foreign"]


def test_an_emptied_trash_still_gives_back_what_has_a_pre_image(lab: Any) -> None:
    lab.file("gone", "precious", mode=0o640)
    before = lab.snapshot()
    lab.commit("r", lab.delete(lab.home / "gone"))
    for part in ("files", "info"):
        shutil.rmtree(lab.home / ".local/share/Trash" / part)
    lab.tx.undo("r")
    assert lab.snapshot() == before


def test_an_emptied_trash_without_a_pre_image_is_a_conflict(lab: Any) -> None:
    lab.file("d/x")
    lab.commit("r", lab.delete(lab.home / "d"))
    shutil.rmtree(lab.home / ".local/share/Trash/files/d")
    with pytest.raises(Conflict):
        lab.tx.undo("r")


def test_a_damaged_pre_image_is_not_put_back(lab: Any) -> None:
    lab.commit("r", lab.over(lab.file("a", "old"), "new"))
    (pre,) = lab.store.glob("preimages/r/*")
    pre.write_text("rot")
    with pytest.raises(StorageFailed) as caught:
        lab.tx.undo("r")
    assert caught.value.code == "storage.damaged"
    assert (lab.home / "a").read_text() == "new"


def test_who_holds_the_old_file_cannot_reach_the_pre_image(lab: Any) -> None:
    path = lab.file("a", "old")
    with open(path) as held:
        lab.commit("r", lab.over(path, "new"))
        Path(f"/proc/self/fd/{held.fileno()}").write_text("EDITED LATE")
    assert path.read_text() == "new"
    lab.tx.undo("r")
    assert path.read_text() == "old"


def test_undo_works_after_a_restart_and_usage_is_told(lab: Any) -> None:
    run(lab)
    usage = lab.tx.usage()
    assert usage.runs == 1
    assert usage.preimage_bytes > 0
    again = lab.open()
    again.recover()
    assert len(again.effects("r")) == 5
    again.undo("r")
    assert (lab.home / "gone").exists()
    assert again.usage().preimage_bytes == 0


def test_runs_are_taken_back_one_after_another(lab: Any) -> None:
    path, other = lab.file("a", "0"), lab.home / "b"
    before = lab.snapshot()
    lab.commit("r1", lab.over(path, "1"), lab.write(lab.home / "new", "1"))
    middle = lab.snapshot()
    lab.commit("r2", lab.move(path, other))
    lab.commit("r3", lab.over(other, "3"), lab.over(lab.home / "new", "3"))
    lab.commit("r4", lab.delete(other))
    for run_id in ("r4", "r3", "r2"):
        lab.tx.undo(run_id)
    assert lab.snapshot() == middle
    lab.tx.undo("r1")
    assert lab.snapshot() == before


def test_equal_size_and_times_do_not_hide_other_content(lab: Any) -> None:
    path = lab.file("a", "old")
    lab.commit("r", lab.over(path, "new"))
    info = path.stat()
    path.write_text("own")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    with pytest.raises(Conflict):
        lab.tx.undo("r")
    assert path.read_text() == "own"


def test_setuid_goes_with_new_content_and_comes_back_with_the_old(lab: Any) -> None:
    path, twin = lab.file("tool", "old", mode=0o4755), lab.file("twin", "old", mode=0o4755)
    os.link(twin, lab.home / "other")
    before = lab.snapshot()
    lab.commit("r", lab.over(path, "new"), lab.over(twin, "new"))
    assert path.stat().st_mode & 0o7777 == 0o755
    lab.tx.undo("r")
    assert lab.snapshot() == before
