"""What a person's wishes teach: what comes next, and with which arguments, each offer with its chance and its reason.

What a wish did is foretold from what came before it (``foretelling``); with which arguments, from how often each came
with it, and came after the same wish. An offer is made of the wish that was made so last, in its own words.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from kernel.anticipation.begun import Begun
from kernel.anticipation.foretelling import Foreteller, Foretold, learned
from kernel.anticipation.log import TOGETHER
from kernel.anticipation.model import KINDS, ONLY_WHERE_IT_WAS, SOURCES, TYPED, Wish
from kernel.ranking.words import terms
from memory.sequences.following import COLUMNS, WORDS, Act

HALF_LIFE_DAYS = 60.0
FEWEST_TIMES = 3
"""What came less often is not offered."""

PULL = 0.003
_AFTER_THE_SAME = 4.0
"""Arguments that came after the very wish that was made last count so much more."""

_MOST_LINES_FITTED = 120

_COLUMNS = {"sequence": COLUMNS, **KINDS, TYPED: WORDS}
"""The columns in which each source has its say."""


@dataclass(frozen=True, slots=True)
class Likely:
    """A wish that may be made next, with its chance, and what speaks for it most (one of ``SOURCES``).

    ``times`` is how often it was made, ``followed`` how often the last wish was followed by it, of ``chances``.
    """

    wish: Wish
    chance: float
    source: str
    times: int
    followed: int = 0
    chances: int = 0


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was learnt of wishes until ``at``. Immutable."""

    wishes: tuple[Wish, ...]
    teller: Foreteller
    at: datetime | None
    off: frozenset[str] = frozenset()
    around: tuple[str, ...] = ()  # the kinds of what is the case that are weighed

    def next(
        self, conversation: str, now: datetime, around: Mapping[str, str], begun: Begun | None = None
    ) -> list[Likely]:  # fmt: skip
        """Return what may be wished next in a conversation, the most probable first.

        Where a sentence was ``begun``, only what it may become; that takes knowledge which looked at words.
        """
        before = self.before(conversation, now) if "sequence" not in self.off else []
        last = before[-1] if before else None
        after = self._after(last)
        openers = frozenset(line[0].run for line in lines_of(self.wishes))
        sentences = {wish.text for wish in self.wishes}
        if begun is not None:
            sentences = {one for one in sentences if begun.fits(one)}
        said = begun.said(sentences) if begun is not None else ()
        by_item: dict[str, list[Wish]] = defaultdict(list)
        for wish in self.wishes:
            if wish.text in sentences:
                by_item[wish.item].append(wish)
        found: list[Likely] = []
        for one in self.teller.foretell([_act(wish) for wish in before], around, said):
            found += self._with_arguments(one, by_item[one.item], after, openers, now)
        return sorted(found, key=lambda one: -one.chance)

    def before(self, conversation: str, now: datetime) -> list[Wish]:
        """Return the wishes of this conversation that the next one would follow."""
        line = _line_of([wish for wish in self.wishes if wish.conversation == conversation])
        return line if line and now - line[-1].at <= TOGETHER else []

    def _with_arguments(
        self, foretold: Foretold, wishes: Sequence[Wish], after: Sequence[Wish], openers: frozenset[str], now: datetime
    ) -> list[Likely]:  # fmt: skip
        """Return a foretold wish with the arguments that it may come with: those of ``wishes``, which did the same.

        ``after`` is what followed wishes like the last one, ``openers`` are the runs that followed none. A sentence
        that was only ever said after others may live on them, so it is offered after the same ones alone.
        """
        weights: dict[str, float] = defaultdict(float)
        latest: dict[str, Wish] = {}
        times: Counter[str] = Counter()
        followers = Counter(wish.key for wish in after)
        for wish in wishes:
            weights[wish.key] += _share(wish, now)
            times[wish.key] += 1
            if wish.run in openers or wish.key in followers:
                latest[wish.key] = wish
        for key in weights:
            weights[key] += _AFTER_THE_SAME * followers[key]
        whole = sum(weights.values()) + sum(min(1.0, weight) for weight in weights.values())
        source = self._source(foretold)
        return [
            Likely(
                latest[key], foretold.chance * weight / whole, source, times[key], followers[key], len(after)
            )
            for key, weight in weights.items() if key in latest
        ]  # fmt: skip

    def _after(self, last: Wish | None) -> list[Wish]:
        """Return what followed wishes like ``last``."""
        if last is None:
            return []
        pairs = (pair for line in lines_of(self.wishes) for pair in pairwise(line))
        return [then for first, then in pairs if first.key == last.key]

    def _source(self, foretold: Foretold) -> str:
        """Return the source that speaks for it most."""
        said = dict.fromkeys(SOURCES, -math.inf)
        for source, columns in _COLUMNS.items():
            if known := [foretold.reasons[name] for name in columns if name in foretold.reasons]:
                said[source] = sum(known)
        return max(SOURCES, key=lambda one: said[one])


def known_of(
    wishes: Sequence[Wish], off: frozenset[str] = frozenset(), earlier: Knowledge | None = None, *, words: bool = False
) -> Knowledge:  # fmt: skip
    """Return what wishes teach; with ``words``, of those whose words are being typed. What a source that is ``off``
    would say is not looked at.

    Where ``earlier`` looked at the same sources, and little came since, its weights stay, and the counts are new.
    """
    now = wishes[-1].at if wishes else None
    lines = lines_of(wishes)
    if "sequence" in off:
        lines = [[wish] for line in lines for wish in line]
    acts = [[_act(wish, words=words) for wish in line] for line in lines]
    shares = [_share(line[-1], now) for line in lines] if now is not None else []
    lacking = ONLY_WHERE_IT_WAS.difference(*(wish.around for wish in wishes))
    around = tuple(
        kind for source in SOURCES if source not in off for kind in KINDS.get(source, ()) if kind not in lacking
    )
    same = earlier is not None and (earlier.off, earlier.around) == (off, around)
    keep = same and earlier is not None and len(wishes) <= 1.2 * len(earlier.wishes)
    teller = learned(
        acts, around=around, words=words, shares=shares, pulls=(PULL,), fitted=_MOST_LINES_FITTED,
        known=earlier.teller if keep and earlier is not None else None,
    )  # fmt: skip
    return Knowledge(tuple(wishes), teller, now, off, around)


def lines_of(wishes: Sequence[Wish]) -> list[list[Wish]]:
    """Return wishes in lines, each of one conversation without a long pause, by when they began."""
    open_lines: dict[str, list[Wish]] = {}
    found: list[list[Wish]] = []
    for wish in wishes:
        line = open_lines.get(wish.conversation)
        if line is None or wish.at - line[-1].at > TOGETHER:
            line = open_lines[wish.conversation] = []
            found.append(line)
        line.append(wish)
    return found


def _line_of(wishes: Sequence[Wish]) -> list[Wish]:
    lines = lines_of(wishes)
    return lines[-1] if lines else []


def _act(wish: Wish, *, words: bool = False) -> Act:
    said = frozenset(terms(wish.text)) if words else frozenset[str]()
    return Act(wish.item, wish.group, (wish.key,), wish.around, said)


def _share(wish: Wish, now: datetime) -> float:
    """How much a wish counts: half of it for every sixty days that have passed."""
    return float(2.0 ** (-max(0.0, (now - wish.at).total_seconds()) / (HALF_LIFE_DAYS * 86_400)))
