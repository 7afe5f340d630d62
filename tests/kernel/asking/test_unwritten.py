"""A text that is to be made up is no text to write down: it is said so, with the words that do work."""

from __future__ import annotations

import pytest

from kernel.model import Constant, Decline, Plan
from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "noun"),
    [
        ("write a haiku about goats into a note called haiku", "haiku"),
        ("write a poem about sheep", "poem"),
        ("compose a reply that apologises", "reply"),
        ("draft an answer to Anna which declines politely", "answer"),
        ("could you please write me a very short limerick about trains", "limerick"),
        ("write an obituary about our old printer", "obituary"),
        ("create a note with a joke about cats", "joke"),
        ("schreib ein Gedicht über Ziegen in die Notiz Reime", "Gedicht"),
        ("kannst du mir bitte eine kurze Geschichte über einen Drachen schreiben?", "Geschichte"),
        ("verfass eine Antwort, die freundlich absagt", "Antwort"),
        ("put a joke about cats into my notes", "joke"),
        ("please save a short poem about spring in a note", "poem"),
        ("add a story about our holiday to my notes", "story"),
        ("send Anna a poem about spring", "poem"),
        ("send Anna and Ben a riddle", "riddle"),
        ("email Anna a very funny limerick", "limerick"),
        ("send a toast to Anna", "toast"),
        ("send Anna a mail with a joke about cats", "joke"),
        ("setz einen Witz über Katzen in meine Notizen", "Witz"),
        ("kannst du bitte einen Witz über Hunde in meine Notizen packen", "Witz"),
        ("schick Ida ein Gedicht", "Gedicht"),
        ("kannst du Ida ein Märchen schicken?", "Märchen"),
        ("schick Ida eine Mail mit einem Gedicht über den Frühling", "Gedicht"),
    ],
)
def test_what_nobody_has_written_is_not_written_down(planner: Planner, sentence: str, noun: str) -> None:
    found = planner.say(sentence)
    assert isinstance(found, Decline), found
    assert f"“{noun}”" in found.text or f"„{noun}“" in found.text
    assert "NAME: TEXT" in found.text


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("write a note called haiku: five goats on a hill", "five goats on a hill"),
        ("schreib eine Notiz namens Reime: zwei Schafe stehen", "zwei Schafe stehen"),
        ("write 'a haiku about goats' into a note called haiku", "a haiku about goats"),
        ("write a note called meeting saying a poem is wanted", "a poem is wanted"),
    ],
)
def test_words_that_are_given_are_written_down(planner: Planner, sentence: str, text: str) -> None:
    found = planner.say(sentence)
    assert isinstance(found, Plan), found
    values = [one.value for one in found.tasks[0].arguments.values() if isinstance(one, Constant)]
    assert text in values


@pytest.mark.parametrize(
    "sentence",
    [
        "make a list called haiku",
        "create a folder called joke",
        "make a folder for song files",
        "make a song folder in Documents",
        "find a poem about goats",
        "write a note about the meeting saying that we start at nine",
        "schreib eine Notiz über das Treffen",
        "add write a haiku to my list",
        "add a story to the list",
        "stick a poem about spring on my to-do list",
        "add a speech for the wedding to my tasks",
        "put a speech about the budget in my calendar tomorrow at 10",
        "save the joke as cats.txt",
        "send Anna the poem",
        "send Anna a mail about the song",
        "schick Ida das Gedicht",
        "setz eine Geschichte auf meine Leseliste",
    ],
)
def test_what_is_only_called_so_or_told_is_as_before(planner: Planner, sentence: str) -> None:
    found = planner.say(sentence)
    assert not isinstance(found, Decline) or "TEXT" not in found.text
