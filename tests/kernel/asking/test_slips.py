"""A place that is not there while one that is nearly called so is: asked about, never made without a word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernel.context.dialogue import Dialogue
from kernel.model import Plan, Question
from kernel.plan import propose
from kernel.recommend import recommend
from tests.kernel.planner import Planner

SLIPS = [
    ("mvoe setup.exe to Picturs", "~/Pictures"),
    ("move setup.exe to ~/Picturs", "~/Pictures"),
    ("copy setup.exe into Documnets", "~/Documents"),
    ("put setup.exe in the Pictrues folder", "~/Pictures"),
    ("move setup.exe to the folder Finannce", "~/Finance"),
    ("move setup.exe to Pictures/Holidays", "~/Pictures/Holiday"),
    ("verschiebe setup.exe nach Picturs", "~/Pictures"),
    ("kopiere setup.exe in den Ordner Documnts", "~/Documents"),
]


@pytest.mark.parametrize(("sentence", "meant"), SLIPS)
def test_a_destination_a_letter_off_a_folder_is_asked_about(planner: Planner, sentence: str, meant: str) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    assert question.choices[0] == meant
    assert len(question.choices) == 2
    there = planner.shape(planner.say("1", Dialogue(pending=question)))
    new = planner.shape(planner.say("2", Dialogue(pending=question)))
    assert there.endswith(f"to={meant})")
    assert there != new == planner.shape(question.draft)


def test_without_the_names_of_the_home_a_folder_would_be_made_silently(planner: Planner) -> None:
    """The control: the sentence alone is a sure plan with the slip in it."""
    intent = planner.intent("mvoe setup.exe to Picturs")
    plan = propose(intent, recommend(intent, planner.toolbox), planner.toolbox, Dialogue(home=planner.home))
    assert planner.shape(plan).endswith("to=~/Picturs)")


@pytest.mark.parametrize(
    ("answer", "folder"),
    [
        ("Pictures", "~/Pictures"),
        ("the first one", "~/Pictures"),
        ("Picturs", "~/Picturs"),
        ("the new one", "~/Picturs"),
    ],
)
def test_the_choice_is_answered_in_words(planner: Planner, answer: str, folder: str) -> None:
    question = planner.say("move setup.exe to Picturs")
    assert isinstance(question, Question)
    plan = planner.say(answer, Dialogue(pending=question))
    assert planner.shape(plan).endswith(f"to={folder})")


def test_a_slip_in_an_answer_is_asked_about_too(planner: Planner) -> None:
    asked = planner.say("move setup.exe")
    assert isinstance(asked, Question)
    assert asked.parameter == "to"
    question = planner.say("Picturs", Dialogue(pending=asked))
    assert isinstance(question, Question)
    assert question.choices[0] == "~/Pictures"
    assert question.reply


@pytest.mark.parametrize(
    ("sentence", "folder"),
    [
        ("move setup.exe to Kitchen", "Kitchen"),  # nothing is called nearly so
        ("move setup.exe to a new folder Picturs", "Picturs"),
        ("move setup.exe into a new folder called Picturs", "Picturs"),
        ("verschiebe setup.exe in einen neuen Ordner namens Picturs", "Picturs"),
        ("create a folder Picturs and move setup.exe to Picturs", "Picturs"),
    ],
)
def test_what_is_said_to_be_new_is_not_asked_about(planner: Planner, sentence: str, folder: str) -> None:
    assert planner.shape(planner.say(sentence)).endswith(f"to=~/{folder})")


@pytest.mark.parametrize(
    ("sentence", "meant"),
    [
        ("open the folder Finannce", "files.contents(folder=~/Finance)"),
        ("find pdfs in Downlods", "files.find(folder=~/Downloads, kind=pdf)"),
        ("read thsis.pdf", "documents.text(file=~/Documents/thesis.pdf)"),
        ("öffne den Ordner Finannce", "files.contents(folder=~/Finance)"),
    ],
)
def test_what_is_missing_is_offered_under_its_own_name(planner: Planner, sentence: str, meant: str) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    assert len(question.choices) == 1
    for answer in ("yes", "ja", "1"):
        plan = planner.say(answer, Dialogue(pending=question))
        assert isinstance(plan, Plan)
        assert planner.shape(plan) == meant


def test_every_task_with_the_slip_takes_the_answer(planner: Planner) -> None:
    question = planner.say("move setup.exe to Picturs and copy old.zip to Picturs")
    assert isinstance(question, Question)
    plan = planner.say("1", replace(Dialogue(), pending=question))
    assert planner.shape(plan).count("to=~/Pictures)") == 2
