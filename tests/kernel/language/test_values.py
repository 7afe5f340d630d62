"""Numbers, arithmetic, yes and no, and what is quoted, in sentences, English and German."""

from __future__ import annotations

import pytest

from skills.model import ValueKind
from tests.kernel.language.reading import best, spans

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
    assert best(text, ValueKind.INTEGER) == value


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
    assert best(text, ValueKind.NUMBER) == value


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
    assert all(span.value == int(span.value) for span in spans(text, ValueKind.NUMBER))


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
    assert best(text, ValueKind.EXPRESSION) == value


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
    assert not spans(text, ValueKind.EXPRESSION)


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("no", False), ("ja", True), ("set it to true", True)])
def test_yes_and_no(text: str, value: bool) -> None:
    assert best(text, ValueKind.BOOLEAN) is value


def test_what_is_quoted_is_no_date_or_number() -> None:
    assert not spans("save a note saying 'buy 3 apples tomorrow'", ValueKind.DATE)
    assert not spans("save a note saying 'buy 3 apples tomorrow'", ValueKind.INTEGER)


def test_a_quoted_value_that_is_the_whole_quotation_counts() -> None:
    assert best("compute '12 * 4'", ValueKind.EXPRESSION) == "12 * 4"
