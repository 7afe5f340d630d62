"""All that a folder holds: the same request in both languages is the same plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Decline, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("delete everything in Work", "lösche alles in Work"),
        ("delete everything from Work", "lösche alles aus Work"),
        ("move everything in Music to Archive", "verschiebe alles in Music nach Archive"),
        ("move everything from Music to Archive", "verschiebe alles aus Music nach Archive"),
        ("list everything in Pictures", "liste alles in Pictures auf"),
        ("show everything in Pictures", "zeige alles in Pictures"),
        ("find everything in Pictures", "finde alles in Pictures"),
        ("delete all files in Work", "lösche alle Dateien in Work"),
        ("remove every file in my Work folder", "entferne jede Datei in meinem Ordner Work"),
        ("delete the files in Work", "lösche die Dateien in Work"),
        ("move all files from Music to Archive", "verschiebe alle Dateien aus Music nach Archive"),
        ("copy all files in Music to Archive", "kopiere alle Dateien in Music nach Archive"),
    ],
)
def test_everything_and_alles_are_the_same(planner: Planner, english: str, german: str) -> None:
    assert planner.shape(planner.say(english)) == planner.shape(planner.say(german))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("delete everything in Work", "files.contents(folder=~/Work); files.delete(files=<t1>)"),
        ("delete all songs in Music", "files.find(folder=~/Music, kind=audio); files.delete(files=<t1>)"),
    ],
)
def test_what_goes_is_what_the_folder_holds(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "delete all files in Work",
        "lösche alle Dateien in Work",
        "get rid of all files in Work",
        "wirf alle Dateien in Work weg",
        "delete the files in my Work folder",
    ],
)
def test_all_files_of_a_folder_are_those_that_lie_directly_in_it(planner: Planner, sentence: str) -> None:
    assert planner.shape(planner.say(sentence)) == "files.contents(folder=~/Work); files.delete(files=<t1>)"


@pytest.mark.parametrize(
    "sentence",
    [
        "delete all files in Work and its subfolders",
        "delete all files in Work, including all subfolders",
        "delete all files in Work with all subfolders",
        "delete all files in Work recursively",
        "delete everything in Work and everything below it",
        "lösche alle Dateien in Work und den Unterordnern",
        "lösche alle Dateien in Work samt Unterordnern",
        "lösche alle Dateien in Work und allem darunter",
        "lösche alle Dateien in Work rekursiv",
    ],
)
def test_what_lies_deeper_is_meant_where_the_words_say_so(planner: Planner, sentence: str) -> None:
    assert planner.shape(planner.say(sentence)) == "files.find(folder=~/Work); files.delete(files=<t1>)"


@pytest.mark.parametrize("sentence", ["organize Work and its subfolders", "delete the folder Work and its subfolders"])
def test_a_tool_that_does_not_look_deeper_does_not_take_such_words(planner: Planner, sentence: str) -> None:
    proposal = planner.say(sentence)
    assert isinstance(proposal, Decline) or (isinstance(proposal, Question) and "subfolders" in proposal.text)


def test_a_word_that_says_which_files_keeps_the_search(planner: Planner) -> None:
    question = planner.say("delete all old files in Work")
    assert isinstance(question, Question)
    assert "files.contents" not in planner.shape(question.draft)


@pytest.mark.parametrize(
    "sentence",
    [
        "copy everything", "kopiere alles", "move everything", "verschiebe alles", "delete everything", "lösche alles",
        "copy everything to Archive", "kopiere alles nach Archive", "kannst du alles verschieben",
        "copy all files", "kopiere alle Dateien", "verschiebe alle Dateien",
    ],
)  # fmt: skip
def test_without_a_place_the_place_is_asked_for(planner: Planner, sentence: str) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    assert question.parameter in ("files", "folders")
    (task,) = question.draft.tasks
    assert question.parameter not in task.arguments
