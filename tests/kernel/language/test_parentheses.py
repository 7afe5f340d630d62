"""Remarks between two commas: taken out where they ask for nothing, and never a value, a limit or a thing of a list."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.language.frame.parentheses import without_parentheses
from kernel.model import ConversationId, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(verbs=frozenset("find move save keep verschieben".split()))


def _without(text: str, home: Path) -> str:
    said = Utterance(text, ConversationId("c"), str(home), str(home), NOW)
    return without_parentheses(interpret(said, HomeWorld(str(home)), LEXICON))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("move the map, the one my son drew, to Work", "move the map to Work"),
        ("take the rows, there cannot be many, and save them", "take the rows, and save them"),
        ("the recipe, he lived in Ohio, you see, asks for it", "the recipe asks for it"),
        ("wann muss die Rechnung, das ist unser Verein, bezahlt sein", "wann muss die Rechnung bezahlt sein"),
        ("den Ordner Web, den ohnehin niemand mehr pflegt, dort hinein", "den Ordner Web dort hinein"),
    ],
)
def test_a_remark_is_taken_out(text: str, left: str, tmp_path: Path) -> None:
    assert _without(text, tmp_path) == left


@pytest.mark.parametrize(
    "text",
    [
        "add milk, a loaf of bread, and eggs to the list",
        "copy a.csv, b.csv, and c.csv to Work",
        "show the rows, which are older than 3 weeks, by amount",
        "move the map, but only the one I drew, to Work",
        "find the map, save it, and keep it",
        "write a note saying the map, the one he drew, is lost",
    ],
)
def test_what_may_be_meant_stays(text: str, tmp_path: Path) -> None:
    assert _without(text, tmp_path) == ""
