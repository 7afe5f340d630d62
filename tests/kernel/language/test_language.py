"""In which language a sentence is: its words say it, and where they do not, the conversation does."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.model import ConversationId, Utterance

if TYPE_CHECKING:
    from kernel.context.mind import Mind

Bench = Any  # tests/kernel/conftest.py


def language(mind: Mind, text: str, usual: str = "en") -> str:
    said = Utterance(text, ConversationId("c"), "/nowhere", "/nowhere", datetime(2026, 3, 11, tzinfo=UTC))
    return interpret(said, HomeWorld("/nowhere"), mind.lexicon, usual).language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20 grad celsius in fahrenheit", "de"),
        ("20 degrees celsius in fahrenheit", "en"),
        ("5 km in meilen", "de"),
        ("5 km in miles", "en"),
        ("10 kg in pfund", "de"),
        ("drei plus vier", "de"),
        ("bilder", "de"),
        ("photos paris", "en"),
        ("kosten hotel", "de"),
        ("convert 20 grad celsius", "en"),
    ],
)
@pytest.mark.parametrize("usual", ["en", "de"])
def test_the_words_decide_whatever_was_spoken_before(mind: Mind, text: str, expected: str, usual: str) -> None:
    assert language(mind, text, usual) == expected


@pytest.mark.parametrize("text", ["3 plus 4", "report.pdf", "100 euro", "17 * 4"])
@pytest.mark.parametrize("usual", ["en", "de"])
def test_where_the_words_say_neither_it_is_that_of_the_conversation(mind: Mind, text: str, usual: str) -> None:
    assert language(mind, text, usual) == usual


async def test_a_conversation_goes_on_in_its_language(bench: Bench) -> None:
    assert "ist" in (await bench.ask("was ist 3 + 4?", conversation="german"))["answer"]
    german = await bench.ask("17 * 4", conversation="german")
    english = await bench.ask("17 * 4", conversation="other")
    assert (german["language"], english["language"]) == ("de", "en")
    assert german["answer"] != english["answer"]
    assert (await bench.ask("what is 3 + 5?", conversation="german"))["language"] == "en"
    assert (await bench.ask("17 * 5", conversation="german"))["language"] == "en"
