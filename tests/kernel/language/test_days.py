"""Days and stretches of days in sentences, English and German, said on Wednesday, 11 March 2026."""

from __future__ import annotations

import pytest

from kernel.language.time.periods import FUTURE
from skills.model import ValueKind
from tests.kernel.language.reading import best, spans

DATES = [
    ("what happened on 2025-03-03", "2025-03-03"),
    ("what happened on 3.3.2025", "2025-03-03"),
    ("notes from 12/24/2025", "2025-12-24"),
    ("notes from 24/12/2025", "2025-12-24"),
    ("remind me tomorrow", "2026-03-12"),
    ("files changed today", "2026-03-11"),
    ("files from yesterday", "2026-03-10"),
    ("the day before yesterday", "2026-03-09"),
    ("do it the day after tomorrow", "2026-03-13"),
    ("on March 3rd", "2026-03-03"),
    ("on March 3", "2026-03-03"),
    ("on March 3rd, 2024", "2024-03-03"),
    ("on the 3rd of March 2024", "2024-03-03"),
    ("3 March 2024", "2024-03-03"),
    ("the 21st of December", "2025-12-21"),
    ("Dec 24, 2025 was fun", "2025-12-24"),
    ("last Friday", "2026-03-06"),
    ("next Friday", "2026-03-13"),
    ("this Friday", "2026-03-13"),
    ("on Monday", "2026-03-16"),
    ("on Friday the 20th", "2026-03-20"),
    ("friday the 13th at 3 pm", "2026-03-13"),
    ("on Friday the 3rd", "2026-04-03"),
    ("am Freitag, den 20., um 14 Uhr", "2026-03-20"),
    ("on Thursday 26 March at 4", "2026-03-26"),
    ("Saturday, April 4th", "2026-04-04"),
    ("Mon 16 March", "2026-03-16"),
    ("am Dienstag, dem 24. März, um 8 Uhr", "2026-03-24"),
    ("die Besprechung ist am Freitag, 20.3., um neun", "2026-03-20"),
    ("erinnere mich am Samstag, den 04.04.2026", "2026-04-04"),
    ("what is 90 days after 1 March", "2026-05-30"),
    ("six weeks before Christmas Eve", "2025-11-12"),
    ("how many days until December 24?", "2026-12-24"),
    ("how many days until Christmas?", "2026-12-25"),
    ("how many days since Christmas?", "2025-12-25"),
    ("how many days until xmas", "2026-12-25"),
    ("wie viele tage noch bis silvester", "2026-12-31"),
    ("how long until Easter Monday", "2026-04-06"),
    ("weeks till easter", "2026-04-05"),
    ("wie lange ist es her seit Ostern 2024", "2024-03-31"),
    ("Tage bis Pfingsten", "2026-05-24"),
    ("Wochen bis zum Tag der Deutschen Einheit", "2026-10-03"),
    ("on New Year's Eve 2024", "2024-12-31"),
    ("wie viele Tage sind es bis Weihnachten", "2026-12-25"),
    ("wie viele Tage sind es bis zum 24. Dezember", "2026-12-24"),
    ("in two weeks", "2026-03-25"),
    ("in 3 days", "2026-03-14"),
    ("in a month", "2026-04-11"),
    ("within three days", "2026-03-14"),
    ("innerhalb von zwei Wochen", "2026-03-25"),
    ("binnen einer Woche", "2026-03-18"),
    ("two weeks ago", "2026-02-25"),
    ("a year ago", "2025-03-11"),
    ("three days from now", "2026-03-14"),
    ("a week from today", "2026-03-18"),
    ("two days after March 3rd 2025", "2025-03-05"),
    ("at the end of the month", "2026-03-31"),
    ("by the 15th", "2026-03-15"),
    ("move it to the 20th", "2026-03-20"),
    ("put it in for the 5th at 4", "2026-04-05"),
    ("erinnere mich am 3. an die Miete", "2026-04-03"),
    ("trag am 19. Probe ein", "2026-03-19"),
    ("zahlbar bis zum 15. ohne Abzug", "2026-03-15"),
    ("verschieb das auf den 20. um neun", "2026-03-20"),
    ("the date is May 1st", "2026-05-01"),
    ("was war gestern", "2026-03-10"),
    ("erinnere mich morgen", "2026-03-12"),
    ("was ist übermorgen", "2026-03-13"),
    ("was war vorgestern", "2026-03-09"),
    ("am 3. März 2025 war das", "2025-03-03"),
    ("am 3. März ist das", "2026-03-03"),
    ("am 24.12.2025 war das", "2025-12-24"),
    ("seit dem dritten März ist das so", "2026-03-03"),
    ("letzten Freitag war das", "2026-03-06"),
    ("nächsten Montag ist das", "2026-03-16"),
    ("vor zwei Wochen war das", "2026-02-25"),
    ("in drei Tagen ist das", "2026-03-14"),
    ("vor einem Jahr war das", "2025-03-11"),
    ("das ist am 1. Mai 2026", "2026-05-01"),
    ("am Ende des Monats ist das", "2026-03-31"),
    ("days left until the 24th of april??", "2026-04-24"),
    ("how many days until fifth of april", "2026-04-05"),
    ("what weekday is 5 june", "2026-06-05"),
    ("days until april 24", "2026-04-24"),
    ("on may 3", "2026-05-03"),
    ("until 24 dec", "2026-12-24"),
    ("the 16 mar 2026", "2026-03-16"),
    ("how many days to 16 march 2026 and what weekday is that", "2026-03-16"),
    ("16 march 2026: which weekday", "2026-03-16"),
    ("was on the 3rd of october nineteen ninety", "1990-10-03"),
    ("the twenty first of may twenty twenty six", "2026-05-21"),
    ("on the third of October two thousand and six", "2006-10-03"),
    ("march third, 2012", "2012-03-03"),
    ("nineteen oh five is not the first of june nineteen oh five", "1905-06-01"),
    ("wie viele tage noch bis zum fünften april", "2026-04-05"),
    ("wie viele tage sind es bis zum 3. mai", "2026-05-03"),
    ("der dritte oktober neunzehnhundertneunzig war das", "1990-10-03"),
    ("am ersten mai zweitausendsechsundzwanzig ist das", "2026-05-01"),
    ("am ersten Sonntag im Oktober zweitausendvierundzwanzig ist das", "2024-10-06"),
]


