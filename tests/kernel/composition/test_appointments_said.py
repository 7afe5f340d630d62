"""Appointments as people speak of them: titles keep their words, "delete" takes one out, a free hour has a length."""

from __future__ import annotations

import pytest

from kernel.model import Plan
from tests.kernel.composition.conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("add a call with Anna on Thursday at 3pm to my calendar", "call with Anna"),
        ("schedule a call with the bank on Thursday at 3pm", "call with the bank"),
        ("add an appointment call with Joe on Thursday at 3pm", "call with Joe"),
        ("add an event title fight on Friday at 9", "title fight"),
        ("create an event called kickoff on Friday at 9", "kickoff"),
        ("trag einen Anruf bei Anna am Donnerstag um 15 Uhr in den Kalender ein", "Anruf bei Anna"),
    ],
)
def test_a_title_keeps_its_words(desk: Desk, sentence: str, title: str) -> None:
    assert f"title={title}," in desk.shape(desk.say(sentence))


@pytest.mark.parametrize(
    ("sentence", "event"),
    [
        ("lösche den Chor am 10. Dezember", "event=Chor, when="),
        ("entferne das Yoga am Montag", "event=Yoga, when="),
        ("delete the yoga on 16 December", "event=yoga, when="),
        ("remove the parents' evening on Thursday", "event=parents' evening, when="),
        ("delete the dentist visit", "event=dentist)"),
        ("lösch den Zahnarztbesuch", "event=Zahnarztbesuch)"),
    ],
)
def test_an_appointment_is_deleted(desk: Desk, sentence: str, event: str) -> None:
    assert desk.shape(desk.say(sentence)).startswith(f"calendar.remove({event}")


@pytest.mark.parametrize(
    "sentence",
    [
        "delete the files from Monday",
        "delete the mails from last week",
        "delete the task on Friday",
        "lösche die Aufgabe am Freitag",
        "delete the note on Friday",
        "remove the reminder on Friday",
    ],
)
def test_what_is_of_another_kind_is_no_appointment(desk: Desk, sentence: str) -> None:
    found = desk.say(sentence)
    assert not isinstance(found, Plan) or all(task.tool != "calendar.remove" for task in found.tasks)


@pytest.mark.parametrize(
    ("sentence", "length"),
    [
        ("find a free hour next week for lunch", 3600),
        ("when do I have a free hour on Monday?", 3600),
        ("find a free half hour tomorrow", 1800),
        ("finde nächste Woche eine freie Stunde für Sport", 3600),
        ("wann habe ich morgen eine freie halbe Stunde?", 1800),
    ],
)
def test_a_free_hour_is_as_long(desk: Desk, sentence: str, length: int) -> None:
    said = desk.shape(desk.say(sentence))
    assert said.startswith("calendar.free("), said
    assert f"length={length}" in said, said


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("who comes to the dinner with Jonas?", "dinner with Jonas"),
        ("who is coming to the dinner?", "dinner"),
        ("who's coming to the board meeting?", "board meeting"),
        ("when does my flight home leave?", "flight home"),
        ("when does my train leave?", "train"),
        ("wann geht mein Flug?", "Flug"),
        ("wann fährt mein Zug?", "Zug"),
    ],
)
def test_who_comes_and_when_it_leaves_is_asked_of_the_calendar(desk: Desk, sentence: str, words: str) -> None:
    assert desk.shape(desk.say(sentence)) == f"calendar.upcoming(words={words})"


@pytest.mark.parametrize(
    ("sentence", "tool"),
    [
        ("was steht auf meiner Aufgabenliste?", "tasks.show()"),
        ("zeig mir meine Aufgabenliste", "tasks.show()"),
        ("is the battery low?", "system.battery()"),
        ("ist der Akku leer?", "system.battery()"),
    ],
)
def test_what_takes_nothing_is_asked_plainly(desk: Desk, sentence: str, tool: str) -> None:
    assert desk.shape(desk.say(sentence)) == tool


@pytest.mark.parametrize(
    "sentence",
    [
        "make a slug of Summer holidays",
        "make a slug of Summer holidays and save it as a note called slugs",
        "make a poster of the choir",
        "create a summary of autumn",
    ],
)
def test_no_folder_is_made_of_which_nobody_speaks(desk: Desk, sentence: str) -> None:
    assert "files.make_folder" not in desk.shape(desk.say(sentence))


@pytest.mark.parametrize("sentence", ["make a folder of pictures", "create a subfolder pictures"])
def test_a_folder_is_made_where_one_is_named(desk: Desk, sentence: str) -> None:
    said = desk.say(sentence)
    draft = getattr(said, "draft", said)
    assert "files.make_folder(name=pictures" in desk.shape(draft)
