"""A line is taken out of a note: the one that is meant, and nothing else of the note."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.builtin.notes import skill
from skills.contents import BUILTIN
from skills.model import ParamRole, ToolId
from skills.registry import Registry
from skills.sdk import ToolError
from skills.sdk.testing import PracticeHome

TEXT = "# Shopping\n\n- oat milk\n- milk\n* [ ] red candles\n2. Käse\n- green candles\n"


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    made = PracticeHome(tmp_path)
    made.add("Notes/Shopping list.md", TEXT)
    return made


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("oat milk", "- oat milk\n"),
        ("Milk", "- milk\n"),  # the whole line before one that only has the word
        ("- oat milk", "- oat milk\n"),
        ("red", "* [ ] red candles\n"),
        ("käse", "2. Käse\n"),
    ],
)
def test_one_line_goes(home: PracticeHome, words: str, line: str) -> None:
    home.do(skill.remove, title="shopping", line=words)
    assert home.text("Notes/Shopping list.md") == TEXT.replace(line, "")


def test_the_answer_says_which(home: PracticeHome) -> None:
    done = home.do(skill.remove, title="shopping", line="red")
    assert done.answer == "I took “red candles” out of the note “Shopping list”."
    assert "red candles" not in done.value.text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("candles", "More than one line .*“red candles” and “green candles”"),
        ("butter", "has no line"),
        ("?!", "has no line"),
    ],
)
def test_what_is_not_one_line_stays(home: PracticeHome, words: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        home.do(skill.remove, title="shopping", line=words)
    assert home.text("Notes/Shopping list.md") == TEXT


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("milk, eggs and bread\n", "milk", "eggs and bread\n"),
        ("milk, eggs and bread\n", "Eggs", "milk and bread\n"),
        ("milk, eggs and bread\n", "bread", "milk and eggs\n"),
        ("- milk, eggs, and bread.\n", "bread", "- milk and eggs.\n"),
        ("Milch, Eier und Brot\n", "milch", "Eier und Brot\n"),
        ("Milch, Eier und Brot\n", "Brot", "Milch und Eier\n"),
        ("* [ ] Kaufen: Milch, Eier, Brot", "Milch", "* [ ] Kaufen: Eier, Brot"),
        ("Käse; Brot; Öl\n", "Öl", "Käse; Brot\n"),
        ("milk, eggs; bread, rice\n", "bread", "milk, eggs; rice\n"),
        ("milk and eggs\nrice\n", "eggs", "milk\nrice\n"),
        ("oat milk, milk\n", "milk", "oat milk\n"),
        ("1,5 l milk, eggs\n", "1,5 l milk", "eggs\n"),
        ("salad, salt and pepper, oil\n", "salt and pepper", "salad, oil\n"),
        ("milk, eggs\nmilk\n", "milk", "milk, eggs\n"),  # the line that is nothing else
        ("milk, eggs\n", "milk, eggs", ""),
        ("sell sand\n", "sand", ""),  # no list: the word "sand" holds no "and"
    ],
)
def test_of_a_list_in_one_line_only_what_was_named_goes(home: PracticeHome, text: str, words: str, left: str) -> None:
    home.add("Notes/Shopping list.md", text)
    home.do(skill.remove, title="shopping", line=words)
    assert home.text("Notes/Shopping list.md") == left


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("oat milk, eggs and bread", "milk"),
        ("milk and eggs", "eggs milk"),
        ("Hafermilch mit Vanille, Eier und Brot", "Vanille"),
        ("red wine und Käse", "wine"),
    ],
)
def test_words_of_an_item_take_no_list_away(home: PracticeHome, text: str, words: str) -> None:
    home.add("Notes/Shopping list.md", f"- {text}\n")
    with pytest.raises(ToolError, match="says more than") as refused:
        home.do(skill.remove, title="shopping", line=words)
    assert refused.value.choices == (text,)
    assert home.text("Notes/Shopping list.md") == f"- {text}\n"


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("- milk\n- rice\n- Milk\n", "milk", "- rice\n- Milk\n"),
        ("- red milk\n- red milk\n", "red", "- red milk\n"),
        ("milk, rice\nmilk, eggs\n", "milk", "rice\nmilk, eggs\n"),
    ],
)
def test_of_two_that_are_the_same_the_first_goes(home: PracticeHome, text: str, words: str, left: str) -> None:
    home.add("Notes/Shopping list.md", text)
    assert home.do(skill.remove, title="shopping", line=words).answer.endswith(". Another one stays.")
    assert home.text("Notes/Shopping list.md") == left


def test_no_choice_is_offered_twice(home: PracticeHome) -> None:
    home.add("Notes/Shopping list.md", "- red milk\n- red milk\n- green milk\n")
    with pytest.raises(ToolError) as refused:
        home.do(skill.remove, title="shopping", line="milk")
    assert refused.value.choices == ("red milk", "green milk")


def test_the_line_is_a_sink() -> None:
    tool = Registry([BUILTIN]).tool(ToolId("notes.remove"))
    assert tool.parameter("line").role is ParamRole.SINK  # what somebody else wrote does not say what goes
