"""What every tool has been found to need: asked before a call, told after it, kept in the ledger.

An event ``limit.learned`` is written only where the next call will begin with something else than the last one did, so
that a day of small calls leaves none. It holds the peaks; a start needs only the last one of each tool and shape.
"""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from kernel.limits.rule import KEPT, Learned, Peak, learn, like, shape_of
from memory.model import Draft, Event
from permissions.labels import KERNEL_SAID
from permissions.model import CellOutcome, CellSpec, CellStatus, Limits

LEARNED = "limit.learned"
MIB = 1 << 20
_Key = tuple[str, int]


class MemoryLimits:
    """The peaks of every tool by the shape of its arguments. Belongs to one event loop."""

    def __init__(self, write: Callable[[Draft], object], machine_bytes: int | None = None) -> None:
        """``write`` takes events for the ledger; ``machine_bytes`` is the memory of the machine."""
        self._write = write
        self.machine_bytes = machine_bytes or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        self._peaks: dict[_Key, deque[Peak]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._shapes: dict[str, set[int]] = defaultdict(set)
        self._told: dict[_Key, Learned] = {}

    def replay(self, events: Iterable[Event]) -> None:
        """Take up what earlier kernels learnt. What cannot be read is learnt again."""
        for event in events:
            body: Mapping[str, Any] = event.body or {}
            try:
                key = str(body["tool"]), int(body["shape"])
                peaks = [Peak(int(size), bool(killed)) for size, killed in body["peaks"]]
                told = Learned(int(body["reserve_bytes"]), int(body["most_bytes"]))
            except (KeyError, TypeError, ValueError):
                continue
            self._peaks[key] = deque(peaks, maxlen=KEPT)
            self._shapes[key[0]].add(key[1])
            self._told[key] = told

    def wanted(self, tool: str, reads: Iterable[str], asked: Limits) -> Limits:
        """Return ``asked`` with what a call that reads ``reads`` should begin with, and what it may have at most."""
        found = self._learned(tool, shape_of(reads), asked.memory_bytes)
        return replace(asked, memory_bytes=found.most_bytes, reserve_bytes=found.reserve_bytes)

    def note(self, tool: str, spec: CellSpec, cell: CellOutcome, asked_bytes: int) -> None:
        """Remember what a call of ``tool`` needed; ``asked_bytes`` is what the tool asks for at most."""
        killed = cell.status is CellStatus.OUT_OF_MEMORY and not cell.starved
        size = max(cell.peak_bytes, spec.limits.memory_bytes) if killed else cell.peak_bytes
        if size <= 0:
            return
        key = tool, shape_of(spec.read_paths)
        self._peaks[key].append(Peak(size, killed))
        self._shapes[tool].add(key[1])
        found = learn(self._peaks[key], asked_bytes, self.machine_bytes)
        if self._told.get(key) != found:
            self._told[key] = found
            self._write(Draft(kind=LEARNED, body=self._body(key, found), label=KERNEL_SAID.to_json(), durable=False))

    def view(self, tool: str, asked_bytes: int, bound_bytes: int | None = None) -> list[dict[str, Any]]:
        """Return, for each shape seen, what the next call begins with, from how many calls, and the peak.

        ``bound_bytes`` is the limit of the tree; ``reads_bytes`` the most that the files of such a call hold.
        """
        bound = self.machine_bytes if bound_bytes is None else bound_bytes
        return [
            {"tool": tool, "reads_bytes": MIB << shape, "calls": len(peaks), "killed": sum(one.killed for one in peaks),
             "peak_bytes": max(one.size_bytes for one in peaks),
             **{name: min(amount, bound) for name, amount in _amounts(found).items()}}
            for shape in sorted(self._shapes.get(tool, ())) if (peaks := self._peaks[tool, shape])
            for found in [learn(peaks, asked_bytes, self.machine_bytes)]
        ]  # fmt: skip

    def tools(self) -> list[str]:
        """Return the tools that something is known about."""
        return sorted(self._shapes)

    def _learned(self, tool: str, shape: int, asked_bytes: int) -> Learned:
        known = self._shapes.get(tool)
        if not known:
            return learn((), asked_bytes, self.machine_bytes)
        nearest, times = like(shape, known)
        peaks = [replace(peak, size_bytes=peak.size_bytes * times) for peak in self._peaks[tool, nearest]]
        return learn(peaks, asked_bytes, self.machine_bytes)

    def _body(self, key: _Key, found: Learned) -> Mapping[str, Any]:
        peaks = [[peak.size_bytes, peak.killed] for peak in self._peaks[key]]
        return {"tool": key[0], "shape": key[1], "peaks": peaks, **_amounts(found)}


def _amounts(found: Learned) -> dict[str, int]:
    return {"reserve_bytes": found.reserve_bytes, "most_bytes": found.most_bytes}
