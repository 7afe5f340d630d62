"""Amounts: what a person may write, and what is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.errors import BadAmount
from permissions.model import Action
from permissions.policy.controllers import (
    CONTROLLERS,
    MOST,
    amount_words,
    checked_amount,
    checked_meter,
    parse_amount,
)
from permissions.policy.grants import Bound


def test_every_controller_of_the_design_is_there_with_a_unit() -> None:
    assert set(CONTROLLERS) == {
        "files", "network", "processes", "memory", "cpu", "pids", "disk", "wall", "devices", "gpu", "tokens", "money",
        "skills", "graph", "secrets", "microphone", "system", "desktop", "models",
    }  # fmt: skip
    assert {action for one in CONTROLLERS.values() for action in one.actions} == set(Action)
    assert all(one.unit and bool(one.actions) != (one.limit or one.budget) for one in CONTROLLERS.values())


@pytest.mark.parametrize(
    ("text", "meter", "amount"),
    [
        ("512 MB", "memory", 512_000_000), ("1GiB", "memory", 1 << 30), ("4096", "memory", 4096),
        ("30s", "wall", 30_000), ("2h", "wall", 7_200_000), ("1.5 s", "cpu", 1500), ("90", "wall", 90_000),
        ("100k", "tokens", 100_000), ("0", "tokens", 0), ("16", "pids", 16), ("2.5 GB", "disk", 2_500_000_000),
        ("1.50", "money.EUR", 1_500_000), ("0.000001 EUR", "money.EUR", 1), ("2 eur", "money.EUR", 2_000_000),
        ("1h", "gpu", 3_600_000),
    ],
)  # fmt: skip
def test_an_amount_is_read_as_a_person_types_it(text: str, meter: str, amount: int) -> None:
    assert parse_amount(text, meter) == amount


@pytest.mark.parametrize(
    ("text", "meter"),
    [
        ("-1", "memory"), ("nan", "memory"), ("NaN", "money.EUR"), ("inf", "wall"), ("1e9", "memory"), ("", "memory"),
        ("1.5", "pids"), ("0.0001", "wall"), ("5 apples", "memory"), ("5 USD", "money.EUR"), ("--5", "wall"),
        ("9" * 15 + " TB", "disk"), ("१२", "memory"), ("1,5", "cpu"), ("\x1b[2J5", "memory"),
    ],
)  # fmt: skip
def test_what_is_no_amount_is_refused_by_name(text: str, meter: str) -> None:
    with pytest.raises(BadAmount) as refused:
        parse_amount(text, meter)
    assert refused.value.code == "limit.amount"


@pytest.mark.parametrize("value", [-1, float("nan"), 1.0, True, None, "5", MOST + 1, float("inf")])
def test_only_whole_numbers_from_zero_are_amounts(value: Any) -> None:
    with pytest.raises(BadAmount):
        checked_amount(value)
    with pytest.raises(BadAmount):
        Bound("memory", value)


@pytest.mark.parametrize(
    ("meter", "total"),
    [("money", True), ("money.EURO", True), ("money.EUR", False), ("tokens", False), ("memory", True), ("files", False),
     ("pids", True), ("gpu", False), ("", True), ("secrets", True)],
)  # fmt: skip
def test_what_cannot_be_bounded_so_is_refused(meter: str, total: bool) -> None:
    with pytest.raises(BadAmount):
        checked_meter(meter, total=total)


@given(st.integers(0, 10**12), st.sampled_from(["memory", "wall", "disk", "tokens", "money.EUR", "pids", "gpu"]))
def test_what_is_shown_can_be_typed_back(amount: int, meter: str) -> None:
    assert parse_amount(amount_words(amount, meter), meter) == amount


@pytest.mark.parametrize(
    ("amount", "words"),
    [(512 << 20, "512 MiB"), (1 << 30, "1 GiB"), (1000 << 20, "1000 MiB"), (512_000_000, "512 MB"), (10**9, "1 GB"),
     (1500, "1500 B"), (0, "0 B")],
)  # fmt: skip
def test_bytes_are_said_in_the_unit_they_were_meant_in(amount: int, words: str) -> None:
    assert amount_words(amount, "memory") == words
