"""Sizes, durations, quantities and units in sentences, English and German."""

from __future__ import annotations

import pytest

from skills.model import ValueKind
from tests.kernel.language.reading import best, spans

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
    assert best(text, ValueKind.SIZE) == {"min": low, "max": high}


@pytest.mark.parametrize(
    "text", ["larger than 10 files", "over 100 rows", "10 km or more", "size matters", "über 10 Dateien"]
)
def test_no_sizes_are_invented(text: str) -> None:
    assert not spans(text, ValueKind.SIZE)


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
        ("set a timer for 1 hour 15", 4500),
        ("an hour and twenty", 4800),
        ("two minutes thirty", 150),
        ("a timer for an hour 3 times", 3600),
        ("block an hour 3 pm", 3600),
        ("two hours and 95 apples", 7200),
        ("1 hour 05", 3900),
        ("set a timer for 1 hour 15.", 4500),
        ("an hour 5", 3600),
        ("for 2 hours 10 to 12", 7200),
        ("block an hour 10-12", 3600),
        ("an hour ten until noon", 3600),
        ("block an hour 21 st", 3600),
        ("blocke eine Stunde 10 bis 12", 3600),
        ("blocke eine Stunde 14. März", 3600),
        ("stell den Timer auf eine Stunde 15", 4500),
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
    assert best(text, ValueKind.DURATION) == seconds


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
    assert best(text, ValueKind.QUANTITY) == {"value": value, "unit": unit}


@pytest.mark.parametrize("text", ["10 percent of it", "davon 10 Prozent", "a tip of 15%"])
def test_a_share_is_no_quantity(text: str) -> None:
    assert not spans(text, ValueKind.QUANTITY)


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
    value = best(text, ValueKind.UNIT)
    assert value == unit or value.casefold() == unit.casefold()


@pytest.mark.parametrize(
    "text", ["put it into a folder", "translate that into a table", "give me a hand", "to be or not"]
)
def test_no_units_are_invented(text: str) -> None:
    assert not spans(text, ValueKind.UNIT)


def test_two_durations_of_one_unit_are_two() -> None:
    values = [span.value for span in spans("between 20 minutes and 95 minutes", ValueKind.DURATION)]
    assert values == [1200, 5700]
