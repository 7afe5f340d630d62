"""What Steward itself does, as a source of events: its ledger tells.

What this stops: a routine that is set off by its own deletions, undos or failures; a word of a private run in one.
What it does not: read what a run found; what is told of a deed is when, which, and on what, and of a mail to whom.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from kernel.itself.record import request_words
from kernel.itself.undoing import is_private
from kernel.paths import short
from kernel.routines.firing import Come
from kernel.routines.hearing.deeds import DELETION, FAILED, MOVE, SENT, UNDO
from kernel.routines.model import Happened
from kernel.routines.parts import Part
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.watching.source import Awake, HandIn
from memory.model import Event

if TYPE_CHECKING:
    from kernel.house import House

_KINDS = frozenset({"run.undone", "commit.done", "mail.accepted", "run.finished"})
_CHANGES = {"deleted": DELETION, "moved": MOVE, "renamed": MOVE}
_MOST_NAMED = 20
_MOST_TOLD = 3
_MOST_LOOKED_AT = 20_000
"""So many events back deeds are looked for."""


class Deeds:
    """Tells of what Steward did."""

    def __init__(self, house: House, awake: Awake, hand_in: HandIn) -> None:
        self._house, self._awake, self._hand_in = house, awake, hand_in
        self.is_ready = False

    def changed(self) -> None:
        """Every deed is looked at anyhow."""

    async def run(self) -> None:
        """Listen until cancelled."""
        loop = asyncio.get_running_loop()

        def listens(event: Event) -> None:  # on the writer's thread
            if event.kind in _KINDS:
                loop.call_soon_threadsafe(self._take_in, event)

        stop = self._house.ledger.subscribe(listens)
        self.is_ready = True
        try:
            await loop.create_future()
        finally:
            self.is_ready = False
            stop()

    def _take_in(self, event: Event) -> None:
        deeds = dict(_deeds(event))
        chain = self._house.causes.chain(str(event.run))
        meant = [
            (one, one.trigger.what)
            for one in self._awake()
            if isinstance(one.trigger, Happened) and one.trigger.what in deeds and chain[-1:] != (one.name,)
        ]
        if not meant or is_private(self._house.ledger, str(event.run)):
            return
        for routine, what in meant:
            self._hand_in(routine, replace(_come(self._house, event, routine, what, deeds[what]), chain=chain))


def last_deeds(house: House, routine: Routine) -> list[Come]:
    """Return what would have come to ``routine`` with the last deeds of its kind, newest first."""
    what = routine.trigger.what if isinstance(routine.trigger, Happened) else ""
    head, _ = house.ledger.head()
    lately = house.ledger.events(after=max(0, head - _MOST_LOOKED_AT), kinds=tuple(_KINDS))
    found = ((event, dict(_deeds(event))) for event in reversed(list(lately)))
    meant = ((event, deeds[what]) for event, deeds in found if what in deeds)
    open_to_all = (one for one in meant if not is_private(house.ledger, str(one[0].run)))
    return [_come(house, event, routine, what, paths) for event, paths in islice(open_to_all, _MOST_TOLD)]


def _come(house: House, event: Event, routine: Routine, what: str, paths: list[str]) -> Come:
    zone, home = house.clock().tzinfo, str(house.folders.home)
    at = datetime.fromtimestamp(event.at_ns / 1e9, UTC)
    named = ", ".join(short(path, home) for path in paths[:_MOST_NAMED])
    rest = f" (+{len(paths) - _MOST_NAMED})" if len(paths) > _MOST_NAMED else ""
    letter = _letter(house, event) if what == SENT else {}
    on = letter.get(str(Part.RECIPIENT), f"{named}{rest}") or request_words(house.ledger, str(event.run))
    words = f"{at.astimezone(zone):%Y-%m-%d %H:%M}: {say(routine.language, f'deed.{what}')}: {on}"
    return Come(f"{event.seq}", at, 0, {str(Part.TEXT): words} | letter, say(routine.language, f"deed.{what}"))


def _letter(house: House, event: Event) -> dict[str, str]:
    """To whom the mail went that was accepted, and what it is about."""
    number = (event.body or {}).get("number")
    prepared = house.ledger.events(run=event.run, kinds=("mail.prepared",))
    body = next((one.body for one in prepared if one.body and one.body.get("number") == number), {})
    sent_to = body.get("to", ())
    recipients = ", ".join(map(str, sent_to)) if isinstance(sent_to, list) else ""
    return {str(Part.RECIPIENT): recipients, str(Part.SUBJECT): str(body.get("subject", ""))}


def _deeds(event: Event) -> Iterator[tuple[str, list[str]]]:
    """Yield which deeds an event is of, each with the files that it is about."""
    body: Mapping[str, Any] = event.body or {}
    match event.kind:
        case "run.undone":
            yield UNDO, []
        case "mail.accepted":
            yield SENT, []
        case "run.finished" if not body.get("trial") and body.get("resolution") in ("failed", "rolled_back"):
            yield FAILED, []
        case "commit.done":
            changes = body.get("changes") or ()
            listed = changes.get("first", ()) if isinstance(changes, Mapping) else changes
            for deed in (DELETION, MOVE):
                paths = [str(one.get("source") or one["path"]) for one in listed if _CHANGES.get(one["kind"]) == deed]
                if paths:
                    yield deed, paths
