"""Offers: at most three sentences that a person may want to say next, each with why now. Nothing is ever done by one.

What this stops: an offer that is more often wrong than right; one that was put away, or passed over again and again;
one that comes unasked in quiet hours, or beyond the day's budget (``kernel.manners``); words of others in an offer.
What it does not: do what is offered. Its first steps may be made ahead where they only read (``ahead``).
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from kernel.anticipation.ahead import Ahead
from kernel.anticipation.begun import Begun, begun
from kernel.anticipation.knowing import FEWEST_TIMES, Knowledge, Likely, known_of
from kernel.anticipation.log import FORGOTTEN, KINDS, WishLog, around
from kernel.anticipation.model import (
    AHEAD_SOURCES,
    AHEAD_SWITCHED,
    DISMISSED,
    SHOWN,
    SOURCES,
    SWITCHED,
    TYPED,
    Offer,
    Wish,
)
from kernel.anticipation.surroundings import surroundings
from kernel.anticipation.words import why_now
from kernel.errors import BadRequest
from kernel.manners import Manners
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from permissions.naming import shown

if TYPE_CHECKING:
    from kernel.house import House

MOST = 3
LEAST = 0.35
"""What is less probable is not offered."""

FADES = 0.7
"""So much of its chance an offer keeps each time that it was passed over since it was taken up last."""

KIND = "offer"


class Offers:
    """The offers of one person. Its methods belong to one event loop; learning happens in one thread at a time."""

    def __init__(self, house: House, manners: Manners) -> None:
        self._house = house
        self._manners = manners
        self._log = WishLog()
        self._knowledge = Knowledge((), known_of(()).teller, None)
        self._of_words: Knowledge | None = None  # what looks at words, too; learned where somebody types
        self._working = threading.Lock()
        self._ahead = house.ahead = house.ahead or Ahead(house)

    async def now(self, conversation: str = "", *, unasked: bool = False) -> dict[str, Any]:
        """Return the offers of this moment, and which sources are on.

        ``unasked`` where nobody asked to see them: then manners decide, and what is shown counts. Where something
        waits for the person's answer there are none.
        """
        now = self._house.clock()
        if unasked:
            found = await asyncio.to_thread(self._unasked, conversation, now)
        else:
            found = await asyncio.to_thread(self._found, conversation, now)
        self._ahead.offered([one for one in found if one.source not in self._log.record.not_ahead])
        return {"offers": [_view(one) for one in found], "sources": self._sources(), **self._manner(now)}

    async def fitting(self, typed: str, conversation: str = "") -> dict[str, Any]:
        """Return what a sentence that a person has begun to type may become, of what they ask for again and again.

        They ask for it by typing: it takes no attention, and what they pass over does not fade. No letter is kept.
        """
        found = await asyncio.to_thread(self._fitting, typed, conversation, self._house.clock())
        return {"offers": [_view(one) for one in found], "sources": self._sources()}

    async def dismiss(self, key: str) -> None:
        """Put an offer away until the person asks for that again. Raises BadRequest for what was never offered."""
        await asyncio.to_thread(self._learn)
        if not any(wish.key == key for wish in self._knowledge.wishes):
            raise BadRequest("offer.unknown", f"There is no offer {shown(key)}.", subject=shown(key),
                             hint="./steward offers lists them.")  # fmt: skip
        await self._write(DISMISSED, {"key": key})

    async def switch(self, source: str, *, on: bool) -> dict[str, bool]:
        """Turn a source off or on; return what is on. Raises BadRequest where there is no such source."""
        await self._switch(SWITCHED, source, on)
        return self._sources()

    async def switch_ahead(self, source: str, *, on: bool) -> dict[str, bool]:
        """Have something made ahead for offers of a source, or no longer; return for which. Raises as ``switch``."""
        await self._switch(AHEAD_SWITCHED, source, on, AHEAD_SOURCES)
        return self._ahead_sources()

    async def ahead(self) -> dict[str, Any]:
        """Return what was made ahead lately, what came of it, and for which sources anything is."""
        await asyncio.to_thread(self._learn)
        return {**self._ahead.to_json(), "sources": self._ahead_sources()}

    async def _switch(self, kind: str, source: str, on: bool, sources: Collection[str] = SOURCES) -> None:
        if source not in sources:
            raise BadRequest("offer.source", f"There is no source {shown(source)}.", subject=shown(source),
                             hint=f"There are {', '.join(sources)}.")  # fmt: skip
        await self._write(kind, {"source": source, "on": on})
        await asyncio.to_thread(self._learn)
        if not on:
            self._ahead.forget_of(source)

    def _unasked(self, conversation: str, now: datetime) -> Sequence[Offer]:
        found = self._found(conversation, now)
        keys = tuple(one.key for one in found)
        if not found or self._log.record.open == keys:
            return found  # it stands there already, and takes no more attention than it has taken
        if not self._manners.may_speak(KIND, now):
            return ()
        self._manners.spoke(KIND, now)
        draft = Draft(kind=SHOWN, body={"keys": list(keys), "at": now.isoformat()}, label=KERNEL_SAID.to_json(),
                      durable=False)  # fmt: skip
        self._house.ledger.submit(draft).result()
        return found

    def _found(self, conversation: str, now: datetime) -> Sequence[Offer]:
        self._learn()
        return self._best(self._knowledge, conversation, now)

    def _fitting(self, typed: str, conversation: str, now: datetime) -> Sequence[Offer]:
        self._learn()
        sentence = begun(typed)
        if sentence is None or TYPED in self._log.record.off:
            return ()
        return self._best(self._learn_words(), conversation, now, sentence)

    def _best(
        self, known: Knowledge, conversation: str, now: datetime, sentence: Begun | None = None
    ) -> Sequence[Offer]:  # fmt: skip
        if any(not answer.done() for answer in self._house.waiting.values()):
            return ()
        passed = self._log.record.passed if sentence is None else Counter[str]()
        before = known.before(conversation, now)
        last = before[-1] if before else None
        context = {**around(now, self._log.told(now), last), **surroundings(self._house, now)}
        here = {str(tool.id) for tool in self._house.registry.tools()}
        likely = known.next(conversation, now, context, sentence)
        faded = sorted(
            (
                (one.chance * FADES ** passed[one.wish.key], one)
                for one in likely if self._may_be_offered(one, last, here)
            ),
            key=lambda pair: -pair[0],
        )  # fmt: skip
        return [
            Offer(
                one.wish.key, one.wish.text, one.wish.language, tuple(one.wish.item.split()), round(chance, 3),
                one.source, why_now(one, now, context, is_first=not before), one.wish.run, one.wish.at,
            )
            for chance, one in faded[:MOST] if chance >= LEAST
        ]  # fmt: skip

    def _may_be_offered(self, one: Likely, last: Wish | None, here: Collection[str]) -> bool:
        """Tell whether it came often enough, was not put away, was not just done, and can be done ``here`` still."""
        wish = one.wish
        is_new = last is None or wish.key != last.key
        return (
            one.times >= FEWEST_TIMES and is_new and wish.key not in self._log.record.dismissed
            and all(tool in here for tool in wish.item.split())
        )  # fmt: skip

    def _learn(self) -> None:
        """Read what is new and learn it; from the first event again where something was forgotten."""
        with self._working:
            head = self._house.ledger.head()[0]
            changed = self._log.take(self._house.ledger.events(after=self._log.seq, kinds=KINDS))
            if changed and self._log.seq == 0:
                self._log = WishLog()
                self._log.take(one for one in self._house.ledger.events(kinds=KINDS) if one.kind != FORGOTTEN)
                self._knowledge, self._of_words = Knowledge((), known_of(()).teller, None), None
            off = frozenset(self._log.record.off)
            if changed or off != self._knowledge.off:
                self._knowledge = known_of(self._log.wishes(), off, self._knowledge)
            self._log.seq = max(self._log.seq, head)

    def _learn_words(self) -> Knowledge:
        """Return what is known where words are looked at, too, of the same wishes."""
        with self._working:
            known, earlier = self._knowledge, self._of_words
            if earlier is None or (earlier.wishes, earlier.off) != (known.wishes, known.off):
                earlier = self._of_words = known_of(known.wishes, known.off, earlier, words=True)
            return earlier

    def _sources(self) -> dict[str, bool]:
        return {source: source not in self._log.record.off for source in SOURCES}

    def _ahead_sources(self) -> dict[str, bool]:
        return {source: source not in self._log.record.not_ahead for source in AHEAD_SOURCES}

    def _manner(self, now: datetime) -> dict[str, Any]:
        return {"attention_left": self._manners.left(now), "quiet": self._manners.is_quiet(now)}

    async def _write(self, kind: str, body: Mapping[str, Any]) -> None:
        await asyncio.wrap_future(self._house.ledger.submit(Draft(kind=kind, body=body, label=KERNEL_SAID.to_json())))


def _view(offer: Offer) -> dict[str, Any]:
    return {
        "key": offer.key, "text": offer.text, "language": offer.language, "tools": list(offer.tools),
        "chance": offer.chance, "source": offer.source, "why": offer.why,
    }  # fmt: skip
