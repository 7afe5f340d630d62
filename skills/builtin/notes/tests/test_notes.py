from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from skills.builtin.notes import skill
from skills.sdk import ToolError
from skills.sdk.testing import NOON, PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Notes/Shopping list.md", "milk\neggs\n", NOON - timedelta(days=2))
    made.add("Notes/Garden.md", "Water the roses.\nBuy seeds.", NOON - timedelta(days=1))
    made.add("Notes/Größen.md", "Schuhe 42\n", NOON)
    made.add("Notes/picture.png", b"x")
    return made


def test_the_first_note_makes_the_folder(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    done = home.do(skill.create, title="big files", text="a.pdf\nb.pdf")
    assert home.tree() == {"Notes/big files.md": b"a.pdf\nb.pdf\n"}
    assert done.answer == "I saved the note “big files”:\na.pdf\nb.pdf"
    assert (done.value.title, done.value.text, done.value.file.name) == ("big files", "a.pdf\nb.pdf", "big files.md")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Käse & Wein", "Käse & Wein.md"),
        ("a/b: c", "a b: c.md"),
        ("../../etc/passwd", "etc passwd.md"),
        ("  two \n lines ", "two lines.md"),
        ("..hidden", "hidden.md"),
        ("Ka\u0308se", "Käse.md"),
        ("x" * 400, "x" * 200 + ".md"),
    ],
)
def test_titles_become_safe_names(tmp_path: Path, title: str, name: str) -> None:
    home = PracticeHome(tmp_path)
    home.do(skill.create, title=title, text="t")
    assert list(home.tree()) == [f"Notes/{name}"]


def test_a_title_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot be the title"):
        PracticeHome(tmp_path).do(skill.create, title=" ../.. ", text="t")


@pytest.mark.parametrize("title", ["Shopping list", "shopping list", "SHOPPING-LIST", "Gr\u006f\u0308ßen"])
def test_a_note_is_never_overwritten(home: PracticeHome, title: str) -> None:
    before = home.tree()
    with pytest.raises(ToolError, match="already a note called") as caught:
        home.do(skill.create, title=title, text="new")
    assert "Add to it" in caught.value.hint
    assert home.tree() == before


@pytest.mark.parametrize(
    "title", ["Shopping list", "shopping", "shoping list", "list shopping", "my shopping list note"]
)
def test_add_finds_the_note_by_a_rough_title(home: PracticeHome, title: str) -> None:
    done = home.do(skill.add, title=title, text="butter")
    assert home.text("Notes/Shopping list.md") == "milk\neggs\nbutter\n"
    assert done.answer == "I added to the note “Shopping list”:\nbutter"
    assert done.value.text == "milk\neggs\nbutter"


def test_add_begins_a_line_of_its_own(home: PracticeHome) -> None:
    home.do(skill.add, title="garden", text="mow")
    assert home.text("Notes/Garden.md") == "Water the roses.\nBuy seeds.\nmow\n"


def test_two_additions_in_one_plan(home: PracticeHome) -> None:
    home.step(skill.add, title="shopping", text="butter")
    home.step(skill.add, title="shopping", text="jam")
    home.commit()
    assert home.text("Notes/Shopping list.md") == "milk\neggs\nbutter\njam\n"


def test_a_note_can_be_added_to_right_after_it_was_made(home: PracticeHome) -> None:
    home.step(skill.create, title="Ideas", text="one")
    home.step(skill.add, title="ideas", text="two")
    home.commit()
    assert home.text("Notes/Ideas.md") == "one\ntwo\n"


def test_what_is_meant_must_be_one(home: PracticeHome) -> None:
    home.add("Notes/Shopping Berlin.md", "x")
    with pytest.raises(ToolError, match="More than one note could be “shopping”: “Shopping"):
        home.do(skill.read, title="shopping")
    with pytest.raises(ToolError, match="no note called “taxes”") as caught:
        home.do(skill.add, title="taxes", text="x")
    assert "“Garden”" in caught.value.hint


def test_read(home: PracticeHome) -> None:
    done = home.do(skill.read, pure=True, title="größen")
    assert (done.value.text, done.answer) == ("Schuhe 42", "“Größen” says:\nSchuhe 42")
    home.add("Notes/Empty.md", "")
    assert home.do(skill.read, pure=True, title="Empty").answer == "The note “Empty” is empty."


def test_contents_newest_first(home: PracticeHome) -> None:
    done = home.do(skill.contents, pure=True)
    assert [file.stem for file in done.value] == ["Größen", "Garden", "Shopping list"]
    assert done.answer == "You have 3 notes: Größen, Garden and Shopping list."
    home.language = "de"
    done = home.do(skill.contents, pure=True, count=1)
    assert done.answer == "Du hast 3 Notizen; die neueste: Größen."
    assert done.table is not None
    assert done.table["columns"] == ["Titel", "geändert"]
    assert "; die neuesten 2: " in home.do(skill.contents, pure=True, count=2).answer


def test_no_notes_yet(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    assert home.do(skill.contents, pure=True).answer == "You have no notes yet."
    with pytest.raises(ToolError, match="There is no note") as caught:
        home.do(skill.read, title="x")
    assert caught.value.hint == "You have no notes yet."


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("roses", ["Garden"]),
        ("ROSES seeds", ["Garden"]),
        ("list", ["Shopping list"]),
        ("42", ["Größen"]),
        ("Groessen", ["Größen"]),
        ("zebra", []),
    ],
)
def test_search(home: PracticeHome, words: str, titles: list[str]) -> None:
    done = home.do(skill.search, pure=True, words=words)
    assert [note.title for note in done.value] == titles
    assert words in done.answer


def test_search_shows_the_line(home: PracticeHome) -> None:
    done = home.do(skill.search, pure=True, words="seeds")
    assert done.answer == "1 note mentions “seeds”:\n- Garden: Buy seeds."


def test_delete(home: PracticeHome) -> None:
    done = home.do(skill.delete, title="garden")
    assert home.trash == ["Notes/Garden.md"]
    assert done.answer == "I put the note “Garden” into the trash."


def test_the_word_list_may_be_said_where_the_title_has_none(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Notes/groceries.md", "milk\n")
    assert home.do(skill.read, pure=True, title="my groceries list").value.text == "milk"
