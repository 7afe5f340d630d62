"""Which routines there are and what has fired of them, made again from the ledger.

What this stops: a moment that fires twice, also where a routine was changed and made what it was; one that fires for an
earlier routine of the same name. What it does not: run anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from kernel.clients.book import digest_of
from kernel.routines.past import Past
from kernel.routines.routine import Routine, from_json, to_json
from kernel.routines.unread import Unread
from memory.model import Event

_log = logging.getLogger("steward.kernel")

KEPT, PAUSED, RESUMED, REMOVED = "routine.kept", "routine.paused", "routine.resumed", "routine.removed"
"""The body of ``KEPT`` is the routine; with ``again``, when it was made what it was before."""

FIRED = "routine.fired"
"""Body: name, key, mark, run, at, earlier, missed. On disk before the run is."""

BROUGHT = "routine.brought"
"""Body: value, words: what an event brought that set a run off. Of that run, and forgotten with it."""

LEFT, RETURNED = "routine.left", "routine.returned"
"""What stood at the node of a routine that a run took away (body: grants, denies, limits), and that an undo brought it
back (body: name, at). Both stand in the run that took it away.
"""

HOOKED = "routine.hooked"
"""Body: name, key, digest. The token itself is kept nowhere."""

KINDS = (KEPT, PAUSED, RESUMED, REMOVED, LEFT, RETURNED, FIRED, HOOKED)


@dataclass(slots=True)
class Gone:
    """A routine that a run took away: all that is known of it, and what stood at its node (the body of ``LEFT``)."""

    past: Past
    left: Mapping[str, Any] = field(default_factory=dict)


class RoutineBook:
    """The routines by their names. One event loop only."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        """Fold ``events``, oldest first. A routine that cannot be read is none: nothing of it runs."""
        self._known: dict[str, Past] = {}
        self._gone: dict[str, Gone] = {}
        """Those that can be brought back, by the run that took each away."""
        self._watchers: list[Callable[[], None]] = []
        self.when_gone: Callable[[str], None] = lambda node: None
        """Called with the node of a routine that was taken away, whatever did that."""
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
        body = event.body
        if body is None:
            return  # it was forgotten
        name = str(body.get("name"))
        if event.kind == KEPT:
            self._keep(body)
            return
        if event.kind in (LEFT, RETURNED):
            self._of_gone(event, body)
            return
        known = self._known.get(name)
        if known is None:
            return
        if event.kind == REMOVED:
            del self._known[name]
            if event.run:
                self._gone[event.run] = Gone(known)
            self.when_gone(known.now.node)
        elif event.kind == FIRED and known.has_key(str(body.get("key"))):
            known.note(body)
        elif event.kind == HOOKED and known.has_key(str(body.get("key"))):
            known.hook(bytes.fromhex(str(body["digest"])))
        elif event.kind == PAUSED:
            known.set(paused=True, broken=str(body.get("why", "")))
        elif event.kind == RESUMED:
            known.set(paused=False, broken="", rested=datetime.fromisoformat(str(body["at"])))

    def _of_gone(self, event: Event, body: Mapping[str, Any]) -> None:
        """Take in what stood at the node of one that was taken away, or that it is there again and counts from then."""
        gone = self._gone.get(str(event.run))
        if gone is not None and event.kind == LEFT:
            gone.left = body
        elif gone is not None:
            self._known[gone.past.now.name] = gone.past
            gone.past.set(rested=datetime.fromisoformat(str(body["at"])))
            del self._gone[str(event.run)]

    def _keep(self, body: Mapping[str, Any]) -> None:
        """Take in a new routine, or what one that is there was changed into."""
        try:
            routine = from_json(body)
            again = body.get("again")
            rested = datetime.fromisoformat(str(again)) if again else None
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            _log.warning("a routine in the ledger is malformed and left out: %s", error)
            return
        known = self._known.get(routine.name)
        if known is None:
            self._known[routine.name] = Past([routine])
        else:
            known.take(routine, rested)

    def get(self, name: str) -> Routine | None:
        """Return the routine of this name."""
        known = self._known.get(name)
        return known.now if known is not None else None

    def every(self) -> tuple[Routine, ...]:
        """Return all routines, by name."""
        return tuple(self._known[name].now for name in sorted(self._known))

    def versions(self, name: str) -> tuple[Routine, ...]:
        """Return what the routine of this name was, the oldest first, and last what it is."""
        known = self._known.get(name)
        return tuple(known.versions) if known is not None else ()

    def has_key(self, name: str, key: str) -> bool:
        """Tell whether ``key`` is of the routine of this name, or of what it was, and of no earlier namesake."""
        known = self._known.get(name)
        return known is not None and known.has_key(key)

    def gone(self, run: str) -> Gone | None:
        """Return the routine that ``run`` took away, where it can be brought back."""
        return self._gone.get(run)

    def forget(self, is_named: Callable[[Mapping[str, Any]], bool]) -> tuple[str, ...]:
        """Drop the earlier versions whose JSON is to be forgotten, and what was taken away; return the runs that cannot
        be taken back any more.
        """
        lost = tuple(run for run, one in self._gone.items() if is_named(to_json(one.past.now)))
        for run in lost:
            del self._gone[run]
        for one in self._gone.values():
            one.left = {} if is_named(one.left) else one.left
        for known in (*self._known.values(), *(one.past for one in self._gone.values())):
            known.forget(lambda one: is_named(to_json(one)))
        return lost

    def whose(self, token: str) -> Routine | None:
        """Return the routine whose webhook ``token`` opens."""
        given = digest_of(token)
        found = [known.now for known in self._known.values() if known.is_opened_by(given)]
        return found[0] if found else None

    def has_token(self, name: str) -> bool:
        """Tell whether some token opens the webhook that the routine of this name waits for."""
        known = self._known.get(name)
        return known is not None and known.digest is not None

    def kept_by(self, run: str) -> tuple[Routine, ...]:
        """Return the routines that are what ``run`` made them."""
        return tuple(one for one in self.every() if one.run == run)

    def changed_since(self, run: str) -> Routine | None:
        """Return the routine that ``run`` made something that it is no more."""
        earlier = ((known.now, one.run) for known in self._known.values() for one in known.versions[:-1])
        return next((now for now, kept in earlier if kept == run), None)

    def runs(self) -> frozenset[str]:
        """Return the runs by which the versions that stand were kept, and those that took away what can come back."""
        kept = frozenset(one.run for known in self._known.values() for one in known.versions)
        return kept | self._gone.keys()

    def last(self, routine: Routine) -> Mapping[str, Any]:
        """Return what was written when it fired last; nothing where it has not."""
        known = self._known.get(routine.name)
        return known.last if known is not None else {}

    def reached(self, routine: Routine) -> str:
        """Return the mark of the last moment of the clock at which it fired; empty where none has."""
        known = self._known.get(routine.name)
        return known.reached if known is not None else ""

    def has_fired(self, routine: Routine, mark: str) -> bool:
        """Tell whether the event of this mark has set it off already, whatever it waited for then."""
        known = self._known.get(routine.name)
        return known is not None and known.has_fired(mark)

    def fired(self, routine: Routine) -> tuple[datetime, ...]:
        """Return the moments at which it fired last, oldest first: as many as its limits count."""
        known = self._known.get(routine.name)
        return known.fired if known is not None else ()
