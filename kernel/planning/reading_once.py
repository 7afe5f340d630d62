"""The parts of one sentence as they are read: the same words around the same things are planned once. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from kernel.context.dialogue import Dialogue
from kernel.model import Proposal

Read = Callable[[str, Dialogue], Proposal]
"""Plans one part, like a sentence of its own."""


class ReadOnce:
    """Reads like ``read``, which always says the same of the same, and remembers. Lives as long as one sentence."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: defaultdict[str, list[tuple[Dialogue, Proposal]]] = defaultdict(list)

    def __call__(self, text: str, around: Dialogue) -> Proposal:
        """Return the proposal for a part that is said in the conversation ``around`` it."""
        known = self._known[text]
        found = next((proposal for told, proposal in known if told == around), None)
        if found is None:
            found = self._read(text, around)
            known.append((around, found))
        return found
