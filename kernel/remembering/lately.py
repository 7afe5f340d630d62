"""What a log of the ledger has to read at a start: the latest runs, and of earlier ones only what still counts.

So a start costs the same after ten years of use as after one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memory import Ledger
from memory.model import Event

_BEGINS = "run.created"


def lately(
    ledger: Ledger, kinds: Collection[str], runs: int, *, ever: Collection[str] = (), whole: Collection[str] = ()
) -> Iterator[Event]:
    """Yield the events of ``kinds`` since the ``runs``-th latest run began, oldest first.

    Before them come, of any time, the events of the kinds ``ever``, and those of ``kinds`` of every run that has an
    event of the kinds ``whole``.
    """
    since = ledger.nth_latest(_BEGINS, runs)
    if since:
        yield from _before(ledger, kinds, since, ever, whole)
    yield from ledger.events(after=max(0, since - 1), kinds=kinds)


def _before(
    ledger: Ledger, kinds: Collection[str], since: int, ever: Collection[str], whole: Collection[str]
) -> list[Event]:
    found: dict[int, Event] = {}
    for event in ledger.events(kinds=(*ever, *whole)) if ever or whole else ():
        if event.seq >= since:
            break
        found[event.seq] = event
    for run in {event.run for event in found.values() if event.kind in whole and event.run is not None}:
        found |= {event.seq: event for event in ledger.events(run=run, kinds=kinds) if event.seq < since}
    return [found[seq] for seq in sorted(found)]
