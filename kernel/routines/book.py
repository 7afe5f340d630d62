"""Which routines there are and what has fired of them, made again from the ledger.

What this stops: a moment that fires twice, or a moment that fires for an earlier routine of the same name. What it does
not: run anything.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from kernel.clients.book import digest_of
from kernel.routines.routine import Routine, from_json
from kernel.routines.unread import Unread
from memory.model import Event

_log = logging.getLogger("steward.kernel")

KEPT, PAUSED, RESUMED, REMOVED = "routine.kept", "routine.paused", "routine.resumed", "routine.removed"
FIRED = "routine.fired"
"""Body: name, key, mark, run, at, earlier, missed. On disk before the run is."""

BROUGHT = "routine.brought"
"""Body: value, words: what an event brought that set a run off. Of that run, and forgotten with it."""

MOST_FIRED = 100
MOST_MARKS = 5000
"""So many of a routine's latest events are known as done: each event that can come again sets it off once."""

HOOKED = "routine.hooked"
"""Body: name, key, digest. The token itself is kept nowhere."""

KINDS = (KEPT, PAUSED, RESUMED, REMOVED, FIRED, HOOKED)


class RoutineBook:
    """The routines by their names. One event loop only."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        """Fold ``events``, oldest first. A routine that cannot be read is none: nothing of it runs."""
        self._routines: dict[str, Routine] = {}
        self._last: dict[str, Mapping[str, Any]] = {}
        self._fired: dict[str, tuple[datetime, ...]] = {}
        self._marks: dict[str, OrderedDict[str, None]] = {}
        self._digests: dict[str, bytes] = {}
        self._watchers: list[Callable[[], None]] = []
        self.proposed: dict[str, Routine] = {}
        """Those whose card waits for its answer, by the run that would keep them."""
        self.unread = Unread()
        self.keeping = asyncio.Lock()
        """Held while one is named and written down: no two are called alike."""
        for event in events:
            self.take_in(event)

    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called after every event that is taken in; return what ends that."""
        self._watchers.append(changed)
        return partial(self._watchers.remove, changed)

    def take_in(self, event: Event) -> None:
        """Take in one event that was written."""
        self._fold(event)
        if event.kind in KINDS:
            for changed in self._watchers:
                changed()

    def _fold(self, event: Event) -> None:
        body = event.body or {}
        name = str(body.get("name"))
        if event.kind == KEPT:
            self._keep(body)
        elif event.kind == REMOVED:
            self._routines.pop(name, None)
        elif event.kind == FIRED and name in self._routines and self._routines[name].key == body.get("key"):
            self._last[name] = body
            fired = [*self._fired.get(name, ()), datetime.fromisoformat(str(body["at"]))]
            self._fired[name] = tuple(fired[-MOST_FIRED:])
            marks = self._marks.setdefault(name, OrderedDict())
            marks[str(body.get("mark", ""))] = None
            while len(marks) > MOST_MARKS:
                marks.popitem(last=False)
        elif event.kind == HOOKED and name in self._routines and self._routines[name].key == body.get("key"):
            self._digests[name] = bytes.fromhex(str(body["digest"]))
        elif event.kind == PAUSED and name in self._routines:
            self._routines[name] = replace(self._routines[name], paused=True, broken=str(body.get("why", "")))
        elif event.kind == RESUMED and name in self._routines:
            at = datetime.fromisoformat(str(body["at"]))
            self._routines[name] = replace(self._routines[name], paused=False, broken="", rested=at)

    def _keep(self, body: Mapping[str, Any]) -> None:
        try:
            routine = from_json(body)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            _log.warning("a routine in the ledger is malformed and left out: %s", error)
            return
        self._routines[routine.name] = routine
        self._last.pop(routine.name, None)
        self._digests.pop(routine.name, None)
        self._fired.pop(routine.name, None)
        self._marks.pop(routine.name, None)

    def get(self, name: str) -> Routine | None:
        """Return the routine of this name."""
        return self._routines.get(name)

    def every(self) -> tuple[Routine, ...]:
        """Return all routines, by name."""
        return tuple(self._routines[name] for name in sorted(self._routines))

    def whose(self, token: str) -> Routine | None:
        """Return the routine whose webhook ``token`` opens."""
        given = digest_of(token)
        found = [name for name, digest in self._digests.items() if hmac.compare_digest(given, digest)]
        return self._routines.get(found[0]) if found else None

    def kept_by(self, run: str) -> tuple[Routine, ...]:
        """Return the routines that ``run`` kept, and that are still there."""
        return tuple(one for one in self._routines.values() if one.run == run)

    def last(self, routine: Routine) -> Mapping[str, Any]:
        """Return what was written when it fired last; nothing where it has not."""
        return self._last.get(routine.name, {})

    def has_fired(self, routine: Routine, mark: str) -> bool:
        """Tell whether the event of this mark has set it off already."""
        return mark in self._marks.get(routine.name, ())

    def fired(self, routine: Routine) -> tuple[datetime, ...]:
        """Return the moments at which it fired last, oldest first: ``MOST_FIRED`` at most."""
        return self._fired.get(routine.name, ())
