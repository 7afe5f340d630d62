"""Deeds are done in the order that the words mean, whatever order they are said in; a circle is asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kernel.context.dialogue import Dialogue
from kernel.language.clause_joints import LONGEST
from kernel.language.ordering import orders_of
from kernel.language.quantifying import each_of_them
from kernel.model import Decline, Plan, Proposal, Question
from tests.clock import less_than

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

COPY_A = "files.copy(files=['~/Downloads/a.pdf'], to=~/Archive)"
DELETE_A = "files.delete(files=['~/Downloads/a.pdf'])"
DELETE_ZIP = "files.delete(files=['~/Downloads/old.zip'])"
PDFS = "files.find(folder=~/Downloads, kind=pdf)"
KEPT = [COPY_A, f"{DELETE_A} after t1"]
OTHER = [COPY_A, f"{DELETE_ZIP} after t1"]
LISTED = [PDFS, "files.copy(files=<t1>, to=~/Archive)", "files.delete(files=<t1>) after t2"]
TABLE = [
    ("before you delete a.pdf, copy it to Archive", KEPT),
    ("before deleting a.pdf, copy it to Archive", KEPT),
    ("delete a.pdf after copying it to Archive", KEPT),
    ("please delete a.pdf after you have copied it to Archive", KEPT),
    ("copy a.pdf to Archive before you delete old.zip", OTHER),
    ("once you've copied a.pdf to Archive, delete old.zip", OTHER),
    ("once a.pdf is copied to Archive, delete old.zip", OTHER),
    ("when you are done copying a.pdf to Archive, delete old.zip", OTHER),
    ("delete old.zip, but only after you have copied a.pdf to Archive", OTHER),
    ("delete the pdfs in Downloads after copying them to Archive", LISTED),
    ("find the pdfs in Downloads and delete them after copying them to Archive", LISTED),
    ("rename a.pdf to x.pdf before moving it to Archive",
     ["files.rename(file=~/Downloads/a.pdf, name=x.pdf)", "files.move(files=<t1>, to=~/Archive) after t1"]),
    ("lösche a.pdf, nachdem du sie nach Archive kopiert hast", KEPT),
    ("bevor du a.pdf löschst, kopiere sie nach Archive", KEPT),
    ("bevor Sie a.pdf löschen, kopieren Sie sie nach Archive", KEPT),
    ("nachdem du a.pdf nach Archive kopiert hast, lösche old.zip", OTHER),
    ("kopiere a.pdf nach Archive, bevor du old.zip löschst", OTHER),
    ("sobald a.pdf nach Archive kopiert ist, lösche old.zip", OTHER),
    ("lösche die PDFs in Downloads, nachdem du sie nach Archive kopiert hast", LISTED),
    ("delete old.zip after you have copied a.pdf to Archive and copy b.pdf to Archive after you have deleted old.zip",
     [*OTHER, "files.copy(files=['~/Downloads/b.pdf'], to=~/Archive) after t2"]),
    ("copy b.pdf to Archive after you have deleted old.zip and delete old.zip after you have copied a.pdf to Archive",
     [*OTHER, "files.copy(files=['~/Downloads/b.pdf'], to=~/Archive) after t2"]),
]  # fmt: skip


def told(planner: Planner, plan: Proposal) -> list[str]:
    assert isinstance(plan, Plan), plan
    return [
        planner.shape(Plan((task,), "en")) + (f" after {' '.join(task.after)}" if task.after else "")
        for task in plan.tasks
    ]


@pytest.mark.parametrize(("text", "plan"), TABLE)
def test_the_plan_has_the_order_of_the_meaning(planner: Planner, text: str, plan: list[str]) -> None:
    assert told(planner, planner.whole(text)) == plan


CIRCLES = [
    ("delete a.pdf after you copy b.pdf to Archive and copy b.pdf to Archive after you delete a.pdf", "1",
     "first “copy b.pdf to Archive”, then “delete a.pdf”"),
    ("delete a.pdf after copy b.pdf to Archive and copy b.pdf to Archive after delete a.pdf", "1",
     "first “copy b.pdf to Archive”, then “delete a.pdf”"),
    ("delete a.pdf before you copy b.pdf to Archive, and copy b.pdf to Archive before you delete a.pdf", "2",
     "first “copy b.pdf to Archive”, then “delete a.pdf”"),
    ("lösche a.pdf, nachdem du b.pdf nach Archive kopiert hast, und kopiere b.pdf nach Archive, nachdem du a.pdf "
     "gelöscht hast", "1", "zuerst „kopiere b.pdf nach Archive“, dann „lösche a.pdf“"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "answer", "choice"), CIRCLES)
def test_a_circle_is_asked_about(planner: Planner, text: str, answer: str, choice: str) -> None:
    question = planner.whole(text)
    assert isinstance(question, Question), question
    assert sorted(question.choices)[0] == choice
    assert len(question.choices) == 2
    plan = planner.whole(answer, Dialogue(pending=question))
    assert told(planner, plan) == ["files.copy(files=['~/Downloads/b.pdf'], to=~/Archive)", f"{DELETE_A} after t1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("delete a.pdf after you delete a.pdf", "before itself"),
        ("lösche a.pdf, bevor du a.pdf löschst", "vor sich selbst"),
        (
            "delete a.pdf after you delete b.pdf and delete b.pdf after you delete old.zip and delete old.zip after "
            "you delete a.pdf",
            "before itself",
        ),
    ],
)
def test_a_circle_of_one_or_many_is_declined(planner: Planner, text: str, said: str) -> None:
    answer = planner.whole(text)
    assert isinstance(answer, Decline)
    assert said in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "after you have copied a.pdf to Archive, delete it",
        "copy a.pdf to Archive before you delete it",
        "nachdem du a.pdf nach Archive kopiert hast, lösche sie",
        "find the pdfs in Downloads, copy them to Archive and if there are more than 1, delete them",
        "find the pdfs in Downloads, copy them to Archive and for each of them, delete it",
    ],
)
def test_what_may_be_the_copy_or_the_original_is_never_deleted_by_a_guess(planner: Planner, text: str) -> None:
    assert not isinstance(planner.whole(text), Plan)


@pytest.mark.parametrize(
    "text",
    [
        "list appointments after lunch tomorrow",
        "show the files from before 2024",
        "show events after 5 pm and before 9 pm",
        "remind me to call Anna after you have moved a.pdf",
        "make a note saying delete a.pdf after you copy it",
        'make a note with the text "before you delete a.pdf, copy it"',
        "after Anna has answered, delete a.pdf",
        "nachdem sie geantwortet hat, lösche a.pdf",
        "zeig mir die Termine nach dem Essen",
        "bevor sie a.pdf löscht, kopiere sie nach Archive",
    ],
)
def test_times_texts_and_deeds_of_others_are_no_order(text: str) -> None:
    verbs = "list show move delete copy make zeig lösche kopiere answer antworte".split()
    for language in ("en", "de"):
        assert orders_of(text, language, verbs.__contains__) == ()


@pytest.mark.parametrize(
    "text",
    [
        "delete a after you copy b and ",
        'delete "a after you copy b, ',
        "for each of them, copy it and ",
        'say "each of them, ',
        "after you, before, once and ",
        "bevor du a löschst, und nachdem ",
        "a, " * 150 + "after you copy b and ",
    ],
)
def test_it_is_bounded(text: str) -> None:
    for language in ("en", "de"):
        with less_than(2.0):
            for said in (text * 7, text * max(LONGEST // len(text), 1), text * 3000):
                orders_of(said, language, {"delete", "copy"}.__contains__)
                each_of_them(said, language, {"delete", "copy"}.__contains__)


async def test_the_copy_is_made_before_the_deletion(bench: Any) -> None:
    (bench.home / "Archive").mkdir()
    view = await bench.ask("delete small.txt after copying it to Archive")
    assert view["resolution"] == "confirmed", view["answer"]
    tree = bench.tree()
    assert tree["Archive/small.txt"] == b"x" * 10
    assert "Downloads/small.txt" not in tree
