"""The kernel's own request: the whole sentence means it, or nothing does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Utterance
from kernel.own_words import means_undo
from kernel.world import HomeWorld


def means(text: str, home: str) -> bool:
    said = Utterance(text, ConversationId("c"), home, home, datetime(2026, 3, 11, tzinfo=UTC))
    return means_undo(interpret(said, HomeWorld(home), Lexicon.from_tools(())))


@pytest.mark.parametrize(
    "text", ["undo that", "Undo", "please undo it", "oh no, undo that please", "can you take that back?",
             "mach das bitte rückgängig", "rückgängig", "nimm das zurück"],
)  # fmt: skip
def test_undo(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert means(text, str(tmp_path_factory.getbasetemp()))


@pytest.mark.parametrize(
    "text", ["undo the formatting of report.docx", "what does undo mean", "take it to Documents",
             "put it back in Archive",
             "don't undo that", "save a note called undo that"],
)  # fmt: skip
def test_something_else(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert not means(text, str(tmp_path_factory.getbasetemp()))
