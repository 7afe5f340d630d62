"""Times of day and repetitions as values, and the days that are to come."""

from __future__ import annotations

from datetime import datetime

import pytest

from kernel.language import tokenize
from kernel.language.line import Line
from kernel.language.time.hours import OPEN, find_hours, find_repeats
from kernel.language.time.periods import FUTURE, find_periods


def line(text: str, language: str) -> Line:
    return Line(text, tokenize(text, language), language, datetime(2025, 3, 12, 10, 0))


@pytest.mark.parametrize(
    ("text", "language", "start", "end"),
    [
        ("dentist at 3 pm", "en", "15:00", None),
        ("dentist at 3", "en", "15:00", None),
        ("dentist at 8", "en", "08:00", None),
        ("dinner in the evening at 8", "en", "20:00", None),
        ("flight at 3 am", "en", "03:00", None),
        ("flight at 03:10", "en", "03:10", None),
        ("lunch at noon", "en", "12:00", None),
        ("a call at half past four", "en", "16:30", None),
        ("meeting from 2 to 3 pm", "en", "14:00", "15:00"),
        ("meeting from 9 to 11", "en", "09:00", "11:00"),
        ("meeting from 11 to 1", "en", "11:00", "13:00"),
        ("free between 9 and 12", "en", "09:00", "12:00"),
        ("meeting 2pm - 3:30pm", "en", "14:00", "15:30"),
        ("Zahnarzt um 15 Uhr", "de", "15:00", None),
        ("Zahnarzt um drei", "de", "15:00", None),
        ("Essen am Abend um 8", "de", "20:00", None),
        ("Abflug um 4 Uhr morgens", "de", "04:00", None),
        ("Besprechung von 9 bis 11 Uhr", "de", "09:00", "11:00"),
        ("frei zwischen 14 und 16 Uhr", "de", "14:00", "16:00"),
        ("morgen Nachmittag um 3", "de", "15:00", None),
        ("um halb fünf", "de", "16:30", None),
        ("wake me up at 6 in the evening", "en", "18:00", None),
        ("set an alarm for 7 tomorrow", "en", "07:00", None),
        ("set an alarm for 3", "en", "15:00", None),
        ("stell den Wecker auf 8", "de", "08:00", None),
        ("ich muss um fünf telefonieren", "de", "17:00", None),
        ("schieb den Wecker auf sieben Uhr abends", "de", "19:00", None),
        ("let us meet at six", "en", "18:00", None),
        ("at half past five on saturday morning", "en", "05:30", None),
        ("at 8 tomorrow evening", "en", "20:00", None),
        ("at 5 o'clock next sunday morning", "en", "05:00", None),
        ("am Samstagmorgen um halb sechs", "de", "05:30", None),
        ("um halb sechs am Samstagmorgen", "de", "05:30", None),
        ("Samstag morgen um fünf", "de", "05:00", None),
        ("am Freitagabend um 8", "de", "20:00", None),
        ("bin ich am Donnerstag um drei frei", "de", "15:00", None),
        ("every monday at 7 swimming", "en", "07:00", None),
    ],
)
def test_a_time_of_day(text: str, language: str, start: str, end: str | None) -> None:
    (found,) = find_hours(line(text, language))
    assert found.value == {"start": start, "end": end, "rough": False}


@pytest.mark.parametrize(
    ("text", "language", "start"),
    [
        ("tomorrow afternoon", "en", "12:00"),
        ("in the morning", "en", "06:00"),
        ("on saturday morning", "en", "06:00"),
        ("am Vormittag", "de", "06:00"),
        ("Samstag morgen", "de", "06:00"),
    ],
)
def test_a_part_of_a_day_is_rough(text: str, language: str, start: str) -> None:
    (found,) = find_hours(line(text, language))
    assert (found.value["start"], found.value["rough"]) == (start, True)


@pytest.mark.parametrize(
    "text",
    ["the three largest files", "from 3 to 5 days", "between 10 and 20 Euro", "pages 3 to 7", "add 3 and 5", "in May",
     "from sales.csv to prices.csv", "9 out of 10"],
)  # fmt: skip
def test_numbers_are_no_times(text: str) -> None:
    assert list(find_hours(line(text, "en"))) == []


def test_what_repeats_is_a_rule_with_its_hour_as_it_is_meant() -> None:
    (found,) = find_repeats(line("yoga every Tuesday at 5", "en"))
    assert found.value == "FREQ=WEEKLY;BYDAY=TU;BYHOUR=17;BYMINUTE=0"


@pytest.mark.parametrize(
    ("text", "language", "days"),
    [
        ("on Monday", "en", ("2025-03-17", "2025-03-18")),
        ("from Monday to Wednesday", "en", ("2025-03-17", "2025-03-20")),
        ("on 3 March", "en", ("2026-03-03", "2026-03-04")),
        ("im Januar", "de", ("2026-01-01", "2026-02-01")),
        ("from 3 to 8 March", "en", ("2026-03-03", "2026-03-09")),
        ("on Friday", "en", ("2025-03-14", "2025-03-15")),
    ],
)
def test_what_lies_behind_may_be_to_come(text: str, language: str, days: tuple[str, str]) -> None:
    later = [one.value for one in find_periods(line(text, language)) if one.source == FUTURE]
    assert later == [{"start": days[0], "end": days[1]}]


