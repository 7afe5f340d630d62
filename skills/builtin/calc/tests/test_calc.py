from __future__ import annotations

import contextlib
import datetime
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.builtin.calc import arithmetic, calendar_math, figures, skill
from skills.sdk import Expression, Quantity, ToolError, Unit
from skills.sdk.testing import Done, PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)  # Friday, 14 March 2025


def compute(home: PracticeHome, expression: str, language: str = "en") -> Done:
    home.language = language
    return home.do(skill.compute, pure=True, expression=Expression(expression))


# --- compute --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "exact"),
    [
        ("17% of 230", "39.1"),
        ("what is 17% of 230?", "39.1"),
        ("12.5 * (3 + 4)", "87.5"),
        ("48 times 12", "576"),
        ("1,250 divided by 16", "78.125"),
        ("the square root of 144", "12"),
        ("cube root of 27", "3"),
        ("15 percent off 80", "68"),
        ("80 minus 15%", "68"),
        ("80 + 15%", "92"),
        ("20% of 50 + 3", "13"),
        ("3 plus 4.75 plus 12", "19.75"),
        ("2^10 - 1", "1023"),
        ("2 ** 3 ** 2", "512"),
        ("-2^2", "-4"),
        ("2^-2", "0.25"),
        ("8^(1/3)", "2"),
        ("7 squared", "49"),
        ("2 to the power of 10", "1024"),
        ("2 to the 8th", "256"),
        ("5! / 3!", "20"),
        ("the factorial of 5", "120"),
        ("17 mod 5", "2"),
        ("17 % 5", "2"),
        ("2(3+4)", "14"),
        ("0.1 + 0.2", "0.3"),
        ("1/3 + 1/6", "0.5"),
        ("1/3", "1/3"),
        ("twenty-five times four", "100"),
        ("half of 30", "15"),
        ("a third of ninety", "30"),
        ("twice 7", "14"),
        ("the sum of 3, 4 and 5", "12"),
        ("the average of 3, 4 and 5", "4"),
        ("divide 10 by 4", "2.5"),
        ("30 is what percent of 120", "25"),
        ("what percentage of 120 is 30", "25"),
        ("€230 × 2 ÷ 4", "115"),
        ("3 x 4", "12"),
        ("100!", str(__import__("math").factorial(100))),
        ("round 2.5", "3"),
    ],
)
def test_arithmetic_is_exact(home: PracticeHome, expression: str, exact: str) -> None:
    assert compute(home, expression).value.exact == exact


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("17 % von 230", "39,1"),
        ("was ist 12,5 * (3 + 4)?", "87,5"),
        ("1.250 geteilt durch 16", "78,125"),
        ("19 Prozent von 1400", "266"),
        ("die Wurzel aus 144", "12"),
        ("7 hoch 2", "49"),
        ("zwanzig plus drei", "23"),
        ("15% Rabatt auf 80", "68"),
        ("die Hälfte von 30", "15"),
        ("drei mal vier", "12"),
    ],
)
def test_arithmetic_in_german(home: PracticeHome, expression: str, answer: str) -> None:
    assert compute(home, expression, "de").answer == f"Das Ergebnis ist {answer}."


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("expression", "number", "exact"),
    [
        ("x / 3", 412.5, "137.5"),
        ("10 % of x", 1234.56, "123.456"),
        ("x * (1 - 3 / 100)", 200.0, "194"),
        ("x + 50", -3.2, "46.8"),
        ("x ^ 2", 2.5, "6.25"),
        ("sqrt(x)", 16.0, "4"),
    ],
)
def test_x_stands_for_an_earlier_number(
    home: PracticeHome, language: str, expression: str, number: float, exact: str
) -> None:
    home.language = language
    done = home.do(skill.compute, pure=True, expression=Expression(expression), x=number)
    assert done.value.exact == exact


