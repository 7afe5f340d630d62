"""The card in a terminal shows a value that somebody has to answer for to its last character."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from kernel.flow import LONGEST
from portal.cli import cards


@pytest.mark.parametrize("stage", ["flow", "plan"])
def test_a_value_of_others_is_shown_to_its_last_character(monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    written = io.StringIO()
    monkeypatch.setattr(cards, "people", Console(file=written, width=40))  # narrow: lines as they are
    end = "; touch pwned"
    value = "touch ours ".ljust(LONGEST - len(end), "x") + end
    card = {"concerns": [{"why": "Value", "subject": value}], "rights": []}
    cards.show_card({"stage": stage, "card": {**card, "flow": [{"tool": "shell.run", "parameter": "command"}]}}, "en")
    assert f"“{value}”" in written.getvalue()
    cards.show_card({"stage": "commit", "card": card}, "en")  # the control: what nobody answers for is cut
    assert written.getvalue().count(end) == 1


def test_what_a_second_model_said_of_changes_stands_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(cards, "people", Console(file=written, width=200))
    change = {"kind": "created", "path": "/h/digest.txt"}
    review = {"lines": ["The model judge looked at 1 statement.", "Not supported: “all \u202eis well”"]}
    cards.show_card({"stage": "commit", "card": {"changes": [change]}, "review": review}, "en")
    shown = written.getvalue()
    assert shown.index("The model judge") < shown.index("Not supported") < shown.index("digest.txt")
    assert "\u202e" not in shown