@pytest.mark.parametrize(("text", "value"), DATES)
def test_days(text: str, value: str) -> None:
    assert best(text, ValueKind.DATE) == value


def test_two_days_in_small_letters_are_two() -> None:
    values = {span.value for span in spans("days from 3 march to 10 may", ValueKind.DATE)}
    assert values == {"2026-03-03", "2026-05-10"}


def test_thousands_behind_a_day_are_no_year_when_they_count() -> None:
    assert best("on the 3rd of april two thousand files", ValueKind.DATE) == "2026-04-03"


def test_the_day_that_is_counted_from_stays_visible() -> None:
    values = {span.value for span in spans("90 days after the 1st of March", ValueKind.DATE)}
    assert values == {"2026-05-30", "2026-03-01"}


@pytest.mark.parametrize(
    "text",
    [
        "you may open the door",
        "merry christmas cards in my folder",
        "march to the store",
        "it sat on the table",
        "the sun was bright",
        "give me a second opinion",
        "May I have the report",
        "schick es an Frau Mai",
        "guten Morgen, zeig mir die Dateien",
        "zeig die Dateien am Morgen noch einmal",
        "mark the second file",
        "show the decimal places",
        "the first two files",
        "a quarter of the rows",
        "open version 3.5 of the report",
        "show chapter 12 of the book",
        "what is 10/4",
        "the fall of Rome",
        "set the mode to auto",
        "call it august company",
        "der Mann mit dem Hut",
        "the third may be wrong",
        "scroll to the 3rd page",
        "setz das am 31. april in den kalender",
        "put it in for the 30th february",
        "setz es auf den 3. Platz",
        "nimm den 3. und den 4.",
        "delete the first, the second may stay",
        "march 3 miles",
        "may 3 files be deleted",
        "after the first may I go",
        "move the 2 may files",
        "the first twenty first class tickets",
        "nineteen ninety nine files",
        "zweitausendsechsundzwanzig Zeilen",
    ],
)
def test_no_days_are_invented(text: str) -> None:
    assert not spans(text, ValueKind.DATE)


