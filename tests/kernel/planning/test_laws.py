"""Laws of the planner: any plan is valid, a negation stops it, and it is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernel.context.dialogue import Dialogue
from kernel.model import (
    Plan,
    Question,
)
from kernel.plan import propose, validate
from kernel.planning.plan_json import plan_from_json, plan_to_json
from kernel.recommend import recommend
from tests.clock import less_than

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

_WORDS = st.sampled_from(
    "find delete move copy the a my three largest newest files notes note pdf photos in to and then , . it them its "
    "their names total read save as called summarize sort by table sales.csv a.pdf ~/Downloads Archive 17% 230 not "
    "except only without \"x\" 'y' what is how many days until 24 December "
    "zeige die größten Dateien und lösche sie".split()
)


COURTESY = (
    "Könntest du mir bitte helfen? Vielen Dank!", "could you please help me? Many thanks!", "vielen Dank!",
    "please", "could you please", "kannst du mir bitte sagen, wie viel Platz Downloads belegt? Vielen Dank!",
    "ich hätte gern gewusst", "I was wondering whether you could", "thanks a lot, that was great", "danke, danke",
)  # fmt: skip


@pytest.mark.parametrize("sentence", COURTESY)
def test_courtesy_alone_or_behind_the_request_never_breaks_it(planner: Planner, sentence: str) -> None:
    for ending in ("", " Danke!", " Thank you so much!", " bitte", ", please"):
        planner.say(sentence + ending)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_WORDS, min_size=1, max_size=16))
def test_any_plan_is_valid_and_no_sentence_breaks_the_planner(planner: Planner, words: list[str]) -> None:
    proposal = planner.say(" ".join(words))
    plan = proposal.draft if isinstance(proposal, Question) else proposal
    if isinstance(proposal, Plan):
        assert validate(proposal, planner.toolbox) == ()
    if isinstance(plan, Plan):
        assert plan_from_json(plan_to_json(plan)) == plan


@pytest.mark.parametrize("negation", ["not", "except", "without", "nicht", "außer"])
@pytest.mark.parametrize("at", range(1, 7))
def test_a_negation_anywhere_in_a_clear_request_stops_it(planner: Planner, negation: str, at: int) -> None:
    words = "move a.pdf and b.pdf to Archive".split()
    words.insert(at, negation)
    assert not isinstance(planner.say(" ".join(words)), Plan)


@pytest.mark.parametrize(
    "sentence",
    [
        "find " + "and find " * 60 + "invoices",
        "a.pdf, " * 80 + "b.pdf to Archive",
        "move it to it to it to it and then it, " * 12,
        '"' * 150 + " save as",
    ],
)
def test_adversarial_sentences_stay_bounded(planner: Planner, sentence: str) -> None:
    intent = planner.intent(sentence[:1500])
    with less_than(3.0):
        propose(intent, recommend(intent, planner.toolbox), planner.toolbox, Dialogue())


def test_the_same_sentence_gives_the_same_plan(planner: Planner) -> None:
    sentence = "find the latest invoice, read its total and add it to expenses.csv"
    assert planner.say(sentence) == planner.say(sentence)
