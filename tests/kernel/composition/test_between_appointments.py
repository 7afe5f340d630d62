"""How far two appointments are apart is asked of the calendar, how far two dates are of the calculator."""

from __future__ import annotations

import pytest

from tests.kernel.composition.conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("how many days between the rehearsal and my haircut", "calendar.apart(event=rehearsal, other=haircut)"),
        ("count the days from yoga to the dinner with Ada", "calendar.apart(event=yoga, other=dinner with Ada)"),
        ("wieviel tage hab ich zwischen dem Friseur und dem Konzert", "calendar.apart(event=Friseur, other=Konzert)"),
        ("wie viele Tage sind es von der Lesung bis zum Kochkurs", "calendar.apart(event=Lesung, other=Kochkurs)"),
    ],
)
def test_two_appointments(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence", ["how many days are there between 3 March and 10 May?", "wie viele Tage sind es noch bis Weihnachten"]
)
def test_two_dates(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)).startswith("calc.between(")