PERIODS = [
    ("files from last week", "2026-03-02", "2026-03-09"),
    ("files from this week", "2026-03-09", "2026-03-16"),
    ("files from this month", "2026-03-01", "2026-04-01"),
    ("invoices of last month", "2026-02-01", "2026-03-01"),
    ("photos from last year", "2025-01-01", "2026-01-01"),
    ("photos from yesterday", "2026-03-10", "2026-03-11"),
    ("changed today", "2026-03-11", "2026-03-12"),
    ("in March", "2026-03-01", "2026-04-01"),
    ("in October", "2025-10-01", "2025-11-01"),
    ("in March 2024", "2024-03-01", "2024-04-01"),
    ("photos of May 2025", "2025-05-01", "2025-06-01"),
    ("between March and May 2024", "2024-03-01", "2024-06-01"),
    ("between January and February", "2026-01-01", "2026-03-01"),
    ("from October to December", "2025-10-01", "2026-01-01"),
    ("from November to January", "2025-11-01", "2026-02-01"),
    ("from March 3 to March 5, 2025", "2025-03-03", "2025-03-06"),
    ("from the 3rd to the 5th of March 2025", "2025-03-03", "2025-03-06"),
    ("between 2020 and 2022", "2020-01-01", "2023-01-01"),
    ("everything I downloaded between 3 and 5 days ago", "2026-03-06", "2026-03-09"),
    ("since Monday", "2026-03-09", None),
    ("since 2023", "2023-01-01", None),
    ("before 2023", None, "2023-01-01"),
    ("after March 2024", "2024-04-01", None),
    ("until last Friday", None, "2026-03-07"),
    ("older than 30 days", None, "2026-02-09"),
    ("older than a year", None, "2025-03-11"),
    ("newer than two weeks", "2026-02-25", None),
    ("more than six months old", None, "2025-09-11"),
    ("over a year old", None, "2025-03-11"),
    ("less than 3 days old", "2026-03-08", None),
    ("not older than a month", "2026-02-11", None),
    ("older than 2023", None, "2023-01-01"),
    ("from the last 7 days", "2026-03-04", "2026-03-12"),
    ("in the last two weeks", "2026-02-25", "2026-03-12"),
    ("in the past month", "2026-02-11", "2026-03-12"),
    ("in 2024", "2024-01-01", "2025-01-01"),
    ("in the year 2024", "2024-01-01", "2025-01-01"),
    ("Q1 2025", "2025-01-01", "2025-04-01"),
    ("in the first quarter of 2025", "2025-01-01", "2025-04-01"),
    ("last quarter", "2025-10-01", "2026-01-01"),
    ("last summer", "2025-06-01", "2025-09-01"),
    ("in May last year", "2025-05-01", "2025-06-01"),
    ("December of last year", "2025-12-01", "2026-01-01"),
    ("summer of last year", "2025-06-01", "2025-09-01"),
    ("the second quarter of last year", "2025-04-01", "2025-07-01"),
    ("im Mai letzten Jahres", "2025-05-01", "2025-06-01"),
    ("from the summer of 2024", "2024-06-01", "2024-09-01"),
    ("photos taken between Christmas and New Year", "2025-12-25", "2026-01-02"),
    ("last weekend", "2026-03-07", "2026-03-09"),
    ("files I have not opened for six months", None, "2025-09-11"),
    ("last March", "2025-03-01", "2025-04-01"),
    ("since the beginning of the year", "2026-01-01", None),
    ("Dateien von letzter Woche", "2026-03-02", "2026-03-09"),
    ("aus dem letzten Monat", "2026-02-01", "2026-03-01"),
    ("im März", "2026-03-01", "2026-04-01"),
    ("im März 2024", "2024-03-01", "2024-04-01"),
    ("zwischen März und Mai 2024", "2024-03-01", "2024-06-01"),
    ("von Januar bis Februar", "2026-01-01", "2026-03-01"),
    ("vom 3. bis 5. März 2025", "2025-03-03", "2025-03-06"),
    ("seit Montag", "2026-03-09", None),
    ("älter als 30 Tage", None, "2026-02-09"),
    ("die älter als ein Jahr sind", None, "2025-03-11"),
    ("die nicht älter als eine Woche sind", "2026-03-04", None),
    ("aus den letzten 7 Tagen", "2026-03-04", "2026-03-12"),
    ("vor 2023", None, "2023-01-01"),
    ("nach März 2024", "2024-04-01", None),
    ("erstes Quartal 2025", "2025-01-01", "2025-04-01"),
    ("dieses Jahr", "2026-01-01", "2027-01-01"),
    ("letzten Sommer", "2025-06-01", "2025-09-01"),
    ("über zwei Jahre alt", None, "2024-03-11"),
    ("photos from april 2025", "2025-04-01", "2025-05-01"),
    ("photos in may", "2025-05-01", "2025-06-01"),
    ("photos from august", "2025-08-01", "2025-09-01"),
    ("alle bilder vom april bitte", "2025-04-01", "2025-05-01"),
    ("photos of june nineteen ninety five", "1995-06-01", "1995-07-01"),
    ("alles aus dem mai zweitausenddreiundzwanzig", "2023-05-01", "2023-06-01"),
]


