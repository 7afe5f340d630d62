"""Nouns that "of" or a genitive joins are one value, and questions are known by the way they are asked."""

from __future__ import annotations

import pytest

from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("show the whole mail conversation about the colours of the front door",
         "mail.thread(about=colours of the front door)"),
        ("search my notes for the name of the plumber", "notes.search(words=name of the plumber)"),
        ("erinnere mich morgen an die Reinigung der Dachrinne",
         "timers.remind(text=Reinigung der Dachrinne, when=2025-03-13)"),
        ("suche Notizen zur Geschichte der alten Mühle", "notes.search(words=Geschichte der alten Mühle)"),
        ("find mails about the price of the new tiles", "mail.find(about=price of the new tiles)"),
        ("gibt es Mails über die Farbe der neuen Fliesen", "mail.find(about=Farbe der neuen Fliesen)"),
    ],
)  # fmt: skip
def test_nouns_that_are_joined_are_one_thing_to_look_for(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


def test_an_adjective_of_the_mails_themselves_is_still_a_choice(planner: Planner) -> None:
    assert "what=unread" in planner.shape(planner.say("show me the new mails about the tiles"))


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("when is the unveiling of the statue?", "unveiling of the statue"),
        ("when is the farewell dinner of Gudrun?", "farewell dinner of Gudrun"),
        ("wann ist die Enthüllung des Denkmals?", "Enthüllung des Denkmals"),
        ("when is the opening?", "opening"),
    ],
)
def test_a_question_is_known_by_how_it_is_asked(planner: Planner, sentence: str, words: str) -> None:
    assert planner.shape(planner.say(sentence)) == f"calendar.upcoming(words={words})"
