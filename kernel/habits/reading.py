"""Runs read back from the ledger: what was asked by a person, what it came to, and what its calls made.

What this stops: learning from programs, routines and private requests; from what was forgotten; from a question that
was asked back and never answered. What it does not: look at the words of a request. What a call was given stands in the
plan, with its label.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from kernel.remembering.bulk import kept_in
from memory import Event

FORGOTTEN = "ledger.forgotten"
KINDS = ("run.created", "run.planned", "run.finished", "run.undone", FORGOTTEN)

_WELL = frozenset(("executed", "confirmed"))
_BADLY = {"blocked": "refused", "failed": "failed", "rolled_back": "failed"}
_MOST_OPEN = 1_000
"""So many runs at most are waited for; one that never ends is passed over."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that has ended: its calls as the plan has them, and the values that they made, by task.

    ``against`` is empty where it ended well. ``seqs`` are the events that it was read from.
    """

    run: str
    at: datetime
    calls: tuple[Mapping[str, Any], ...]
    values: Mapping[str, Any]
    against: str
    seqs: tuple[int, ...]


@dataclass(slots=True)
class _Open:
    at: datetime
    seqs: list[int]
    calls: tuple[Mapping[str, Any], ...] = field(default=())


class Reading:
    """Folds events, oldest first. Not thread-safe."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}

    def take(self, events: Iterable[Event]) -> Iterator[Ran]:
        """Yield the runs that end among ``events``."""
        for event in events:
            body = event.body
            if event.run is None or body is None:
                continue
            if event.kind == "run.created":
                self._begin(event, body)
                continue
            run = self._open.get(event.run)
            if run is None:
                continue
            run.seqs.append(event.seq)
            if event.kind == "run.planned":
                run.calls = _calls(body)
            elif event.kind == "run.finished":
                del self._open[event.run]
                ended = _ended(event.run, run, body)
                if ended is not None:
                    yield ended

    def _begin(self, event: Event, body: Mapping[str, Any]) -> None:
        if body.get("private") or body.get("client"):
            return
        try:
            at = datetime.fromisoformat(str(body.get("now")))
        except ValueError:
            return
        self._open[str(event.run)] = _Open(at, [event.seq])
        if len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]

    @property
    def begun(self) -> float:
        """The last event before the oldest run that goes on; infinite where none does."""
        return min((run.seqs[0] - 1 for run in self._open.values()), default=math.inf)

    def drop(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Let go of runs that go on and of which an event in ``ranges`` told."""
        self._open = {
            name: run for name, run in self._open.items()
            if not any(first <= seq <= last for seq in run.seqs for first, last in ranges)
        }  # fmt: skip


def _calls(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    frozen = kept_in(body, "frozen")
    tasks = frozen.get("tasks") if isinstance(frozen, Mapping) else None
    return tuple(one for one in tasks or () if isinstance(one, Mapping))


def _ended(name: str, run: _Open, body: Mapping[str, Any]) -> Ran | None:
    resolution = str(body.get("resolution") or "")
    against = "" if resolution in _WELL else _BADLY.get(resolution)
    if against is None or not run.calls:
        return None
    result = body.get("result")
    values = result.get("tasks") if isinstance(result, Mapping) and not against else None
    known = values if isinstance(values, Mapping) else {}
    return Ran(name, run.at, run.calls, known, against, tuple(run.seqs))
