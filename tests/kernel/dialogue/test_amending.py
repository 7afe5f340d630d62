"""What was just made is put right by a word that says so, and by nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Constant, Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

TASK = "put return the van on my todo list for friday"
CALL = "remind me at 4 pm to call the plumber"
HAIRCUT = "put a haircut in my calendar for friday at 3 pm"
CLEANING = "trag Zahnreinigung am Freitag um 15 Uhr in den Kalender ein"
NOODLES = "stell einen timer auf 20 minuten für die nudeln"


@pytest.mark.parametrize(
    ("first", "then", "tool", "given"),
    [
        (TASK, "no wait, make it tuesday", "tasks.move", {"task": "return the van", "to": "2025-03-18"}),
        (TASK, "actually make it Monday", "tasks.move", {"task": "return the van", "to": "2025-03-17"}),
        (CALL, "no, make that half past four", "timers.change", {"which": "call the plumber"}),
        (CALL, "no, at 7 pm", "timers.change", {"which": "call the plumber"}),
        (HAIRCUT, "no, at 4 pm", "calendar.move", {"event": "haircut"}),
        (CLEANING, "nein, um 11", "calendar.move", {"event": "Zahnreinigung"}),
        (CLEANING, "nein, am Samstag", "calendar.move", {"event": "Zahnreinigung", "to": "2025-03-15"}),
        (NOODLES, "ach nee, mach 12 minuten draus", "timers.change", {"which": "nudeln", "length": 720.0}),
    ],
)
def test_what_was_made_is_changed_and_not_made_again(
    planner: Planner, first: str, then: str, tool: str, given: dict[str, object]
) -> None:
    made = planner.say(first)
    assert isinstance(made, Plan), made
    plan = planner.say(then, planner.after(made, t1={"text": "x"}))
    assert isinstance(plan, Plan), plan
    (task,) = plan.tasks
    values = {name: one.value for name, one in task.arguments.items() if isinstance(one, Constant)}
    assert task.tool == tool
    assert values.items() >= given.items(), values


@pytest.mark.parametrize("first", ["no wait, make it tuesday", "no, make it Monday"])
def test_what_was_put_right_is_put_right_again(planner: Planner, first: str) -> None:
    made = planner.say(TASK)
    assert isinstance(made, Plan), made
    mended = planner.say(first, planner.after(made, t1={"text": "x"}))
    assert isinstance(mended, Plan), mended
    plan = planner.say("no, make it wednesday", planner.after(mended, t1={"text": "x"}))
    assert isinstance(plan, Plan), plan
    (task,) = plan.tasks
    assert task.tool == "tasks.move"
    values = {name: one.value for name, one in task.arguments.items() if isinstance(one, Constant)}
    assert values == {"task": "return the van", "to": "2025-03-19"}


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("move the dentist to friday in my calendar", True),
        ("move the dentist on monday to friday in my calendar", False),
    ],
)
def test_a_move_is_done_again_where_a_name_alone_said_of_what(planner: Planner, first: str, again: bool) -> None:
    made = planner.say(first)
    assert isinstance(made, Plan), made
    assert [one.tool for one in made.tasks] == ["calendar.move"]
    plan = planner.say("no, make it wednesday", planner.after(made, t1={"text": "x"}))
    moved = isinstance(plan, Plan) and set(plan.tasks[0].arguments) == {"event", "to"}
    assert moved == again, plan


def test_a_new_time_of_day_does_not_say_which_one_was_meant(planner: Planner) -> None:
    made = planner.say(CLEANING)
    assert isinstance(made, Plan), made
    mended = planner.say("nein, um 16 Uhr", planner.after(made, t1={"title": "x"}))
    assert isinstance(mended, Plan), mended
    plan = planner.say("nein, am Samstag", planner.after(mended, t1={"title": "x"}))
    assert isinstance(plan, Plan), plan
    (task,) = plan.tasks
    values = {name: one.value for name, one in task.arguments.items() if isinstance(one, Constant)}
    assert (task.tool, values) == ("calendar.move", {"event": "Zahnreinigung", "to": "2025-03-15"})


@pytest.mark.parametrize(
    "then",
    [
        "tuesday",
        "what is due on tuesday",
        "no, delete a.pdf",
        "make it a note called Tuesday",
        "remind me on tuesday to call Ida",
        "no, put buy milk on my todo list for tuesday",
    ],
)
def test_another_request_is_another_request(planner: Planner, then: str) -> None:
    made = planner.say(TASK)
    assert isinstance(made, Plan), made
    plan = planner.say(then, planner.after(made, t1={"text": "x"}))
    assert not isinstance(plan, Plan) or all(task.tool != "tasks.move" for task in plan.tasks), plan


def test_without_something_made_nothing_is_changed(planner: Planner) -> None:
    plan = planner.say("no wait, make it tuesday")
    assert not isinstance(plan, Plan)


def test_how_long_it_takes_is_not_how_much_later_it_is(planner: Planner) -> None:
    made = planner.say(HAIRCUT)
    assert isinstance(made, Plan), made
    plan = planner.say("no, make it an hour", planner.after(made, t1={"title": "x"}))
    assert not isinstance(plan, Plan) or "by" not in plan.tasks[0].arguments, plan


PIANO = "trag am Freitag um 10 Uhr Klavierstunde ein"
RIBS = "set a timer for 40 minutes for the ribs"


@pytest.mark.parametrize(
    ("first", "then", "tool", "given"),
    [
        (PIANO, "nee, doch erst um elf", "calendar.move", {"event": "Klavierstunde"}),
        (PIANO, "ach ne, samstag", "calendar.move", {"to": "2025-03-15"}),
        (PIANO, "mach halb zwölf draus", "calendar.move", {"event": "Klavierstunde"}),
        (HAIRCUT, "sorry, not until 16:30", "calendar.move", {"event": "haircut"}),
        (RIBS, "make it 50", "timers.change", {"which": "ribs", "length": 3000}),
        (RIBS, "no wait, 35", "timers.change", {"which": "ribs", "length": 2100}),
        (NOODLES, "doch lieber 14", "timers.change", {"which": "nudeln", "length": 840}),
        (CALL, "make it 5", "timers.change", {"hours": {"start": "17:00", "end": None, "rough": False}}),
    ],
)
def test_a_correction_in_few_words_changes_what_was_made(
    planner: Planner, first: str, then: str, tool: str, given: dict[str, object]
) -> None:
    test_what_was_made_is_changed_and_not_made_again(planner, first, then, tool, given)


@pytest.mark.parametrize(
    ("first", "then", "to"),
    [
        ("add sharpen the knives to my to-do list", "by Friday please", "2025-03-14"),
        ("setz Kamin fegen auf meine Aufgabenliste", "bis Sonntag bitte", "2025-03-16"),
    ],
)
def test_what_was_left_open_is_added_to_what_was_made(planner: Planner, first: str, then: str, to: str) -> None:
    made = planner.say(first)
    assert isinstance(made, Plan), made
    plan = planner.say(then, planner.after(made, t1={"text": "x"}))
    assert isinstance(plan, Plan), plan
    assert [task.tool for task in plan.tasks] == ["tasks.move"]
    held = plan.tasks[0].arguments["to"]
    assert isinstance(held, Constant)
    assert held.value == to


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (TASK, "by monday please"),  # its day was said: that may be another request
        (RIBS, "in 5 minutes"),
        (HAIRCUT, "no, not on Monday"),
        (PIANO, "doch nicht am Freitag"),
        ("set a timer for half an hour", "make it 45"),  # of which unit nobody knows
    ],
)
def test_nothing_is_changed_by_words_that_do_not_say_so(planner: Planner, first: str, then: str) -> None:
    made = planner.say(first)
    assert isinstance(made, Plan), made
    plan = planner.say(then, planner.after(made, t1={"text": "x"}))
    tools = [task.tool for task in plan.tasks] if isinstance(plan, Plan) else []
    assert not {"tasks.move", "calendar.move", "timers.change"} & set(tools), plan


def test_what_came_of_a_call_tells_which_one_is_changed(planner: Planner) -> None:
    made = planner.say("wake me at 6 tomorrow")
    assert isinstance(made, Plan), made
    plan = planner.say("make it 6:30", planner.after(made, t1={"text": "It is 06:00. Time to get up."}))
    assert isinstance(plan, Plan), plan
    held = plan.tasks[0].arguments["which"]
    assert isinstance(held, Constant)
    assert held.value == "It is 06:00. Time to get up."
