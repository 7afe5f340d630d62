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


@pytest.mark.parametrize(("rule", "english", "german"), [
    ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1,4;BYHOUR=9,10;BYMINUTE=0",
     "every Monday at 09:00 and every Tuesday at 10:00", "jeden Montag um 09:00 und jeden Dienstag um 10:00"),
    ("FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1,5,12;BYHOUR=9,16;BYMINUTE=0,30",
     "every Monday and Wednesday at 09:00 and every Friday at 16:30",
     "jeden Montag und Mittwoch um 09:00 und jeden Freitag um 16:30"),
    ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1,2,4;BYHOUR=9,10;BYMINUTE=0",
     "every Monday at 09:00 and 10:00 and every Tuesday at 10:00",
     "jeden Montag um 09:00 und 10:00 und jeden Dienstag um 10:00"),
    ("FREQ=YEARLY;BYMONTH=1,2,12;BYMONTHDAY=6,31;BYSETPOS=1,5;BYHOUR=8;BYMINUTE=0",
     "every year on 6 January and 31 December at 08:00", "jedes Jahr am 6. Januar und 31. Dezember um 08:00"),
    ("FREQ=YEARLY;BYMONTH=1,12;BYMONTHDAY=6,24;BYSETPOS=1,2,7,8;BYHOUR=8,18;BYMINUTE=0",
     "every year on 6 January and 24 December at 08:00 and 18:00",
     "jedes Jahr am 6. Januar und 24. Dezember um 08:00 und 18:00"),
    ("FREQ=DAILY;BYSETPOS=1,4;BYHOUR=9,16;BYMINUTE=0,30", "every day at 09:00 and 16:30",
     "jeden Tag um 09:00 und 16:30"),
])  # fmt: skip
def test_of_days_and_times_those_are_said_that_are_meant(rule: str, english: str, german: str) -> None:
    assert [recurring_words(rule, date(2026, 3, 2), None, language) for language in ("en", "de")] == [english, german]
