"""A deed that is held back for another one is no step, and the other one is the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.language.held_back import contrasted
from kernel.model import Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

VERBS = frozenset(
    "delete remove add move send copy list show tell draft lösch verschieb trag schick zeig sag leg".split()
)


@pytest.mark.parametrize(
    ("sentence", "language", "left"),
    [
        ("don't remove old.zip, just copy it to Archive", "en", "copy old.zip to Archive"),
        ("dont move the zip files in Downloads only list them", "en", "list the zip files in Downloads"),
        ("Don't add anything yet, just show me what's on.", "en", "show me what's on."),
        ("do not send it, just draft a mail to Anna: it is late", "en", "draft a mail to Anna: it is late"),
        ("Lösch old.zip nicht, verschieb es nur nach Archive.", "de", "verschieb old.zip nach Archive."),
        ("Trag nichts ein, sag mir nur, was ansteht.", "de", "sag mir, was ansteht."),
        ("schick noch keine mail, leg nur einen entwurf an", "de", "leg einen entwurf an"),
        ("Schick Anna noch nichts, zeig ihr nur den Entwurf", "de", "zeig Anna den Entwurf"),
        ("don't delete just the pdfs", "en", ""),
        ("don't delete old.zip", "en", ""),
        ("add a note saying don't move, just list it", "en", ""),
        ("Lösch die PDFs nicht, die sind nur alt", "de", ""),
        ("Lösch old.zip nicht, verschieb sie nach Archive", "de", ""),
    ],
)
def test_what_is_left(sentence: str, language: str, left: str) -> None:
    assert contrasted(sentence, language, VERBS.__contains__) == left


@pytest.mark.parametrize(
    ("sentence", "shape"),
    [
        ("don't delete old.zip, just move it to Archive", "files.move(files=['~/Downloads/old.zip'], to=~/Archive)"),
        ("Lösch old.zip nicht, verschieb es nur nach Archive.",
         "files.move(files=['~/Downloads/old.zip'], to=~/Archive)"),
        ("dont delete the pdfs in Downloads, only list them", "files.find(folder=~/Downloads, kind=pdf)"),
    ],
)  # fmt: skip
def test_the_other_deed_is_the_plan(planner: Planner, sentence: str, shape: str) -> None:
    assert planner.shape(planner.whole(sentence)) == shape


@pytest.mark.parametrize("sentence", ["don't delete old.zip", "lösch nicht old.zip, lass sie nur liegen"])
def test_what_is_only_held_back_is_not_done(planner: Planner, sentence: str) -> None:
    plan = planner.whole(sentence)
    assert not isinstance(plan, Plan) or all(task.tool != "files.delete" for task in plan.tasks)
