"""Triggers in words: what a person reads before they keep a routine."""

from __future__ import annotations

from datetime import date

import pytest

from kernel.routines.recurring_words import recurring_words

TIME = "BYHOUR=9;BYMINUTE=0"


@pytest.mark.parametrize(("rule", "english", "german"), [
    ("FREQ=DAILY", "every day at 09:00", "jeden Tag um 09:00"),
    ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every working day at 09:00", "jeden Werktag um 09:00"),
    ("FREQ=MONTHLY;BYDAY=+1MO", "every month on the 1st Monday at 09:00", "jeden Monat am 1. Montag um 09:00"),
    ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday at 09:00", "jeden Monat am letzten Freitag um 09:00"),
    ("FREQ=MONTHLY;BYMONTHDAY=2", "every month on the 2nd at 09:00", "jeden Monat am 2. um 09:00"),
    ("FREQ=MONTHLY;BYMONTHDAY=3,11,22", "every month on the 3rd, the 11th and the 22nd at 09:00",
     "jeden Monat am 3., 11. und 22. um 09:00"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day at 09:00", "jeden Monat am letzten Tag um 09:00"),
])  # fmt: skip
def test_a_recurrence_is_said_as_a_person_says_it(rule: str, english: str, german: str) -> None:
    said = [recurring_words(f"{rule};{TIME}", date(2026, 3, 2), None, language) for language in ("en", "de")]
    assert said == [english, german]
