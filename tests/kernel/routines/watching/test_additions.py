"""Rules that wait for what is added through Steward: each thing once, with its name, never set off by themselves."""

from __future__ import annotations

import pytest

from kernel import Ask
from kernel.routines.watching import watcher
from tests.kernel.routines.conftest import Desk, keeps, note, noted, quiet

pytestmark = pytest.mark.slow


@pytest.fixture
def log(desk: Desk) -> Desk:
    return noted(desk, "Log")


@pytest.mark.parametrize(
    ("rule", "when", "said", "name"),
    [
        ("whenever a task is added, write its title into my note Log", "whenever a task is added",
         "add the task water the plants", "water the plants"),
        ("every time I add an appointment to my calendar, add it to my note Log", "whenever an appointment is added",
         "add dentist to my calendar tomorrow at 3 pm", "dentist"),
        ("after each new contact, write its name into my note Log", "whenever a contact is added",
         "add Lena Fischer, 0170 123456, to my contacts", "Lena Fischer"),
        ("Sobald eine Aufgabe dazukommt, schreib sie in die Notiz Log", "immer wenn eine Aufgabe dazukommt",
         "neue Aufgabe: Bericht schreiben", "Bericht schreiben"),
        ("Wird ein Termin in den Kalender eingetragen, häng seinen Titel an die Notiz Log an",
         "immer wenn ein Termin dazukommt", "trag Zahnarzt morgen um 15 Uhr in den Kalender ein", "Zahnarzt"),
        ("Bei jeder neuen Notiz schreib ihren Namen in die Notiz Log", "immer wenn eine Notiz dazukommt",
         "lege eine Notiz Sauna an: Handtuch", "Sauna"),
    ],
)  # fmt: skip
async def test_what_is_added_is_named_once(log: Desk, rule: str, when: str, said: str, name: str) -> None:
    assert (await keeps(log, rule))["when"] == when
    assert (await log.say(said))["resolution"] in ("executed", "confirmed")
    await log.until(lambda: name in note(log, "Log"))
    await log.say("show my tasks")
    assert await quiet(log) == 1


@pytest.mark.parametrize(
    ("rule", "yes"),
    [
        ("Sobald eine Aufgabe dazukommt, leg gleich noch eine an, in der steht, dass ich die erste prüfen soll.", "ja"),
        ("every time a task is added, add another one that says I should check it", "yes"),
        ('whenever a task is added, add a task "look at the list"', "yes"),
    ],
)
async def test_a_rule_that_would_set_itself_off_asks_and_leaves_its_own_out(log: Desk, rule: str, yes: str) -> None:
    asked = await log.say(rule)
    assert asked["resolution"] == "clarify", asked
    assert "set itself off" in asked["answer"] or "sich selbst auslösen" in asked["answer"]
    assert not log.kernel.routines.every()
    assert (await log.say(yes))["resolution"] == "confirmed"
    await log.until(lambda: bool((one := log.kernel._upkeep.watcher) and one.is_ready))
    await log.say("add the task water the plants")
    await log.until(lambda: bool(log.fired()))
    assert await quiet(log) == 1


async def test_two_rules_that_add_for_each_other_end_with_the_circle_named(log: Desk) -> None:
    first = await keeps(log, 'whenever a task is added, make a note "Fresh" saying look')
    second = await keeps(log, 'whenever a note is added, add the task "read it"')
    await log.say("add the task water the plants")
    await log.until(lambda: any(one["broken"] for one in log.kernel.routines.every()))
    (broken,) = [one for one in log.kernel.routines.every() if one["broken"]]
    assert first["name"] in broken["broken"]
    assert second["name"] in broken["broken"]
    assert await quiet(log) == 2


async def test_a_storm_of_one_run_lets_it_rest(log: Desk) -> None:
    routine = await keeps(log, "whenever a task is added, write its title into my note Log")
    for number in range(watcher.MOST_AT_ONCE + 20):
        (log.home / f"Backup/storm {number}.txt").write_text("x")
    view = await log.say("add a task for each file in Backup")
    assert view["resolution"] in ("executed", "confirmed"), view
    await log.until(lambda: bool(log.kernel.routines.view(routine["name"])["broken"]))
    assert "what it waits for came" in log.kernel.routines.view(routine["name"])["broken"]
    assert await quiet(log) <= watcher.MOST_AT_ONCE


async def test_what_is_private_or_only_tried_sets_nothing_off(log: Desk) -> None:
    await keeps(log, "whenever a task is added, write its title into my note Log")
    other = await keeps(log, 'whenever a file lands in Downloads, add the task "buy lilies"')
    tried = await log.kernel.settled(await log.kernel.routines.try_out(other["name"]))
    assert "lilies" in tried["answer"]
    await log.say("add the task buy roses", private=True)
    await log.say("add the task buy tulips")
    await log.until(lambda: "buy tulips" in note(log, "Log"))
    assert "roses" not in note(log, "Log")
    assert "lilies" not in note(log, "Log")
    assert await quiet(log) == 2, "the one that was tried, and one for the tulips"


async def test_a_card_says_what_was_added_lately(log: Desk) -> None:
    await log.say("add the task water the plants")
    run = await log.kernel.ask(_ask(log, "whenever a task is added, write its title into my note Log"))
    view = await log.kernel.settled(run)
    assert "water the plants" in str(view["card"]["would"])


def _ask(desk: Desk, text: str) -> Ask:
    return Ask(text, conversation="c", cwd=str(desk.home), channel="test")
