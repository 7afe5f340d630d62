"""A wish in the passive is read as the request it is; what says which things are meant stays as it was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.interpret import read
from kernel.language import Lexicon
from kernel.language.frame.passives import in_active
from kernel.model import ConversationId, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(verbs=frozenset("move add copy save write sort rename put show".split()))


def _read(text: str) -> str:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON)
    return " ".join(token.norm for token in in_active(line, LEXICON).tokens)


@pytest.mark.parametrize(
    ("text", "active"),
    [
        ("I need the total of a.pdf added to b.csv", "add the total of a.pdf to b.csv"),
        ("I'd like the largest file in Attic moved to Cellar", "move the largest file in attic to cellar"),
        ("hi, we want a.pdf copied to Attic please", "hi , copy a.pdf to attic please"),
        ("I would like the summary of a.pdf written to a note", "write the summary of a.pdf to a note"),
        ("I want my notes sorted", "sort my notes"),
        ("could I have my late tasks shown", "show my late tasks"),
        ("I'd like Ben's number shown", "show ben 's number"),
        ("I'd like the amounts added up for each shop", "add up the amounts for each shop"),
        (
            "I'd like the amounts in a.csv added up per shop and the result put at the end of my note",
            "add up the amounts in a.csv per shop and put the result at the end of my note",
        ),
        ("I need the sum of a.csv added up and put into my note", "add up the sum of a.csv and put it into my note"),
        ("I need the box renamed to chest and moved to Attic", "rename the box to chest and move it to attic"),
    ],
)
def test_a_wish_in_the_passive_is_a_request(text: str, active: str) -> None:
    assert _read(text) == active


@pytest.mark.parametrize(
    "text",
    [
        "I need the files that were moved to Attic",
        "I want the pictures copied to Attic last week",
        "I need the pictures Anna moved to Attic",
        "I need the pictures my wife moved to Attic",
        "I need the file you saved",
        "I want the largest file I saved moved to Attic",
        "I want the photos saved in Attic",
        "I need the letter saying 'the box moved to Attic'",
        "I need milk",
        "move the file I added to Attic",
        "I need to know which files moved to Attic",
        "I need the added files in Attic",
        "ich brauche the file moved to Attic und das auch",
    ],
)
def test_what_says_which_is_meant_stays(text: str) -> None:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON)
    assert in_active(line, LEXICON).tokens == line.tokens
