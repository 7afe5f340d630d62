"""A day, its part and a time of it, said together or apart; a value alone behind a comma; the year beside a day."""

from __future__ import annotations

import pytest

from tests.kernel.composition.conftest import Desk

AT_EIGHT = "hours={'start': '20:00', 'end': None, 'rough': False}"


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("erinnere mich heute Abend um acht daran, dass der Kater raus muss", AT_EIGHT),
        ("erinner mich dran den Kater zu füttern, heut Abend um acht", AT_EIGHT),
        ("remind me to feed the cat tomorrow evening at 8", "text=feed the cat, when=2025-03-13"),
        ("stell mir für morgen früh einen Wecker auf fünf", "'start': '05:00'"),
        ("put chess in my calendar on Monday at 5 pm, ninety minutes", "length=5400"),
        ("put in my calendar: optician, tomorrow at 16:30, half an hour", "length=1800"),
        ("Trag am Donnerstag um 9 Uhr Ölwechsel ein, eine halbe Stunde", "length=1800"),
        ("which weekday is the 3rd of October this year", "calc.weekday(date=2025-10-03)"),
        ("auf welchen Tag fällt nächstes Jahr der 3. Oktober", "calc.weekday(date=2026-10-03)"),
    ],
)
def test_a_day_and_its_time(desk: Desk, sentence: str, said: str) -> None:
    shape = desk.shape(desk.say(sentence))
    assert said in shape
    assert ";" not in shape


def test_da_is_the_day_that_was_spoken_of(desk: Desk) -> None:
    said = "trag da um 14 Uhr Ölwechsel ein"
    before = desk.after("wann habe ich am Montag Zeit?", t1=[])
    assert "when={'start': '2025-03-17'" in desk.shape(desk.say(said, before))
