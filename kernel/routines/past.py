"""What is known of one routine beside what it is: its versions, what has fired of it, and what opens its webhook.

A routine that is changed, or made what it was, is the same routine: what has fired of it has fired, a token opens the
webhook that it was made for, and one that rests goes on resting.
"""

from __future__ import annotations

import hmac
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from kernel.routines.limiting import COUNTED
from kernel.routines.model import Called, Elapsed, Once, Recurring, Trigger
from kernel.routines.routine import Routine

MOST_FIRED = 100
"""So many of the moments at which it fired are known at least: as many as a limit of its counts."""

MOST_MARKS = 5000
"""So many of a routine's latest events are known as done: each event that can come again sets it off once."""


@dataclass(slots=True)
class Past:
    """The ``versions`` of one routine that stand, the oldest first; the last one is what it is now.

    ``last`` is what was written when it fired last, ``fired`` are its latest moments.
    """

    versions: list[Routine]
    last: Mapping[str, Any] = field(default_factory=dict)
    fired: tuple[datetime, ...] = ()
    _triggers: dict[str, Trigger] = field(default_factory=dict)
    """What each version waited for, by its key; also of those that were taken back."""

    _marks: OrderedDict[str, None] = field(default_factory=OrderedDict)
    _reached: dict[Elapsed | None, str] = field(default_factory=dict)
    """The last mark of each length; under None that of any time on the wall: they rise, whatever the rule was."""

    _digests: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take note of the keys of its versions."""
        self._triggers |= {one.key: one.trigger for one in self.versions}

    @property
    def now(self) -> Routine:
        """What the routine is."""
        return self.versions[-1]

    def has_key(self, key: str) -> bool:
        """Tell whether a version of it has this key, or had it: that was no namesake of earlier days."""
        return key in self._triggers

    def take(self, routine: Routine, rested: datetime | None) -> None:
        """Have it be ``routine``: a new version, or an earlier one again, whose moments count from ``rested``."""
        now = self.now
        routine = replace(routine, paused=now.paused, broken=now.broken, rested=rested or now.rested)
        self.versions = [*(one for one in self.versions if one.version < routine.version), routine]
        self._triggers[routine.key] = routine.trigger

    def forget(self, is_gone: Callable[[Routine], bool]) -> None:
        """Drop the earlier versions that are to be forgotten."""
        self.versions = [*(one for one in self.versions[:-1] if not is_gone(one)), self.now]

    def set(self, **values: Any) -> None:
        """Change what it is now."""
        self.versions[-1] = replace(self.now, **values)

    def note(self, body: Mapping[str, Any]) -> None:
        """Take note that it fired."""
        trigger, mark = self._triggers[str(body["key"])], str(body.get("mark", ""))
        self.last = body
        self.fired = (*self.fired, datetime.fromisoformat(str(body["at"])))[-self._most_fired :]
        if isinstance(trigger, Once | Recurring | Elapsed):
            self._reached[trigger if isinstance(trigger, Elapsed) else None] = mark
        else:
            self._marks[mark] = None
            while len(self._marks) > MOST_MARKS:
                self._marks.popitem(last=False)

    @property
    def _most_fired(self) -> int:
        return max([MOST_FIRED, *(int(count) for limit, count in self.now.limits if limit in COUNTED)])

    @property
    def reached(self) -> str:
        """The mark of the last moment of the clock at which it fired; empty where none has."""
        trigger = self.now.trigger
        return self._reached.get(trigger if isinstance(trigger, Elapsed) else None, "")

    def has_fired(self, mark: str) -> bool:
        """Tell whether the event of this mark has set it off already, whatever it waited for then."""
        return mark in self._marks

    def hook(self, digest: bytes) -> None:
        """Have the token of ``digest``, and no other, open the webhook that it waits for."""
        if isinstance(self.now.trigger, Called):
            self._digests[self.now.trigger.name] = digest

    @property
    def digest(self) -> bytes | None:
        """The digest of the token that opens the webhook that it waits for; None where none does."""
        trigger = self.now.trigger
        return self._digests.get(trigger.name) if isinstance(trigger, Called) else None

    def is_opened_by(self, digest: bytes) -> bool:
        """Tell whether the token of ``digest`` opens the webhook that it waits for."""
        return self.digest is not None and hmac.compare_digest(digest, self.digest)
