"""What a rule left open is answered by the next sentence, and by nothing else."""

from __future__ import annotations

import pytest

from tests.kernel.routines.conftest import Desk

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("rule", "answer", "when"), [
    ("every weekday show my open tasks", "at eight", "every working day at 08:00"),
    ("every month at nine show my open tasks", "on the first", "every month on the 1st at 09:00"),
    ("jeden Werktag zeig mir die größten Dateien in Downloads", "um halb neun", "jeden Werktag um 08:30"),
    ("whenever an iso lands in Downlods, move it to Backup", "Downloads", "when a file *.iso is new in ~/Downloads"),
    ("immer wenn eine iso in Downlods landet, verschieb sie nach Backup", "Downloads",
     "wenn eine Datei *.iso in ~/Downloads angelegt wird"),
])  # fmt: skip
async def test_the_answer_stands_in_the_rule(desk: Desk, rule: str, answer: str, when: str) -> None:
    asked = await desk.say(rule)
    assert (asked["resolution"], desk.kernel.routines.every()) == ("clarify", [])
    kept = await desk.say(answer)
    assert kept["resolution"] == "confirmed", kept["answer"]
    (routine,) = desk.kernel.routines.every()
    assert routine["when"] == when
    assert answer in routine["text"]


@pytest.mark.parametrize(("rule", "answer", "tool"), [
    ("whenever an iso lands in Downloads, move it to Backup, but it should stay in Downloads, too", "copy it",
     "files.copy"),
    ("immer wenn eine iso in Downloads landet, verschieb sie nach Backup, aber sie soll auch in Downloads bleiben",
     "verschieben", "files.move"),
    ("immer wenn eine iso in Downloads landet, verschieb sie nach Backup, aber sie soll auch in Downloads bleiben",
     "verschoben", "files.move"),
    ("whenever an iso lands in Downloads, move it to Backup, but it should stay in Downloads, too", "1", "files.move"),
    ("whenever an iso lands in Downloads, move it to Backup, but it should stay in Downloads, too", "2", "files.copy"),
])  # fmt: skip
async def test_a_rule_that_moves_what_is_to_stay_is_asked_which_of_it_counts(
    desk: Desk, rule: str, answer: str, tool: str
) -> None:
    asked = await desk.say(rule)
    assert (asked["resolution"], desk.kernel.routines.every()) == ("clarify", [])
    assert len(asked["question"]["choices"]) == 2
    kept = await desk.say(answer)
    assert kept["resolution"] == "confirmed", kept["answer"]
    (routine,) = desk.kernel._house.routines.every()
    assert [one.tool for one in routine.plan.tasks] == [tool]


@pytest.mark.parametrize(("rule", "question"), [
    ("Could you every now and then list the files in Downloads?", "When, or how often?"),
    ("Zeig mir ab und an die Dateien in Downloads", "Wann, oder wie oft?"),
])  # fmt: skip
async def test_what_is_to_be_done_now_and_then_is_not_done_once(desk: Desk, rule: str, question: str) -> None:
    asked = await desk.say(rule)
    assert asked["resolution"] == "clarify"
    assert asked["question"]["text"].startswith(question)


@pytest.mark.parametrize("answer", ["don't copy it", "move it and copy it"])
async def test_an_answer_that_chooses_neither_keeps_nothing(desk: Desk, answer: str) -> None:
    await desk.say("whenever an iso lands in Downloads, move it to Backup, but it should stay in Downloads, too")
    said = await desk.say(answer)
    assert said["resolution"] in ("declined", "clarify")
    assert desk.kernel.routines.every() == []


async def test_a_number_that_is_none_of_the_choices_is_asked_about_again(desk: Desk) -> None:
    first = await desk.say(
        "whenever an iso lands in Downloads, move it to Backup, but it should stay in Downloads, too"
    )
    again = await desk.say("3")
    assert (again["resolution"], again["question"]) == ("clarify", first["question"])
    assert desk.kernel.routines.every() == []
    assert (await desk.say("2"))["resolution"] == "confirmed"
    unsure = await desk.say(UNSURE)
    assert (await desk.say("7"))["question"] == unsure["question"]
    assert (await desk.say("1"))["resolution"] == "confirmed"


