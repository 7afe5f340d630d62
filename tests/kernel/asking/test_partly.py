"""Requests of which a part cannot be done, is to wait, or limits nothing; and things that are no files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Decline, Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "left", "tool"),
    [
        ("order a pizza and show me the largest files in Downloads", "order a pizza", "files.largest"),
        ("show me the largest files in Downloads and order me a pizza", "order me a pizza", "files.largest"),
        ("Bestell eine Pizza und zeig mir die größten Dateien in Downloads", "Bestell eine Pizza", "files.largest"),
        ("book a flight to rome and tell me how much space Downloads takes", "book a flight to rome", "files.usage"),
    ],
)  # fmt: skip
def test_the_rest_is_offered_where_one_request_cannot_be_done(
    planner: Planner, sentence: str, left: str, tool: str
) -> None:
    asked = planner.say(sentence)
    assert isinstance(asked, Question), asked
    assert f"“{left}”" in asked.text or f"„{left}“" in asked.text
    assert [task.tool for task in asked.draft.tasks] == [tool]


@pytest.mark.parametrize(
    "sentence",
    [
        "show me the largest files in Downloads but not the videos",
        "delete old.zip and sing me a song",
        "ring up doctor hansen and tell him the date in ten days",
        "show me the largest files in Downloads, only those from March",
        "play some music and dance",
    ],
)
def test_nothing_is_offered_that_the_other_words_limit_or_that_takes_something_away(
    planner: Planner, sentence: str
) -> None:
    found = planner.say(sentence)
    assert not (isinstance(found, Question) and ("what to do with “" in found.text or "anfangen" in found.text)), found


@pytest.mark.parametrize(
    "sentence",
    [
        "delete old.zip, I'll tell you when",
        "delete old.zip but wait until I say so",
        "move report.pdf to Archive, I will let you know when",
        "lösche old.zip, ich sage dir wann",
        "verschiebe report.pdf nach Archive, aber warte, bis ich es sage",
    ],
)
def test_what_is_to_wait_is_not_done(planner: Planner, sentence: str) -> None:
    found = planner.say(sentence)
    assert isinstance(found, Decline), found
    assert "wait" in found.text or "warten" in found.text


@pytest.mark.parametrize(
    "sentence", ["write a note called Plan saying I'll tell you when", "show me the largest files in Downloads"]
)
def test_a_text_may_speak_of_waiting(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ("delete all pictures in Downloads and leave the rest", "delete all pictures in Downloads"),
        ("delete all pictures in Downloads, the rest can stay", "delete all pictures in Downloads"),
        ("delete the pdfs in Downloads, leave the others alone", "delete the pdfs in Downloads"),
        ("lösch alle Bilder in Downloads und lass den Rest", "lösch alle Bilder in Downloads"),
        ("lösch die Bilder in Downloads, aber rühr den Rest nicht an", "lösch die Bilder in Downloads"),
    ],
)
def test_the_rest_that_stays_limits_nothing(planner: Planner, sentence: str, plain: str) -> None:
    found, same = planner.say(sentence), planner.say(plain)
    assert isinstance(found, Plan), found
    assert isinstance(same, Plan), same
    assert [(task.tool, dict(task.arguments)) for task in found.tasks] == [
        (task.tool, dict(task.arguments)) for task in same.tasks
    ]


@pytest.mark.parametrize(
    "sentence", ["delete everything in Downloads and leave the rest", "lösch alles in Downloads und lass den Rest"]
)
def test_of_everything_no_rest_is_left(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    ("sentence", "thing"),
    [
        ("where did I put my keys", "keys"),
        ("where have I left my umbrella", "umbrella"),
        ("wo habe ich nur meine Brille hingelegt", "Brille"),
    ],
)
def test_a_thing_that_no_file_is_called_is_said_not_to_be_found(planner: Planner, sentence: str, thing: str) -> None:
    found = planner.say(sentence)
    assert isinstance(found, Decline), found
    assert f"“{thing}”" in found.text or f"„{thing}“" in found.text


def test_a_file_is_still_looked_for(planner: Planner) -> None:
    found = planner.say("where did I put the report")
    assert isinstance(found, Plan), found
    assert [task.tool for task in found.tasks] == ["files.find"]
