"""Looking inside documents and looking for names: which of the two is meant, and that an answer offers the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skills.builtin.files.wanted import Wanted

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    "sentence",
    [
        "search for budget in my documents",
        "search my documents for budget",
        "find budget in my files",
        "look for budget in my files",
        "which documents are about budget",
        "suche nach Budget in meinen Dokumenten",
        "suche in meinen Dokumenten nach Budget",
        "suche Budget in meinen Dateien",
        "durchsuche meine Dateien nach Budget",
        "welche Dokumente handeln von Budget",
    ],
)
def test_in_my_documents_is_inside_them(planner: Planner, sentence: str) -> None:
    word = "Budget" if "Budget" in sentence else "budget"
    assert planner.shape(planner.say(sentence)) == f"documents.search(words={word})"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("find pdfs in my documents", "files.find(folder=~/Documents, kind=pdf)"),
        ("how many pictures are in my documents", "files.find(folder=~/Documents, kind=image)"),
        ("search for budget", "files.find(name=budget)"),
        ("verschiebe setup.exe in die Ablage", "files.move(files=['~/Downloads/setup.exe'], to=~/Ablage)"),
    ],
)
def test_what_is_no_text_is_still_found_by_name_and_kind(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize("name", ["invoices", "budget", "draft report", "logo", "rent", "meeting"])
@pytest.mark.parametrize("place", ["~", "~/Documents"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_other_search_that_an_answer_offers_is_understood(
    planner: Planner, name: str, place: str, language: str
) -> None:
    offered = Wanted(name=name).inside(place, language).partition("“" if language == "en" else "„")[2]
    sentence = offered.partition("”" if language == "en" else "“")[0]
    assert planner.shape(planner.say(sentence)) == f"documents.search(folder={place}, words={name})"
