"""As what something is kept is no text: "save that as a macro called tidy" says nothing to be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    "sentence",
    ["save that as a macro called evil plan", "save this as a recipe called plum jam",
     "speicher das als Vorlage namens Kuchen"],
)  # fmt: skip
def test_no_note_says_as_a_macro(planner: Planner, sentence: str) -> None:
    """The control, below: the same words are a text where nothing is pointed at."""
    proposal = planner.say(sentence)
    said = planner.shape(proposal) if isinstance(proposal, Plan) else ""
    assert "text=as a" not in said
    assert "text=als" not in said


def test_more_than_what_it_is_kept_as_is_a_text(planner: Planner) -> None:
    assert "text=as a child I lived" in planner.shape(planner.say("note that as a child I lived in Rome"))
