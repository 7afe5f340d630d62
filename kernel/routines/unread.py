"""Files that a rule had to look into and could not read: what is said of them, until Steward ends.

What this does not: write anything down. What others called a file stands nowhere when it is gone.
"""

from __future__ import annotations

from collections.abc import Iterable

from kernel.routines.routine import Routine

MOST = 3
"""So many are told of one rule, the last ones."""


class Unread:
    """What routines could not read."""

    def __init__(self) -> None:
        self._why: dict[str, list[str]] = {}

    def note(self, routine: Routine, why: str) -> None:
        """Note why a file was not read; the same once."""
        known = [one for one in self._why.get(routine.key, ()) if one != why]
        self._why[routine.key] = [*known, why][-MOST:]

    def of(self, routine: Routine) -> list[str]:
        """Return why files were not read, the last one last."""
        return list(self._why.get(routine.key, ()))

    def keep(self, keys: Iterable[str]) -> None:
        """Forget what was noted of all other routines."""
        for one in self._why.keys() - set(keys):
            del self._why[one]