@pytest.mark.parametrize(
    ("expression", "number", "answer"),
    [
        ("x * 3", 10 / 3, "The result is about 10."),
        ("x + 1", float(2**100), "The result is about 1.26765060022823 × 10^30."),
        ("x * 3", 0.1, "The result is 0.3."),
    ],
)
def test_an_earlier_number_that_was_rounded_gives_no_exact_result(
    home: PracticeHome, expression: str, number: float, answer: str
) -> None:
    assert home.do(skill.compute, pure=True, expression=Expression(expression), x=number).answer == answer


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_x_that_is_no_number_is_refused(home: PracticeHome, number: float) -> None:
    with pytest.raises(ToolError):
        home.do(skill.compute, pure=True, expression=Expression("x + 1"), x=number)


def test_x_without_a_number_is_refused(home: PracticeHome) -> None:
    with pytest.raises(ToolError):
        compute(home, "x / 3")


def test_the_answer_is_a_sentence_and_rounds_openly(home: PracticeHome) -> None:
    assert compute(home, "17% of 230").answer == "The result is 39.1."
    assert compute(home, "10 / 3").answer == "The result is about 3.33333333333333 (exactly 10/3)."
    assert compute(home, "sqrt 2").answer.startswith("The result is about 1.41421356")
    assert compute(home, "30 is what percent of 120").answer == "The result is 25%."
    assert compute(home, "2^1000").value.value == pytest.approx(2.0**1000)
    assert compute(home, "10^400").value.value is None


@pytest.mark.parametrize(
    "expression",
    [
        "1/0", "5 mod 0", "0^-1", "((((", "(1 + 2", "1 +", "", "5 apples", "__import__('os')", "1.2.3.4", "sqrt(-1)",
        "ln 0", "(-3)!", "2.5!", "a" * 600, "(" * 100 + "1" + ")" * 100, "1 2", "e e e 3 3",
    ],
)  # fmt: skip
def test_what_is_no_arithmetic_is_refused_in_both_languages(home: PracticeHome, expression: str) -> None:
    with pytest.raises(ToolError) as refused:
        compute(home, expression)
    assert refused.value.code == "calc.expression"
    assert refused.value.hint
    assert refused.value.words("de")[0] != str(refused.value)


@pytest.mark.parametrize(
    "expression",
    ["9^9^9", "10^100000", "1e99999", "100000!", "((2^9999)^9999)", "1.00000001^100000000", "2^(1/3)^99999",
     "exp 99999", "-" * 400 + "1", "sqrt " * 90 + "2", "2^" * 200 + "2", "1000!" + "*1000!" * 60],
)  # fmt: skip
def test_nothing_hangs_or_fills_the_memory(home: PracticeHome, expression: str) -> None:
    began = time.process_time()
    with pytest.raises(ToolError):
        compute(home, expression)
    assert time.process_time() - began < 2


TREES: Any = st.recursive(
    st.integers(0, 999).map(lambda number: (str(number), Fraction(number))),
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
        lambda parts: (
            f"({parts[0][0]} {parts[1]} {parts[2][0]})",
            {"+": parts[0][1] + parts[2][1], "-": parts[0][1] - parts[2][1], "*": parts[0][1] * parts[2][1]}[parts[1]],
        )
    ),
    max_leaves=12,
)


@given(TREES)
def test_the_parser_agrees_with_fractions(tree: tuple[str, Fraction]) -> None:
    assert arithmetic.Parser(tree[0]).value() == tree[1]


@given(st.text(alphabet="0123456789.,+-*/^()!% eof mdsqrt", max_size=40))
def test_any_text_gives_a_number_or_a_refusal(text: str) -> None:
    with contextlib.suppress(ToolError):
        assert isinstance(arithmetic.Parser(text).value(), Fraction)


@given(st.fractions())
def test_an_exact_writing_is_the_number(value: Fraction) -> None:
    assert Fraction(figures.exact(value)) == value


