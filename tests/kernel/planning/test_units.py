"""The unit of a bare number is part of it: it is no word left over, and it tells a sum from a rate and a count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("a ten percent tip on 96 euros", "calc.tip(amount=96, currency=euros, rate=10)"),
        ("split 96 by 4 with a ten percent tip", "calc.tip(amount=96, people=4, rate=10)"),
        ("10 Prozent Trinkgeld auf neunzehn Euro achtzig", "calc.tip(amount=19.8, rate=10)"),
        ("twenty percent VAT on two hundred euros", "calc.tax(amount=200, currency=euros, rate=20)"),
        ("how tall is 5 foot 11 in cm?", "calc.convert(quantity={'value': '71', 'unit': 'inch'}, unit=cm)"),
        ("what is 30 percent discount on 89 euros?", "calc.compute(expression=89 * (1 - 30 / 100))"),
        ("what do I pay with 15% off 80 euros", "calc.compute(expression=80 * (1 - 15 / 100))"),
        ("was zahle ich auf 89 euro 30 prozent rabatt", "calc.compute(expression=89 * (1 - 30 / 100))"),
        (
            "wie viel Mehrwertsteuer ist bei einem Satz von neunzehn Prozent auf zweihundert Euro?",
            "calc.tax(amount=200, currency=Euro, rate=19)",
        ),
        ("how much is 96 euros divided by 4?", "calc.compute(expression=96 / 4)"),
    ],
)
def test_a_unit_belongs_to_its_number(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


def test_two_days_of_one_sentence_are_kept_apart(planner: Planner) -> None:
    said = "how many weeks until the 3rd of october 2026 and how many days until may 5"
    expected = "calc.between(end=2026-10-03, unit=weeks); calc.between(end=2025-05-05, unit=days)"
    assert planner.shape(planner.say(said)) == expected


def test_a_day_said_once_serves_both_questions(planner: Planner) -> None:
    said = "how many days to 16 march 2026 and what weekday is that"
    assert planner.shape(planner.say(said)) == "calc.between(end=2026-03-16, unit=days); calc.weekday(date=2026-03-16)"


@pytest.mark.parametrize("sentence", ["show the 3 euros largest files", "list 5 percent files"])
def test_a_count_has_no_currency(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    assert "count=" not in str(getattr(proposal, "tasks", ""))
