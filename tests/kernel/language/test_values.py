"""Typed values in sentences, English and German. The sentences are said on Wednesday, 11 March 2026."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Span, Utterance
from skills.model import ValueKind

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
WORLD = HomeWorld("/nonexistent")
LEXICON = Lexicon(verbs=frozenset("find show list save move copy delete read add filter sum convert".split()))


def _spans(text: str, kind: ValueKind) -> list[Span]:
    utterance = Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW)
    return [span for span in interpret(utterance, WORLD, LEXICON).spans if span.kind is kind]


def _best(text: str, kind: ValueKind) -> Any:
    """The value of the surest and then the longest span: what a planner would look at first."""
    found = sorted(_spans(text, kind), key=lambda span: (-span.confidence, span.first - span.last))
    return found[0].value if found else None


NUMBERS = [
    ("show the three largest files", 3),
    ("show 12 files", 12),
    ("show a dozen photos", 12),
    ("list a couple of songs", 2),
    ("list half a dozen songs", 6),
    ("give me twenty-five names", 25),
    ("give me twenty five names", 25),
    ("the top ten", 10),
    ("one hundred and twenty rows", 120),
    ("two thousand three hundred rows", 2300),
    ("1,250 rows", 1250),
    ("add 3 million", 3_000_000),
    ("the ninety-nine newest", 99),
    ("zeige die drei größten Dateien", 3),
    ("zeige die zwölf neuesten Bilder", 12),
    ("nimm die dreiundzwanzig ältesten", 23),
    ("liste hundertfünf Zeilen", 105),
    ("zeige zweitausend Zeilen der Tabelle", 2000),
    ("zeig mir ein Dutzend Fotos", 12),
    ("die ersten 1.250 Zeilen der Datei", 1250),
    ("zeig mir die neunzehnhundert ältesten Zeilen der Tabelle", 1900),
]


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_whole_numbers(text: str, value: int) -> None:
    assert _best(text, ValueKind.INTEGER) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("add 1,234.56 to the total", 1234.56),
        ("rund 1.234,56 dazu und die Summe", 1234.56),
        ("add 3.5", 3.5),
        ("addiere 3,5 zu der Summe", 3.5),
        ("multiply by one and a half", 1.5),
        ("nimm anderthalb davon", 1.5),
        ("it is -5 outside", -5),
        ("0.05 is enough", 0.05),
        ("two and a half of them", 2.5),
        ("put twelve euros fifty for bus tickets", 12.5),
        ("put 12 euros and 5 cents there", 12.05),
        ("das macht neunzehn Euro achtzig", 19.8),
        ("ich habe neunzehn euro achtzig bezahlt", 19.8),
    ],
)
def test_numbers_with_a_fraction(text: str, value: float) -> None:
    assert _best(text, ValueKind.NUMBER) == value


@pytest.mark.parametrize(
    "text",
    [
        "auf 89 euro 30 prozent rabatt",
        "split 96 euros 12 ways",
        "pay 50 euros 24 december",
        "give 60 euros 4 people",
        "zahl 20 Euro 12 Leuten",
        "um 20 euro 12 uhr",
    ],
)
def test_what_is_counted_is_no_cents(text: str) -> None:
    assert all(span.value == int(span.value) for span in _spans(text, ValueKind.NUMBER))


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
    ("two weeks ago", "2026-02-25"),
    ("a year ago", "2025-03-11"),
    ("three days from now", "2026-03-14"),
    ("a week from today", "2026-03-18"),
    ("two days after March 3rd 2025", "2025-03-05"),
    ("at the end of the month", "2026-03-31"),
    ("by the 15th", "2026-03-15"),
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
    assert _best(text, ValueKind.DATE) == value


def test_two_days_in_small_letters_are_two() -> None:
    values = {span.value for span in _spans("days from 3 march to 10 may", ValueKind.DATE)}
    assert values == {"2026-03-03", "2026-05-10"}


def test_thousands_behind_a_day_are_no_year_when_they_count() -> None:
    assert _best("on the 3rd of april two thousand files", ValueKind.DATE) == "2026-04-03"


def test_the_day_that_is_counted_from_stays_visible() -> None:
    values = {span.value for span in _spans("90 days after the 1st of March", ValueKind.DATE)}
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
    assert not _spans(text, ValueKind.DATE)


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
    assert _best(text, ValueKind.PERIOD) == {"start": start, "end": end}


@pytest.mark.parametrize(
    "text",
    [
    "you may open the door", "march on", "the last file", "the most recent file", "the next one",
    "spring cleaning list",
     "from Anna to Bob", "between the lines", "before you go", "after that", "die letzte Datei",
     "nach Archiv verschieben"],
)  # fmt: skip
def test_no_stretches_are_invented(text: str) -> None:
    assert not _spans(text, ValueKind.PERIOD)


def test_a_month_may_also_be_the_coming_one() -> None:
    spans = _spans("what is in January", ValueKind.PERIOD)
    readings = {span.source: span.value for span in spans}
    assert readings["grammar.period"] == {"start": "2026-01-01", "end": "2026-02-01"}
    assert readings["grammar.period.future"] == {"start": "2027-01-01", "end": "2027-02-01"}
    assert max(spans, key=lambda span: span.confidence).source == "grammar.period"


MB = 10**6
SIZES = [
    ("files larger than 10 MB", 10 * MB + 1, None),
    ("files bigger than 10MB", 10 * MB + 1, None),
    ("anything over 1.5 GB", 1_500_000_001, None),
    ("at least 200 KB", 200_000, None),
    ("under 1 GB", None, 10**9 - 1),
    ("smaller than five megabytes", None, 5 * MB - 1),
    ("at most 3 MiB", None, 3 * 2**20),
    ("no larger than 2 MB", None, 2 * MB),
    ("files greater than or equal to 2 MB", 2 * MB, None),
    ("Dateien größer oder gleich 2 MB", 2 * MB, None),
    ("Dateien kleiner gleich 2 MB", None, 2 * MB),
    ("files that exceed 2 MB", 2 * MB + 1, None),
    ("Dateien, die größer sind als 2 MB", 2 * MB + 1, None),
    ("with a size of more than 2 MB", 2 * MB + 1, None),
    ("mit einer Größe von mindestens 2 MB", 2 * MB, None),
    ("up to 10 MB", None, 10 * MB),
    ("between 1 and 5 MB", MB, 5 * MB),
    ("between 500 KB and 2 MB", 500_000, 2 * MB),
    ("from 1 to 5 GB", 10**9, 5 * 10**9),
    ("10 MB or more", 10 * MB, None),
    ("10 MB or smaller", None, 10 * MB),
    ("more than a gigabyte", 10**9 + 1, None),
    ("> 10 MB", 10 * MB + 1, None),
    (">= 10 MB", 10 * MB, None),
    ("exactly 10 MB", 10 * MB, 10 * MB),
    ("larger than 100 megs", 100 * MB + 1, None),
    ("größer als 10 MB", 10 * MB + 1, None),
    ("Dateien über 1,5 GB", 1_500_000_001, None),
    ("unter einem Gigabyte", None, 10**9 - 1),
    ("mindestens 200 KB", 200_000, None),
    ("höchstens 5 MB", None, 5 * MB),
    ("zwischen 1 und 5 MB", MB, 5 * MB),
]


@pytest.mark.parametrize(("text", "low", "high"), SIZES)
def test_sizes(text: str, low: int | None, high: int | None) -> None:
    assert _best(text, ValueKind.SIZE) == {"min": low, "max": high}


@pytest.mark.parametrize(
    "text", ["larger than 10 files", "over 100 rows", "10 km or more", "size matters", "über 10 Dateien"]
)
def test_no_sizes_are_invented(text: str) -> None:
    assert not _spans(text, ValueKind.SIZE)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("for 90 seconds", 90),
        ("for 20 minutes", 1200),
        ("half an hour", 1800),
        ("an hour and a half", 5400),
        ("one and a half hours", 5400),
        ("two hours and 30 minutes", 9000),
        ("1 h 20 min", 4800),
        ("a day", 86400),
        ("three weeks", 1814400),
        ("a quarter of an hour", 900),
        ("anderthalb Stunden warten die Leute", 5400),
        ("eine halbe Stunde ist es", 1800),
        ("zwei Stunden und 20 Minuten dauert das", 8400),
        ("eine Viertelstunde ist das", 900),
    ],
)
def test_durations(text: str, seconds: int) -> None:
    assert _best(text, ValueKind.DURATION) == seconds


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("convert 5.5 miles to km", "5.5", "miles"),
        ("what is 20 °C in fahrenheit", "20", "degC"),
        ("3 ft in cm", "3", "ft"),
        ("100 km/h in mph", "100", "km/h"),
        ("convert 10kg to pounds", "10", "kg"),
        ("12 degrees celsius", "12", "degC"),
        ("six feet in meters", "6", "feet"),
        ("-40 degrees fahrenheit", "-40", "degF"),
        ("two square meters", "2", "square_meter"),
        ("it costs $30", "30", "USD"),
        ("it costs 30 euros", "30", "euros"),
        ("5 in to cm", "5", "inch"),
        ("how many cups are in a litre", "1", "litre"),
        ("how much is 3/4 cup in ml", "0.75", "cup"),
        ("1 1/2 cups of flour", "1.5", "cups"),
        ("5 feet 10 inches in cm", "70", "inches"),
        ("6 pounds and 3 ounces in kg", "99", "ounces"),
        ("10 working days after Monday", "10", "working days"),
        ("1,234.5 liters of water", "1234.5", "liters"),
        ("200 g of flour", "200", "gram"),
        ("rechne 5 Meilen in km um", "5", "mile"),
        ("wie viel sind zweieinhalb Kilo in Gramm", "2.5", "Kilo"),
        ("was sind 20 Grad Celsius in Fahrenheit", "20", "degC"),
        ("das kostet 1.234,56 Euro und nicht mehr", "1234.56", "Euro"),
        ("it costs twelve euros fifty", "12.5", "euros"),
        ("five foot eleven in cm", "71", "inch"),
        ("he is 5 foot 11.", "71", "inch"),
        ("11 stone 6 in kg", "160", "pound"),
        ("5 feet 11 boards", "5", "feet"),
        ("5 foot 30", "5", "foot"),
    ],
)
def test_quantities(text: str, value: str, unit: str) -> None:
    assert _best(text, ValueKind.QUANTITY) == {"value": value, "unit": unit}


@pytest.mark.parametrize("text", ["10 percent of it", "davon 10 Prozent", "a tip of 15%"])
def test_a_share_is_no_quantity(text: str) -> None:
    assert not _spans(text, ValueKind.QUANTITY)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("convert it to miles", "miles"),
        ("5 miles in km", "km"),
        ("how many feet are in a mile", "feet"),
        ("20 °C in fahrenheit", "fahrenheit"),
        ("5 ft in m", "meter"),
        ("100 km/h to mph", "mph"),
        ("rechne das in Meilen um", "mile"),
        ("wie viele Zentimeter sind das", "centimeter"),
    ],
)
def test_units_on_their_own(text: str, unit: str) -> None:
    value = _best(text, ValueKind.UNIT)
    assert value == unit or value.casefold() == unit.casefold()


@pytest.mark.parametrize(
    "text", ["put it into a folder", "translate that into a table", "give me a hand", "to be or not"]
)
def test_no_units_are_invented(text: str) -> None:
    assert not _spans(text, ValueKind.UNIT)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("what is 17% of 230", "17 % of 230"),
        ("what is 17 percent of 230?", "17 % of 230"),
        ("12 times 4", "12 * 4"),
        ("what is twelve times four", "12 * 4"),
        ("calculate 12.5 * (3 + 4)", "12.5 * (3 + 4)"),
        ("100 divided by 7", "100 / 7"),
        ("100/7", "100 / 7"),
        ("2 to the power of 10", "2 ^ 10"),
        ("what's 5 squared", "5 ^ 2"),
        ("the square root of 144", "sqrt(144)"),
        ("sqrt(16) + 2", "sqrt(16) + 2"),
        ("square root of 16 plus 2", "sqrt(16) + 2"),
        ("-3 + 5", "-3 + 5"),
        ("1,000 + 2,500.75", "1000 + 2500.75"),
        ("half of 86", "1/2 * 86"),
        ("what's 15% off of 80", "80 * (1 - 15 / 100)"),
        ("15 percent off 80", "80 * (1 - 15 / 100)"),
        ("solve 5! / 3!", "5! / 3!"),
        ("seven plus eight minus two", "7 + 8 - 2"),
        ("(1+2)*(3+4)", "(1 + 2) * (3 + 4)"),
        ("2 * pi * 3", "2 * pi * 3"),
        ("was ist 17 % von 230", "17 % of 230"),
        ("was sind 17 Prozent von 230", "17 % of 230"),
        ("wie viel ist drei mal vier", "3 * 4"),
        ("3,5 mal 2 ist was", "3.5 * 2"),
        ("100 geteilt durch 8 ist was", "100 / 8"),
        ("die Wurzel aus 81 ist was", "sqrt(81)"),
        ("2 hoch 8 ist was", "2 ^ 8"),
        ("what is 96 euros divided by 4", "96 / 4"),
        ("4 mal 3 Euro 50 sind was", "4 * 3.5"),
        ("30 percent discount on 89 euros", "89 * (1 - 30 / 100)"),
        ("what is $80 with a 15% discount", "80 * (1 - 15 / 100)"),
        ("was zahle ich auf 89 euro 30 prozent rabatt", "89 * (1 - 30 / 100)"),
        ("15 Prozent Rabatt auf 80 Euro sind was", "80 * (1 - 15 / 100)"),
    ],
)
def test_arithmetic(text: str, value: str) -> None:
    assert _best(text, ValueKind.EXPRESSION) == value


@pytest.mark.parametrize(
    "text",
    [
        "the three largest files",
        "15% is a lot",
        "on 2025-03-03",
        "a.pdf and b.pdf",
        "page 3 of 5",
        "at 7:30",
        "96 euros",
        "19 euros - 20 dollars",
        "file 80 15% off",
        "96 euros with a 10 percent tip",
    ],
)
def test_no_arithmetic_is_invented(text: str) -> None:
    assert not _spans(text, ValueKind.EXPRESSION)


@pytest.mark.parametrize(
    ("text", "column", "op", "value"),
    [
        ("filter the rows where amount is greater than 100", "amount", ">", "100"),
        ("rows with amount greater than 100", "amount", ">", "100"),
        ("rows where city is Berlin", "city", "=", "Berlin"),
        ("rows where city is New York", "city", "=", "New York"),
        ("category = food", "category", "=", "food"),
        ("only rows with price below 5", "price", "<", "5"),
        ("where the unit price is at least 9.99", "unit price", ">=", "9.99"),
        ("where status is not paid", "status", "!=", "paid"),
        ("where name contains 'son'", "name", "contains", "son"),
        ("with quantity <= 3", "quantity", "<=", "3"),
        ("whose age is over 30", "age", ">", "30"),
        ("sales.csv rows with region not north", "region", "!=", "north"),
        ("where date is after 2024-01-01", "date", ">", "2024-01-01"),
        ("where amount is 100 or more", "amount", ">=", "100"),
        ("where amount != 0", "amount", "!=", "0"),
        ("where total exceeds $50", "total", ">", "50"),
        ("Zeilen, in denen der Betrag größer als 100 ist", "Betrag", ">", "100"),
        ("Zeilen mit Preis unter 5 und sonst nichts", "Preis", "<", "5"),
        ("wo Stadt gleich Berlin ist", "Stadt", "=", "Berlin"),
        ("rows over 50 in the amount column", "amount", ">", "50"),
        ("Zeilen über 80 in der Spalte Betrag", "Betrag", ">", "80"),
        ("only those in which the vendor is Rewe", "vendor", "=", "Rewe"),
        ("alle, deren Name 'sohn' enthält, wo Name ist 'sohn'", "Name", "=", "sohn"),
    ],
)
def test_conditions(text: str, column: str, op: str, value: str) -> None:
    assert _best(text, ValueKind.CONDITION) == {"column": column, "op": op, "value": value}


@pytest.mark.parametrize(
    "text", ["what is the time", "the door is open", "how old are you", "wer ist da", "which date is May 4"]
)
def test_no_conditions_are_invented(text: str) -> None:
    assert not _spans(text, ValueKind.CONDITION)


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("no", False), ("ja", True), ("set it to true", True)])
def test_yes_and_no(text: str, value: bool) -> None:
    assert _best(text, ValueKind.BOOLEAN) is value


def test_what_is_quoted_is_no_date_or_number() -> None:
    spans = _spans("save a note saying 'buy 3 apples tomorrow'", ValueKind.DATE)
    assert not spans
    assert not _spans("save a note saying 'buy 3 apples tomorrow'", ValueKind.INTEGER)


def test_a_quoted_value_that_is_the_whole_quotation_counts() -> None:
    assert _best("compute '12 * 4'", ValueKind.EXPRESSION) == "12 * 4"


@pytest.mark.parametrize(
    "text", ["in 99999999999 weeks", "999999999999 years ago", "on 99.99.2025", "0000-00-00", "1e400 + 1"]
)
def test_impossible_values_are_no_error(text: str) -> None:
    assert not _spans(text, ValueKind.DATE)


def test_a_period_after_a_noun_is_hardly_a_condition() -> None:
    assert all(span.confidence < 0.5 for span in _spans("anything in Downloads since yesterday", ValueKind.CONDITION))


def test_two_durations_of_one_unit_are_two() -> None:
    values = [span.value for span in _spans("between 20 minutes and 95 minutes", ValueKind.DURATION)]
    assert values == [1200, 5700]