# --- convert --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "unit", "target", "expected"),
    [
        ("5.5", "miles", "kilometers", "8.851392 kilometers"),
        ("100", "°F", "celsius", "about 37.7778 celsius"),
        ("98.6", "F", "C", "37 C"),
        ("0", "K", "°C", "-273.15 °C"),
        ("180", "cm", "feet", "about 5.90551 feet"),
        ("3", "pounds", "grams", "1360.77711 grams"),
        ("72", "km/h", "m/s", "20 m/s"),
        ("60", "miles per hour", "km/h", "96.56064 km/h"),
        ("2.5", "GB", "megabytes", "2500 megabytes"),
        ("1", "GiB", "MiB", "1024 MiB"),
        ("8", "Mbit", "MB", "1 MB"),
        ("6", "feet", "m", "1.8288 m"),
        ("10", "stone", "kg", "63.5029318 kg"),
        ("90", "minutes", "hours", "1.5 hours"),
        ("2", "square metres", "cm^2", "20000 cm^2"),
        ("5", "m3", "litres", "5000 litres"),
        ("1", "kWh", "MJ", "3.6 MJ"),
        ("1", "tablespoon", "teaspoons", "3 teaspoons"),
        ("1", "m", "in", "about 39.3701 in"),
        ("8", "ounces", "cups", "1 cups"),
        ("84", "square_meter", "square_foot", "about 904.168 square foot"),
        ("2", "cubic_meter", "liter", "2000 liter"),
        ("3", "square_kilometer", "hectare", "300 hectare"),
        ("10", "mile_per_gallon", "kilometer_per_liter", "about 4.25144 kilometer per liter"),
    ],
)
def test_units(home: PracticeHome, amount: str, unit: str, target: str, expected: str) -> None:
    done = home.do(skill.convert, pure=True, quantity=Quantity(Decimal(amount), unit), unit=Unit(target))
    assert done.answer == f"That is {expected}."
    assert done.value.text == expected.removeprefix("about ")
    assert done.value.unit == target.replace("_", " ")


def test_german_units(home: PracticeHome) -> None:
    home.language = "de"
    done = home.do(skill.convert, pure=True, quantity=Quantity(Decimal("5.5"), "Meilen"), unit=Unit("Kilometer"))
    assert done.answer == "Das sind 8,851392 Kilometer."
    done = home.do(skill.convert, pure=True, quantity=Quantity(Decimal(3), "Pfund"), unit=Unit("Gramm"))
    assert done.answer == "Das sind 1500 Gramm (Pfund zu 500 g)."


def test_an_ambiguous_measure_is_named(home: PracticeHome) -> None:
    done = home.do(skill.convert, pure=True, quantity=Quantity(Decimal(1), "litre"), unit=Unit("cups"))
    assert done.answer == "That is about 4.22675 cups (US cups of 236.588 ml)."
    assert done.value.value == pytest.approx(4.22675, abs=1e-5)


@pytest.mark.parametrize(
    ("amount", "unit", "target", "code"),
    [
        ("5", "EUR", "dollars", "calc.currency"),
        ("5", "€", "$", "calc.currency"),
        ("5", "km", "kg", "calc.units"),
        ("5", "frobs", "kg", "calc.unit"),
        ("5", "m**9999999", "km", "calc.unit"),
        ("5", "__import__", "km", "calc.unit"),
        ("5", "m" * 500, "km", "calc.unit"),
        ("1e999", "m", "km", "calc.range"),
        ("NaN", "m", "km", "calc.range"),
    ],
)
def test_what_cannot_be_converted_is_refused(
    home: PracticeHome, amount: str, unit: str, target: str, code: str
) -> None:
    with pytest.raises(ToolError) as refused:
        home.do(skill.convert, pure=True, quantity=Quantity(Decimal(amount), unit), unit=Unit(target))
    assert refused.value.code == code
    assert refused.value.hint
    assert refused.value.words("de")[0] != str(refused.value)


# --- the calendar ---------------------------------------------------------------------------------------------------

DAY = datetime.date


def test_days_until_and_since(home: PracticeHome) -> None:
    until = home.do(skill.between, pure=True, end=DAY(2025, 12, 24))
    assert (until.value.days, until.value.amount) == (285, 285)
    assert until.answer == "There are 285 days between 14 March 2025 (today) and 24 December 2025."
    since = home.do(skill.between, pure=True, end=DAY(2025, 3, 1))
    assert since.value.days == -13
    assert since.answer == "There are 13 days between 1 March 2025 and 14 March 2025 (today)."


