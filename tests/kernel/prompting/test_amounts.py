"""Numbers that a parameter is in a unit for, in a plan of a model's: converted or asked about, never taken bare."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel import Folders
from kernel.context.dialogue import Dialogue
from kernel.model import Constant, Plan, Proposal, Question
from kernel.models.model import Prompt, Reply, Usage, Way
from kernel.prompting.prompt import prompt_of
from kernel.prompting.proposing import ask_model
from kernel.prompting.reading import Wrong, read
from kernel.prompting.sight import Sight, sight_of
from kernel.recommend import recommend
from permissions.labels import Integrity
from skills import Registry
from skills.model import Tool
from tests.kernel.planner import NOW, Planner
from tests.kernel.prompting.conftest import as_read
from tests.kernel.walks import install_walks


@pytest.fixture(scope="module")
def walker(tools: tuple[Tool, ...], home: Path, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    """The built-in tools, and those whose numbers are in units."""
    root = tmp_path_factory.mktemp("own")
    folders = Folders({"HOME": str(root), "STEWARD_HOME": str(root / "steward")})
    install_walks(folders)
    return Planner.over((*tools, *Registry([folders.data / "skills"]).tools()), home)


def sight(walker: Planner, text: str) -> Sight:
    intent = walker.intent(text)
    around = Dialogue(home=walker.home, world=walker.world)
    seen = sight_of(intent, recommend(intent, walker.toolbox), walker.toolbox, around)
    return replace(seen, tools=tuple(one for one in walker.tools if one.skill == "walks"))


def number(seen: Sight, words: str) -> int:
    return next(one.number for one in seen.said if one.words == words)


def reply(tool: str, **given: Any) -> dict[str, Any]:
    task = {"id": "t1", "tool": f"walks.{tool}", "arguments": given, "each": None, "when": []}
    return {"tasks": [task], "ask": None, "about": None, "decline": None, "later": None}


def answer(walker: Planner, seen: Sight, value: dict[str, Any]) -> Proposal | Wrong:
    return read(value, seen, walker.toolbox, walker.home, "scripted")


def given(plan: Proposal | Wrong, name: str) -> Constant:
    assert isinstance(plan, Plan), plan
    value = plan.tasks[0].arguments[name]
    assert isinstance(value, Constant)
    return value


def test_a_model_sees_in_which_unit_a_number_is(walker: Planner) -> None:
    seen = sight(walker, "my legs want some 20 km of fresh air")
    tools = [json.loads(line) for line in prompt_of(seen, NOW).messages[1].text.splitlines()[1:]]
    takes = {one["tool"]: one["takes"] for one in tools}
    assert takes["walks.plan"]["distance"].startswith("integer in m: ")
    assert takes["walks.bag"]["weight"].startswith("number in kg: ")


@pytest.mark.parametrize(
    ("text", "words", "tool", "name", "value"),
    [
        ("my legs want some 20 km of fresh air", "20 km", "plan", "distance", 20000),
        ("my legs want some 1.5 km of fresh air", "1.5 km", "plan", "distance", 1500),
        ("my legs want some 800 m of fresh air", "800 m", "plan", "distance", 800),
        ("stuff 500 g into something for me", "500 g", "bag", "weight", 0.5),
    ],
)
def test_what_the_request_says_is_converted_and_stays_the_persons_word(
    walker: Planner, text: str, words: str, tool: str, name: str, value: float
) -> None:
    seen = sight(walker, text)
    found = given(answer(walker, seen, reply(tool, **{name: {"said": number(seen, words)}})), name)
    assert found.value == value
    assert found.text == words
    assert found.label.integrity is Integrity.USER


def test_the_bare_number_of_an_amount_is_that_amount(walker: Planner) -> None:
    seen = sight(walker, "my legs want some 20 km of fresh air")
    for bare in (one for one in seen.said if one.words == "20"):
        found = given(answer(walker, seen, reply("plan", distance={"said": bare.number})), "distance")
        assert (found.value, found.text) == (20000, "20 km")
    for written in (20, "20", "20 m", {"value": 20}):
        wrong = answer(walker, seen, reply("plan", distance={"value": written}))
        assert isinstance(wrong, Wrong), written
        assert "another unit than m" in wrong.problems[0]
    assert given(answer(walker, seen, reply("plan", distance={"value": 20000})), "distance").value == 20000


def test_a_number_that_is_said_bare_too_may_be_written(walker: Planner) -> None:
    seen = sight(walker, "20 of us want 20 km of fresh air")
    assert given(answer(walker, seen, reply("plan", distance={"value": 20})), "distance").value == 20


@pytest.mark.parametrize("written", ["20 km", {"value": "20", "unit": "km"}])
def test_what_a_model_writes_with_a_unit_is_converted(walker: Planner, written: Any) -> None:
    seen = sight(walker, "my legs want fresh air")
    found = given(answer(walker, seen, reply("plan", distance={"value": written})), "distance")
    assert found.value == 20000
    assert found.label.integrity is Integrity.TRUSTED_SOURCE


@pytest.mark.parametrize("written", ["20 kg", "1.5 mm", {"value": "20", "unit": "kg"}])
def test_what_a_model_writes_in_another_measure_goes_back(walker: Planner, written: Any) -> None:
    wrong = answer(walker, sight(walker, "my legs want fresh air"), reply("plan", distance={"value": written}))
    assert isinstance(wrong, Wrong)
    assert "distance" in wrong.problems[0]


async def test_an_amount_of_something_else_is_asked_about_in_the_kernels_own_name(walker: Planner) -> None:
    seen = sight(walker, "my legs want some 20 kg of fresh air")
    value = reply("plan", distance={"said": number(seen, "20 kg")})

    async def ask(_: Prompt) -> Reply:
        return Reply(json.dumps(value), value, Usage(1, 1, 0, True), 1, Way.SCHEMA, "scripted")

    question = (await ask_model(seen, ask, walker.toolbox, walker.home, NOW, as_read)).proposal
    assert isinstance(question, Question)
    assert question.text.startswith("“20 kg” cannot be taken here: this is counted in m.")
    assert "distance" not in question.draft.tasks[0].arguments
    plan = walker.say("3 km", Dialogue(pending=question))
    assert given(plan, "distance").value == 3000
