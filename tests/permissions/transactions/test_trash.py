"""The trash as other desktops read it."""

from __future__ import annotations

import os
from datetime import datetime
from typing import Any
from urllib.parse import unquote

import pytest

from permissions.errors import StorageFailed


def trash(lab: Any) -> Any:
    return lab.home / ".local" / "share" / "Trash"


def test_the_description_says_where_from_and_when(lab: Any) -> None:
    path = lab.file("d/späti\n100% a b.txt", "x", mode=0o640)
    earliest = datetime.now().replace(microsecond=0)
    lab.commit("r", lab.delete(path))
    (info,) = (trash(lab) / "info").iterdir()
    head, where, when = info.read_text().splitlines()
    assert head == "[Trash Info]"
    assert unquote(where.removeprefix("Path=")) == str(path)
    assert where.isascii()
    assert datetime.fromisoformat(when.removeprefix("DeletionDate=")) >= earliest
    assert (trash(lab) / "files" / info.name.removesuffix(".trashinfo")).read_text() == "x"


def test_equal_names_get_numbers(lab: Any) -> None:
    for number in range(3):
        lab.commit(f"r{number}", lab.delete(lab.file("a.txt", str(number))))
    lab.commit("both", lab.delete(lab.file("x/a.txt")), lab.delete(lab.file("y/a.txt")))
    assert sorted(os.listdir(trash(lab) / "files")) == ["a.2.txt", "a.3.txt", "a.4.txt", "a.5.txt", "a.txt"]
    assert len(os.listdir(trash(lab) / "info")) == 5


def test_names_that_fill_the_limit_fit(lab: Any) -> None:
    for number, name in enumerate(("ü" * 127, "x" * 255, "." + "y" * 250, "z." + "e" * 200)):
        lab.commit(f"a{number}", lab.delete(lab.file(name)))
        lab.commit(f"b{number}", lab.delete(lab.file(name)))
        lab.tx.undo(f"a{number}")
        assert (lab.home / name).exists()


def test_folders_links_and_modes_come_back(lab: Any) -> None:
    lab.file("d/sub/x", "1", mode=0o400)
    (lab.home / "d" / "sub").chmod(0o750)
    (lab.home / "d" / "l").symlink_to("nowhere")
    before = lab.snapshot()
    lab.commit("r", lab.delete(lab.home / "d"))
    assert not (lab.home / "d").exists()
    assert (trash(lab) / "files" / "d" / "sub" / "x").exists()
    lab.tx.undo("r")
    assert lab.snapshot() == before
    assert os.listdir(trash(lab) / "info") == []


def test_the_trash_is_made_private_where_there_is_none(lab: Any) -> None:
    trash(lab).rmdir()
    lab.commit("r", lab.delete(lab.file("a")))
    assert trash(lab).stat().st_mode & 0o777 == 0o700


def test_a_trash_that_is_a_file_is_refused(lab: Any) -> None:
    trash(lab).rmdir()
    trash(lab).write_text("not a folder")
    path = lab.file("a")
    with pytest.raises(StorageFailed):
        lab.commit("r", lab.delete(path))
    assert path.exists()
