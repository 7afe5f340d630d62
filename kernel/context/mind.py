"""What interpreting needs to have learnt from the manifests, learnt in the background and improved when more is there.

A start does not wait for it: the first page and the first request do not need vectors, and a request that comes before
the words are learnt waits for just that. Everything here is derived from shipped data and can be thrown away.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memory import Ledger, open_encoder
from memory.errors import StoreError
from permissions.labels import KERNEL_SAID
from skills import Registry, one_import

if TYPE_CHECKING:
    from kernel.context.named import NamedDeeds
    from kernel.context.toolbox import Toolbox
    from kernel.language.lexicon import Lexicon
    from kernel.learning.learner import OwnLearner
    from kernel.learning.phrases import Phrases
    from kernel.learning.templates import Templates
    from kernel.ranking import Experience, Learner
    from kernel.ranking.model import Encode
    from kernel.ranking.sets import Company
    from memory import Encoder

LEARN_AFTER_S, LEARN_BY_S = 0.5, 10.0
"""What was done is learnt so long after the last request, so that the next one finds the processor free; where they
come without a pause, by so long after the first.
"""


@dataclass(frozen=True, slots=True)
class Mind:
    """The words of the tools, and the tools by their words.

    ``phrases`` are those that the person explained, ``templates`` the plans that they confirmed, ``named`` the deeds
    that have a name: a request puts them in (``kernel.macros.steps``).
    """

    lexicon: Lexicon
    toolbox: Toolbox
    phrases: Phrases | None = None
    templates: Templates | None = None
    named: NamedDeeds | None = None


class Learning:
    """Learns a ``Mind`` in a thread, first without and then with the sentence encoder."""

    def __init__(self, registry: Registry, kept: Path, *, encoder: bool, model: Path | None = None) -> None:
        """``kept`` is the person's folder for what derives from skills of their own."""
        self._registry = registry
        self._kept = kept
        self._model = model
        self._wants_encoder = encoder
        self._mind: Mind | None = None
        self._begun = False
        self._learnt = threading.Event()
        self._fault: Exception | None = None
        self._encoder: Encoder | None = None
        self._lesson: asyncio.TimerHandle | None = None
        self._latest_s = 0.0
        self._learners: WeakKeyDictionary[Ledger, Learner] = WeakKeyDictionary()
        self._own: WeakKeyDictionary[Ledger, OwnLearner] = WeakKeyDictionary()
        self.encoder_state = "not warm yet" if encoder else "switched off"

    def begin(self) -> None:
        """Start learning, once."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._learn, name="learning", daemon=True).start()

    async def renew(self) -> None:
        """Learn the words anew, because skills came, went or changed; their vectors follow in the background."""
        if self._begun:
            await asyncio.to_thread(self._learnt.wait)
            self._learnt = threading.Event()
            threading.Thread(target=self._learn, name="learning", daemon=True).start()
            await asyncio.to_thread(self._learnt.wait)

    async def mind(self) -> Mind:
        """Return what is known by now; the first caller waits until the words are. Raises what learning raised."""
        if self._mind is None:
            self.begin()
            await asyncio.to_thread(self._learnt.wait)
        if self._mind is None:
            raise self._fault or RuntimeError("nothing was learnt")
        return self._mind

    async def own_mind(self, ledger: Ledger) -> Mind:
        """Return what is known by now, with what the person's confirmed requests in ``ledger`` teach beside it."""
        mind = await self.mind()
        return await self.own(ledger).mind(mind)

    def learn_own(self, ledger: Ledger) -> None:
        """Learn from what was confirmed in ``ledger`` as soon as the words are known. In a thread of the caller's."""
        self._learnt.wait()
        if self._mind is not None:
            self.own(ledger).learn(self._mind)

    def own(self, ledger: Ledger) -> OwnLearner:
        """Return what learns from the confirmed requests in ``ledger``."""
        with one_import:
            from kernel.learning.learner import OwnLearner

        if ledger not in self._own:
            self._own[ledger] = OwnLearner(ledger)
        return self._own[ledger]

    def experience(
        self, ledger: Ledger, now: datetime, conversation: str, *,
        linked: Mapping[str, float] = MappingProxyType({}), granted: Mapping[str, float] = MappingProxyType({}),
    ) -> Experience:  # fmt: skip
        """Return what the requests in ``ledger`` have taught by ``now``; what is new is learnt when they are over.

        ``linked`` and ``granted`` are by tool, 0..1: how near it is to whom the request names, how much of what it
        needs is granted.
        """
        with one_import:
            from kernel.ranking import Learner, Moment

        if ledger not in self._learners:
            self._learners[ledger] = Learner(ledger, KERNEL_SAID.to_json())
        moment = Moment(now.timestamp(), now.hour + now.minute / 60, linked=linked, granted=granted)
        return self._learners[ledger].now(moment, conversation, self._encode())

    def learn_requests(self, ledger: Ledger) -> None:
        """Learn which tools served the requests in ``ledger``, and return when that is done."""
        with one_import:
            from kernel.ranking import Learner

        learner = self._learners.setdefault(ledger, Learner(ledger, KERNEL_SAID.to_json()))
        learner.learn(self._encode())

    def learnt(self, ledger: Ledger, mind: Mind) -> dict[str, int | bool]:
        """Return up to which events ``ledger`` was learnt by now, ``requests`` and ``own`` examples, and whether
        ``mind`` compares sentences by their vectors (``dense``); the encoder may have come since it was taken.
        """
        requests = self._learners[ledger].seq if ledger in self._learners else 0
        own = self._own[ledger].seq if ledger in self._own else 0
        return {"requests": requests, "own": own, "dense": mind.toolbox.shelf.encode is not None}

    def company(self, ledger: Ledger) -> Company:
        """Return which tools worked together in ``ledger``, as far as that was learnt by now."""
        from kernel.ranking.sets import Company

        return self._learners[ledger].company if ledger in self._learners else Company()

    def learn_later(self, ledger: Ledger, busy: Callable[[], bool]) -> None:
        """Something was done and is over: learn it once nobody has asked for a moment. Called by the event loop.

        ``busy`` tells whether a run lives: then it waits on, but not past its time.
        """
        if ledger not in self._learners and ledger not in self._own:
            return
        if self._lesson is None:
            self._latest_s = asyncio.get_running_loop().time() + LEARN_BY_S
        self._wait(ledger, busy)

    def stop(self) -> None:
        """Learn nothing more of what was done, until something is done again."""
        if self._lesson is not None:
            self._lesson.cancel()
            self._lesson = None

    def _wait(self, ledger: Ledger, busy: Callable[[], bool]) -> None:
        self.stop()
        loop = asyncio.get_running_loop()
        due_s = min(loop.time() + LEARN_AFTER_S, self._latest_s)
        self._lesson = loop.call_at(due_s, self._learn_more, ledger, busy)

    def _learn_more(self, ledger: Ledger, busy: Callable[[], bool]) -> None:
        self._lesson = None
        if busy() and asyncio.get_running_loop().time() < self._latest_s:
            self._wait(ledger, busy)
        else:
            if ledger in self._learners:
                self._learners[ledger].begin(self._encode())
            if ledger in self._own and self._mind is not None:
                self._own[ledger].begin(self._mind)

    def apart(self, *, vectors: bool) -> Learning:
        """Return what the skills teach by now, without what was learnt of ledgers: what is learnt there goes with it.

        Without ``vectors`` it is as it was before the encoder was warm.
        """
        other = copy(self)
        other._lesson = None
        other._learners, other._own = WeakKeyDictionary(), WeakKeyDictionary()
        if not vectors:
            other._encoder, other._wants_encoder = None, False
            if self._mind is not None:
                other._mind = replace(self._mind, toolbox=self._mind.toolbox.without_vectors())
        return other

    def _encode(self) -> Encode | None:
        return self._encoder.encode if self._encoder is not None else None

    def encoder(self) -> Encoder | None:
        """Return the sentence encoder as soon as it is warm; nobody waits for it."""
        return self._encoder

    def rest(self) -> None:
        """Give back the memory that only thinking needs; the next request takes some 5 ms longer."""
        if self._encoder is not None:
            self._encoder.rest()

    def _learn(self) -> None:
        try:
            with one_import:
                from kernel.context.kept import open_mind

            before = self._mind.toolbox if self._mind is not None else None
            self._mind = Mind(*open_mind(self._registry, self._kept, before))
        except Exception as error:  # the thread's edge: handed to whoever asks for the mind
            self._fault = error
        finally:
            self._learnt.set()
        if self._mind is not None and self._wants_encoder:
            self._add_vectors(self._mind)

    def _add_vectors(self, mind: Mind) -> None:
        with one_import:
            from kernel.context.kept import SHIPPED, example_vectors

        try:
            encoder: Encoder = self._encoder or open_encoder(SHIPPED, self._model)
            kept = example_vectors(self._registry, encoder, self._kept)
            toolbox = mind.toolbox.with_vectors(encoder.encode, kept.encode)
        except StoreError as error:
            self.encoder_state = f"missing: {error} {error.hint}".strip()
            return
        self._encoder = encoder
        self._mind = replace(mind, toolbox=toolbox)
        self.encoder_state = "warm"
