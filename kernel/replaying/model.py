"""The nouns of a replay: what came out then, what comes out now, step by step, and why the two differ where they do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Standing(StrEnum):
    """Whether there is anything to go through again."""

    COMPARED = "compared"
    FORGOTTEN = "forgotten"  # words of it were destroyed
    PRIVATE = "private"  # none of its words were kept
    UNREAD = "unread"  # it was over before anything came of it


class Kind(StrEnum):
    """What a step of a replay is about."""

    INTENT = "intent"  # how the sentence was read
    TOOLS = "tools"  # which tools were recommended, best first
    MODEL = "model"  # a question to a model, by its digest
    PLAN = "plan"  # its tasks with their arguments
    QUESTION = "question"  # what was asked back
    ANSWER = "answer"  # how it ended where there was no plan
    APPROVAL = "approval"  # what a person answered
    TASK = "task"  # a call: what it was given, and how it ended
    OUTPUT = "output"  # what a call gave that was made once more, by its digest
    EFFECT = "effect"  # what was changed or sent


class Today(StrEnum):
    """What a replay reads as it is today: of then it is not recorded."""

    FILES = "files"
    GRANTS = "grants"
    MEMORY = "memory"
    SKILLS = "skills"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Step:
    """One step as it was ``then`` and as it is ``now``, as JSON. None: there was, or is, no such step.

    ``taken`` says that it is not gone through again: ``now`` is what the record has. ``why`` are sentences.
    """

    kind: Kind
    name: str
    then: Any
    now: Any
    same: bool
    taken: bool = False
    why: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as a client sees it."""
        return {"kind": str(self.kind), "name": self.name, "then": self.then, "now": self.now, "same": self.same,
                "taken": self.taken, "why": list(self.why)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of going through a run once more. ``said`` is that in a sentence, in the language of the run.

    ``today`` says what was read as it is today, each with a sentence.
    """

    run: str
    language: str
    standing: Standing
    steps: tuple[Step, ...]
    said: str
    today: Mapping[str, str]

    @property
    def same(self) -> bool:
        """Whether everything came out as it did then; of what cannot be compared that is not said."""
        return self.standing is Standing.COMPARED and all(step.same for step in self.steps)

    def to_json(self) -> dict[str, Any]:
        """Return it as a client sees it."""
        return {
            "run": self.run, "language": self.language, "standing": str(self.standing), "same": self.same,
            "said": self.said, "steps": [step.to_json() for step in self.steps], "today": dict(self.today),
        }  # fmt: skip
