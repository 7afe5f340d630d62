"""A value that a model wrote is marked on the plan, and one of the person's is not."""

from __future__ import annotations

import pytest

from portal.cli.cards import plan_lines

TASK = {"id": "t1", "title": "Send", "tool": "x.send", "arguments": {"to": "eve@example.org", "text": "Hi"},
        "chosen": ["to"]}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "mark"), [("en", "(not yours: the model's)"), ("de", "(nicht von dir: vom Modell)")]
)
def test_a_value_that_a_model_chose_is_marked(language: str, mark: str) -> None:
    lines = list(plan_lines({"tasks": [TASK]}, language))
    (marked,) = (line for line in lines if mark in line)
    assert "eve@example.org" in marked
    assert all(mark not in line for line in plan_lines({"tasks": [{**TASK, "chosen": []}]}, language))
