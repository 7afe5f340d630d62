"""Requests that are spoken one after the other, with no mark between them."""

from __future__ import annotations

import pytest

from tests.kernel.composition.conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "set a timer for ten minutes add pears to the shopping list",
            "timers.timer(length=600); tasks.add(group=shopping, text=pears)",
        ),
        (
            "read me my bird feeder note put buy seeds on the to-do list for saturday",
            "notes.read(title=bird feeder); tasks.add(due=2025-03-15, text=buy seeds)",
        ),
        (
            "stell einen Timer auf zehn Minuten setz Körner kaufen auf meine Aufgabenliste",
            "timers.timer(length=600); tasks.add(text=Körner kaufen)",
        ),
    ],
)
def test_a_verb_that_orders_begins_a_request(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("add a task read the survey", "tasks.add(text=read the survey)"),
        (
            "remind me to find out when and where the concert is",
            "timers.remind(text=find out when and where the concert is)",
        ),
    ],
)
def test_a_verb_inside_a_text_begins_none(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected
