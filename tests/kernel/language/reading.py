"""What typed spans a sentence has, said on Wednesday, 11 March 2026, where there are no files."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Span, Utterance
from skills.model import ValueKind

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
WORLD = HomeWorld("/nonexistent")
LEXICON = Lexicon(verbs=frozenset("find show list save move copy delete read add filter sum convert".split()))


def spans(text: str, kind: ValueKind) -> list[Span]:
    """Return the spans of one kind."""
    utterance = Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW)
    return [span for span in interpret(utterance, WORLD, LEXICON).spans if span.kind is kind]


def best(text: str, kind: ValueKind) -> Any:
    """Return the value of the surest and then the longest span: what a planner would look at first."""
    found = sorted(spans(text, kind), key=lambda span: (-span.confidence, span.first - span.last))
    return found[0].value if found else None
