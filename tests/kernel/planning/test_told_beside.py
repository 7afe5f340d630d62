"""What is told beside a request never widens what is done: conditions, places, corrections, names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.model import ConversationId, Plan, Proposal, Utterance
from kernel.planning.proposing import proposed
from kernel.recommend import recommend
from skills.model import EffectClass
from tests.kernel.planner import NOW

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


def _said(planner: Planner, text: str) -> Proposal:
    mind, intent = Mind(planner.lexicon, planner.toolbox), planner.intent(text)
    utterance = Utterance(text, ConversationId("c"), planner.home, planner.home, NOW)
    dialogue = Dialogue(home=planner.home, world=planner.world)
    return proposed(utterance, intent, recommend(intent, planner.toolbox), mind, dialogue, "")


@pytest.mark.parametrize(
    "text",
    [
        "Delete all pdfs in Downloads, if they are big, please",
        "Move all pdfs in Downloads, if they are big, to Archive",
        "Verschieb alle PDFs in Downloads, wenn sie groß sind, nach Archive",
        "Move all pdfs, when you have copied them, to Archive",
        "Copy all files in Downloads, the ones that I want to keep, to Archive",
        "Delete all files in Downloads, those are old ones, please",
        "Delete all files in Downloads, the ones that I want to lose, now",
        "Move all files in Downloads, the ones I need, to Archive",
        "Copy all pdfs that I like to Archive",
        "Delete all files in Downloads I no longer need",
        "Lösch alle Dateien in Downloads, die ich nicht mehr brauche",
        "Verschieb alle Dateien in Downloads, die ich brauche, nach Archive",
        "Lösch alle Bilder, die ich nicht behalten will",
        "delete the pdfs in Downloads, no wait, the pngs",
        "Delete the notes in Documents, I mean the photos",
        "delete every pdf in Downloads, I mean every zip",
        "lösch alle PDFs in Downloads, nee, alle ZIPs",
        "delete the drafts, no wait, the drafts should stay",
        "copy the file report.pdf to Archive, I mean the Archive in Documents",
        "delete the pdfs, they should be in Downloads",
        "Delete the photos, they should all be in Pictures/Holiday",
        "Lösch die PDFs, die müssten in Downloads liegen",
        "Create a folder Taxes, it should be in Documents",
    ],
)
def test_nothing_is_changed_by_a_reading_that_passes_over_a_limit(planner: Planner, text: str) -> None:
    plan = _said(planner, text)
    assert not isinstance(plan, Plan) or all(
        planner.toolbox.tool(task.tool).effect is EffectClass.PURE for task in plan.tasks
    ), planner.shape(plan)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("what is 84 divided by four, no wait, divided by six", "calc.compute(expression=84 / 6)"),
        ("a.pdf is in Downloads, delete it", "files.delete(files=~/Downloads/a.pdf)"),
        ("create a folder titled Oh Happy Day", "files.make_folder(name=Oh Happy Day)"),
        ("delete a.pdf in Downloads, I don't need it any more", "files.delete(files=['~/Downloads/a.pdf'])"),
        ("Lösch setup.exe, die ich nicht mehr brauche", "files.delete(files=['~/Downloads/setup.exe'])"),
        ("lösch setup.exe, die brauche ich nicht mehr", "files.delete(files=['~/Downloads/setup.exe'])"),
        ("oh what is 17% of 230", "calc.compute(expression=17 % of 230)"),
    ],
)
def test_what_only_surrounds_a_request_is_passed_over(planner: Planner, text: str, shape: str) -> None:
    assert planner.shape(_said(planner, text)) == shape