@pytest.mark.parametrize(("text", "start", "end"), PERIODS)
def test_stretches_of_days(text: str, start: str | None, end: str | None) -> None:
    assert best(text, ValueKind.PERIOD) == {"start": start, "end": end}


@pytest.mark.parametrize(
    "text",
    [
    "you may open the door", "march on", "the last file", "the most recent file", "the next one",
    "spring cleaning list",
     "from Anna to Bob", "between the lines", "before you go", "after that", "die letzte Datei",
     "nach Archiv verschieben"],
)  # fmt: skip
def test_no_stretches_are_invented(text: str) -> None:
    assert not spans(text, ValueKind.PERIOD)


def test_a_month_may_also_be_the_coming_one() -> None:
    found = spans("what is in January", ValueKind.PERIOD)
    readings = {span.source: span.value for span in found}
    assert readings["grammar.period"] == {"start": "2026-01-01", "end": "2026-02-01"}
    assert readings["grammar.period.future"] == {"start": "2027-01-01", "end": "2027-02-01"}
    assert max(found, key=lambda span: span.confidence).source == "grammar.period"


@pytest.mark.parametrize(
    "text", ["in 99999999999 weeks", "999999999999 years ago", "on 99.99.2025", "0000-00-00", "1e400 + 1"]
)
def test_impossible_values_are_no_error(text: str) -> None:
    assert not spans(text, ValueKind.DATE)


@pytest.mark.parametrize(
    "said", ["Thursday 26 March", "Mon 16 March", "Freitag, den 20. März", "Samstag, den 04.04.2026"]
)
def test_a_weekday_with_its_date_is_no_day_of_its_own(said: str) -> None:
    assert len({one.value for one in spans(f"erinnere mich am {said} daran", ValueKind.DATE)}) == 1


@pytest.mark.parametrize("text", ["files changed within three days", "Dateien, geändert innerhalb von drei Tagen"])
def test_within_some_days_is_behind_or_ahead(text: str) -> None:
    readings = {one.source: one.value for one in spans(text, ValueKind.PERIOD)}
    assert readings["grammar.period.counted"] == {"start": "2026-03-08", "end": "2026-03-12"}
    assert readings["grammar.period.future"] == {"start": "2026-03-11", "end": "2026-03-15"}


@pytest.mark.parametrize("text", ["within three days of the party", "innerhalb von zwei Wochen nach dem Umzug"])
def test_what_is_counted_from_another_day_is_not_counted_from_today(text: str) -> None:
    assert not [*spans(text, ValueKind.PERIOD), *spans(text, ValueKind.DATE)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("put choir in on the 9th", "2026-04-09", "2026-04-10"),
        ("trag am 9. Chor ein", "2026-04-09", "2026-04-10"),
        ("am 19. um acht", "2026-03-19", "2026-03-20"),
        ("from the 16th to the 20th", "2026-03-16", "2026-03-21"),
        ("trag vom 28. bis 30. Urlaub ein", "2026-03-28", "2026-03-31"),
    ],
)
def test_days_by_their_number_alone_may_be_to_come(text: str, start: str, end: str) -> None:
    values = [span.value for span in spans(text, ValueKind.PERIOD) if span.source == FUTURE]
    assert values == [{"start": start, "end": end}]
