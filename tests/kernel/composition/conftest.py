"""A home with files, the built-in tools, and what Steward would do there about a sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

from kernel.context.dialogue import Dialogue, LastRun
from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language.lexicon import Lexicon
from kernel.model import Argument, ConversationId, FromTask, Outcome, Plan, Proposal, Utterance
from kernel.plan import propose
from kernel.recommend import recommend
from permissions.labels import KERNEL_SAID
from tests.kernel.homes import furnish

NOW = datetime(2025, 3, 12, 10, 0, tzinfo=UTC)
FILES = (
    "Attic/roof.png", "Attic/broken tile.png", "Attic/survey.csv", "Attic/quote.pdf", "Cellar/quote.pdf",
    "Attic/Rechnung_Rosi_2026-01.pdf",
    "Cellar/wine.csv", "Cellar/letter.docx", "Notes/Bird feeder.md", "Garage/", "Trips/Norway/fjord.jpg",
)  # fmt: skip


@dataclass(slots=True, repr=False)
class Desk:
    """Says what a sentence would lead to."""

    home: str
    toolbox: Toolbox
    lexicon: Lexicon
    world: HomeWorld

    def say(self, text: str, context: Dialogue | None = None) -> Proposal:
        """Return the proposal for a sentence."""
        intent = interpret(Utterance(text, ConversationId("c"), self.home, self.home, NOW), self.world, self.lexicon)
        told = replace(context or Dialogue(), home=self.home, world=self.world)
        return propose(intent, recommend(intent, self.toolbox), self.toolbox, told)

    def shape(self, proposal: Proposal) -> str:
        """Return a plan in one line; what is no plan as the name of its kind."""
        if not isinstance(proposal, Plan):
            return type(proposal).__name__
        return "; ".join(
            f"{task.tool}({', '.join(sorted(f'{name}={self.value(one)}' for name, one in task.arguments.items()))})"
            for task in proposal.tasks
        )

    def value(self, argument: Argument) -> str:
        """Return an argument as the tables write it: a found file is its path."""
        if isinstance(argument, FromTask):
            index = "" if argument.index is None else f"[{argument.index}]"
            return f"<{argument.task}{'.' + argument.field if argument.field else ''}{index}>"
        value = (
            argument.value["path"] if isinstance(argument.value, dict) and "path" in argument.value else argument.value
        )
        return str(value).replace(self.home, "~")

    def found(self, *names: str) -> list[dict[str, object]]:
        """Return files as a tool finds them."""
        return [{"path": f"{self.home}/{name}", "size_bytes": 1, "modified": None} for name in names]

    def after(self, sentence: str, **values: object) -> Dialogue:
        """Return the dialogue after the plan of ``sentence`` has run and its tasks gave ``values``."""
        plan = self.say(sentence)
        assert isinstance(plan, Plan), plan
        outcomes = {task.id: Outcome(task.id, True, values.get(task.id), label=KERNEL_SAID) for task in plan.tasks}
        last = LastRun(plan, outcomes)
        return Dialogue(last=last, recent=(last,))


@pytest.fixture(scope="package")
def desk(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    home = furnish(tmp_path_factory.mktemp("home"), FILES)
    return Desk(str(home), mind.toolbox, mind.lexicon, HomeWorld(str(home)))
