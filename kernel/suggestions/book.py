"""What a person was offered and what they answered, folded from the ledger.

What this stops: an offer that comes again though it was taken, refused for good, put off, or passed over three times;
one that is only another form of such a one. A step is kept as its tool and digests of its constants, so the record says
that they are the same and never what they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from kernel.habits.kin import are_kin_steps
from kernel.habits.model import Pattern, Same, Step
from kernel.suggestions.editing import Edits, edits_from_json
from memory.model import Event

OFFERED, TAKEN, SNOOZED, NEVER, EDITED = (
    "suggestion.offered", "suggestion.taken", "suggestion.snoozed", "suggestion.never", "suggestion.edited"
)  # fmt: skip
KINDS = (OFFERED, TAKEN, SNOOZED, NEVER, EDITED)

PASSED_OVER = 3
"""Shown on so many days without an answer it rests."""
RESTS = timedelta(days=30)


@dataclass(slots=True)
class Record:
    """What became of one offer. ``steps`` are marked: their constants are digests."""

    steps: tuple[Step, ...]
    shown: list[datetime] = field(default_factory=list)
    answer: str = ""
    until: datetime | None = None
    edits: Edits = field(default_factory=Edits)

    def note_shown(self, at: datetime) -> None:
        """Take in that it was shown; after its rest it is counted anew."""
        if len(self.shown) >= PASSED_OVER:
            self.shown.clear()
        self.shown.append(at)

    def is_shown(self, now: datetime) -> bool:
        """Tell whether it was shown on the day of ``now``."""
        return bool(self.shown) and self.shown[-1].astimezone(now.tzinfo).date() == now.date()

    def holds_back(self, now: datetime) -> bool:
        """Tell whether it is not to be offered: it was answered, put off, or passed over so often that it rests."""
        if self.answer or (self.until is not None and now < self.until):
            return True
        passed = len(self.shown) >= PASSED_OVER and not self.is_shown(now)
        return passed and now - self.shown[-1] < RESTS


class Book:
    """The records by the keys of their patterns. Not thread-safe."""

    def __init__(self) -> None:
        self.seq = 0
        self._records: dict[str, Record] = {}

    def take(self, events: Iterable[Event]) -> None:
        """Take in events, oldest first. What was forgotten of one is passed over."""
        for event in events:
            self.seq = event.seq
            if event.body is not None:
                self._note(event.kind, event.body)

    def of(self, pattern: Pattern) -> Record:
        """Return what became of a pattern under its own key."""
        return self._records.get(pattern.key) or Record(marked(pattern.steps))

    def may_offer(self, pattern: Pattern, now: datetime) -> bool:
        """Tell whether neither it nor a form of it is held back."""
        steps = marked(pattern.steps)
        kin = (one for key, one in self._records.items() if key == pattern.key or are_kin_steps(one.steps, steps))
        return not any(one.holds_back(now) for one in kin)

    def _note(self, kind: str, body: Mapping[str, Any]) -> None:
        steps = tuple(
            Step(str(tool), {str(name): Same(digest) for name, digest in given.items()})
            for tool, given in body["steps"]
        )
        one = self._records.setdefault(str(body["key"]), Record(steps))
        if kind == OFFERED:
            one.note_shown(datetime.fromisoformat(str(body["at"])))
            return
        one.shown.clear()  # whoever answers or edits has seen it
        if kind == SNOOZED:
            one.until = datetime.fromisoformat(str(body["until"]))
        elif kind == EDITED:
            one.edits = edits_from_json(body["edits"])
        else:
            one.answer = kind


def marked(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return steps with a digest for each constant, and nothing of what varies."""
    return tuple(
        Step(one.tool, {name: Same(_digest(slot.value)) for name, slot in one.arguments.items()
                        if isinstance(slot, Same)})
        for one in steps
    )  # fmt: skip


def body_of(pattern: Pattern, **more: Any) -> dict[str, Any]:
    """Return what an event says of a pattern."""
    steps = [
        [one.tool, {name: slot.value for name, slot in one.arguments.items() if isinstance(slot, Same)}]
        for one in marked(pattern.steps)
    ]
    return {"key": pattern.key, "steps": steps, **more}


def _digest(value: object) -> str:
    told = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:16]
