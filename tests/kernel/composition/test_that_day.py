""" "That day" and what is done on it: the day and the title that the same sentence said before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Desk

_THE_DAY = "{'start': '2025-03-19', 'end': '2025-03-20'}"


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("Add lunch with Tom on 19 March at 12:30 to the calendar, remind me that day at noon", "lunch with Tom"),
        ("Put dentist in my calendar for 19 March at 4 pm and remind me the same day at 2 pm", "dentist"),
        ("add a task tell the council for friday and remind me of that friday at nine", "tell the council"),
        ("add a task water the plants for tomorrow and remind me of that tomorrow at 8", "water the plants"),
        ("Trag am 19. März um 16 Uhr Friseur in den Kalender ein und erinnere mich am selben Tag um 15 Uhr", "Friseur"),
    ],
)
def test_a_reminder_without_words_is_of_what_was_put_down(desk: Desk, sentence: str, title: str) -> None:
    first, _, last = desk.shape(desk.say(sentence)).partition("; ")
    assert f"={title}" in first, first
    assert last.startswith("timers.remind("), last
    assert f"text={title}, when=2025-03-" in last, last


@pytest.mark.parametrize(
    "sentence",
    [
        "remind me that day at noon",
        "what do I have on 19 March and remind me that day at noon",
        "add dentist that day at 4 pm",
        "remind me to water the plants that day",
    ],
)
def test_what_was_not_said_before_is_asked_for(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)) in ("Question", "Decline")


@pytest.mark.parametrize(
    "sentence",
    [
        "what do I have on 19 March and remind me to water the plants that day",
        "what do I have on 19 March and remind me that day to water the plants",
    ],
)
def test_a_deed_ends_before_its_day(desk: Desk, sentence: str) -> None:
    last = desk.shape(desk.say(sentence)).rpartition("; ")[2]
    assert last == "timers.remind(text=water the plants, when=2025-03-19)", last


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("what do I have on 19 March and add Dentist that day at 4 pm", "Dentist"),
        ("when am I free on 19 March and put Lunch with Anna in my calendar that day at noon", "Lunch with Anna"),
        ("wann habe ich am 19. März frei und trag Zahnarzt am selben Tag um 16 Uhr ein", "Zahnarzt"),
    ],
)
def test_an_appointment_is_on_the_day_that_was_asked_about(desk: Desk, sentence: str, title: str) -> None:
    last = desk.shape(desk.say(sentence)).rpartition("; ")[2]
    assert last.startswith("calendar.add("), last
    assert f"title={title}, when={_THE_DAY}" in last, last
