"""Questions and their answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kernel.asking.ask import NO_PARAMETER
from kernel.context.dialogue import Dialogue
from kernel.model import (
    Decline,
    Plan,
    Question,
)
from kernel.planning.plan_json import plan_from_json, plan_to_json, question_from_json, question_to_json

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "parameter", "answer", "expected"),
    [
        ("summarize", "file", "report.pdf", "documents.summary(file=~/Documents/report.pdf)"),
        ("move report.pdf", "to", "to Archive", "files.move(files=['~/Documents/report.pdf'], to=~/Archive)"),
        ("move report.pdf", "to", "Archive", "files.move(files=['~/Documents/report.pdf'], to=~/Archive)"),
        ("move report.pdf", "to", "Old things", "files.move(files=['~/Documents/report.pdf'], to=~/Old things)"),
        ("rename report.pdf", "name", "annual report", "files.rename(file=~/Documents/report.pdf, name=annual report)"),
        ("make a note called shopping", "text", "milk and eggs", "notes.create(text=milk and eggs, title=shopping)"),
        ("convert 5 miles", "unit", "km", "calc.convert(quantity={'value': '5', 'unit': 'miles'}, unit=km)"),
    ],
)
def test_a_missing_value_is_asked_for_and_the_answer_completes_the_plan(
    planner: Planner, sentence: str, parameter: str, answer: str, expected: str
) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    assert question.parameter == parameter
    stored = question_from_json(question_to_json(question))
    assert planner.shape(planner.say(answer, Dialogue(pending=stored))) == expected


@pytest.mark.parametrize("answer", ["the second one", "2", "number 2", "the one in Documents", "the last one"])
def test_two_files_of_one_name_are_a_choice(planner: Planner, answer: str) -> None:
    question = planner.say("rename plan.docx to final plan")
    assert isinstance(question, Question)
    assert len(question.values) == len(question.choices) == 2
    expected = next(value for value in question.values if "Documents" in str(value))
    ordered = replace(question, values=tuple(sorted(question.values, key=lambda one: one == expected)))
    ordered = replace(ordered, choices=tuple(map(str, ordered.values)))
    proposal = planner.say(answer, Dialogue(pending=ordered))
    assert planner.shape(proposal) == "files.rename(file=~/Documents/plan.docx, name=final plan)"


def test_no_the_other_one_takes_the_alternative(planner: Planner) -> None:
    question = planner.say("rename plan.docx to final plan")
    assert isinstance(question, Question)
    first = planner.say("the first one", Dialogue(pending=question))
    assert isinstance(first, Plan)
    other = planner.say("no, the other one", planner.after(plan_from_json(plan_to_json(first))))
    assert isinstance(other, Plan)
    picked = {planner.value(plan.tasks[0].arguments["file"]) for plan in (first, other)}
    assert picked == {"~/Desktop/plan.docx", "~/Documents/plan.docx"}


@pytest.mark.parametrize("words", ["what's my locker code?", "where is the lease", "wie lautet der Code?"])
def test_a_question_is_no_title(planner: Planner, words: str) -> None:
    question = planner.say("remember that my locker code is 4711")
    assert isinstance(question, Question)
    told = planner.say(words, Dialogue(pending=question))
    plan = told.draft if isinstance(told, Question) else told
    assert not isinstance(plan, Plan) or "notes.create" not in planner.shape(plan)


@pytest.mark.parametrize(
    ("sentence", "words", "expected"),
    [("rename report.pdf", "y", "title"), ("move report.pdf", "yes", "folder"), ("summarize", "5", "file"),
     ("verschiebe report.pdf", "ja", "Ordner"), ("fasse zusammen", "7", "Datei")],
)  # fmt: skip
def test_what_names_nothing_is_asked_for_in_other_words(
    planner: Planner, sentence: str, words: str, expected: str
) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    again = planner.say(words, Dialogue(pending=question))
    assert isinstance(again, Question)
    assert (again.draft, again.parameter) == (question.draft, question.parameter)
    assert again.text != question.text
    assert expected in again.text


@pytest.mark.parametrize(
    ("words", "expected"),
    [("2024", "files.move(files=['~/Documents/report.pdf'], to=~/2024)"),
     ("1", "files.move(files=['~/Documents/report.pdf'], to=~/1)")],
)  # fmt: skip
def test_a_number_may_be_the_name_that_is_asked_for(planner: Planner, words: str, expected: str) -> None:
    question = planner.say("move report.pdf")
    assert isinstance(question, Question)
    assert planner.shape(planner.say(words, Dialogue(pending=question))) == expected


def _unsure(planner: Planner, language: str) -> Question:
    """A question that is answered with yes or no, about a plan in ``language``."""
    plan = planner.say("delete old.zip")
    assert isinstance(plan, Plan)
    plan = replace(plan, language=language)
    choices = ("yes", "no") if language == "en" else ("ja", "nein")
    return Question("?", plan.tasks[0].id, NO_PARAMETER, plan, choices, (plan_to_json(plan), None))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("yes", ["1", "number 1", "one", "y", "ja"])
def test_the_number_of_the_yes_is_a_yes(planner: Planner, language: str, yes: str) -> None:
    taken = planner.say(yes, Dialogue(pending=_unsure(planner, language)))
    assert planner.shape(taken) == "files.delete(files=['~/Downloads/old.zip'])"


@pytest.mark.parametrize(("language", "no"), [("en", "2"), ("de", "2"), ("de", "zwei"), ("de", "nein"), ("en", "no")])
def test_the_number_of_the_no_is_a_no(planner: Planner, language: str, no: str) -> None:
    dropped = planner.say(no, Dialogue(pending=_unsure(planner, language)))
    assert isinstance(dropped, Decline)
    assert dropped.reply


@pytest.mark.parametrize("words", ["3", "17", "0"])
def test_a_number_that_no_choice_has_is_no_request(planner: Planner, words: str) -> None:
    for question in (_unsure(planner, "en"), planner.say("rename plan.docx to final plan")):
        assert isinstance(question, Question)
        again = planner.say(words, Dialogue(pending=question))
        assert isinstance(again, Question)
        assert again.values == question.values
        assert "1" in again.text
        assert "2" in again.text


def test_a_new_request_is_no_answer(planner: Planner) -> None:
    question = planner.say("move report.pdf")
    assert isinstance(question, Question)
    assert planner.shape(planner.say("what is 3 + 4?", Dialogue(pending=question))) == "calc.compute(expression=3 + 4)"


@pytest.mark.parametrize(
    ("words", "reply"), [("Archive", True), ("forget it", True), ("y", True), ("what is 3 + 4?", False)]
)
def test_what_is_proposed_says_whether_it_goes_on_with_the_question(planner: Planner, words: str, reply: bool) -> None:
    question = planner.say("move report.pdf")
    assert isinstance(question, Question)
    assert not question.reply
    assert planner.say(words, Dialogue(pending=question)).reply is reply


@pytest.mark.parametrize("answer", ["never mind", "no", "cancel", "forget it", "no thanks"])
def test_a_question_can_be_dropped(planner: Planner, answer: str) -> None:
    question = planner.say("move report.pdf")
    assert isinstance(question, Question)
    assert isinstance(planner.say(answer, Dialogue(pending=question)), Decline)


def test_a_file_that_does_not_exist_is_asked_about_by_name(planner: Planner) -> None:
    question = planner.say("summarize nowhere.pdf")
    assert isinstance(question, Question)
    assert "nowhere.pdf" in question.text


@pytest.mark.parametrize(
    "sentence", ["fasse zusammen", "verschiebe report.pdf", "kopiere a.pdf nach Archive und lösche sie",
                 "benenne report.pdf um", "qwertz die Zuckerwatte"],
)  # fmt: skip
def test_a_german_request_is_asked_back_in_german(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    assert isinstance(proposal, Question | Decline), proposal
    told = " ".join([proposal.text, *getattr(proposal, "choices", ())])
    english = {tool.summary.rstrip(".") for tool in planner.tools} | {
        parameter.doc.rstrip(".") for tool in planner.tools for parameter in tool.parameters if parameter.doc
    }
    assert not [one for one in english if one in told], told
    assert not {"the", "what", "which", "folder", "files"} & set(told.casefold().split()), told


@pytest.mark.parametrize(
    ("sentence", "language"),
    [("finde Steuer in Documents", "de"), ("lies report.pdf", "de"), ("verschiebe report.pdf", "de"),
     ("find tax in Documents", "en"), ("rename report.pdf", "en"), ("17 + 4", "en")],
)  # fmt: skip
def test_where_the_words_say_neither_the_verb_tells_the_language(
    planner: Planner, sentence: str, language: str
) -> None:
    assert planner.intent(sentence).language == language