async def test_a_request_that_moves_what_is_to_stay_is_asked_about_too(desk: Desk) -> None:
    said = await desk.say("move every iso in Downloads to Backup, but they should also stay in Downloads, no copies")
    assert said["resolution"] == "declined"
    assert "moved, or copied? Say the whole again" in said["answer"]


async def test_a_request_of_its_own_is_no_answer(desk: Desk) -> None:
    await desk.say("every weekday show my open tasks")
    other = await desk.say("what is 3 + 4")
    assert (other["resolution"], other["answer"]) == ("executed", "The result is 7.")
    late = await desk.say("at eight")
    assert late["resolution"] != "confirmed"
    assert desk.kernel.routines.every() == []


async def test_what_does_not_answer_it_is_said_to_be_not_understood(desk: Desk) -> None:
    await desk.say("every weekday show my open tasks")
    said = await desk.say("blue bananas")
    assert said["resolution"] in ("declined", "clarify")
    assert desk.kernel.routines.every() == []


@pytest.mark.parametrize(("rule", "yes", "when"), [
    ("whenever Notes/Slips.md changes, add “seen” to my note Slips", "yes",
     "when a file Slips.md is changed in ~/Notes"),
    ("immer wenn Notes/Slips.md sich ändert, füge „gesehen“ meiner Notiz Slips hinzu", "ja",
     "wenn eine Datei Slips.md in ~/Notes geändert wird"),
    ("whenever Notes/Slips.md changes, add “seen” to my note Slips", "1",
     "when a file Slips.md is changed in ~/Notes"),
])  # fmt: skip
async def test_a_rule_that_changes_what_it_waits_for_is_asked_about(desk: Desk, rule: str, yes: str, when: str) -> None:
    (desk.home / "Notes").mkdir()
    (desk.home / "Notes/Slips.md").write_text("# Slips\n")
    asked = await desk.say(rule)
    assert (asked["resolution"], desk.kernel.routines.every()) == ("clarify", [])
    kept = await desk.say(yes)
    assert kept["resolution"] == "confirmed", kept["answer"]
    assert desk.kernel.routines.every()[0]["when"] == when


async def test_a_plan_that_is_not_sure_is_not_done_by_itself(desk: Desk) -> None:
    (desk.home / "Notes").mkdir()
    said = await desk.say("Whenever one of my notes changes, add a line with the time of the change to that same note.")
    assert (said["resolution"], desk.kernel.routines.every()) == ("clarify", [])


UNSURE = "when an iso lands in Downloads, move it to the usual place"


@pytest.mark.parametrize(("rule", "asked", "answer", "tools"), [
    (UNSURE, "(files: the file, to: usual place)?", "yes", ["files.move"]),
    ("jeden Freitag um neun schreib in meine Notiz Woche", "Text", "die Woche ist um", ["notes.add"]),
    ("morgen um neun schreib in meine Notiz Woche", "Text", "es ist so weit", ["notes.add"]),
])  # fmt: skip
async def test_what_is_asked_about_its_deeds_is_answered_by_the_next_sentence(
    desk: Desk, rule: str, asked: str, answer: str, tools: list[str]
) -> None:
    question = await desk.say(rule)
    assert (question["resolution"], desk.kernel.routines.every()) == ("clarify", [])
    assert asked in question["question"]["text"]
    kept = await desk.say(answer)
    assert kept["resolution"] == "confirmed", kept["answer"]
    (routine,) = desk.kernel._house.routines.every()
    assert (routine.text, [one.tool for one in routine.plan.tasks]) == (rule, tools)
    assert [one["said"] for one in desk.kernel.routines.every()[0]["answers"]] == [answer]


async def test_one_answer_may_leave_a_further_question(desk: Desk) -> None:
    await desk.say("every friday at 9 write a note")
    further = await desk.say("Week")
    assert "Which text do you mean" in further["answer"]
    kept = await desk.say("the week is over")
    assert kept["resolution"] == "confirmed", kept["answer"]
    (task,) = desk.kernel._house.routines.every()[0].plan.tasks
    assert {name: one.value for name, one in task.arguments.items()} == {"title": "Week", "text": "the week is over"}


