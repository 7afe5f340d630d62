"""Folders as a whole, patterns, and what a search passes over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from skills.builtin.files import skill
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Old/a.txt", "x" * 100)
    made.add("Old/deep/b.txt", "x" * 200)
    made.add("Old/.hidden/c.txt", "x" * 300)
    made.add("Films/one.mkv", "x" * 5000)
    made.add("Photos/1.jpg", "x" * 900)
    made.add("Photos/2.jpg", "x" * 900)
    return made


def _names(done: Any) -> list[str]:
    return [each.name for each in done.value]


def test_a_folder_is_deleted_as_a_whole(home: PracticeHome) -> None:
    done = home.do(skill.delete_folder, folders=[home.folder("Old"), home.folder("Old/deep")])
    assert [effect["op"] for effect in done.effects] == ["delete"]
    assert not (home.path / "Old").exists()
    assert done.answer == "I put the folder ~/Old with 3 files (600 bytes) into the trash."


def test_a_folder_is_moved_and_copied_as_a_whole(home: PracticeHome) -> None:
    home.language = "de"
    both = [home.folder("Old"), home.folder("Photos")]
    done = home.do(skill.copy_folder, folders=both, to=home.folder("Backup"))
    assert done.answer == (
        "Ich habe die Ordner ~/Old mit 3 Dateien (600 Byte) und ~/Photos mit 2 Dateien (1,8 kB) nach ~/Backup kopiert."
    )
    assert home.text("Backup/Old/.hidden/c.txt") == home.text("Old/.hidden/c.txt")
    assert _names(home.do(skill.copy_folder, folders=[home.folder("Photos")], to=home.folder("Backup"))) == [
        "Photos (2)"
    ]
    home.do(skill.move_folder, folders=[home.folder("Old")], to=home.folder("Films"))
    assert home.text("Films/Old/deep/b.txt") == "x" * 200
    assert not (home.path / "Old").exists()


def test_a_later_step_sees_that_a_folder_is_gone(home: PracticeHome) -> None:
    home.step(skill.delete_folder, folders=[home.folder("Old")])
    with pytest.raises(ToolError, match="There is no ~/Old"):
        home.step(skill.contents, folder=home.folder("Old"))


@pytest.mark.parametrize("act", ["move_folder", "copy_folder", "delete_folder"])
@pytest.mark.parametrize(
    ("path", "said"), [("", "~ stays where it is"), ("nowhere", "There is no ~/nowhere"), ("Old/a.txt", "is a file")]
)
def test_what_is_no_folder_to_take_is_refused(home: PracticeHome, act: str, path: str, said: str) -> None:
    before = home.tree()
    more: dict[str, Any] = {} if act == "delete_folder" else {"to": home.folder("There")}
    with pytest.raises(ToolError, match=said):
        home.do(getattr(skill, act), folders=[home.folder(path)], **more)
    assert home.tree() == before


@pytest.mark.parametrize("to", ["Old", "Old/deep", "Photos/1.jpg"])
def test_a_folder_does_not_go_into_itself_or_a_file(home: PracticeHome, to: str) -> None:
    with pytest.raises(ToolError):
        home.do(skill.move_folder, folders=[home.folder("Old")], to=home.folder(to))


def test_a_taken_name_is_not_overwritten(home: PracticeHome) -> None:
    home.add("Films/Old/x")
    with pytest.raises(ToolError, match="already something called Old"):
        home.do(skill.move_folder, folders=[home.folder("Old")], to=home.folder("Films"))


def test_the_folder_that_takes_the_most_space(home: PracticeHome) -> None:
    home.add(".cache/big", "x" * 90_000)
    done = home.do(skill.largest_folders, pure=True, count=2)
    assert [(one.folder.name, one.size_bytes, one.count) for one in done.value] == [
        ("Films", 5000, 1),
        ("Photos", 1800, 2),
    ]
    assert done.answer == (
        "The 2 largest folders in ~ are: ~/Films with 1 file (5 kB) and ~/Photos with 2 files (1.8 kB).\n"
        "Not looked at unless you name them: 1 hidden folder."
    )
    assert [one.folder.name for one in home.do(skill.largest_folders, pure=True, order="smallest").value] == [
        "Old", "Photos", "Films",
    ]  # fmt: skip
    assert (
        home.do(skill.largest_folders, pure=True, folder=home.folder("Films")).answer
        == "There are no folders in ~/Films."
    )


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("*.jpg", ["1.jpg", "2.jpg"]),
        ("?.JPG", ["1.jpg", "2.jpg"]),
        ("a*", ["a.txt"]),
        ("*.tmp", []),
        ("*o*.m*", ["one.mkv"]),
    ],
)
def test_a_pattern_is_a_filter_on_the_whole_name(home: PracticeHome, pattern: str, wanted: list[str]) -> None:
    assert _names(home.do(skill.find, pure=True, name=pattern, order="name")) == wanted


def test_a_search_passes_over_caches_and_says_so(home: PracticeHome) -> None:
    home.add("web/node_modules/pkg/invoice.txt")
    home.add("py/env/pyvenv.cfg")
    home.add("py/env/lib/invoice.txt")
    home.add("build/CACHEDIR.TAG")
    home.add("build/invoice.txt")
    done = home.do(skill.find, pure=True, name="invoice")
    assert done.value == []
    assert done.answer.endswith("\nNot looked at unless you name them: 1 hidden folder and 3 cache or package folders.")
    home.add("web/invoice.txt")
    done = home.do(skill.find, pure=True, name="invoice")
    assert [home_file.path for home_file in done.value] == [str(home.path / "web/invoice.txt")]
    assert done.answer.endswith("\nNot looked at unless you name them: 3 cache or package folders.")
    named = home.do(skill.find, pure=True, name="invoice", folder=home.folder("web/node_modules"))
    assert _names(named) == ["invoice.txt"]
    assert "Not looked at" not in named.answer


def test_listing_and_measuring_say_what_is_hidden(home: PracticeHome) -> None:
    home.add("Old/.secret", "x")
    said = "Not looked at unless you name them: 1 hidden file and 1 hidden folder."
    assert home.do(skill.contents, pure=True, folder=home.folder("Old")).answer.endswith(f"\n{said}")
    assert home.do(skill.usage, pure=True, folder=home.folder("Old")).answer.endswith(f"\n{said}")
    assert "Not looked at" not in home.do(skill.contents, pure=True, folder=home.folder("Films")).answer


def test_a_folder_is_renamed_where_it_is(home: PracticeHome) -> None:
    done = home.do(skill.rename_folder, folder=home.folder("Old/deep"), name="deeper")
    assert [effect["op"] for effect in done.effects] == ["move"]
    assert (home.path / "Old" / "deeper" / "b.txt").is_file()
    assert done.answer == "The folder deep in ~/Old, with 1 file, is now called deeper."
    same = home.do(skill.rename_folder, folder=home.folder("Photos"), name="Photos")
    assert (same.effects, same.answer) == ((), "The folder Photos has that name already.")


@pytest.mark.parametrize("name", ["Photos", "a/b", "..", ""])
def test_a_folder_is_not_renamed_to_what_is_taken_or_no_name(home: PracticeHome, name: str) -> None:
    with pytest.raises(ToolError):
        home.do(skill.rename_folder, folder=home.folder("Old"), name=name)
    assert (home.path / "Old" / "a.txt").is_file()


def test_the_home_keeps_its_name(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="stays where it is"):
        home.do(skill.rename_folder, folder=home.folder(""), name="house")
