"""The learner: keeps what was learnt from one ledger up to date, in the background, and says so in the ledger.

A request never waits for it: it is given what was learnt by the time it came. Nor does it share a processor with it:
whoever owns a learner lets it ``begin`` when a moment has passed without a request. Texts are encoded by the
encoder itself, never through a cache on disk: what a person said stays in the ledger, where it can be forgotten.
"""

from __future__ import annotations

import threading
from dataclasses import replace

from kernel.ranking.experience import Experience
from kernel.ranking.log import FORGOTTEN, KINDS, REFITTED, RequestLog
from kernel.ranking.model import Encode, Moment
from kernel.ranking.past import MOST, Past
from kernel.ranking.refit import EVERY, refit
from kernel.ranking.sets import Company
from kernel.ranking.weights import shipped
from kernel.remembering.lately import lately
from memory import Ledger
from memory.errors import StoreError
from memory.model import Draft, Json

_LAST = 3  # tools before this moment that the chain looks at
_RECENT = 50  # requests among which they are looked for


class Learner:
    """Learns from one ledger. ``now`` is called by the event loop; the rest happens in one thread at a time."""

    def __init__(self, ledger: Ledger, label: Json = None) -> None:
        """``label`` is what the events of refits are labelled with."""
        self._ledger = ledger
        self._label = label
        self._log = RequestLog()
        self._experience = Experience()
        self._company = Company()
        self._encoded: Encode | None = None
        self._working = threading.Lock()

    @property
    def company(self) -> Company:
        """Which tools worked together so far."""
        return self._company

    @property
    def seq(self) -> int:
        """The event up to which the ledger was learnt; 0 where nothing was."""
        return self._log.seq

    def now(self, moment: Moment, conversation: str = "", encode: Encode | None = None) -> Experience:
        """Return what is known by now; where nothing was learnt yet, begin to, for the next one."""
        if not self._log.seq or (encode is not None and self._encoded is None):
            self.begin(encode)
        known = self._experience
        before = [
            tool
            for one in known.past.requests[-_RECENT:]
            if one.accepted and one.conversation == conversation
            for tool in one.tools
        ][-_LAST:]
        return replace(known, moment=replace(moment, before=tuple(before)))

    def begin(self, encode: Encode | None = None) -> None:
        """Begin to learn what was done since, in a thread."""
        if self._behind(encode) and not self._working.locked():
            threading.Thread(target=self.learn, args=(encode,), name="learning requests", daemon=True).start()

    def learn(self, encode: Encode | None = None) -> None:
        """Read what is new and learn it; returns when that is done. What the ledger refuses is left for later."""
        with self._working:
            try:
                self._learn(encode)
            except StoreError:
                return  # it is being closed or is broken: whoever writes to it is told

    def _behind(self, encode: Encode | None) -> bool:
        return self._ledger.head()[0] > self._log.seq or (encode is not None and self._encoded is None)

    def _learn(self, encode: Encode | None) -> None:
        head = self._ledger.head()[0]
        changed = self._read()
        if changed or (encode is not None and self._encoded is None):
            weights = shipped("stretch").with_values(self._log.weights)
            earlier = self._experience.past if encode == self._encoded else None
            self._experience = Experience(Past(self._log.requests(), encode, earlier=earlier), weights=weights)
            self._company = Company.of(self._log.together())
            self._encoded = encode
            self._refit()
        self._log.seq = max(self._log.seq, head)

    def _read(self) -> bool:
        """Take in new events; from the first again where something was forgotten."""
        if not self._log.seq:
            return self._read_lately()
        changed = self._log.take(self._ledger.events(after=self._log.seq, kinds=KINDS))
        if changed and self._log.seq == 0:
            self._read_lately()
        return changed

    def _read_lately(self) -> bool:
        head = self._ledger.head()[0]
        self._log = RequestLog()
        past = lately(self._ledger, KINDS, MOST, ever=(REFITTED,))
        changed = self._log.take(one for one in past if one.kind != FORGOTTEN)
        self._log.seq = max(self._log.seq, head)
        return changed

    def _refit(self) -> None:
        choices = self._log.choices()
        if sum(one.seq > self._log.fitted_at for one in choices) < EVERY:
            return
        trial = refit(choices, self._experience.weights)
        if trial is None:
            return
        self._log.fitted_at = self._log.seq
        if trial.kept:
            self._experience = replace(self._experience, weights=trial.weights)
        self._ledger.submit(Draft(kind=REFITTED, body=trial.to_json(), label=self._label, durable=False))
