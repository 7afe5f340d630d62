"""A thing named first and taken up by a pronoun stands where the pronoun stood; what is told first stays as it was."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.interpret import read
from kernel.language import Lexicon
from kernel.language.frame.dislocated import in_place
from kernel.model import ConversationId, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(verbs=frozenset("move make call delete rename add put benenn nenn lösch verschieb".split()))


def _read(text: str) -> str:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON)
    return " ".join(token.norm for token in in_place(line, LEXICON).tokens)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("the attic note, make that Roof", "call the attic note roof"),
        ("the meeting, make it Tuesday", "make the meeting tuesday"),
        ("my attic note, call it Roof", "call my attic note roof"),
        ("the attic list, can you please delete it", "can you please delete the attic list"),
        ("the attic list, put bricks on it", "put bricks on the attic list"),
        ("the attic note, what does it say", "what does the attic note say"),
        ("die Dachnotiz, nenn die bitte Speicher", "nenn die dachnotiz bitte speicher"),
        ("die Dachnotiz, kannst du die in Speicher umbenennen", "kannst du die dachnotiz in speicher umbenennen"),
        ("den Termin, verschieb den bitte auf Freitag", "verschieb den termin bitte auf freitag"),
    ],
)
def test_the_thing_stands_where_it_was_taken_up(text: str, plain: str) -> None:
    assert _read(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "the list is long, delete it",
        "my wife moved, call her",
        "delete the attic note, make that two",
        "the attic note, the roof note and it",
        "the attic note, delete that file too",
        "die Liste ist lang, lösch die",
        "die Dachnotiz, lösch die Liste",
        "'the attic note', delete it",
        "attic, delete it",
    ],
)
def test_other_sentences_stay(text: str) -> None:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON)
    assert in_place(line, LEXICON).tokens == line.tokens
