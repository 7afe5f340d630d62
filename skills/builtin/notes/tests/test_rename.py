"""A note gets another title: one file moves, nothing else changes, and a taken title is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.builtin.notes import skill
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Notes/Shopping list.md", "milk\neggs\n")
    made.add("Notes/Garden.md", "roses\n")
    return made


@pytest.mark.parametrize("title", ["Shopping list", "shopping", "my shopping list note"])
def test_the_file_moves_and_keeps_its_text(home: PracticeHome, title: str) -> None:
    done = home.do(skill.rename, title=title, name="Groceries: weekly")
    assert home.tree() == {"Notes/Groceries: weekly.md": b"milk\neggs\n", "Notes/Garden.md": b"roses\n"}
    assert (done.value.title, done.value.text) == ("Groceries: weekly", "milk\neggs")
    assert done.answer == "The note “Shopping list” is now called “Groceries: weekly”."


def test_another_spelling_of_its_own_title_is_free(home: PracticeHome) -> None:
    home.do(skill.rename, title="garden", name="GARDEN")
    assert sorted(home.tree()) == ["Notes/GARDEN.md", "Notes/Shopping list.md"]


def test_the_same_title_changes_nothing(home: PracticeHome) -> None:
    before = home.tree()
    assert "already" in home.do(skill.rename, title="garden", name="Garden").answer
    assert home.tree() == before


@pytest.mark.parametrize(
    ("title", "name", "why"),
    [
        ("garden", "shopping LIST", "already a note"),
        ("attic", "cellar", "no note called"),
        ("garden", "/", "cannot be"),
    ],
)
def test_what_cannot_be_is_refused(home: PracticeHome, title: str, name: str, why: str) -> None:
    before = home.tree()
    with pytest.raises(ToolError, match=why):
        home.do(skill.rename, title=title, name=name)
    assert home.tree() == before
