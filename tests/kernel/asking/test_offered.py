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


@pytest.mark.parametrize(("sentence", "wanted"), [
    ("quick check: free disk space, free memory, and how long has this thing been running",
     ["system.disks", "system.memory", "system.uptime"]),
])  # fmt: skip
def test_what_is_said_much_like_an_example_is_offered_though_nothing_there_vouches_for_it(
    planner: Planner, sentence: str, wanted: list[str]
) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question), question
    assert [task["tool"] for task in question.values[0]["tasks"]] == wanted


@pytest.mark.parametrize("sentence", [
    "take a picture of the cat", "start the washing machine", "track my package", "wie viele Einwohner hat Hamburg",
    "call oma please", "erzähl mir einen Witz", "unlock the front door", "what does serendipity mean",
])  # fmt: skip
def test_what_no_tool_can_do_is_declined_without_an_offer(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.say(sentence), Decline)


@pytest.mark.parametrize(("sentence", "gone"), [
    ("delete old.zip and setup.exe before the wardrobe", ["old.zip", "setup.exe"]),
    ("Verschieb bitte report.pdf zu meinen Sachen in Archive", ["report.pdf"]),
])  # fmt: skip
def test_files_that_are_told_by_name_are_offered_to_go_whatever_else_is_said(
    planner: Planner, sentence: str, gone: list[str]
) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question), question
    assert all(name in str(question.values[0]) for name in gone)


@pytest.mark.parametrize("sentence", [
    "delete the fluffy pdfs in Work", "delete the stale folders in Documents",
    "move the stale folders in Work to Archive", "pack noch Klopapier auf old.zip und zeig mir die dann",
])  # fmt: skip
def test_what_would_have_to_be_found_or_is_a_folder_is_not_offered_to_go(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    assert not isinstance(proposal, Plan)
    offered = str(proposal.values) if isinstance(proposal, Question) else ""
    assert not any(tool in offered for tool in ("files.delete", "files.move_folder")), proposal


def test_beside_a_reading_that_is_nearly_sure_stands_what_else_may_be_meant(planner: Planner) -> None:
    question = planner.say("put a haircut in my calendar for friday the 20th at 3 pm, swallows about 45 min")
    assert isinstance(question, Question), question
    assert len(question.choices) in (3, 4)
    assert question.values[-1] is None
    assert question.values[0]["tasks"][0]["arguments"]["title"]["value"] == "haircut"