@pytest.mark.parametrize(
    ("start", "end", "unit", "said"),
    [
        (DAY(2025, 1, 1), DAY(2025, 6, 30), "weeks", "25 weeks and 5 days"),
        (DAY(2023, 2, 28), DAY(2024, 2, 29), "months", "12 months and 1 day"),
        (DAY(1990, 10, 3), DAY(2025, 3, 3), "years", "34 years and 151 days"),
        (DAY(2024, 2, 28), DAY(2024, 2, 29), "days", "is 1 day "),
    ],
)
def test_between_in_whole_units(
    home: PracticeHome, start: DAY, end: DAY, unit: Literal["days", "weeks", "months", "years"], said: str
) -> None:
    assert said in home.do(skill.between, pure=True, start=start, end=end, unit=unit).answer


@given(
    st.dates(DAY(1900, 1, 1), DAY(2200, 1, 1)),
    st.dates(DAY(1900, 1, 1), DAY(2200, 1, 1)),
    st.sampled_from(["weeks", "months", "years"]),
)
def test_a_gap_leads_from_one_date_to_the_other(one: DAY, two: DAY, unit: str) -> None:
    found = calendar_math.gap(one, two, unit)
    first, last = min(one, two), max(one, two)
    reached = calendar_math.shifted(first, Decimal(found.amount), unit, 1)
    assert reached + datetime.timedelta(days=found.rest_days) == last
    assert found.rest_days < {"weeks": 7, "months": 31, "years": 366}[unit]


@pytest.mark.parametrize(
    ("amount", "unit", "start", "direction", "expected"),
    [
        ("90", "days", DAY(2025, 3, 1), "after", DAY(2025, 5, 30)),
        ("6", "weeks", DAY(2025, 12, 24), "before", DAY(2025, 11, 12)),
        ("30", "days", None, "after", DAY(2025, 4, 13)),
        ("2", "months", DAY(2025, 3, 31), "before", DAY(2025, 1, 31)),
        ("1", "month", DAY(2025, 1, 31), "after", DAY(2025, 2, 28)),
        ("1", "year", DAY(2024, 2, 29), "after", DAY(2025, 2, 28)),
        ("1.5", "years", DAY(2025, 3, 14), "after", DAY(2026, 9, 14)),
        ("48", "hours", DAY(2025, 3, 14), "after", DAY(2025, 3, 16)),
        ("1", "working day", DAY(2025, 3, 14), "after", DAY(2025, 3, 17)),
        ("10", "Werktage", DAY(2025, 3, 8), "after", DAY(2025, 3, 21)),
        ("5", "business days", DAY(2025, 3, 17), "before", DAY(2025, 3, 10)),
        ("0", "days", DAY(2025, 3, 8), "after", DAY(2025, 3, 8)),
    ],
)
def test_shift(
    home: PracticeHome, amount: str, unit: str, start: DAY | None, direction: Literal["after", "before"], expected: DAY
) -> None:
    done = home.do(skill.shift, pure=True, amount=Quantity(Decimal(amount), unit), date=start, direction=direction)
    assert done.value.date == expected


@pytest.mark.parametrize(
    ("amount", "unit"), [("1.5", "days"), ("3", "miles"), ("99999", "years"), ("1e30", "days"), ("NaN", "weeks")]
)
def test_dates_that_do_not_exist_are_refused(home: PracticeHome, amount: str, unit: str) -> None:
    with pytest.raises(ToolError) as refused:
        home.do(skill.shift, pure=True, amount=Quantity(Decimal(amount), unit))
    assert refused.value.hint


def test_weekdays(home: PracticeHome) -> None:
    done = home.do(skill.weekday, pure=True, date=DAY(2025, 12, 24))
    assert done.answer == "24 December 2025 is a Wednesday (calendar week 52)."
    home.language = "de"
    done = home.do(skill.weekday, pure=True, date=DAY(1990, 10, 3))
    assert done.answer == "Der 3. Oktober 1990 war ein Mittwoch (Kalenderwoche 40)."
    assert done.value.weekday == "Mittwoch"
