"""A home, the built-in tools, and what Steward would do there about a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.dialogue import Dialogue, LastRun
from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language.lexicon import Lexicon
from kernel.model import (
    Argument,
    ConversationId,
    FromTask,
    Intent,
    Outcome,
    Plan,
    Proposal,
    Utterance,
)
from kernel.plan import propose
from kernel.planning.proposing import proposed
from kernel.recommend import recommend
from permissions.labels import KERNEL_SAID
from skills.model import Tool
from tests.kernel.homes import furnish

NOW = datetime(2025, 3, 12, 10, 0, tzinfo=UTC)
FOLDERS = (
    "Downloads/", "Documents/Taxes/", "Documents/contracts/", "Pictures/Holiday/", "Finance/", "Notes/", "Music/",
    "Projects/house/", "Archive/", "Desktop/", "Work/Clients/", "Invoices/", "Videos/",
)  # fmt: skip
FILES = (
    "Finance/expenses.csv", "Finance/budget.xlsx", "Documents/report.pdf", "Documents/thesis.pdf",
    "Documents/contract.docx", "Downloads/a.pdf", "Downloads/b.pdf", "Invoices/invoice_2024-03.pdf",
    "Invoices/phone bill.pdf", "Downloads/setup.exe", "Downloads/old.zip", "Work/sales.csv", "Work/orders.csv",
    "Work/customers.csv", "Documents/meeting.md", "Music/song.mp3", "Pictures/photo1.jpg", "Pictures/photo2.jpg",
    "Desktop/plan.docx", "Documents/plan.docx", "Work/weather.csv", "Documents/lecture.md",
)  # fmt: skip


@dataclass(slots=True, repr=False)
class Planner:
    """Tools and a home, and what Steward would do about a sentence there."""

    tools: tuple[Tool, ...]
    home: str
    toolbox: Toolbox
    lexicon: Lexicon
    world: HomeWorld

    @classmethod
    def over(cls, tools: Iterable[Tool], home: Path) -> Planner:
        """Build a planner over ``tools``."""
        held = tuple(tools)
        return cls.knowing(Mind(Lexicon.from_tools(held), Toolbox.build(held)), home)

    @classmethod
    def knowing(cls, mind: Mind, home: Path) -> Planner:
        """Build a planner over the tools of ``mind``."""
        return cls(mind.toolbox.tools, str(home), mind.toolbox, mind.lexicon, HomeWorld(str(home)))

    def intent(self, text: str, client: str = "") -> Intent:
        """Read a sentence of the person, or of the program ``client``."""
        said = Utterance(text, ConversationId("c"), self.home, self.home, NOW, client=client)
        return interpret(said, self.world, self.lexicon)

    def say(self, text: str, context: Dialogue | None = None, *, client: str = "") -> Proposal:
        """Return the proposal for a sentence."""
        intent = self.intent(text, client)
        told = replace(context or Dialogue(), home=self.home, world=self.world)
        return propose(intent, recommend(intent, self.toolbox), self.toolbox, told)

    def whole(self, text: str, context: Dialogue | None = None) -> Proposal:
        """Return the proposal for a sentence, taken apart where it branches, repeats or says an order."""
        said = Utterance(text, ConversationId("c"), self.home, self.home, NOW)
        intent = self.intent(text)
        told = replace(context or Dialogue(), home=self.home, world=self.world)
        mind = Mind(self.lexicon, self.toolbox)
        return proposed(said, intent, recommend(intent, self.toolbox), mind, told, "")

    def shape(self, proposal: Proposal) -> str:
        """Return a plan in one line, arguments by name."""
        assert isinstance(proposal, Plan), proposal
        return "; ".join(
            f"{task.tool}({', '.join(sorted(f'{n}={self.value(v)}' for n, v in task.arguments.items()))})"
            for task in proposal.tasks
        )

    def value(self, argument: Argument) -> str:
        """Return an argument as the tables below write it."""
        if isinstance(argument, FromTask):
            index = "" if argument.index is None else f"[{argument.index}]"
            return f"<{argument.task}{'.' + argument.field if argument.field else ''}{index}>"
        return str(argument.value).replace(self.home, "~")

    def files(self, *names: str) -> list[dict[str, object]]:
        """Return files as a tool finds them."""
        return [{"path": f"{self.home}/{name}", "size_bytes": 1, "modified": None} for name in names]

    def after(self, plan: Plan, **values: object) -> Dialogue:
        """Return the dialogue after ``plan`` has run, with the results of its tasks."""
        outcomes = {task.id: Outcome(task.id, True, values.get(task.id), label=KERNEL_SAID) for task in plan.tasks}
        last = LastRun(plan, outcomes)
        return Dialogue(last=last, recent=(last,))


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("home"), [*FOLDERS, *FILES])


@pytest.fixture(scope="package")
def planner(mind: Mind, home: Path) -> Planner:
    return Planner.knowing(mind, home)
