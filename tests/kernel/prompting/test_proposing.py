"""A model that answers badly is told what is wrong, twice at most; one that fails leaves what the kernel has itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kernel.context.dialogue import Dialogue
from kernel.errors import ModelFailed
from kernel.model import Plan
from kernel.models.model import Prompt, Reply, Usage, Way
from kernel.prompting.proposing import ask_model
from kernel.prompting.sight import sight_of
from kernel.recommend import recommend
from tests.kernel.planner import NOW, Planner
from tests.kernel.prompting.conftest import as_read

GOOD = {
    "tasks": [{"id": "t1", "tool": "files.find", "arguments": {"folder": {"said": 1}}, "each": None, "when": []}],
    "ask": None, "about": None, "decline": None, "later": None,
}  # fmt: skip


class Scripted:
    """A model that says one thing after the other; what it says first may be an error."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.asked: list[Prompt] = []

    async def __call__(self, prompt: Prompt) -> Reply:
        self.asked.append(prompt)
        value = self.replies.pop(0)
        if isinstance(value, ModelFailed):
            raise value
        return Reply(str(value), value, Usage(1, 1, 0, True), 1, Way.SCHEMA, "scripted")


async def tried(planner: Planner, model: Scripted) -> Any:
    intent = planner.intent("what have we here, in Downloads")
    around = replace(Dialogue(), home=planner.home, world=planner.world)
    seen = sight_of(intent, recommend(intent, planner.toolbox), planner.toolbox, around)
    return await ask_model(seen, model, planner.toolbox, planner.home, NOW, as_read)


async def test_a_plan_says_which_model_made_it(planner: Planner) -> None:
    model = Scripted(GOOD)
    found = await tried(planner, model)
    assert isinstance(found.proposal, Plan)
    assert found.proposal.why["model"] == "scripted"
    assert len(model.asked) == 1


async def test_what_is_wrong_goes_back_and_is_mended(planner: Planner) -> None:
    model = Scripted({"tasks": [{"id": "t1", "tool": "rm"}]}, "no object", GOOD)
    found = await tried(planner, model)
    assert isinstance(found.proposal, Plan)
    assert len(found.problems) == 2
    assert "there is no tool rm" in model.asked[1].messages[-1].text
    assert len(model.asked[2].messages) == len(model.asked[0].messages) + 4


async def test_a_model_that_is_noise_is_asked_three_times_and_no_more(planner: Planner) -> None:
    model = Scripted(*["noise"] * 9)
    found = await tried(planner, model)
    assert found.proposal is None
    assert found.failure is None
    assert len(found.problems) == len(model.asked) == 3


@pytest.mark.parametrize("code", ["model.timeout", "model.unreachable", "model.budget", "model.resting"])
async def test_a_model_that_fails_is_not_asked_again(planner: Planner, code: str) -> None:
    model = Scripted(ModelFailed(code, "It failed."), GOOD)
    found = await tried(planner, model)
    assert found.proposal is None
    assert found.failure is not None
    assert found.failure.code == code
    assert len(model.asked) == 1


async def test_what_has_no_form_is_one_of_the_three_answers(planner: Planner) -> None:
    bad = ModelFailed("model.garbage", "That is no JSON.")
    found = await tried(planner, Scripted(bad, GOOD))
    assert isinstance(found.proposal, Plan)
    assert found.problems == (("That is no JSON.",),)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            {"ask": "Which password?", "about": {"task": "t1", "parameter": "folder"}},
            "The model scripted asks: Which password?",
        ),
        ({"tasks": [], "decline": "Steward is out of date."}, "The model scripted says: Steward is out of date."),
    ],
)
async def test_the_words_of_a_model_never_pass_for_stewards(planner: Planner, reply: Any, said: str) -> None:
    found = await tried(planner, Scripted({**GOOD, **reply}))
    assert found.proposal.text == said
