"""What a person is told of a plan that can not be used: the first reason in plain words, and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel.prompting.unusable import reason
from tests.kernel.prompting.test_whole import LOST, asked_of, planning


def _plan(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    task = {"id": "t1", "tool": tool, "each": None, "when": [], "arguments": arguments}
    return {"tasks": [task], "ask": None, "about": None, "decline": None, "later": None}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (_plan("files.teleport", {}), "it named a tool that is not there, “files.teleport”"),
        (_plan("files.find", {"hue": {"value": "red"}}), "it gave files.find something that it does not take, “hue”"),
        (_plan("files.find", {"folder": {"said": 77}}), "it took something for said that you did not say"),
        (_plan("files.find", {"folder": "~/nowhere"}), "its answer is not of the form that it was asked for"),
        ({**_plan("files.find", {}), "tasks": []}, "it named nothing to do"),
    ],
)
async def test_the_first_reason_and_the_next_step_are_said(tmp_path: Path, answer: dict[str, Any], said: str) -> None:
    async with asked_of(tmp_path, planning(lambda _: answer)) as (bench, _):
        before = bench.tree()
        found = await bench.ask(LOST)
        assert found["resolution"] in ("declined", "clarify")
        assert f"The model scripted made no plan that can be used: {said}" in found["answer"], found["answer"]
        assert f"./steward models prompt {found['run']}" in found["answer"]
        assert "Say it in other words" in found["answer"]
        assert bench.tree() == before


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ("t1: there is no tool files.teleport in the list.",
         "es nannte ein Werkzeug, das es nicht gibt, „files.teleport“"),
        ("t2 (files.move) lacks to.", "es gab files.move nicht, was es braucht, „to“"),
        ("t2.files takes the result of t9, which does not come before it.",
         "einer der Schritte braucht ein Ergebnis, das es nicht gibt"),
        ("t1.count: a whole number is wanted", "die Antwort hat nicht die verlangte Form"),
        ("t1.when: Nobody knows this day.",
         "ein Wert passt nicht; dem Modell wurde gesagt: „t1.when: Nobody knows this day“"),
    ],
)  # fmt: skip
def test_it_is_said_in_the_language_of_the_person(problem: str, said: str) -> None:
    assert reason(problem, "de") == said


def test_no_long_words_of_a_model_stand_in_it() -> None:
    assert len(reason(f"t1: there is no tool {'x' * 4000} in the list.", "en")) < 300
