"""Two kinds in one place: each of them is meant there, and nothing is done to both at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.context.dialogue import Dialogue
from kernel.model import Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "place", "kinds"),
    [
        ("list songs and spreadsheets in Work", "~/Work", ["audio", "spreadsheet"]),
        ("show me all zips or pdfs in Downloads", "~/Downloads", ["archive", "pdf"]),
        ("find photos, songs and presentations in Archive", "~/Archive", ["image", "audio", "presentation"]),
        ("zeige alle Lieder und Präsentationen in Archive", "~/Archive", ["audio", "presentation"]),
        ("suche Tabellen oder PDFs in Work", "~/Work", ["spreadsheet", "pdf"]),
    ],
)
def test_each_kind_is_looked_for_in_the_place(planner: Planner, sentence: str, place: str, kinds: list[str]) -> None:
    plan = planner.say(sentence)
    assert isinstance(plan, Plan)
    given = [{name: planner.value(one) for name, one in task.arguments.items()} for task in plan.tasks]
    assert [(one["folder"], one["kind"]) for one in given] == [(place, kind) for kind in kinds]
    assert len({task.tool for task in plan.tasks}) == 1


def test_each_order_picks_one(planner: Planner) -> None:
    assert planner.shape(planner.say("show the newest and the oldest song in Music")) == (
        "files.find(count=1, folder=~/Music, kind=audio, order=newest); "
        "files.find(count=1, folder=~/Music, kind=audio, order=oldest)"
    )


def test_a_kind_with_a_place_of_its_own_keeps_it(planner: Planner) -> None:
    assert planner.shape(planner.say("list the songs in Music and the spreadsheets in Work")) == (
        "files.find(folder=~/Music, kind=audio); files.find(folder=~/Work, kind=spreadsheet)"
    )


@pytest.mark.parametrize(
    ("sentence", "answer", "expected"),
    [
        ("delete songs and zips in Downloads", "2",
         "files.find(folder=~/Downloads, kind=archive); files.delete(files=<t1>)"),
        ("lösche Lieder und Tabellen in Work", "die Tabellen",
         "files.find(folder=~/Work, kind=spreadsheet); files.delete(files=<t1>)"),
        ("copy pdfs and photos in Downloads to Desktop", "1",
         "files.find(folder=~/Downloads, kind=pdf); files.copy(files=<t1>, to=~/Desktop)"),
    ],
)  # fmt: skip
def test_what_changes_something_asks_for_which_of_them(
    planner: Planner, sentence: str, answer: str, expected: str
) -> None:
    question = planner.say(sentence)
    assert isinstance(question, Question)
    assert len(question.choices) == 2
    assert planner.shape(planner.say(answer, Dialogue(pending=question))) == expected
