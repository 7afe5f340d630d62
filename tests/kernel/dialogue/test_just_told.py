"""What was just told of is what the next sentence speaks of: its items, its day, its person, its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.composition.search import Search
from kernel.dialogue.carried import goes_to_somebody
from kernel.model import Constant, Plan, Question

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

TASKS = {"text": "- renew the passport\n- charge the camera\n- Reiseführer kaufen"}
MAILS = {"text": "3 mails: Lena Vogt, Anna Berg"}


@pytest.mark.parametrize(
    ("first", "told", "then", "tool", "given"),
    [
        ("what's on my to-do list?", TASKS, "move the camera one to Friday", "tasks.move", {"to": "2025-03-14"}),
        ("what tasks are overdue?", TASKS, "put the passport one off until Monday", "tasks.move", {"to": "2025-03-17"}),
        ("welche Aufgaben habe ich?", TASKS, "Verschieb den Reiseführer auf Samstag", "tasks.move", {}),
        ("which mails are unread?", MAILS, "read me the one from Lena", "mail.read", {}),
        ("zeig mir meine neuen Mails", MAILS, "lies mir die von Anna vor", "mail.read", {}),
    ],
)
def test_an_item_of_what_was_told_is_meant(
    planner: Planner, first: str, told: dict[str, str], then: str, tool: str, given: dict[str, object]
) -> None:
    made = planner.say(first)
    assert isinstance(made, Plan), made
    plan = planner.say(then, planner.after(made, t1=told))
    assert isinstance(plan, Plan), plan
    assert [task.tool for task in plan.tasks] == [tool]
    values = {name: one.value for name, one in plan.tasks[0].arguments.items() if isinstance(one, Constant)}
    assert values.items() >= given.items(), values


def test_what_is_not_among_it_is_looked_for_as_ever(planner: Planner) -> None:
    made = planner.say("what's on my to-do list?")
    assert isinstance(made, Plan), made
    plan = planner.say("move the dentist to Friday", planner.after(made, t1=TASKS))
    assert isinstance(plan, Plan), plan
    assert plan.tasks[0].tool == "calendar.move"


def test_words_of_nothing_that_was_told_start_no_second_search(
    planner: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    searching = Search.run
    monkeypatch.setattr(Search, "run", lambda one: (searched.append(one.scene.intent.text), searching(one))[1])
    made = planner.say("what's on my to-do list?")
    assert isinstance(made, Plan), made
    for then, told in (("move the dentist to Friday", TASKS), ("move the camera one to Friday", TASKS)):
        searched.clear()
        planner.say(then, planner.after(made, t1=told))
        assert len(searched) == (2 if "camera" in then else 1)


@pytest.mark.parametrize(
    ("first", "then", "day"),
    [
        ("what's on on Sunday?", "put a swim in from 10 to 14:00", "2025-03-16"),
        ("was steht am Samstag an?", "trag da um 15 Uhr Kuchen backen ein", "2025-03-15"),
        ("what's on on Sunday?", "put a swim in my calendar tomorrow at 3 pm", "2025-03-13"),
        ("what's on this week?", "put a swim in from 10 to 14:00", None),
        ("what was on yesterday?", "put a swim in from 10 to 14:00", None),
    ],
)
def test_what_is_added_at_a_time_is_of_the_day_that_was_asked_about(
    planner: Planner, first: str, then: str, day: str | None
) -> None:
    made = planner.say(first)
    assert isinstance(made, Plan), made
    plan = planner.say(then, planner.after(made, t1={"text": "x"}))
    assert isinstance(plan, Plan), plan
    held = plan.tasks[0].arguments.get("when")
    assert plan.tasks[0].tool == "calendar.add"
    assert (held.value["start"] if isinstance(held, Constant) else None) == day


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("what's Ben's phone number?", "draft him a mail: I'll call you tomorrow."),
        ("was hat Anna zuletzt geschrieben?", "schreib ihr einen Entwurf: Alles klar, danke."),
    ],
)
def test_who_was_spoken_of_is_written_to(planner: Planner, first: str, then: str) -> None:
    made = planner.say(first)
    assert isinstance(made, Plan), made
    person = next(iter(one for one in made.tasks[0].arguments.values() if isinstance(one, Constant) and one.text))
    plan = planner.say(then, planner.after(made, t1={"text": "x"}))
    assert isinstance(plan, Plan), plan
    held = plan.tasks[0].arguments["to"]
    assert isinstance(held, Constant)
    assert (plan.tasks[0].tool, held.value) == ("mail.draft", person.value)


@pytest.mark.parametrize(
    "sentence",
    [
        "find the mails from Ben and forward them to him",
        "such die Mails von Ben und leite sie an ihn weiter",
    ],
)
def test_who_was_named_in_the_same_breath_is_written_to(planner: Planner, sentence: str) -> None:
    plan = planner.say(sentence)
    assert isinstance(plan, Plan), plan
    held = plan.tasks[-1].arguments["to"]
    assert isinstance(held, Constant)
    assert (plan.tasks[-1].tool, held.value) == ("mail.forward", "Ben")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("", "find the mails from Ben and forward them"),
        ("", "such die Mails von Ben und leite sie weiter"),
        ("", "such den Brief von Ben und leite ihn weiter"),
        ("find the mails from Ben", "forward them"),
    ],
)
def test_what_is_passed_on_is_nobody_to_write_to(planner: Planner, first: str, then: str) -> None:
    """“Them” are the mails: whose they are is not who gets them, and that is asked."""
    made = planner.say(first) if first else None
    assert made is None or isinstance(made, Plan)
    asked = planner.say(then, planner.after(made, t1={"text": "x"})) if made else planner.say(then)
    assert isinstance(asked, Question), asked
    assert (asked.draft.tasks[-1].tool, asked.parameter) == ("mail.forward", "to")


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("mail it to her", True), ("mail it to her today", True), ("draft her a mail", True), ("mail her", True),
        ("draft him a mail", True), ("maile es an sie", True), ("share it with them", True), ("maile es an ihr", True),
        ("schreib ihr einen Entwurf", True), ("antworte ihm", True), ("mail it to her brother", False),
        ("forward them", False), ("mail her picture", False), ("send it with her picture", False),
        ("schick ihr Bild", False), ("maile es an ihr Büro", False), ("forward the mail from her", False),
        ("leite ihn weiter", False), ("leite sie weiter", False),
    ],
)  # fmt: skip
def test_a_step_goes_to_somebody(text: str, whom: bool) -> None:
    assert goes_to_somebody(text) is whom


@pytest.mark.parametrize("words", ["where?", "and where is it?", "wo denn?", "und wo?"])
def test_where_is_told_with_what_was_found(planner: Planner, words: str) -> None:
    made = planner.say("when is the team meeting?")
    assert isinstance(made, Plan), made
    plan = planner.say(words, planner.after(made, t1={"text": "x", "place": "room 4"}))
    assert isinstance(plan, Plan), plan
    assert plan.tasks[0].tool == made.tasks[0].tool
