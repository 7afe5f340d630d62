"""The own learner: keeps what a person's confirmed requests teach up to date, beside the requests and not in them.

What it knows is folded from the ledger and lives nowhere else, so that a restart gives the same and what is forgotten
is gone at the next look. A request gets what is known by then; the first one after a start waits until it is read.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from kernel.context.lessons import Lessons
from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.language.kindred import in_known_words
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line
from kernel.language.spelling import mend
from kernel.language.tokens import tokenize
from kernel.learning.log import FORGOTTEN, KINDS, MOST_RUNS, ConfirmedLog
from kernel.learning.model import TAUGHT, UNLEARNT, UNTAUGHT, Clause, Taught
from kernel.learning.overlay import Overlay, overlay
from kernel.learning.phrases import Phrases
from kernel.learning.templates import Templates
from kernel.model import Token
from kernel.remembering.lately import lately
from memory import Ledger
from memory.errors import StoreError

FIRST_S = 0.5
"""So long the first request after a start waits for what was learnt before; then it goes on without."""

AT_ONCE = (TAUGHT, UNTAUGHT, UNLEARNT, FORGOTTEN, "run.undone")


@dataclass(frozen=True, slots=True)
class Known:
    """What was learnt: by run the clauses that are examples, the phrases, the templates, and the examples laid out.

    ``lessons`` are those of the manifests that templates and examples were laid out for: other skills need them anew.
    """

    confirmed: tuple[tuple[str, tuple[Clause, ...]], ...] = ()
    phrases: Phrases = field(default_factory=Phrases)
    templates: Templates = field(default_factory=Templates)
    overlay: Overlay | None = None
    lessons: Mapping[str, Lessons] | None = None

    def fits(self, base: Mind) -> bool:
        """Tell whether all of this was laid out for the skills that ``base`` knows."""
        return self.lessons is base.toolbox.lessons


class OwnLearner:
    """Learns from one ledger. ``mind`` is called by the event loop; a lesson happens in one thread at a time."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._log = ConfirmedLog()
        self._known: Known | None = None
        self._laid: tuple[Toolbox, Known, Toolbox] | None = None
        self._working = threading.Lock()

    @property
    def known(self) -> Known:
        """What is known by now."""
        return self._known or Known()

    @property
    def seq(self) -> int:
        """The event up to which the ledger was learnt; 0 where nothing was."""
        return self._log.seq

    async def mind(self, base: Mind) -> Mind:
        """Return ``base`` with what was learnt by now.

        Whoever asks first, or first after skills came or went, waits a moment for that to be learnt. What was explained
        or forgotten counts at once.
        """
        first = not self.known.fits(base)
        if first or self._must_look():
            lesson = asyncio.ensure_future(asyncio.to_thread(self.learn, base))
            await asyncio.wait({lesson}, timeout=FIRST_S if first else None)
        return self.laid_over(base)

    def _must_look(self) -> bool:
        if self._ledger.head()[0] <= self._log.seq:
            return False
        kinds = (*AT_ONCE, "run.finished") if self._log.waits else AT_ONCE
        return any(True for _ in self._ledger.events(after=self._log.seq, kinds=kinds, limit=1))

    def laid_over(self, base: Mind) -> Mind:
        """Return ``base`` with what was learnt by now; while that is not for its skills, with the phrases alone."""
        known = self.known
        if not known.fits(base):
            return replace(base, phrases=known.phrases)
        if self._laid is None or self._laid[0] is not base.toolbox or self._laid[1] is not known:
            over = known.overlay.over(base.toolbox) if known.overlay is not None else base.toolbox
            laid = over.with_templates(known.templates) if known.templates.shapes else over
            self._laid = base.toolbox, known, laid
        return replace(base, toolbox=self._laid[2], phrases=known.phrases, templates=known.templates)

    def begin(self, base: Mind) -> None:
        """Begin to learn what was confirmed since, in a thread."""
        new = self._ledger.head()[0] > self._log.seq or not self.known.fits(base)
        if new and not self._working.locked():
            threading.Thread(target=self.learn, args=(base,), name="learning own examples", daemon=True).start()

    def learn(self, base: Mind) -> None:
        """Read what is new and learn it; returns when that is done. What the ledger refuses is left for later."""
        with self._working:
            try:
                self._learn(base)
            except StoreError:
                return  # it is being closed or is broken: whoever writes to it is told

    def _learn(self, base: Mind) -> None:
        head = self._ledger.head()[0]
        if self._log.seq:
            changed = self._log.take(self._ledger.events(after=self._log.seq, kinds=KINDS))
        else:
            changed = self._read_lately()
        if changed and self._log.seq == 0:
            self._read_lately()
        if changed or not self.known.fits(base):
            confirmed = self._log.confirmed()
            clauses = [clause for _, own in confirmed for clause in own]
            found = overlay(base.toolbox, clauses, _Reader(base.lexicon))
            phrases, templates = Phrases.of(self._log.taught()), Templates.of(self._log.plans(), base.toolbox)
            self._known = Known(confirmed, phrases, templates, found, base.toolbox.lessons)
        self._log.seq = max(self._log.seq, head)

    def _read_lately(self) -> bool:
        """Read the latest runs, and of all time those that explained a phrase."""
        self._log = ConfirmedLog()
        past = lately(self._ledger, KINDS, MOST_RUNS, whole=(TAUGHT, UNTAUGHT))
        return self._log.take(one for one in past if one.kind != FORGOTTEN)

    def drop(self) -> None:
        """Let go of all that is known; the next request has it read again."""
        with self._working:
            self._known, self._laid, self._log = None, None, ConfirmedLog()

    def taught(self) -> tuple[Taught, ...]:
        """Return the phrases that were explained, as they are by now."""
        return self.known.phrases.every


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads an own example as a request is read: slips mended, kindred words as those that some tool knows."""

    lexicon: Lexicon

    def __call__(self, text: str, language: str) -> tuple[Token, ...]:
        line = Line(text, tokenize(text, language), language, datetime.min)
        line = mend(line, self.lexicon, _is_name)
        return in_known_words(line, self.lexicon, _is_name).tokens


def _is_name(_: str) -> bool:
    return False
