"""Many files renamed at once, and what is found to be given up: copies and empty folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from skills.builtin.files import copies, renaming, skill
from skills.loading import load_skill
from skills.model import ParamRole
from skills.sdk import File, ToolError
from skills.sdk.testing import PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    for name in ("IMG_1.jpg", "IMG_2.jpg", "Oma feiert.JPG"):
        made.add(f"Photos/{name}", name)
    made.add("Papers/a draft.docx", "same" * 2000)
    made.add("Papers/old/a draft (2).docx", "same" * 2000)
    made.add("Papers/notes.txt", "other")
    return made


def _all(home: PracticeHome, folder: str) -> list[File]:
    return [home.file(f"{folder}/{path.name}") for path in sorted((home.path / folder).iterdir()) if path.is_file()]


def _there(home: PracticeHome, folder: str) -> list[str]:
    return sorted(path.name for path in (home.path / folder).iterdir())


# --- with a number ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("trip", ("trip", " ")),
        ("trip 1, trip 2", ("trip", " ")),
        ("trip_1, trip_2", ("trip", "_")),
        ("trip 01", ("trip", " ")),
        ("trip-1 to trip-9", ("trip", "-")),
        ("trip (1)", ("trip", " ")),
        ("holiday 2025", ("holiday 2025", " ")),
        ("trip 1.jpg, trip 2.jpg", ("trip", " ")),
        ("trip 1, 2, 3", ("trip", " ")),
        ("Reise 1 bis Reise 9", ("Reise", " ")),
        ("trip 1 and trip 2", ("trip", " ")),
        ("trip 1 to 9", ("trip", " ")),
        ("trip 1, ...", ("trip", " ")),
        ("holiday 2021", ("holiday 2021", " ")),
        ("holiday 2024-01", ("holiday 2024-01", " ")),
        ("holiday 2024-01-15", ("holiday 2024-01-15", " ")),
        ("version 1.1", ("version 1.1", " ")),
        ("trip 101", ("trip 101", " ")),
        ("Formula 1 Monza", ("Formula 1 Monza", " ")),
        ("Formula 1 Monza 1, Formula 1 Monza 2", ("Formula 1 Monza", " ")),
        ("1", ("1", " ")),
    ],
)
def test_the_number_in_a_name_is_counted_on_from_one_alone(name: str, base: tuple[str, str]) -> None:
    assert renaming.base_of(name) == base


def test_files_are_numbered_in_their_order_and_keep_their_suffix(home: PracticeHome) -> None:
    done = home.do(skill.number_names, files=_all(home, "Photos"), name="trip_1, trip_2")
    assert _there(home, "Photos") == ["trip_1.jpg", "trip_2.jpg", "trip_3.JPG"]
    assert [file.name for file in done.value] == ["trip_1.jpg", "trip_2.jpg", "trip_3.JPG"]
    assert done.answer == (
        "I renamed 3 files: IMG_1.jpg → trip_1.jpg, IMG_2.jpg → trip_2.jpg and Oma feiert.JPG → trip_3.JPG."
    )


def test_ten_files_are_numbered_so_that_they_sort(home: PracticeHome) -> None:
    for number in range(10):
        home.add(f"Many/{number}.txt", "x")
    home.do(skill.number_names, files=_all(home, "Many"), name="page")
    assert _there(home, "Many")[0] == "page 01.txt"
    assert _there(home, "Many")[-1] == "page 10.txt"


def test_a_name_that_is_taken_is_not_overwritten(home: PracticeHome) -> None:
    home.add("Photos/trip 2.jpg", "another one")
    files = [home.file("Photos/IMG_1.jpg"), home.file("Photos/IMG_2.jpg")]
    before = home.tree()
    with pytest.raises(ToolError, match="trip 2"):
        home.do(skill.number_names, files=files, name="trip")
    assert home.tree() == before


# --- words in names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("img", "Lake", ["Lake_1.jpg", "Lake_2.jpg", "Oma feiert.JPG"]),
        ("underscores", "spaces", ["IMG 1.jpg", "IMG 2.jpg", "Oma feiert.JPG"]),
        ("Leerzeichen", "Bindestriche", ["IMG_1.jpg", "IMG_2.jpg", "Oma-feiert.JPG"]),
        ("feiert", None, ["IMG_1.jpg", "IMG_2.jpg", "Oma.JPG"]),
        ("1", r"\1", [r"IMG_\1.jpg", "IMG_2.jpg", "Oma feiert.JPG"]),
    ],
)
def test_words_and_signs_are_replaced_in_names(home: PracticeHome, old: str, new: str | None, names: list[str]) -> None:
    home.do(skill.replace_in_names, files=_all(home, "Photos"), old=old, new=new)
    assert _there(home, "Photos") == sorted(names)


@pytest.mark.parametrize(("old", "new", "said"), [("1", "2", "would be called"), ("Oma feiert", None, "without a name"),
                                                  ("oma", "a/b", "hold a slash"), ("oma", "x" * 255, "too long"),
                                                  ("", "x", "nothing to replace")])  # fmt: skip
def test_no_file_loses_its_name_or_place(home: PracticeHome, old: str, new: str | None, said: str) -> None:
    before = home.tree()
    with pytest.raises(ToolError, match=said):
        home.do(skill.replace_in_names, files=_all(home, "Photos"), old=old, new=new)
    assert home.tree() == before


@pytest.mark.parametrize(
    ("names", "after"),
    [
        (["report copy.pdf", "photocopy.pdf"], ["photocopy.pdf", "report.pdf"]),
        (["bill_copy_2.pdf", "copyright.pdf"], ["bill__2.pdf", "copyright.pdf"]),
        (["photocopy.pdf", "telecopy.pdf"], ["photo.pdf", "tele.pdf"]),
    ],
)
def test_whole_words_go_before_parts_of_words(home: PracticeHome, names: list[str], after: list[str]) -> None:
    for name in names:
        home.add(f"Scans/{name}", name)
    home.do(skill.replace_in_names, files=_all(home, "Scans"), old="copy")
    assert _there(home, "Scans") == after


def test_both_suffixes_of_a_packed_file_stay(home: PracticeHome) -> None:
    for name in ("site.tar.gz", "table.CSV.xz", "talk.v2.pdf"):
        home.add(f"Packed/{name}", name)
    home.do(skill.number_names, files=_all(home, "Packed"), name="backup")
    assert _there(home, "Packed") == ["backup 1.tar.gz", "backup 2.CSV.xz", "backup 3.pdf"]
    home.do(skill.rename, file=home.file("Packed/backup 1.tar.gz"), name="old site")
    assert "old site.tar.gz" in _there(home, "Packed")


def test_a_name_that_the_files_free_themselves_is_given(home: PracticeHome) -> None:
    for number in (2, 3, 4):
        home.add(f"Trip/trip {number}.jpg", f"{number}")
    home.add("Trip/a.jpg", "first")
    home.do(skill.number_names, files=_all(home, "Trip"), name="trip")
    assert _there(home, "Trip") == [f"trip {number}.jpg" for number in (1, 2, 3, 4)]
    home.add("Trip/0.jpg", "before")
    home.do(skill.number_names, files=_all(home, "Trip"), name="trip")
    assert [home.text(f"Trip/trip {number}.jpg") for number in (1, 2, 3)] == ["before", "first", "2"]


def test_names_that_wait_for_each_other_are_refused(home: PracticeHome) -> None:
    for number in (1, 2):
        home.add(f"Trip/trip {number}.jpg", f"{number}")
    before = home.tree()
    with pytest.raises(ToolError, match="is one of the files to rename"):
        home.do(skill.number_names, files=_all(home, "Trip")[::-1], name="trip")
    assert home.tree() == before


def test_names_that_do_not_change_are_said(home: PracticeHome) -> None:
    done = home.do(skill.replace_in_names, files=_all(home, "Photos"), old="tram", new="bus")
    assert done.effects == ()
    assert done.answer == "None of the names changes; nothing was renamed."
    assert home.do(skill.number_names, files=[], name="trip").answer == "There was nothing to rename."


@pytest.mark.parametrize(
    ("text", "where", "names"),
    [
        ("2025", "front", ["2025 Oma feiert.JPG", "2025_IMG_1.jpg", "2025_IMG_2.jpg"]),
        ("_old", "end", ["IMG_1_old.jpg", "IMG_2_old.jpg", "Oma feiert_old.JPG"]),
        ("lake", "end", ["IMG_1_lake.jpg", "IMG_2_lake.jpg", "Oma feiert lake.JPG"]),
    ],
)
def test_words_are_put_before_or_behind_names(home: PracticeHome, text: str, where: Any, names: list[str]) -> None:
    home.do(skill.add_to_names, files=_all(home, "Photos"), text=text, where=where)
    assert _there(home, "Photos") == names


# --- copies and empty folders -------------------------------------------------------------------------------------


def test_copies_are_found_with_what_they_are_copies_of(home: PracticeHome) -> None:
    done = home.do(skill.duplicates, pure=True)
    assert [file.name for file in done.value] == ["a draft (2).docx"]
    assert done.answer == (
        "1 file in ~ is a copy of other ones, 8 kB in all: ~/Papers/old/a draft (2).docx (like ~/Papers/a draft.docx)."
    )
    assert home.do(skill.duplicates, pure=True, folder=home.folder("Photos")).value == []
    home.language = "de"
    assert home.do(skill.duplicates, pure=True, kind="image").answer == "In ~ sind keine Bilder doppelt da."


def test_what_is_too_much_to_compare_is_said(home: PracticeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(9):
        home.add(f"Films/{number}.mp4", "clip" * 20_000)
    for name in ("a", "b"):
        home.add(f"Films/{name}.mkv", "film" * 40_000)
    films = home.folder("Films")
    monkeypatch.setattr(copies, "_MOST_BYTES", 500_000)  # too little for the nine, enough for the two
    done = home.do(skill.duplicates, pure=True, folder=films)
    assert [file.name for file in done.value] == ["b.mkv"]
    assert "\n9 files of the same size as another one were not compared" in done.answer
    monkeypatch.setattr(copies, "_MOST_BYTES", 1000)
    done = home.do(skill.duplicates, pure=True, folder=films)
    assert done.value == []
    assert done.answer.startswith("Of what I compared in ~/Films, no files are there twice.\n11 files of the same size")
    home.language = "de"
    assert "11 Dateien von gleicher Größe" in home.do(skill.duplicates, pure=True, folder=films).answer


@pytest.mark.parametrize("name", ["Desktop", "Templates", "Vorlagen", "Öffentlich", "Notes", "Contacts"])
def test_a_standard_folder_of_the_home_is_never_an_empty_one(home: PracticeHome, name: str) -> None:
    (home.path / name / "deeper").mkdir(parents=True)
    (home.path / "Papers" / name).mkdir()
    found = home.do(skill.empty_folders, pure=True).value
    assert {folder.path.removeprefix(f"{home.path}/") for folder in found} == {f"{name}/deeper", f"Papers/{name}"}
    home.do(skill.delete_folder, folders=found)
    assert (home.path / name).is_dir()


def test_an_empty_folder_holds_nothing_hidden_either(home: PracticeHome) -> None:
    (home.path / "Empty/deeper/deepest").mkdir(parents=True)
    (home.path / "Papers/void").mkdir()
    home.add("Hides/.keep", "")
    (home.path / "Links").mkdir()
    (home.path / "Links/there").symlink_to(home.path / "Papers")
    done = home.do(skill.empty_folders, pure=True)
    assert [folder.path.removeprefix(f"{home.path}/") for folder in done.value] == ["Empty", "Papers/void"]
    assert done.answer == "2 folders are empty in ~: ~/Empty and ~/Papers/void."
    said = home.do(skill.empty_folders, pure=True, folder=home.folder("Photos")).answer
    assert said == "There are no empty folders in ~/Photos."


def test_a_folder_that_may_not_be_read_is_not_called_empty(home: PracticeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.path / "Locked").mkdir()
    listed = os.scandir

    def refusing(path: Any) -> Any:
        if str(path).endswith("Locked"):
            raise PermissionError(path)
        return listed(path)

    assert len(home.do(skill.empty_folders, pure=True).value) == 1
    monkeypatch.setattr(os, "scandir", refusing)
    assert home.do(skill.empty_folders, pure=True).value == []


# --- what is left out ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "names", "said"),
    [
        ({"not_kind": ["image"]}, ["a draft (2).docx", "a draft.docx", "notes.txt"], "except images"),
        ({"not_kind": ["image", "word"]}, ["notes.txt"], "except images and Word documents"),
        (
            {"not_kind": ["image"], "not_name": "draft"},
            ["notes.txt"],
            "except images and those with “draft” in the name",
        ),
        ({"kind": "image", "not_name": "oma"}, ["IMG_1.jpg", "IMG_2.jpg"], "except those with “oma” in the name"),
    ],
)
def test_kinds_and_names_are_left_out(home: PracticeHome, left: dict[str, Any], names: list[str], said: str) -> None:
    done = home.do(skill.find, pure=True, **left)
    assert sorted(file.name for file in done.value) == names
    assert said in done.answer


def test_a_name_that_leaves_nothing_out_is_refused(home: PracticeHome) -> None:
    with pytest.raises(ToolError, match="None of them has “tram” in its name"):
        home.do(skill.find, pure=True, not_name="tram")


def test_only_a_person_says_which_files_are_given_other_names() -> None:
    tools = {tool.function: tool for tool in load_skill(Path(skill.__file__).parent).tools}
    for name in ("number_names", "replace_in_names", "add_to_names"):
        assert {one.name: one.role for one in tools[name].parameters}["files"] is ParamRole.SINK
