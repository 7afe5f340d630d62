"""A sequence that came often, where a session has it, and what it hangs together with there.

A session's sequences are found from each other, item by item: none of them is built anew to be looked up.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.sequences.model import Items
from memory.sequences.rows import Row

Ways = list[tuple[int, ...]]
"""The ways in which a session has a sequence: places."""


class Grown:
    """A sequence: ``begin`` is it without its last item, ``rest`` without its first; of one item, that is itself.

    ``longer`` are those with one item more that came often, by that item; ``wider`` those of the session with one item
    that is more general, ``shorter`` those without one that lies between two others, and which one that is: of both,
    those that also came elsewhere. ``covered`` says that it came nowhere without a longer or more particular one.
    """

    __slots__ = ("begin", "covered", "items", "longer", "rest", "row", "shorter", "ways", "wider")

    def __init__(
        self, items: Items, row: Row, ways: Ways, begin: Grown | None = None, rest: Grown | None = None
    ) -> None:
        self.items, self.row, self.ways = items, row, ways
        self.begin, self.rest = begin or self, rest or self
        self.longer: dict[str, Grown] = _NONE
        self.wider: Sequence[Grown] = ()
        self.shorter: Sequence[tuple[int, Grown]] = ()
        self.covered = False

    def lead_to(self, item: str, longer: Grown) -> None:
        """Let it be found which one it is with ``item`` more."""
        if self.longer is _NONE:
            self.longer = {item: longer}
        else:
            self.longer[item] = longer

    def let_go(self) -> None:
        """Name none that names this one: else only the garbage collector would free them."""
        self.longer = _NONE


_NONE: dict[str, Grown] = {}
