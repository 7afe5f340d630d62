"""The descriptors of one call: which there are, and where each belongs in its cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from permissions.model import CALLS_VARIABLE, NETWORK_VARIABLE, RELAY_LINES, RELAY_VARIABLE, CellSpec

RESULT, REQUEST, STATUS, DOOR, RULES, LINES = 3, 4, 5, 6, 7, 8
"""Their numbers in a cell; the lines to the daemon begin at the last. 2 is the output.

Through the door (L3) its call is handed in, and it says there that it leaves; below L3 its call is the request, a file.
The rules are those of Landlock so far.
"""

MOST_ENDS = 5 + RELAY_LINES


@dataclass(frozen=True, slots=True)
class Ends:
    """Descriptors of one call: ``request`` to read, ``result`` and ``output`` to write.

    ``lines`` lead to the daemon: one for each thing that the call may ask for there, in the order of ``lines_of``.
    """

    request: int
    result: int
    output: int
    lines: tuple[int, ...] = ()

    @staticmethod
    def of(files: Sequence[int]) -> Ends:
        """Return what ``files`` are, in the order in which they are handed over."""
        request, result, output, *lines = files
        return Ends(request, result, output, tuple(lines))

    def places(self) -> dict[int, int]:
        """Return where in a cell each belongs."""
        return {RESULT: self.result, REQUEST: self.request, 2: self.output} | dict(enumerate(self.lines, LINES))


@dataclass(frozen=True, slots=True)
class Door:
    """Descriptors of a cell that stands by: its ``door``, and what its call will write to."""

    door: int
    result: int
    output: int

    def places(self) -> dict[int, int]:
        """Return where in a cell each belongs."""
        return {DOOR: self.door, RESULT: self.result, 2: self.output}


def lines_of(spec: CellSpec) -> dict[str, tuple[int, ...]]:
    """Return the lines that a call has: by the name that tells it of them, the descriptors' numbers in its cell."""
    relays = RELAY_LINES if spec.hosts and spec.relays else 0
    counts = {NETWORK_VARIABLE: int(bool(spec.hosts)), RELAY_VARIABLE: relays, CALLS_VARIABLE: int(spec.asks)}
    found, first = dict[str, tuple[int, ...]](), LINES
    for name, count in counts.items():
        if count:
            found[name] = tuple(range(first, first + count))
        first += count
    return found
