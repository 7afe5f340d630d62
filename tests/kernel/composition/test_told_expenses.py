"""An expense that is told before it is entered: "went to the zoo today, that was 21 euros, put it into costs.csv"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        ("went to the museum today, that was 14.20, put it into survey.csv will you", "museum"),
        ("went to the dentist yesterday, that was 80 euros, add it to survey.csv", "dentist"),
        ("had lunch with Anna today, it was 22.40, put that into survey.csv", "lunch with Anna"),
        ("paid 30.10 for paint yesterday, enter it in survey.csv", "paint"),
        ("das Kino hat heute 12,50 Euro gekostet, trag das in survey.csv ein", "Kino"),
    ],
)
def test_what_was_told_is_entered(desk: Desk, sentence: str, what: str) -> None:
    said = desk.shape(desk.say(sentence))
    assert said.startswith("data.enter("), said
    assert f"what={what})" in said, said


@pytest.mark.parametrize(
    "sentence",
    [
        "went to the museum today, put it into survey.csv",
        "went to the museum today",
        "war heute im Museum, trag das in survey.csv ein",
        "if I went to the museum today, that was 14.20, put it into survey.csv",
    ],
)
def test_what_asks_for_nothing_is_no_calculation_to_write_down(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)) in ("Question", "Decline")
