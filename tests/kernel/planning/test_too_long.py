"""A request that is longer than what is read at a time is told so, with what to do instead; nothing of it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kernel.composition.weights import MAX_TOKENS
from kernel.context.dialogue import Dialogue
from kernel.model import Constant, Decline, Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

LONG = [
    ("copy a.pdf to Archive and " * 500 + "delete b.pdf", "en"),
    ("delete a.pdf. " * 500, "en"),
    ("if there are more than 3 pdfs in Downloads, " + "copy a.pdf to Archive and " * 60 + "delete b.pdf", "en"),
    ("find the pdfs in Downloads and for each of them " + "copy it to Archive and " * 60 + "delete it", "en"),
    ("kopiere a.pdf nach Archive und " * 60 + "lösche b.pdf", "de"),
    ("wenn es mehr als 3 PDFs in Downloads gibt, " + "kopiere a.pdf nach Archive und " * 60 + "lösche b.pdf", "de"),
]
SAID = {
    "en": ("too long", f"at most {MAX_TOKENS}", "several shorter requests", "Nothing was done"),
    "de": ("zu lang", f"höchstens {MAX_TOKENS}", "mehreren kürzeren Anfragen", "Es wurde nichts getan"),
}


@pytest.mark.parametrize(("text", "language"), LONG)
def test_it_says_that_it_is_too_long_and_what_to_do(planner: Planner, text: str, language: str) -> None:
    answer = planner.whole(text)
    assert isinstance(answer, Decline)
    assert not [part for part in SAID[language] if part not in answer.text]
    assert answer.nearest == ()


def test_the_bound_is_what_is_said(planner: Planner) -> None:
    pair = "add milk to the shopping list. "
    most = MAX_TOKENS // len(planner.intent(pair).tokens)
    fits, over = planner.whole(pair * most), planner.whole(pair * (most + 1))
    assert not (isinstance(fits, Decline) and "too long" in fits.text)
    assert isinstance(over, Decline)
    assert f"has {len(planner.intent(pair * (most + 1)).tokens)} words" in over.text


def test_a_long_answer_to_a_question_is_an_answer(planner: Planner) -> None:
    question = planner.whole("show a notification")
    assert isinstance(question, Question)
    assert question.parameter == "text"
    text = "that the garden needs water " * 40
    plan = planner.whole(text, Dialogue(pending=question))
    assert isinstance(plan, Plan)
    value = plan.tasks[0].arguments["text"]
    assert isinstance(value, Constant)
    assert value.value == text.strip()


async def test_nothing_of_it_is_done(bench: Any) -> None:
    before = bench.tree()
    view = await bench.ask("delete big.iso and " * 500 + "delete small.txt")
    assert (view["resolution"], view["plan"]) == ("declined", None)
    assert "too long" in view["answer"]
    assert bench.tree() == before
