"""What a person is told of a plan that can not be used: the first reason in plain words, and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel.composition.problem import Flaw, Problem
from kernel.composition.validate import validate
from kernel.context.mind import Mind
from kernel.model import Plan, Task, TaskId
from kernel.prompting.unusable import reason
from skills.model import ToolId
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
        (_plan("files.find", {"folder": {"from": "t9"}}), "one of its steps needs a result that is not there"),
        ({**_plan("files.find", {}), "tasks": [{}] * 17}, "it has too many steps, 17"),
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
        (Problem("t1: there is no tool files.teleport in the list.", Flaw.TOOL, "files.teleport"),
         "es nannte ein Werkzeug, das es nicht gibt, „files.teleport“"),
        (Problem("t2 (files.move) lacks to.", Flaw.LACKING, "to", "files.move"),
         "es gab files.move nicht, was es braucht, „to“"),
        (Problem("t2.files takes the result of t9, which does not come before it.", Flaw.RESULT),
         "einer der Schritte braucht ein Ergebnis, das es nicht gibt"),
        (Problem("t1.count: a whole number is wanted", Flaw.FORM), "die Antwort hat nicht die verlangte Form"),
        ("t1.when: Nobody knows this day.",
         "ein Wert passt nicht; dem Modell wurde gesagt: „t1.when: Nobody knows this day“"),
    ],
)  # fmt: skip
def test_it_is_said_in_the_language_of_the_person(problem: str, said: str) -> None:
    assert reason(problem, "de") == said


def test_what_the_validator_of_plans_finds_is_said(mind: Mind) -> None:
    plan = Plan(
        (Task(TaskId("t1"), ToolId("files.rename"), {}), Task(TaskId("t1"), ToolId("files.teleport"), {})), "en"
    )
    said = [reason(one, "en") for one in validate(plan, mind.toolbox)]
    assert said[0].startswith("it did not give files.rename what it needs, “")
    assert said[-1] == "it named a tool that is not there, “files.teleport”"


@pytest.mark.parametrize("flaw", Flaw)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_kind_of_problem_is_said_without_the_words_for_the_model(flaw: Flaw, language: str) -> None:
    told = reason(Problem("for the model alone", flaw, "what", "tool"), language)
    assert told
    assert "model alone" not in told
    assert "{" not in told


def test_no_long_words_of_a_model_stand_in_it() -> None:
    assert len(reason(Problem("t1: there is none.", Flaw.TOOL, "x" * 4000), "en")) < 300
