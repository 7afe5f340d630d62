"""Times of day and recurrences in sentences, English and German, said on Wednesday, 11 March 2026, at 10:00."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest
from dateutil.rrule import rrulestr

from kernel.interpret import read
from kernel.language import Lexicon, Line
from kernel.language.amounts.numbers import number_at, ordinal_at
from kernel.language.time.dates import find_dates
from kernel.language.time.periods import find_periods
from kernel.language.time.recurrences import find_recurrences
from kernel.language.time.times import find_times
from kernel.model import ConversationId, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)


def _line(text: str) -> Line:
    return read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), Lexicon())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the train leaves at half past seven", "07:30"),
        ("the film begins at a quarter past eight", "08:15"),
        ("call me at five to ten", "09:55"),
        ("call me at 20 minutes past ten", "10:20"),
        ("wake me at 7 in the morning", "07:00"),
        ("wake me at half one at night", "01:30"),
        ("wake me at 11 at night", "23:00"),
        ("start at 5pm", "17:00"),
        ("it ended at 12:05 a.m.", "00:05"),
        ("lunch is at noon", "12:00"),
        ("dinner is at seven", "07:00"),
        ("der Zug fährt um halb acht", "07:30"),
        ("der Zug fährt um Viertel vor neun", "08:45"),
        ("der Zug fährt um dreiviertel acht", "07:45"),
        ("der Zug fährt um Viertel acht", "07:15"),
        ("der Zug fährt um zehn nach halb neun", "08:40"),
        ("ruf mich um acht Uhr abends an", "20:00"),
        ("das Treffen ist um 7.30 Uhr", "07:30"),
        ("das Treffen ist um 18:45 Uhr", "18:45"),
        ("lunch is at twelve thirty", "12:30"),
        ("wake me at seven forty-five", "07:45"),
        ("wake me at seven forty five", "07:45"),
        ("wake me at eight oh five", "08:05"),
        ("das Treffen ist um sechs dreißig", "06:30"),
        ("trag am Freitag um 10 Yoga ein", "10:00"),
    ],
)
def test_times_of_day(text: str, value: str) -> None:
    assert [found.value for found in find_times(_line(text))] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "look at 3 files",
        "mix twelve thirty times",
        "verschieb das am Freitag um 30 Minuten",
        "the price fell to 12 dollars at 3 percent",
        "rename from 2 to 5",
        "half of the files are in order",
        "verschiebe die 2 Dateien nach 7",
        "es geht um 5 Euro",
    ],
)
def test_no_time_of_day_is_invented(text: str) -> None:
    assert [found for found in find_times(_line(text)) if found.confidence >= 0.4] == []


RULES = [
    ("every day at noon", "FREQ=DAILY;BYHOUR=12;BYMINUTE=0"),
    ("every other Thursday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"),
    ("every Monday and Wednesday at 9:30", "FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9;BYMINUTE=30"),
    ("every two weeks on Tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
    ("every 3 hours", "FREQ=HOURLY;INTERVAL=3"),
    ("on weekdays at 8", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0"),
    ("on Mondays", "FREQ=WEEKLY;BYDAY=MO"),
    ("the last Friday of every month", "FREQ=MONTHLY;BYDAY=-1FR"),
    ("on the 3rd of each month at 8 am", "FREQ=MONTHLY;BYMONTHDAY=3;BYHOUR=8;BYMINUTE=0"),
    ("every year on May 3", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3"),
    ("once a week on Friday", "FREQ=WEEKLY;BYDAY=FR"),
    ("every quarter", "FREQ=MONTHLY;INTERVAL=3"),
    ("jeden zweiten Dienstag", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
    ("jeden ersten Montag im Monat", "FREQ=MONTHLY;BYDAY=1MO"),
    ("jeden Morgen um halb acht", "FREQ=DAILY;BYHOUR=7;BYMINUTE=30"),
    ("alle 14 Tage", "FREQ=DAILY;INTERVAL=14"),
    ("montags und donnerstags", "FREQ=WEEKLY;BYDAY=MO,TH"),
    ("am 1. jedes Monats", "FREQ=MONTHLY;BYMONTHDAY=1"),
    ("monatlich am 15.", "FREQ=MONTHLY;BYMONTHDAY=15"),
    ("jedes Jahr am 3. Mai", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3"),
    ("einmal im Monat", "FREQ=MONTHLY"),
    ("werktags um 8 Uhr", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0"),
    ("halbjährlich", "FREQ=MONTHLY;INTERVAL=6"),
]


@pytest.mark.parametrize(("text", "rule"), RULES)
def test_recurrences(text: str, rule: str) -> None:
    assert [found.rule for found in find_recurrences(_line(f"remind me {text}"))] == [rule]
    assert len(list(islice(rrulestr(rule, dtstart=NOW), 3))) == 3  # any reader of RFC 5545 can expand it


def test_a_rule_means_the_days_that_were_said() -> None:
    (found,) = find_recurrences(_line("die Tonne muss jeden zweiten Dienstag raus"))
    first, second, third = islice(rrulestr(found.rule, dtstart=NOW), 3)
    assert {day.weekday() for day in (first, second, third)} == {1}
    assert second - first == third - second == timedelta(days=14)


@pytest.mark.parametrize(
    "text",
    ["every file in Downloads", "each PDF twice", "alle Dateien", "the Monday meeting", "the second of the month",
     "the end of every line", "jede Zeile der Tabelle"],
)  # fmt: skip
def test_no_recurrence_is_invented(text: str) -> None:
    assert list(find_recurrences(_line(text))) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on the first Saturday in May", "2026-05-02"),
        ("on the third Monday of next month", "2026-04-20"),
        ("the last Friday of March 2025", "2025-03-28"),
        ("am letzten Sonntag im Oktober ist das", "2026-10-25"),
        ("the Monday before last", "2026-03-02"),
        ("vorletzten Freitag war das", "2026-02-27"),
        ("heute in vierzehn Tagen ist das", "2026-03-25"),
        ("Donnerstag in einer Woche ist das", "2026-03-19"),
        ("morgen in acht Tagen ist das", "2026-03-19"),
    ],
)
def test_days_found_by_counting(text: str, day: str) -> None:
    found = max(find_dates(_line(text)), key=lambda one: (one.confidence, one.last - one.first))
    assert found.value == day


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("the second half of 2024", "2024-07-01", "2025-01-01"),
        ("im ersten Halbjahr 2025", "2025-01-01", "2025-07-01"),
        ("in the week of April 20", "2026-04-20", "2026-04-27"),
        ("die Woche vom 20. April war das", "2026-04-20", "2026-04-27"),
        ("in KW 12 2025 war das", "2025-03-17", "2025-03-24"),
    ],
)
def test_halves_and_weeks(text: str, start: str, end: str) -> None:
    assert {"start": start, "end": end} in [found.value for found in find_periods(_line(text))]


@pytest.mark.parametrize(
    ("text", "value"),
    [("twelve and a half", 12.5), ("four dozen", 48), ("anderthalb Dutzend", 18), ("zwölfeinhalb", 12.5),
     ("7 and a quarter", 7.25), ("three score", 60)],
)  # fmt: skip
def test_numbers_with_parts_and_packs(text: str, value: float) -> None:
    line = _line(text)
    found = number_at(line, 0)
    assert found is not None
    assert (float(found[0]), found[1]) == (value, line.size)


@pytest.mark.parametrize(
    ("word", "value"), [("twenty-third", 23), ("fiftieth", 50), ("siebzehnte", 17), ("einundzwanzigsten", 21)]
)
def test_ordinals_beyond_the_short_ones(word: str, value: int) -> None:
    assert ordinal_at(_line(word), 0) == value
