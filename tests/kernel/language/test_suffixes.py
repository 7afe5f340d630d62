"""A suffix that is named in words is a pattern of file names; any other word before "files" is left alone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Utterance
from skills.model import ValueKind
from tests.kernel.homes import furnish

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(verbs=frozenset("find list delete lösche".split()), choices=frozenset({"csv"}))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return furnish(tmp_path / "kim", ["Old/a.bak", "Old/DSC 7.jpg", "Old/tax 2023.pdf", ".profile"])


def patterns(text: str, home: Path) -> list[object]:
    utterance = Utterance(text, ConversationId("c"), str(home), str(home), NOW)
    intent = interpret(utterance, HomeWorld(str(home)), LEXICON)
    return [span.value for span in intent.spans if span.kind is ValueKind.QUERY and span.source == "glob"]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("find bak files", "*.bak"),
        ("delete the .swp files", "*.swp"),
        ("list files with the extension xyz", "*.xyz"),
        ('list files with the suffix ".orig"', "*.orig"),
        ("files ending in iso", "*.iso"),
        ("files that end with .part", "*.part"),
        ("alle Dateien mit der Endung dxf", "*.dxf"),
        ("log-Dateien", "*.log"),
        (".bak-Dateien löschen", "*.bak"),
        ("lösche die Dateien, die auf .bak enden", "*.bak"),
        ("Dateien mit der Dateiendung „gpx“", "*.gpx"),
    ],
)
def test_a_suffix_in_words_is_a_pattern(home: Path, text: str, pattern: str) -> None:
    assert patterns(text, home) == [pattern]


@pytest.mark.parametrize(
    "text",
    [
        "find tax files",  # a word of a name
        "delete the old files",
        "list csv files",  # a tool has a word of its own for it
        "find .profile",  # a file that is there
        "this is the end of the file",
        "the files end on Monday",
        'find "bak files"',
    ],
)
def test_another_word_is_no_suffix(home: Path, text: str) -> None:
    assert patterns(text, home) == []


def words_to_look_for(text: str, home: Path) -> list[object]:
    utterance = Utterance(text, ConversationId("c"), str(home), str(home), NOW)
    intent = interpret(utterance, HomeWorld(str(home)), LEXICON)
    return [span.value for span in intent.spans if span.kind is ValueKind.QUERY and span.source == "stem"]


def test_capitals_by_which_files_are_marked_are_looked_for(home: Path) -> None:
    assert words_to_look_for("delete the DSC files", home) == ["DSC"]
    assert words_to_look_for("delete the dsc files", home) == []
    assert words_to_look_for("delete the ABC files", home) == []
