"""Private requests: their words live in this process alone, and are let go of soon after they were read.

The ledger has that such a run was, in its chain, and no word of it (``Draft.volatile``). It is not learnt from and no
later sentence can refer to it once it was let go of. What it changed can be taken back for a while, for which the old
contents are kept as for any run; then they are thrown away, and at the latest when the daemon ends.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from kernel.remembering import pictures

if TYPE_CHECKING:
    from kernel.house import House

READ_S = 600.0
"""So long after its end whoever asked may read a private run, or answer what it asked back."""

UNDO_S = 3_600.0
"""So long what a private run changed can be taken back."""


class Privacy:
    """Lets go of private runs, on the event loop of the kernel."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._timers: dict[tuple[str, str], asyncio.TimerHandle] = {}

    def let_go_later(self, run: str) -> None:
        """``run`` has ended: let go of its words, and later of what it could be taken back with."""
        loop = asyncio.get_running_loop()
        self._timers[run, "words"] = loop.call_later(READ_S, self._let_words_go, run)
        if run in self._house.with_effects:
            self._timers[run, "undo"] = loop.call_later(UNDO_S, self._let_undo_go, run)

    def _let_words_go(self, run: str) -> None:
        self._timers.pop((run, "words"), None)
        self._house.ledger.let_go(run)
        self._drop_pictures([run])

    def _let_undo_go(self, run: str) -> None:
        self._timers.pop((run, "undo"), None)
        asyncio.get_running_loop().run_in_executor(None, end_undo, self._house, [run])

    def _drop_pictures(self, runs: list[str]) -> None:
        pictures.drop(pictures.folder_of(self._house.folders.data), runs)

    def close(self) -> None:
        """Let go of everything now."""
        undo = [run for run, what in self._timers if what == "undo"]
        for timer in self._timers.values():
            timer.cancel()
        self._drop_pictures([run for run, what in self._timers if what == "words"])
        self._timers.clear()
        end_undo(self._house, undo)


def end_undo(house: House, runs: list[str]) -> None:
    """Throw away what ``runs`` could be taken back with; what they put in the trash stays there."""
    if runs:
        house.transactions.forget(runs, lambda _: False)
        house.cannot_undo(runs)


def left_behind(house: House) -> list[str]:
    """Return private runs that an earlier daemon could not let go of, because it was killed."""
    if not house.with_effects:
        return []
    created = house.ledger.events(kinds=("run.created",))
    private = {event.run for event in created if event.body is not None and event.body.get("private")}
    return [run for run in house.with_effects if run in private]
