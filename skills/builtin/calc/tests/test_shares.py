"""Tax and tips, the clock, and the measures whose name says less than its language: a German pound, 5 foot 11."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import pytest

from skills.builtin.calc import skill
from skills.sdk import Quantity, ToolError, Unit
from skills.sdk.testing import PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


def german(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path, language="de")


def test_tax_on_top_and_included(home: PracticeHome, tmp_path: Path) -> None:
    on_top = home.do(skill.tax, pure=True, amount=250.0, rate=19.0, currency=Unit("euros"))
    assert (on_top.value.amount, on_top.value.total) == (Decimal("47.50"), Decimal("297.50"))
    assert on_top.answer == "19% tax is 47.50 euros: 250.00 euros before tax, 297.50 euros with it."
    included = home.do(skill.tax, pure=True, amount=119.0, rate=19.0, way="included")
    assert included.answer == "19% tax is 19.00: 100.00 before tax, 119.00 with it."
    said = german(tmp_path / "de").do(skill.tax, pure=True, amount=99.95, rate=7.5).answer
    assert said == "7,5 % Steuer sind 7,50: 99,95 netto, 107,45 brutto."


def test_a_tip_is_split_so_that_the_bill_is_paid(home: PracticeHome) -> None:
    done = home.do(skill.tip, pure=True, amount=48.5, rate=15.0, people=3)
    assert done.answer == "The tip is 7.28, which makes 55.78; split by 3: 18.60 each."
    assert done.value.each * 3 >= done.value.total
    assert "split" not in home.do(skill.tip, pure=True, amount=48.5, rate=15.0).answer


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": 10.0, "rate": -1.0},
        {"amount": 10.0, "rate": 15.0, "people": 0},
        {"amount": float("inf"), "rate": 1.0},
    ],
)
def test_what_makes_no_sense_is_refused(home: PracticeHome, wrong: dict[str, float]) -> None:
    with pytest.raises(ToolError, match="too large or too small"):
        home.do(skill.tip, pure=True, **wrong)


def test_the_clock(home: PracticeHome) -> None:
    assert home.do(skill.clock, pure=True).answer == "It is 12:00 on Friday, 14 March 2025."


def test_nothing_is_counted_from_today_to_today(tmp_path: Path) -> None:
    said = german(tmp_path).do(skill.between, pure=True, end=datetime.date(2025, 3, 14)).answer
    assert said == "Der 14. März 2025 ist ein Freitag (Kalenderwoche 11)."


def test_a_pound_has_500_grams_in_german_and_the_answer_says_so(home: PracticeHome, tmp_path: Path) -> None:
    pounds = {"quantity": Quantity(Decimal("3.5"), "pound"), "unit": Unit("kg")}
    assert german(tmp_path / "de").do(skill.convert, pure=True, **pounds).answer == "Das sind 1,75 kg (Pfund zu 500 g)."
    assert home.do(skill.convert, pure=True, **pounds).value.value == pytest.approx(1.58757, abs=1e-5)


def test_a_number_after_a_quantity_counts_in_the_smaller_unit(home: PracticeHome) -> None:
    feet = Quantity(Decimal(5), "foot")
    assert home.do(skill.convert, pure=True, quantity=feet, unit=Unit("cm"), rest=11.0).answer == "That is 180.34 cm."
    with pytest.raises(ToolError, match="what 12 after 5 foot counts"):
        home.do(skill.convert, pure=True, quantity=feet, unit=Unit("cm"), rest=12.0)
    with pytest.raises(ToolError, match="what 3 after 5 km counts"):
        home.do(skill.convert, pure=True, quantity=Quantity(Decimal(5), "km"), unit=Unit("m"), rest=3.0)
