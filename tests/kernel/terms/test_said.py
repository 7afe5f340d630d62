"""Terms as a person writes them: read exactly, or refused with how to say it."""

from __future__ import annotations

import pytest

from kernel.errors import BadRequest
from kernel.terms import Terms, terms_of


@pytest.mark.parametrize(("budget", "money", "currency"), [
    ("5ct", 50_000, "EUR"), ("0.05 EUR", 50_000, "EUR"), ("0.05USD", 50_000, "USD"), ("0ct", 0, "EUR"),
    ("0.25ct", 2_500, "EUR"), ("0.000001 EUR", 1, "EUR"), ("12 CHF", 12_000_000, "CHF"),
])  # fmt: skip
def test_money_is_read_to_the_millionth(budget: str, money: int, currency: str) -> None:
    assert terms_of(budget) == Terms(money, currency)


@pytest.mark.parametrize("budget", [
    "5", "ct", "-5ct", "5 cent", "0,05 EUR", "5€", "5ct ", " 5ct", "5eur", "1e3 EUR", "٥ct", "0.00001ct", "5ct 5ct",
    "5EURO", "9999999 EUR", "nan EUR", "5ct\n",
])  # fmt: skip
def test_other_money_is_refused_with_how_to_say_it(budget: str) -> None:
    with pytest.raises(BadRequest) as refused:
        terms_of(budget)
    assert (refused.value.code, bool(refused.value.hint)) == ("request.budget", True)


@pytest.mark.parametrize(("deadline", "seconds"), [("30s", 30), ("2m", 120), ("1h", 3600), ("24h", 86_400)])
def test_a_deadline_is_read(deadline: str, seconds: int) -> None:
    assert terms_of(deadline=deadline) == Terms(deadline_s=seconds)


@pytest.mark.parametrize("deadline", ["30", "0s", "25h", "1.5s", "-1s", "2 m", "2min", "morgen", "999999s", "1m30s"])
def test_another_deadline_is_refused_with_how_to_say_it(deadline: str) -> None:
    with pytest.raises(BadRequest) as refused:
        terms_of(deadline=deadline)
    assert (refused.value.code, bool(refused.value.hint)) == ("request.deadline", True)


@pytest.mark.parametrize("terms", [Terms(), Terms(0), Terms(50_000, "USD"), Terms(deadline_s=30), Terms(1, "EUR", 2)])
def test_what_an_event_keeps_is_what_was_said(terms: Terms) -> None:
    assert Terms.from_json(terms.to_json()) == terms
