"""What volatile events say, held in this process alone: the ledger has that they happened, and no word of them.

What this stops: the words of a private request reaching a disk. What it does not: a memory image or the swap of the
machine; let them go as soon as they were read.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from dataclasses import replace

from memory.model import Event, Json

NOTHING: Mapping[str, Json] = {"private": True}
"""The body that stands in the ledger instead."""


class Unwritten:
    """Bodies and labels of volatile events by their number. Thread-safe."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[str | None, Mapping[str, Json], Json]] = {}
        self._lock = threading.Lock()

    def hold(self, seq: int, run: str | None, body: Mapping[str, Json], label: Json) -> None:
        """Keep what an event says until its run is let go of."""
        with self._lock:
            self._held[seq] = (run, body, label)

    def whole(self, event: Event) -> Event:
        """Return the event with what it says, where that is still held."""
        if not self._held:  # as nearly always: years are read event by event
            return event
        with self._lock:
            held = self._held.get(event.seq)
        return event if held is None else replace(event, body=held[1], label=held[2])

    def let_go(self, *, run: str | None = None, seqs: Collection[int] = ()) -> None:
        """Drop what the events of a run, or those of these numbers, say."""
        with self._lock:
            gone = [seq for seq, held in self._held.items() if seq in seqs or (run is not None and held[0] == run)]
            for seq in gone:
                del self._held[seq]
