"""What is said to be left as it is, is: "but delete nothing" takes nothing away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from conftest import Desk


@pytest.mark.parametrize(
    "sentence",
    [
        "zeig mir welche pdfs in Downloads sind aber lösch nichts",
        "such die PDFs in Downloads und lösch nix",
        "zeig die Bilder in Pictures, aber lösch keine davon",
        "liste die Zips in Downloads auf und verschieb nichts davon",
        "lösch nichts",
        "show me the pictures in Pictures but delete nothing",
        "find the pdfs in Downloads and delete none of them",
        "find the pdfs in Downloads, don't delete anything",
        "list the zip files in Downloads and move nothing",
        "delete nothing",
    ],
)
def test_nothing_is_taken_away(desk: Desk, sentence: str) -> None:
    proposal = desk.say(sentence)
    tools = [str(task.tool) for task in proposal.tasks] if isinstance(proposal, Plan) else []
    assert not {"files.delete", "files.move"} & set(tools)


@pytest.mark.parametrize(
    "sentence", ["find the pdfs in Downloads and delete them", "such die pdfs in Downloads und lösch sie"]
)
def test_the_control_takes_them_away(desk: Desk, sentence: str) -> None:
    proposal = desk.say(sentence)
    assert isinstance(proposal, Plan)
    assert "files.delete" in [str(task.tool) for task in proposal.tasks]
