"""The shelf: what calls returned that were made before anybody asked, for some minutes, in memory alone.

What this stops: a result that is taken for another call's, by another tool, for other arguments or with other rights;
more of them than a daemon should hold. What it does not: tell whether one is still true (``ahead``).
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from permissions.model import CellSpec
from skills.model import Call, Holds

KEPT_S = 600.0
MOST_KEPT, MOST_BYTES, MOST_BYTES_OF_ONE = 8, 32 << 20, 8 << 20
MOST_TOLD = 50

_OF_THE_CALL = ("tool", "folder", "function", "arguments", "language", "home", "timezone", "staging", "view",
                "programs", "called", "own", "reminds")  # fmt: skip
_OF_THE_CELL = ("read_paths", "write_paths", "hidden_paths", "hosts", "denied_hosts", "layers", "secrets",
                "program_paths", "minimum", "runs_programs", "relays", "asks", "changes_hosts")  # fmt: skip
"""Left out is when and where a call is made: what goes by that is never kept (``Holds``)."""


def key_of(call: Call, spec: CellSpec, contents: str, level: str) -> str:
    """Return what two calls have in common that say the same of the same files: the code, the arguments, the rights."""
    told = [contents, level, *(getattr(call, name) for name in _OF_THE_CALL)]
    told += [getattr(spec, name) for name in _OF_THE_CELL]
    return hashlib.blake2b(json.dumps(told, sort_keys=True, default=repr).encode(), digest_size=16).hexdigest()


@dataclass(slots=True)
class Made:
    """One call that was made ahead, for the offer ``offer`` of ``source``; ``ended`` is how it came to nothing or away.

    ``state`` is "made" while it is under way, then "kept", and at last "used" or "dropped".
    """

    tool: str
    offer: str
    source: str
    at: str
    state: str = "made"
    ended: str = ""
    cpu_s: float = 0.0
    wall_s: float = 0.0
    size_bytes: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return it as a client sees it."""
        return {
            "tool": self.tool, "offer": self.offer, "source": self.source, "at": self.at, "state": self.state,
            "why": self.ended, "cpu_s": round(self.cpu_s, 3), "wall_s": round(self.wall_s, 3),
            "size_bytes": self.size_bytes,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kept:
    """What a call returned, the fingerprint of all that it was shown, the day it was made on, and until when it is kept
    (seconds of a clock that never goes back)."""

    ran: Any
    fingerprint: str
    day: str
    until_s: float
    made: Made

    def holds_on(self, day: str) -> bool:
        """Tell whether what it says does not go by the time, or goes by the day and it is still that day."""
        holds = self.ran.result.holds
        return holds is Holds.ALWAYS or (holds is Holds.DAY and day == self.day)


@dataclass(slots=True)
class Shelf:
    """What is kept, by the key of its call, the oldest first; and what was made lately and came of it."""

    kept: dict[str, Kept] = field(default_factory=dict)
    told: deque[Made] = field(default_factory=lambda: deque(maxlen=MOST_TOLD))

    def put(self, key: str, one: Kept) -> None:
        """Keep a result; the oldest go where there would be too many."""
        one.made.state = "kept"
        self.kept[key] = one
        while len(self.kept) > MOST_KEPT or sum(each.made.size_bytes for each in self.kept.values()) > MOST_BYTES:
            self.drop(next(iter(self.kept)), "room")

    def take(self, key: str, now_s: float) -> Kept | None:
        """Return a result that is kept still, and keep it no longer: whoever takes it uses or drops it."""
        self.expire(now_s)
        return self.kept.pop(key, None)

    def drop(self, key: str, why: str) -> None:
        """Throw a result away."""
        ended(self.kept.pop(key).made, why)

    def expire(self, now_s: float) -> None:
        """Throw away what was kept long enough."""
        for key in [key for key, one in self.kept.items() if one.until_s <= now_s]:
            self.drop(key, "old")

    def until_s(self) -> float | None:
        """Return until when the oldest is kept; None where there is none."""
        return next((one.until_s for one in self.kept.values()), None)

    def clear(self, why: str) -> None:
        """Throw everything away."""
        for key in list(self.kept):
            self.drop(key, why)

    def to_json(self) -> list[Mapping[str, Any]]:
        """Return what was made lately, the newest first."""
        return [one.to_json() for one in reversed(self.told)]


def ended(one: Made, why: str) -> None:
    """Note that nothing is left of a call that was made ahead, and why."""
    one.state, one.ended = "dropped", why