@pytest.mark.parametrize("answer", ["no", "blue bananas", "what is 3 + 4"])
async def test_another_answer_keeps_nothing_and_a_later_yes_is_none(desk: Desk, answer: str) -> None:
    await desk.say(UNSURE)
    await desk.say(answer)
    assert desk.kernel.routines.every() == []
    await desk.say("yes")
    assert desk.kernel.routines.every() == []


async def test_a_question_that_was_dropped_is_answered_no_more(desk: Desk) -> None:
    asked = await desk.say(UNSURE)
    await desk.kernel.cancel(asked["run"])
    await desk.say("yes")
    assert desk.kernel.routines.every() == []


async def test_what_was_answered_stays_answered_when_the_rule_is_changed(desk: Desk) -> None:
    await desk.say("jeden Freitag um neun schreib in meine Notiz Woche")
    await desk.say("die Woche ist um")
    changed = await desk.say("mach es um zehn")
    assert changed["resolution"] == "confirmed", changed["answer"]
    (routine,) = desk.kernel._house.routines.every()
    assert (routine.version, routine.plan.tasks[0].arguments["text"].value) == (2, "die Woche ist um")  # type: ignore[union-attr]


def _steps(words: str) -> list[str]:
    """What each step of a plan does, as a choice says it, without its values."""
    return [one.partition(" (")[0] for one in words.split("; ")]


SEVERAL = (
    "every friday at 9 find the ten biggest files in Downloads, put their names in my note Slips and notify me that "
    "the disk is nearly full"
)


@pytest.mark.parametrize("answer", ["the second", "2"])
async def test_one_of_several_plans_is_chosen_by_its_number(desk: Desk, answer: str) -> None:
    _write_slips(desk)
    first, second, *_ = (await desk.say(SEVERAL))["question"]["choices"]
    assert _steps(first) != _steps(second)
    kept = await desk.say(answer)
    assert kept["resolution"] == "confirmed", kept["answer"]
    house = desk.kernel._house
    (routine,) = house.routines.every()
    done = (house.registry.tool(one.tool).summary.rstrip(".") for one in routine.plan.tasks)
    assert _steps("; ".join(done)) == _steps(second)


async def test_a_number_is_a_number_where_nothing_was_asked(desk: Desk) -> None:
    assert (await desk.say("2"))["answer"] == "The result is 2."


async def test_a_text_may_be_longer_than_what_answers_when(desk: Desk) -> None:
    _write_slips(desk)
    text = "this is a rather long text of more than twelve words that somebody wants to have written there"
    await desk.say("every friday at nine write in my note Slips")
    kept = await desk.say(text)
    assert kept["resolution"] == "confirmed", kept["answer"]
    assert desk.kernel._house.routines.every()[0].plan.tasks[0].arguments["text"].value == text  # type: ignore[union-attr]


async def test_what_was_answered_is_not_asked_again_after_the_next_question(desk: Desk) -> None:
    _write_slips(desk)
    await desk.say("whenever Notes/Slips.md changes, write in my note Slips")
    itself = await desk.say("seen")
    assert itself["answer"].startswith("That rule would set itself off.")
    kept = await desk.say("yes")
    assert kept["resolution"] == "confirmed", kept["answer"]
    assert [one["said"] for one in desk.kernel.routines.every()[0]["answers"]] == ["seen"]


async def test_when_and_what_are_asked_one_after_the_other(desk: Desk) -> None:
    """Nor is "friday" written down at once, as the beginning of a text."""
    _write_slips(desk)
    assert "At what time of day?" in (await desk.say("every friday write in my note Slips"))["answer"]
    assert "Which text do you mean" in (await desk.say("at nine"))["answer"]
    kept = await desk.say("the week is over")
    assert kept["resolution"] == "confirmed", kept["answer"]
    assert (desk.home / "Notes/Slips.md").read_text() == "# Slips\n"


def _write_slips(desk: Desk) -> None:
    (desk.home / "Notes").mkdir()
    (desk.home / "Notes/Slips.md").write_text("# Slips\n")
