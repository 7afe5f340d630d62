"""Budgets: reserved at every ancestor, settled after, never below zero whatever happens at the same time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.errors import BadAmount, Refused
from permissions.policy.budget import Budgets, Reservation

PATH = ("root", "root/user", "root/user/workspace", "root/user/workspace/files")
OTHER = (*PATH[:3], "root/user/workspace/notes")


def test_a_reservation_counts_at_every_ancestor_and_is_given_back() -> None:
    budgets = Budgets().set("root/user", "tokens", 100).set(PATH[-1], "tokens", 70)
    held = budgets.reserve(Reservation("a", PATH, {"tokens": 60}))
    assert (held.left("root/user", "tokens"), held.left(PATH[-1], "tokens"), held.left("root", "tokens")) == (
        40,
        10,
        None,
    )
    with pytest.raises(Refused) as refused:
        held.reserve(Reservation("b", OTHER, {"tokens": 41}))
    assert "user" in str(refused.value)
    assert held.room(PATH, "tokens") == (10, PATH[-1])
    settled = held.reserve(Reservation("b", OTHER, {"tokens": 40})).settle("a", {"tokens": 5})
    assert (settled.left("root/user", "tokens"), settled.left(PATH[-1], "tokens")) == (55, 65)
    assert settled.settle("b", {}).left("root/user", "tokens") == 95


def test_all_or_nothing_is_reserved() -> None:
    budgets = Budgets().set("root", "tokens", 10).set("root/user", "money.EUR", 5)
    with pytest.raises(Refused):
        budgets.reserve(Reservation("a", PATH, {"tokens": 1, "money.EUR": 6}))
    assert budgets.left("root", "tokens") == 10


def test_two_currencies_are_two_budgets() -> None:
    budgets = Budgets().set("root", "money.EUR", 5).reserve(Reservation("a", PATH, {"money.USD": 500}))
    assert budgets.left("root", "money.EUR") == 5


@pytest.mark.parametrize("amount", [-1, float("nan"), 1.5, True, "1", None, 1 << 60])
def test_what_is_no_amount_is_refused_everywhere(amount: Any) -> None:
    budgets = Budgets().set("root", "tokens", 10)
    with pytest.raises(BadAmount):
        Reservation("a", PATH, {"tokens": amount})
    held = budgets.reserve(Reservation("a", PATH, {"tokens": 1}))
    for refused in (lambda: held.settle("a", {"tokens": amount}), lambda: held.charge(PATH, {"tokens": amount})):
        with pytest.raises(BadAmount):
            refused()
    if amount is not None:
        with pytest.raises(BadAmount):
            budgets.set("root", "tokens", amount)


def test_a_reservation_is_made_and_settled_once() -> None:
    held = Budgets().reserve(Reservation("a", PATH, {}))
    with pytest.raises(BadAmount):
        held.reserve(Reservation("a", PATH, {}))
    with pytest.raises(BadAmount):
        held.settle("a", {}).settle("a", {})


AMOUNTS = st.integers(0, 30)
STEPS = st.lists(st.tuples(st.sampled_from("abc"), AMOUNTS, AMOUNTS, st.booleans()), max_size=25)


@given(st.integers(0, 60), st.integers(0, 60), STEPS)
def test_no_account_is_ever_overdrawn_and_the_books_agree(whole: int, part: int, steps: list[Any]) -> None:
    """Against plain bookkeeping: what was reserved never exceeds what was there, what was used is never forgotten."""
    budgets = Budgets().set("root", "tokens", whole).set(PATH[-1], "tokens", part)
    paths, open_, used = {"a": PATH, "b": OTHER, "c": PATH}, dict[str, int](), {"whole": 0, "part": 0}
    for name, wanted, spent, settles in steps:
        if settles and name in open_:
            budgets = budgets.settle(name, {"tokens": spent})
            del open_[name]
            used["whole"] += spent
            used["part"] += spent if name != "b" else 0
        elif not settles and name not in open_:
            held = {"whole": sum(open_.values()), "part": sum(v for k, v in open_.items() if k != "b")}
            fits = used["whole"] + held["whole"] + wanted <= whole or wanted == 0
            fits &= name == "b" or used["part"] + held["part"] + wanted <= part or wanted == 0
            try:
                budgets = budgets.reserve(Reservation(name, paths[name], {"tokens": wanted}))
                open_[name] = wanted
                assert fits
            except Refused:
                assert not fits
        assert (budgets.left("root", "tokens") or 0) >= 0
        assert (budgets.left(PATH[-1], "tokens") or 0) >= 0
    assert budgets.used.get(("root", "tokens"), 0) == used["whole"]
    assert budgets.used.get((PATH[-1], "tokens"), 0) == used["part"]
