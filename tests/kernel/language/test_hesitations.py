"""Words of hesitation are not read; whatever may mean something, and what is quoted, stays."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.interpret import read
from kernel.language import Lexicon
from kernel.language.frame.hesitations import without_hesitations
from kernel.language.line import Line
from kernel.model import ConversationId, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(verbs=frozenset("find draw delete copy zeigen".split()))


def _read(text: str) -> Line:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON)
    return without_hesitations(line, LEXICON)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("um find the map", "find the map"),
        ("find the, uh, the map", "find the map"),
        ("find the uh the map", "find the map"),
        ("could you uhm find the, erm, map", "could you find the map"),
        ("copy the map, uh, the letter to the attic", "copy the map , the letter to the attic"),
        ("call it uh roof plan", "call it roof plan"),
        ("you can like delete the map", "you can delete the map"),
        ("how long is it in days and like what day is that", "how long is it in days and what day is that"),
        ("i need the map as like a picture", "i need the map as a picture"),
        ("what did i spend like in total", "what did i spend in total"),
        ("where on earth is the map", "where is the map"),
        ("where the heck is the map", "where is the map"),
        ("find the map or something", "find the map"),
        ("find the map no sorry the letter in my attic", "find the letter in my attic"),
        ("copy the map to the attic, no wait, the cellar", "copy the map to the cellar"),
        ("copy the map to anna no sorry to tom", "copy the map to tom"),
        ("find the map of friday, I mean saturday", "find the map of saturday"),
        ("delete the map, no wait, the letter is needed", "delete the map , no wait , the letter is needed"),
        ("delete the map, no wait, I need the letter", "delete the map , no wait , i need the letter"),
        ("copy the map in my attic, no wait, the letter", "copy the map in my attic , no wait , the letter"),
        ("find the map n then draw it", "find the map and then draw it"),
        ("find the map n delete it", "find the map and delete it"),
        ("zeig mir ähm die Karte", "zeig mir die karte"),
        ("zeig mir die, äh, die Karte", "zeig mir die karte"),
        ("wo zum Kuckuck ist die Karte", "wo ist die karte"),
        ("zeig mir die Karte oder so", "zeig mir die karte"),
        ("is there even a map", "is there a map"),
        ("draw me a quick map", "draw me a map"),
        ("how big is the map roughly", "how big is the map"),
        ("wie groß ist die Karte ungefähr?", "wie groß ist die karte ?"),
        ("setz mal Milch auf die Liste", "setz milch auf die liste"),
        ("zeig die Karte und schreib mal Milch auf", "zeig die karte und schreib milch auf"),
    ],
)  # fmt: skip
def test_a_hesitation_is_not_read(text: str, left: str) -> None:
    assert " ".join(token.norm for token in _read(text).tokens) == left


@pytest.mark.parametrize(
    "text",
    [
        "find the even numbers",
        "find even more maps",
        "put a quick lunch in the calendar",
        "find maps of roughly 5 mb",
        "zeig mir Karten von ungefähr 5 mb",
        "find files like the map",
        "i would like to see the map",
        "what does it look like in may",
        "what is it like",
        "delete them or the map",
        "sort by n and by m",
        "wie viel Uhr ist es um fünf",
        "zeig mir die die ich meine",
        'find the word "um"',
        "rechne mal zwölf mal fünfzehn aus",
        "zeig mir das erste mal",
        "um",
        "is there life on earth",
    ],
)
def test_what_may_mean_something_is_read(text: str) -> None:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON)
    assert _read(text).tokens == line.tokens


def test_the_words_of_a_value_stay_as_they_are_written() -> None:
    line = _read("call it roof uh plan")
    assert line.slice(2, line.size) == "roof uh plan"
