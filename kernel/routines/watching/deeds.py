"""What Steward itself does, as a source of events: its ledger tells.

What this stops: a routine that is set off by its own deletions, undos or failures; a word of a private run in one.
What it does not: read what a run found; what is told of a deed is when, which, and on what, and of a mail to whom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
from kernel.routines.watching.ledger import MOST_TOLD, Telling, at_of, lately, line
from memory.model import Event

if TYPE_CHECKING:
    from kernel.house import House

_KINDS = frozenset({"run.undone", "commit.done", "mail.accepted", "run.finished"})
_CHANGES = {"deleted": DELETION, "moved": MOVE, "renamed": MOVE}
_MOST_NAMED = 20


async def _comes(house: House, awake: Sequence[Routine], event: Event) -> list[tuple[Routine, Come]]:
    deeds = dict(_deeds(event))
    chain = house.causes.chain(str(event.run))
    meant = [
        (one, one.trigger.what)
        for one in awake
        if isinstance(one.trigger, Happened) and one.trigger.what in deeds and chain[-1:] != (one.name,)
    ]
    if not meant or is_private(house.ledger, str(event.run)):
        return []
    return [(one, replace(_come(house, event, one, what, deeds[what]), chain=chain)) for one, what in meant]


def last_deeds(house: House, routine: Routine) -> list[Come]:
    """Return what would have come to ``routine`` with the last deeds of its kind, newest first."""
    what = routine.trigger.what if isinstance(routine.trigger, Happened) else ""
    found = ((event, dict(_deeds(event))) for event in lately(house, _KINDS))
    meant = ((event, deeds[what]) for event, deeds in found if what in deeds)
    open_to_all = (one for one in meant if not is_private(house.ledger, str(one[0].run)))
    return [_come(house, event, routine, what, paths) for event, paths in islice(open_to_all, MOST_TOLD)]


def _come(house: House, event: Event, routine: Routine, what: str, paths: list[str]) -> Come:
    home = str(house.folders.home)
    named = ", ".join(short(path, home) for path in paths[:_MOST_NAMED])
    rest = f" (+{len(paths) - _MOST_NAMED})" if len(paths) > _MOST_NAMED else ""
    letter = _letter(house, event) if what == SENT else {}
    on = letter.get(str(Part.RECIPIENT), f"{named}{rest}") or request_words(house.ledger, str(event.run))
    words = say(routine.language, f"deed.{what}")
    return Come(f"{event.seq}", at_of(event), 0, {str(Part.TEXT): line(house, event, words, on)} | letter, words)


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


DEEDS = Telling(lambda event: event.kind in _KINDS, _comes)
"""What Steward did."""
