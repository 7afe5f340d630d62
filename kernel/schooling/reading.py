"""Reading a sentence as the kernel would, without a kernel: no ledger, no run, no conversation before it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.model import ConversationId, Proposal, Utterance
from kernel.planning.proposing import proposed
from kernel.recommend import recommend

_NOW = datetime(2026, 3, 11, 9, 0, tzinfo=UTC)
_NOBODY = ConversationId("school")


class Reader:
    """Says what is proposed for a sentence in the home ``home``."""

    def __init__(self, mind: Mind, home: Path) -> None:
        self.mind = mind
        self.world = HomeWorld(str(home))
        self.world.look()

    def read(self, text: str) -> Proposal:
        """Return the proposal for ``text``."""
        home = self.world.home
        utterance = Utterance(text, _NOBODY, home, home, _NOW)
        intent = interpret(utterance, self.world, self.mind.lexicon)
        candidates = recommend(intent, self.mind.toolbox)
        return proposed(utterance, intent, candidates, self.mind, Dialogue(home=home, world=self.world), "")
