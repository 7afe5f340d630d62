"""``plan``: the terminal, JSON and a flowchart; nothing is done."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Installation = Any  # tests/portal/conftest.py

TEXT = "if there are more than 10 files in Downloads, make a note called many saying too many files"


def test_a_plan_is_shown_three_ways_and_nothing_is_done(running: Installation) -> None:
    (running.home / "Downloads").mkdir(exist_ok=True)
    before = json.loads(running.steward("runs", "--json").out)
    drawn = running.steward("plan", TEXT)
    assert drawn.code == 0
    assert "only if step 1 finds more than 10" in drawn.out
    rights = [line for line in drawn.out.splitlines() if line.startswith("? ")]
    assert any(line.startswith("? files wants to read") for line in rights), "the rights that would be asked for"
    moved = running.steward("plan", "if there are more than 10 files in Downloads, move them to Archive").out
    asked = [line for line in moved.splitlines() if line.startswith("? ")]
    assert len(asked) == len(set(asked)) > 2, "what two steps need alike is said once"
    view = json.loads(running.steward("plan", "--json", TEXT).out)
    assert [task["tool"] for task in view["plan"]["tasks"]] == ["files.contents", "notes.create"]
    graph = running.steward("plan", "--graph", TEXT).out
    assert graph.startswith("flowchart TD\n")
    assert "t1 -. if .-> t2" in graph
    assert running.steward("plan", "frobnicate the gizmo").code == 6
    assert running.steward("plan", "make a note saying hello").code == 7
    assert json.loads(running.steward("runs", "--json").out) == before
    assert not (running.home / "Notes").exists()


def test_the_tools_for_a_request_are_shown_with_their_reasons(running: Installation) -> None:
    said = "find the three largest files in Downloads and save their names as a note called big files"
    before = json.loads(running.steward("runs", "--json").out)
    shown = running.steward("recommend", said)
    assert shown.code == 0
    assert "files.largest" in shown.out
    assert "notes.create" in shown.out
    assert "step 1.00" in shown.out
    assert "Why" in shown.out
    german = running.steward("recommend", "erstelle eine Notiz namens Einkauf und zeige mir die größten Dateien")
    assert "Warum" in german.out
    view = json.loads(running.steward("recommend", said, "--limit", "2", "--json").out)
    assert {one["tool"] for one in view["tools"]} == {"files.largest", "notes.create"}
    assert all(one["reasons"]["step"] > 0 for one in view["tools"])
    assert running.steward("recommend", " ").code == 2
    assert running.steward("recommend", said, "--limit", "0").code == 2
    assert json.loads(running.steward("runs", "--json").out) == before


@pytest.mark.parametrize(
    ("command", "said"),
    [("plan", "the invisible character U+202E"), ("recommend", "a note called \\u{202e}big\\x07 saying milk")],
)
def test_marks_that_turn_a_line_around_are_named_and_not_carried_out(
    running: Installation, command: str, said: str
) -> None:
    (running.home / "Downloads").mkdir(exist_ok=True)
    text = "list the files in Downloads and then make a note called \u202ebig\x07 saying milk"
    shown = running.steward(command, text)
    assert said in shown.out
    assert not {"\u202e", "\x07"} & set(shown.out + shown.err)
