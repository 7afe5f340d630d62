"""The learning curve: requests that are asked about or refused, settled once, then said again in other words.

``paraphrases.toml`` was written before learning was tuned. Here nothing is carried out: what a person would accept is
taken from the offer, or the plain meaning is explained. ``docs/guides/recommender.md`` has the figures of real runs.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.learning.learner import _Reader
from kernel.learning.marking import clauses_of
from kernel.learning.model import Clause, Taught
from kernel.learning.overlay import overlay
from kernel.learning.phrases import Phrases, with_slots
from kernel.model import ConversationId, Plan, Proposal, Question, Utterance
from kernel.planning.plan_json import plan_from_json
from kernel.planning.proposing import proposed
from kernel.recommend import recommend
from tests.golden.driver import NOW
from tests.golden.home import build_home

pytestmark = pytest.mark.slow

CASES = tomllib.loads(Path(__file__).with_name("paraphrases.toml").read_text("utf-8"))["case"]


@dataclass
class Person:
    """Somebody who says things to a planner and settles what it asks."""

    mind: Mind
    world: HomeWorld
    clauses: list[Clause] = field(default_factory=list)
    phrases: list[Taught] = field(default_factory=list)
    minds: dict[tuple[int, int], Mind] = field(default_factory=dict)

    def say(self, text: str, *, learnt: bool = True) -> Proposal:
        mind = self._mind() if learnt else self.mind
        said = Utterance(text, ConversationId("c"), self.world.home, self.world.home, NOW)
        intent = interpret(said, self.world, mind.lexicon)
        around = Dialogue(home=self.world.home, world=self.world)
        return proposed(said, intent, recommend(intent, mind.toolbox), mind, around, "en")

    def _mind(self) -> Mind:
        known = (len(self.clauses), len(self.phrases))
        if known not in self.minds:
            self.minds[known] = self._learnt()
        return self.minds[known]

    def _learnt(self) -> Mind:
        found = overlay(self.mind.toolbox, self.clauses, _Reader(self.mind.lexicon))
        toolbox = self.mind.toolbox if found is None else found.over(self.mind.toolbox)
        return Mind(self.mind.lexicon, toolbox, Phrases.of(self.phrases))

    def settle(self, first: str, tools: Iterable[str], means: str) -> None:
        """Accept the right reading of ``first`` if it is offered, else explain it."""
        proposal, wanted = self.say(first), [tuple(one.split()) for one in tools]
        offered = [proposal] if isinstance(proposal, Plan) else []
        if isinstance(proposal, Question) and not proposal.parameter:
            offered = [plan_from_json(one) for one in proposal.values if one is not None]
        right = next((one for one in offered if _tools(one) in wanted), None)
        if right is not None:
            self.clauses += clauses_of(right, first)
            return
        plan = self.say(means)
        if isinstance(plan, Plan):
            taught = Taught("r", first, means, plan.language, tools=_tools(plan))
            self.phrases.append(with_slots(taught, plan, self.mind.toolbox))


def _tools(plan: Plan) -> tuple[str, ...]:
    return tuple(str(task.tool) for task in plan.tasks)


def _verdict(proposal: Proposal, tools: Iterable[str]) -> str:
    if not isinstance(proposal, Plan):
        return "asked" if isinstance(proposal, Question) else "declined"
    return "right" if _tools(proposal) in [tuple(one.split()) for one in tools] else "wrong"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> HomeWorld:
    home = tmp_path_factory.mktemp("golden") / "home"
    build_home(home)
    return HomeWorld(str(home))


def test_a_request_that_was_settled_once_is_right_in_other_words(mind: Mind, world: HomeWorld) -> None:
    before, after = Counter[str](), Counter[str]()
    for case in CASES:
        person, later = Person(mind, world), case.get("then_tools", case["tools"])
        before[_verdict(person.say(case["then"], learnt=False), later)] += 1
        person.settle(case["first"], case["tools"], case["means"])
        after[_verdict(person.say(case["then"]), later)] += 1
    assert len(CASES) == 40
    assert after["right"] >= max(32, before["right"] + 6), (before, after)
    assert after["wrong"] <= before["wrong"], after


def test_what_one_request_taught_does_no_harm_to_the_others(mind: Mind, world: HomeWorld) -> None:
    """Everything learnt together: as many are right, and no plan is wrong that was not."""
    person, wrong = Person(mind, world), set()
    for case in CASES:
        later = case.get("then_tools", case["tools"])
        if _verdict(person.say(case["then"], learnt=False), later) == "wrong":
            wrong.add(case["then"])
    for case in CASES:
        person.settle(case["first"], case["tools"], case["means"])
    verdicts = {
        case["then"]: _verdict(person.say(case["then"]), case.get("then_tools", case["tools"])) for case in CASES
    }
    assert list(verdicts.values()).count("right") >= 24, verdicts
    assert {text for text, verdict in verdicts.items() if verdict == "wrong"} <= wrong
