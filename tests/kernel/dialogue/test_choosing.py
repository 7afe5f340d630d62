"""Which of several things is meant: asked with the list of what there is, and answered as people answer."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from kernel.asking.ask import NO_PARAMETER
from kernel.context.dialogue import Dialogue, LastRun
from kernel.context.mind import Mind
from kernel.model import Decline, Plan, Proposal, Question
from kernel.planning.plan_json import plan_to_json, question_from_json, question_to_json
from tests.kernel.homes import furnish
from tests.kernel.planner import Planner

ACME_OLD = "Documents/Taxes/2024/invoice_acme_2024-03.pdf"
ACME_NEW = "Downloads/invoice_acme_2024-11.pdf"
BRIGHT = "Downloads/invoice_bright_2025-03.pdf"
REPORTS = ("Downloads/report.pdf", "Documents/Work/report.pdf")
SUMMARY = "rename invoice_acme_2024-11.pdf to summary"
SIZES = {ACME_OLD: 3_000, ACME_NEW: 1_000, BRIGHT: 2_000, REPORTS[0]: 900, REPORTS[1]: 100}


@pytest.fixture(scope="module")
def planner(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    home = tmp_path_factory.mktemp("home")
    furnish(home, ["Desktop/", "Notes/Garden plan.md", "Notes/Shopping list.md", "Finance/expenses.csv", *SIZES])
    for name, size in SIZES.items():
        (home / name).write_bytes(b"x" * size)
    _set_day(home / REPORTS[0], "2024-12-03")
    _set_day(home / REPORTS[1], "2025-01-30")
    return Planner.knowing(mind, home)


def _set_day(path: Path, day: str) -> None:
    at = datetime.fromisoformat(day).timestamp()
    os.utime(path, (at, at))


def _asked(planner: Planner, sentence: str) -> Question:
    question = planner.say(sentence)
    assert isinstance(question, Question), question
    return question_from_json(question_to_json(question))


def _names(planner: Planner, proposal: Proposal) -> list[str]:
    """The files that the tasks of a plan are given."""
    assert isinstance(proposal, Plan), proposal
    given = [one.value for task in proposal.tasks for one in task.arguments.values() if hasattr(one, "value")]
    flat = [item for value in given for item in (value if isinstance(value, list) else [value])]
    return [str(item).removeprefix(f"{planner.home}/") for item in flat if str(item).startswith(planner.home)]


@pytest.mark.parametrize(
    "sentence",
    ["delete the invoice", "move the invoice to Desktop", "rename the invoice to old", "summarise the invoice"],
)
def test_one_thing_of_several_is_asked_about_with_the_list(planner: Planner, sentence: str) -> None:
    question = _asked(planner, sentence)
    assert {str(value).strip("[]'").removeprefix(f"{planner.home}/") for value in question.values} == {
        ACME_OLD, ACME_NEW, BRIGHT,
    }  # fmt: skip
    assert len(question.choices) == 3
    assert "files.find" not in [task.tool for task in question.draft.tasks]


def test_the_list_is_of_the_folder_that_was_named(planner: Planner) -> None:
    question = _asked(planner, "move the invoice in Downloads to Desktop")
    assert [str(one) for one in question.choices] == [f"{planner.home}/{ACME_NEW}", f"{planner.home}/{BRIGHT}"]


@pytest.mark.parametrize(
    "sentence", ["delete the invoices", "find the invoice", "delete the newest invoice", "delete all invoices"]
)
def test_where_more_was_said_nobody_is_asked(planner: Planner, sentence: str) -> None:
    assert isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("the newer one", [BRIGHT]), ("the latest", [BRIGHT]), ("egal, die neueste", [BRIGHT]),
        ("die älteste", [ACME_OLD]),
        ("the biggest", [ACME_OLD]), ("the smallest one please", [ACME_NEW]), ("the november one", [ACME_NEW]),
        ("die vom November", [ACME_NEW]), ("the one from March 2024", [ACME_OLD]), ("2025", [BRIGHT]),
        ("the one in Documents", [ACME_OLD]), ("bright", [BRIGHT]), ("the bright one", [BRIGHT]),
        ("the brigth one", [BRIGHT]),
        ("I mean the older acme invoice", [ACME_OLD]), ("all of them", [ACME_NEW, BRIGHT, ACME_OLD]),
        ("alle drei", [ACME_NEW, BRIGHT, ACME_OLD]), ("1 and 3", [ACME_NEW, ACME_OLD]),
        ("the first two", [ACME_NEW, BRIGHT]),
        ("die letzten beiden", [BRIGHT, ACME_OLD]), ("the second", [BRIGHT]),
        ("the ones in Downloads", [ACME_NEW, BRIGHT]),
    ],
)  # fmt: skip
def test_a_choice_is_told_by_a_fact_about_it(planner: Planner, answer: str, expected: list[str]) -> None:
    question = _asked(planner, "delete the invoice")
    assert _names(planner, planner.say(answer, Dialogue(pending=question))) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "both", "whichever", "not the newest", "the other one", "from 1999", "1 or 3", "1 oder 3",
        "the first or the second", "anything but the bright one", "alle bis auf die neueste", "all but the first",
        "alle außer der ersten", "all except the one in Documents", "one of both", "eine von allen",
        "which one is the newest?", "which is newer?", "how big is the largest one?", "welche ist die neueste?",
        "is one of them from November?", "is the first one older?", "ist die erste älter?",
    ],
)  # fmt: skip
def test_an_answer_that_fits_no_single_choice_picks_none(planner: Planner, answer: str) -> None:
    again = planner.say(answer, Dialogue(pending=_asked(planner, "delete the invoice")))
    deletes = isinstance(again, Plan) and "files.delete" in [task.tool for task in again.tasks]
    assert not deletes, again


@pytest.mark.parametrize(
    ("answer", "place"), [("1 or 2", ()), ("eine von beiden", ()), ("what about the second?", (1,))]
)
def test_of_two_one_is_picked_only_by_who_says_which(planner: Planner, answer: str, place: tuple[int, ...]) -> None:
    question = _asked(planner, "delete report.pdf")
    said = planner.say(answer, Dialogue(pending=question))
    values = [question.values[at] for at in place]
    given = [one.value for task in said.tasks for one in task.arguments.values()] if isinstance(said, Plan) else []
    assert given == values


def test_what_an_answer_leaves_is_asked_about_next(planner: Planner) -> None:
    narrowed = planner.say("the acme one", Dialogue(pending=_asked(planner, "delete the invoice")))
    assert isinstance(narrowed, Question)
    assert len(narrowed.values) == 2
    assert _names(planner, planner.say("the older one", Dialogue(pending=narrowed))) == [ACME_OLD]


@pytest.mark.parametrize(
    ("answer", "times"), [("both", 2), ("beide", 2), ("all of them", 2), ("1 and 2", 2), ("egal", 1)]
)
def test_a_call_that_takes_one_is_made_for_each(planner: Planner, answer: str, times: int) -> None:
    question = _asked(planner, "how many pages does report.pdf have")
    plan = planner.say(answer, Dialogue(pending=question))
    assert isinstance(plan, Plan)
    assert [task.id for task in plan.tasks] == ["t1", "t2"][:times]
    assert _names(planner, plan) == list(REPORTS)[:times]


def test_each_of_several_has_a_call_of_its_own_name(planner: Planner) -> None:
    plan = planner.say("all of them", Dialogue(pending=_asked(planner, "summarise the invoice")))
    assert isinstance(plan, Plan), plan
    assert len({task.id for task in plan.tasks}) == len(plan.tasks) == 3
    assert sorted(_names(planner, plan)) == sorted([ACME_OLD, ACME_NEW, BRIGHT])


def test_no_rename_is_made_twice(planner: Planner) -> None:
    question = _asked(planner, "rename report.pdf to summary")
    assert isinstance(planner.say("both", Dialogue(pending=question)), Question)


@pytest.mark.parametrize(
    ("answer", "expected"), [("no, the older one", 0), ("nein, die andere", 0), ("no, the first", 0)]
)
def test_another_choice_is_taken_afterwards(planner: Planner, answer: str, expected: int) -> None:
    question = _asked(planner, "how many pages does report.pdf have")
    plan = planner.say("the newer one", Dialogue(pending=question))
    assert _names(planner, plan) == [REPORTS[1]]
    assert isinstance(plan, Plan)
    assert _names(planner, planner.say(answer, planner.after(plan))) == [REPORTS[expected]]


def test_the_other_folder_is_asked_for_where_there_was_no_choice(planner: Planner) -> None:
    plan = planner.say("copy expenses.csv to Desktop")
    assert isinstance(plan, Plan)
    question = planner.say("no, the other folder", planner.after(plan))
    assert isinstance(question, Question)
    assert question.parameter == "to"


# --- yes, no, and more than that ----------------------------------------------------------------------------------


def _unsure(planner: Planner, sentence: str) -> Question:
    plan = planner.say(sentence)
    assert isinstance(plan, Plan)
    values = (plan_to_json(plan), None)
    return Question(f"Shall I do this: {sentence}?", plan.tasks[0].id, NO_PARAMETER, plan, ("yes", "no"), values)


@pytest.mark.parametrize(
    "answer", ["yes exactly", "yes please do that", "ja genau", "ja bitte, mach das", "ok go ahead"]
)
def test_more_words_may_say_yes(planner: Planner, answer: str) -> None:
    question = _unsure(planner, "delete invoice_acme_2024-11.pdf")
    assert _names(planner, planner.say(answer, Dialogue(pending=question))) == [ACME_NEW]


@pytest.mark.parametrize(
    "answer", ["yes but not today", "ja, aber nach Desktop", "ok the other one", "yes and report.pdf"]
)
def test_a_yes_to_something_else_is_none(planner: Planner, answer: str) -> None:
    question = _unsure(planner, "delete invoice_acme_2024-11.pdf")
    said = planner.say(answer, Dialogue(pending=question))
    assert not isinstance(said, Plan) or _names(planner, said) != [ACME_NEW]


@pytest.mark.parametrize(
    ("answer", "end"), [("no, until 25 April", "2026-04-25"), ("nein, bis 25. April", "2026-04-25")]
)
def test_a_plan_that_was_asked_about_is_amended(planner: Planner, answer: str, end: str) -> None:
    question = _unsure(planner, "how many days until 20 April 2026?")
    plan = planner.say(answer, Dialogue(pending=question))
    assert isinstance(plan, Plan)
    assert [task.tool for task in plan.tasks] == ["calc.between"]
    assert end[5:] in planner.shape(plan)


@pytest.mark.parametrize(
    "answer", ["no, I changed my mind", "halt, das ist falsch", "stop, that is wrong", "moment mal"]
)
@pytest.mark.parametrize("finished", [False, True])
def test_who_only_stops_something_gives_no_new_text(planner: Planner, answer: str, finished: bool) -> None:
    asked = planner.say(SUMMARY)
    assert isinstance(asked, Plan)
    context = Dialogue(last=LastRun(asked, {})) if finished else Dialogue(pending=_unsure(planner, SUMMARY))
    said = planner.say(answer, context)
    assert not isinstance(said, Plan), planner.shape(said)


@pytest.mark.parametrize("answer", ["no, invoice_bright_2025-03.pdf", "nein, invoice_bright_2025-03.pdf"])
def test_the_file_of_a_change_that_was_asked_about_is_corrected(planner: Planner, answer: str) -> None:
    plan = planner.say(answer, Dialogue(pending=_unsure(planner, SUMMARY)))
    assert isinstance(plan, Plan), plan
    assert [task.tool for task in plan.tasks] == ["files.rename"]
    assert _names(planner, plan) == [BRIGHT]


def test_nobody_amends_a_change_by_chance(planner: Planner) -> None:
    question = _unsure(planner, "delete invoice_acme_2024-11.pdf")
    said = planner.say("and the songs?", Dialogue(pending=question))
    assert not isinstance(said, Plan) or "files.delete" not in [task.tool for task in said.tasks]


def test_no_thanks_still_drops_it(planner: Planner) -> None:
    for answer in ("no thanks", "nein danke", "none of them"):
        assert isinstance(planner.say(answer, Dialogue(pending=_unsure(planner, "list my notes"))), Decline)


def test_a_bare_name_is_the_name_that_was_asked_for(planner: Planner) -> None:
    question = _asked(planner, "rename expenses.csv")
    plan = planner.say("old invoice", Dialogue(pending=question))
    assert "name=old invoice" in planner.shape(plan)
    search = planner.say("find the invoice", Dialogue(pending=question))
    assert "files.rename" not in planner.shape(search)


@pytest.mark.parametrize(
    "answer", ["largest files", "don't know", "nothing", "what", "egal", "keine Ahnung", "leave it"]
)
def test_what_is_no_name_is_not_taken_for_one(planner: Planner, answer: str) -> None:
    question = _asked(planner, "rename expenses.csv")
    said = planner.say(answer, Dialogue(pending=question))
    assert not isinstance(said, Plan) or "files.rename" not in [task.tool for task in said.tasks], planner.shape(said)


def test_a_note_is_found_in_the_words_of_an_answer(planner: Planner) -> None:
    question = Question("?", *_missing_title(planner))
    plan = planner.say("an die Notiz Garden plan anhängen", Dialogue(pending=question))
    assert "title=Garden plan" in planner.shape(plan)


def _missing_title(planner: Planner) -> tuple[object, ...]:
    plan = planner.say("add eggs to the note Shopping list")
    assert isinstance(plan, Plan)
    task = plan.tasks[0]
    arguments = {name: value for name, value in task.arguments.items() if name != "title"}
    return task.id, "title", replace(plan, tasks=(replace(task, arguments=arguments),))
