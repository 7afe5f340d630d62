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
    assert "? " in drawn.out, "the rights that would be asked for"
    view = json.loads(running.steward("plan", "--json", TEXT).out)
    assert [task["tool"] for task in view["plan"]["tasks"]] == ["files.contents", "notes.create"]
    graph = running.steward("plan", "--graph", TEXT).out
    assert graph.startswith("flowchart TD\n")
    assert "t1 -. if .-> t2" in graph
    assert running.steward("plan", "frobnicate the gizmo").code == 6
    assert running.steward("plan", "make a note saying hello").code == 7
    assert json.loads(running.steward("runs", "--json").out) == before
    assert not (running.home / "Notes").exists()
