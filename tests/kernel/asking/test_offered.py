"""What is offered where no reading is sure: the next readings as choices; and what people type in haste or politely."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.model import Decline, Plan, Question

Planner = Any  # tests/kernel/planning/conftest.py


def test_a_word_that_nobody_knows_leaves_the_rest_to_be_offered(planner: Planner) -> None:
    question = planner.say("squeeze the text out of report.pdf")
    assert isinstance(question, Question), question
    assert "squeeze" in question.text
    assert question.values[-1] is None
    assert len(question.choices) in range(2, 5)


@pytest.mark.parametrize("sentence", [
    "what is the weather tomorrow?", "open thunderbird", "play some music", "wie wird das Wetter?",
    "delete the fluffy pdfs in Work", "when did I delete report.pdf",
])  # fmt: skip
def test_what_hardly_anything_was_understood_of_or_takes_away_is_not_offered(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    assert not isinstance(proposal, Plan)
    if isinstance(proposal, Question):
        assert not any("files.delete" in str(value) for value in proposal.values), proposal


@pytest.mark.parametrize(("hasty", "plain"), [
    ("gimme the text of report.pdf", "give me the text of report.pdf"),
    ("pls move report.pdf to Archive thx", "move report.pdf to Archive"),
    ("wieviel Seiten hat denn eigentlich report.pdf", "wie viele Seiten hat report.pdf"),
    ("verschieben Sie report.pdf bitte nach Archive", "verschiebe report.pdf nach Archive"),
    ("pls tell me what cos(0) is", "what is cos(0)"),
    ("delete report.pdf i dont need it anymore", "delete report.pdf"),
])  # fmt: skip
def test_haste_and_politeness_change_nothing(planner: Planner, hasty: str, plain: str) -> None:
    assert planner.shape(planner.say(hasty)) == planner.shape(planner.say(plain))


def test_throwing_away_in_two_clauses_takes_only_what_is_named(planner: Planner) -> None:
    """ "Throw" and "the file X in the trash" are one call; without a word for it nothing else goes."""
    proposal = planner.say("Kopieren Sie report.pdf nach Archive, und werfen Sie danach meeting.md in den Papierkorb.")
    plans = [proposal] if isinstance(proposal, Plan) else []
    deleted = [str(task.arguments) for plan in plans for task in plan.tasks if task.tool == "files.delete"]
    assert isinstance(proposal, Plan | Question | Decline)
    assert not any("report.pdf" in one for one in deleted)
