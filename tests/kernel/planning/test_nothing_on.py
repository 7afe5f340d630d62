"""Something is done where nothing is on, or where one is free: at the time that the condition names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.language.branching import branch_of
from kernel.language.same_time import at_that_time
from kernel.model import Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "ask", "sign", "deed"),
    [
        ("if I've got nothing on Thursday evening, put cinema in for 8 pm that day",
         "what do I have on Thursday evening", "=", "put cinema in for 8 pm on Thursday"),
        ("if I have nothing planned for tomorrow, add gym at 7 am",
         "what do I have on tomorrow", "=", "add gym tomorrow at 7 am"),
        ("if I don't have anything on Monday, add gym on Tuesday",
         "what do I have on Monday", "=", "add gym on Tuesday"),
        ("if there's nothing in my calendar on Friday at 3 pm, add haircut at 3 pm",
         "what is in my calendar on Friday at 3 pm", "=", None),
        ("if im free on monday at 2 pm put gym in my calendar for then",
         "what do I have on monday at 2 pm", "=", "put gym in my calendar on monday at 2 pm"),
        ("unless I'm busy on Monday, add gym on Monday at 8", "what do I have on Monday", "<=", None),
        ("Am I free on Saturday from 2 to 4? If so, add Flea market then.",
         "what do I have on Saturday from 2 to 4", "=", "add Flea market on Saturday from 2 to 4"),
        ("do I have anything on Sunday? if not put brunch in at 11",
         "what do I have on Sunday", "<=", "put brunch in on Sunday at 11"),
    ],
)  # fmt: skip
def test_nothing_on_in_english(sentence: str, ask: str, sign: str, deed: str | None) -> None:
    branch = branch_of(sentence, "en", {"put", "add"}.__contains__)
    assert branch is not None
    assert (branch.test.ask, str(branch.test.comparison)) == (ask, sign)
    assert deed is None or branch.then == deed


@pytest.mark.parametrize(
    ("sentence", "ask", "sign", "deed"),
    [
        ("Wenn ich am Freitag nichts vorhabe, trag Kino um 20 Uhr ein.",
         "was habe ich am Freitag vor", "=", "trag Kino am Freitag um 20 Uhr ein"),
        ("wenn wir am Sonntag nichts vorhaben, trag da Kaffee ein",
         "was haben wir am Sonntag vor", "=", "trag Kaffee ein am Sonntag"),
        ("wenn am Montag um 9 Uhr nichts im Kalender steht, trag da Yoga ein",
         "was steht am Montag um 9 Uhr im Kalender", "=", "trag Yoga ein am Montag um 9 Uhr"),
        ("falls morgen etwas ansteht, zeig es mir", "was steht morgen an", ">", None),
        ("sofern der Samstag frei ist, trag Wandern am Samstag um 9 ein",
         "was habe ich am Samstag vor", "=", "trag Wandern am Samstag um 9 ein"),
        ("hab ich am sonntag was vor? wenn nicht trag um 15 uhr flohmarkt ein",
         "was habe ich am sonntag vor", "<=", "trag am sonntag um 15 uhr flohmarkt ein"),
        ("Bin ich morgen um 16 Uhr frei? Falls ja, trag Friseur morgen um 16 Uhr ein.",
         "was habe ich morgen um 16 Uhr vor", "=", None),
    ],
)  # fmt: skip
def test_nothing_on_in_german(sentence: str, ask: str, sign: str, deed: str | None) -> None:
    branch = branch_of(sentence, "de", {"trag"}.__contains__)
    assert branch is not None
    assert (branch.test.ask, str(branch.test.comparison)) == (ask, sign)
    assert deed is None or branch.then == deed


def test_an_hour_in_a_text_gets_no_day() -> None:
    deed = "write a note saying we meet at 8 pm"
    assert at_that_time(deed, "on Friday", "en") == deed


def test_a_condition_without_a_day_leaves_the_deed_as_it_is() -> None:
    assert at_that_time("add gym at 8 pm", "in my calendar", "en") == "add gym at 8 pm"


@pytest.mark.parametrize(
    "sentence",
    [
        "if I'm free on Friday from 10 to 12, put studio time in my calendar for then",
        "Wenn ich am Freitagabend nichts vorhabe, trag um 20 Uhr Kino ein.",
        "do I have anything on Sunday morning? if not add brunch at 11",
    ],
)
def test_the_events_are_counted(planner: Planner, sentence: str) -> None:
    """The list of a day is one result, also where nothing stands in it: its events are counted."""
    plan = planner.whole(sentence)
    assert isinstance(plan, Plan), plan
    looked, added = plan.tasks
    assert (looked.tool, added.tool) == ("calendar.agenda", "calendar.add")
    (condition,) = added.when
    assert (condition.task, condition.field, condition.value) == (looked.id, "events", 0)
    assert added.arguments["when"].value == looked.arguments["when"].value  # type: ignore[union-attr]


def test_a_note_that_is_there_is_no_note_to_be_renamed(planner: Planner) -> None:
    plan = planner.whole("if there's a note called Ideas, append kites to it")
    assert not isinstance(plan, Plan) or all(task.tool != "notes.rename" for task in plan.tasks)
