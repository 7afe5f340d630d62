"""The unit of a bare number is part of it: it is no word left over, and it tells a sum from a rate and a count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kernel.planning.conftest import Planner


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("a ten percent tip on 96 euros", "calc.tip(amount=96, currency=euros, rate=10)"),
        ("split 96 by 4 with a ten percent tip", "calc.tip(amount=96, people=4, rate=10)"),
        ("10 Prozent Trinkgeld auf neunzehn Euro achtzig", "calc.tip(amount=19.8, rate=10)"),
        ("twenty percent VAT on two hundred euros", "calc.tax(amount=200, currency=euros, rate=20)"),
        ("how tall is 5 foot 11 in cm?", "calc.convert(quantity={'value': '71', 'unit': 'inch'}, unit=cm)"),
        ("what is 30 percent discount on 89 euros?", "calc.compute(expression=89 * (1 - 30 / 100))"),
        ("how much is 96 euros divided by 4?", "calc.compute(expression=96 / 4)"),
    ],
)
def test_a_unit_belongs_to_its_number(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize("sentence", ["show the 3 euros largest files", "list 5 percent files"])
def test_a_count_has_no_currency(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    assert "count=" not in str(getattr(proposal, "tasks", ""))
