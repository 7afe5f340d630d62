"""A page of the ledger: the newest first, from where the last one ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from kernel.activity.sorts import SORTS, sort_of
from kernel.errors import BadRequest
from kernel.remember import event_json
from memory import Ledger


@dataclass(frozen=True, slots=True)
class Page:
    """Events, the newest first, each with its ``sort``; ``before`` is where the next page begins, None at the end."""

    events: tuple[dict[str, Any], ...]
    before: int | None


class Activity:
    """Reads the ledger backwards."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def page(
        self, limit: int = 50, *, before: int | None = None, run: str | None = None, sorts: Collection[str] = ()
    ) -> Page:
        """Return at most ``limit`` events before seq ``before``; of one run, of some sorts. Raises BadRequest."""
        stems = tuple(_stems(sorts))
        found = self._ledger.latest(limit + 1, before=before, run=run, stems=stems)
        events = tuple(event_json(event) | {"sort": sort_of(event.kind)} for event in found[:limit])
        return Page(events, found[limit - 1].seq if len(found) > limit else None)


def _stems(sorts: Iterable[str]) -> Iterable[str]:
    for sort in sorts:
        if sort not in SORTS:
            raise BadRequest(
                "activity.sort", f"There is no sort of events called {sort[:60]!r}.", subject=sort[:60],
                hint=f"There are: {', '.join(SORTS)}.",
            )  # fmt: skip
        yield from SORTS[sort]
