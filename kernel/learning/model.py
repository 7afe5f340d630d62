"""The nouns of learning: a confirmed request with its clauses as examples, and a phrase that was explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skills.model import Example, ToolId

TAUGHT, UNTAUGHT, UNLEARNT = "phrase.taught", "phrase.forgotten", "example.forgotten"
"""Events: a phrase was explained, one means nothing any more, what a run taught is no example any more."""


@dataclass(frozen=True, slots=True)
class Clause:
    """The words that came to one call, with its values marked."""

    tool: ToolId
    example: Example


@dataclass(frozen=True, slots=True)
class Taught:
    """A phrase and what it means, as the person said both; ``run`` is the one in which they said so.

    ``slots`` are the values that stand in both, so that others may stand there: words of the phrase, as said.
    """

    run: str
    phrase: str
    meaning: str
    language: str
    slots: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()  # that the meaning came to

    def to_json(self) -> dict[str, Any]:
        """Return the body of its event."""
        return {
            "phrase": self.phrase, "meaning": self.meaning, "language": self.language, "slots": list(self.slots),
            "tools": list(self.tools),
        }  # fmt: skip

    @classmethod
    def from_json(cls, run: str, body: Mapping[str, Any]) -> Taught:
        """Read what ``to_json`` wrote."""
        slots, tools = (tuple(str(one) for one in body.get(name) or ()) for name in ("slots", "tools"))
        return cls(run, str(body["phrase"]), str(body["meaning"]), str(body.get("language") or "en"), slots, tools)
