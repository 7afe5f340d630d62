""" "Its total" is read of the thing that the clause before found, and thanks may be what is to be done."""

from __future__ import annotations

import pytest

from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    "sentence",
    [
        "find the newest invoice and add its total to expenses.csv",
        "look for the latest invoice, then add its total to expenses.csv",
        "such die neueste Rechnung und trag ihren Gesamtbetrag in expenses.csv ein",
    ],
)
def test_what_a_thing_says_of_itself_is_read_of_that_thing(planner: Planner, sentence: str) -> None:
    shape = planner.shape(planner.whole(sentence))
    assert [step.split("(")[0] for step in shape.split("; ")] == ["files.find", "documents.value", "data.append"]
    assert "file=<t1[0]>" in shape
    assert "row=<t2>" in shape


@pytest.mark.parametrize(
    ("sentence", "text"), [("add thank Ida to my to-do list", "thank Ida"), ("put thank Ben on my tasks", "thank Ben")]
)
def test_thanks_may_be_what_is_to_be_done(planner: Planner, sentence: str, text: str) -> None:
    assert planner.shape(planner.whole(sentence)) == f"tasks.add(text={text})"


def test_whoever_says_thank_you_asks_for_nothing_by_it(planner: Planner) -> None:
    assert planner.shape(planner.whole("add milk to my to-do list thank you")) == "tasks.add(text=milk)"