@pytest.mark.parametrize(
    "text", ["last Monday", "yesterday", "in March 2024", "on 2025-03-03", "tomorrow", "last week", "today"]
)
def test_what_is_said_to_lie_behind_does(text: str) -> None:
    assert not [one for one in find_periods(line(text, "en")) if one.source == FUTURE]


@pytest.mark.parametrize(
    ("text", "language", "starts"),
    [
        ("chess on the 21st at nine, remind me on the 20th at seven in the evening", "en", ["09:00", "19:00"]),
        ("remind me at eight in the evening, and put chess down at nine", "en", ["20:00", "09:00"]),
        ("trag Schach um neun ein und erinnere mich um sieben Uhr abends", "de", ["09:00", "19:00"]),
        ("tomorrow evening from 7 to 9", "en", ["17:00", "19:00"]),  # the part of the day, and what it is narrowed to
        ("in the evening at 8", "en", ["20:00"]),
    ],
)
def test_the_half_of_the_day_is_of_the_time_that_it_stands_with(text: str, language: str, starts: list[str]) -> None:
    assert [one.value["start"] for one in find_hours(line(text, language))] == starts


@pytest.mark.parametrize(
    ("text", "language", "start", "end"),
    [
        ("anything before noon tomorrow", "en", "00:00", "12:00"),
        ("what else is on after 3 pm", "en", "15:00", "23:59"),
        ("what is up after lunch today", "en", "13:00", "23:59"),
        ("am I free before 10 tomorrow", "en", "00:00", "10:00"),
        ("habe ich morgen früh vor 10 etwas", "de", "06:00", "10:00"),
        ("was kommt nach dem Mittagessen noch", "de", "13:00", "23:59"),
        ("ab 15 Uhr", "de", "15:00", "23:59"),
        ("am I free before midnight", "en", "00:00", "23:59"),
        ("habe ich vor Mitternacht noch etwas", "de", "00:00", "23:59"),
        ("after midnight", "en", "00:00", "23:59"),
    ],
)
def test_all_of_the_day_before_or_after_a_time(text: str, language: str, start: str, end: str) -> None:
    (found,) = (one for one in find_hours(line(text, language)) if one.source == OPEN)
    assert found.value == {"start": start, "end": end, "rough": True}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("after lunch with Anna", "en"),
        ("before 10 people come", "en"),
        ("ten before three", "en"),
        ("two hours after 10", "en"),
        ("viertel nach acht", "de"),
        ("nach 3 Tagen", "de"),
        ("vor 10 Leuten", "de"),
    ],
)
def test_what_is_no_side_of_a_time(text: str, language: str) -> None:
    assert [one for one in find_hours(line(text, language)) if one.source == OPEN] == []


@pytest.mark.parametrize(
    ("text", "language"),
    [("verschieb es um eine stunde", "de"), ("look at 3 big files", "en"), ("um 2 tage", "de"), ("at 3 percent", "en")],
)
def test_how_long_or_how_many_is_no_time_of_day(text: str, language: str) -> None:
    assert list(find_hours(line(text, language))) == []


@pytest.mark.parametrize(
    ("text", "language", "start", "end"),
    [
        ("am wochenende schon was geplant", "de", "2025-03-15", "2025-03-17"),
        ("what do I have on the weekend", "en", "2025-03-15", "2025-03-17"),
        ("wie sieht meine woche aus", "de", "2025-03-10", "2025-03-17"),
        ("what does my week look like", "en", "2025-03-10", "2025-03-17"),
        ("bank tmrw", "en", "2025-03-13", "2025-03-14"),
        ("parents evening, 24 march, 7:30 pm", "en", "2025-03-24", "2025-03-25"),
        ("the vet in my calendar, the 19th at four", "en", "2025-03-19", "2025-03-20"),
        ("what is planned for easter", "en", "2025-04-20", "2025-04-21"),
    ],
)
def test_days_as_people_call_them(text: str, language: str, start: str, end: str) -> None:
    found = [one.value for one in find_periods(line(text, language))]
    assert {"start": start, "end": end} in found


@pytest.mark.parametrize(
    ("text", "language", "start"),
    [
        ("was hatte ich am Wochenende", "de", "2025-03-08"),
        ("wie war das Wochenende", "de", "2025-03-08"),
        ("what did I have on over the weekend", "en", "2025-03-08"),
        ("was habe ich am Wochenende", "de", "2025-03-15"),
        ("what is on over the weekend", "en", "2025-03-15"),
    ],
)
def test_a_weekend_lies_behind_where_the_sentence_looks_back(text: str, language: str, start: str) -> None:
    assert {one.value["start"] for one in find_periods(line(text, language))} == {start}


def test_a_weekend_that_has_begun_is_the_one_looked_back_at() -> None:
    said = "what did I have on over the weekend"
    sunday = Line(said, tokenize(said, "en"), "en", datetime(2025, 3, 16, 10, 0))
    assert {one.value["start"] for one in find_periods(sunday)} == {"2025-03-15"}


@pytest.mark.parametrize("text", ["pack for the weekend trip", "the third, may I go", "weekend plans"])
def test_words_that_are_no_days(text: str) -> None:
    assert list(find_periods(line(text, "en"))) == []
