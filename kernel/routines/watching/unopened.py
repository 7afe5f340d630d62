"""What came and has to be looked at before it is known whether a routine waits for it: kept for each, then looked at.

What this stops: a routine that looks without end because its folder is filled at once; one that its own doing sets off.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kernel.errors import NotNow
from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.watching.settling import Seen
from kernel.routines.watching.source import Awake, HandIn, LetRest

if TYPE_CHECKING:
    from kernel.house import House

_Waiting = dict[str, tuple[Seen, tuple[str, ...]]]
"""What a routine has yet to look at, by its places, with the routines whose doing each is."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How one kind of things is looked at.

    ``may_be`` tells without a look whether a thing can be what is waited for. ``comes`` looks, and yields what comes to
    the routine, each with its place; it raises NotNow where the routine may not look. Where more than ``most`` wait,
    the routine rests, and says ``storm``.
    """

    may_be: Callable[[House, Routine, Seen], bool]
    comes: Callable[[House, Looks, Routine, Sequence[Seen]], AsyncIterator[tuple[Come, str]]]
    most: int
    storm: str


class Unopened:
    """Tells of what came, once it was looked at in the name of the routine that waits for it. One event loop only."""

    def __init__(
        self, house: House, awake: Awake, hand_in: HandIn, looks: Looks, let_rest: LetRest, opening: Opening
    ) -> None:
        self._house, self._awake, self._hand_in, self._looks, self._let_rest = house, awake, hand_in, looks, let_rest
        self._opening = opening
        self._waiting: dict[str, _Waiting] = {}
        self._come = asyncio.Event()
        self.is_ready = True

    def changed(self) -> None:
        """Whose things are looked at is asked each time."""

    def take_in(self, routine: Routine, seen: Seen, chain: tuple[str, ...]) -> None:
        """Have looked at what was ``seen``, where it can be what the routine waits for and is not its own doing."""
        if chain[-1:] != (routine.name,) and self._opening.may_be(self._house, routine, seen):
            self._waiting.setdefault(routine.name, {})[seen.path] = (seen, chain)
            self._come.set()

    async def run(self) -> None:
        """Look at what has come until cancelled."""
        while True:
            await self._come.wait()
            self._come.clear()
            waiting, self._waiting = self._waiting, {}
            for routine in self._awake():  # what waits for one that rests, or is gone, waits for nobody
                if routine.name in waiting:
                    await self._look(routine, waiting[routine.name])

    async def _look(self, routine: Routine, waiting: _Waiting) -> None:
        if len(waiting) > self._opening.most:
            await self._let_rest(routine, say(routine.language, self._opening.storm, count=str(len(waiting))))
            return
        chains = {path: chain for path, (_, chain) in waiting.items()}
        try:
            seen = [one for one, _ in waiting.values()]
            async for come, path in self._opening.comes(self._house, self._looks, routine, seen):
                if not self._house.routines.has_fired(routine, come.mark):
                    self._hand_in(routine, replace(come, chain=chains.get(path, ())))
        except NotNow as broken:
            await self._let_rest(routine, str(broken))
