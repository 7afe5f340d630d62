"""The miner: sessions are folded in one at a time, and what comes again in them is found at any time.

What is counted: pairs always; a longer sequence from the moment on when the one without its last item and the one
without its first have come often enough, and then also where it was before. So a session costs what it holds, however
many came before it (Apriori, Agrawal and Srikant 1995, one session at a time). Nothing is looked for behind a sequence
that came nowhere without a longer or more particular one: what would be found there is a part of what that one leads to
(CloSpan, Yan, Han and Afshar 2003). So a long session that comes again is found once, not in all its parts.
"""

from __future__ import annotations

import math
import sys
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product

from memory.sequences.covering import fill, left
from memory.sequences.grown import Grown, Ways
from memory.sequences.model import Entry, Found, Items, Limits, Occurrence
from memory.sequences.rows import NEVER, OneMore, Row, Seen, counted, counted_all, latest, occurrences, worth
from memory.sequences.scoring import log_lift, near_closed
from memory.sequences.steps import Walk, followers

_PLACES = 3
"""So many ways in which a session has the same sequence are followed."""
_WIDEST = 1_500
"""So many sequences of one length are followed in one session."""


class Miner:
    """Not thread-safe. Sessions are numbered from 0 in the order in which they are folded in."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.sessions: OrderedDict[int, tuple[Entry, ...]] = OrderedDict()  # the oldest one is at hand
        self.singles: dict[str, Row] = {}
        self.rows: dict[Items, Row] = {}
        self.general: dict[str, str] = {}
        self.total = NEVER
        self.folded = 0
        self._walks: dict[int, Walk] = {}
        self._same: dict[tuple[int, tuple[int, ...]], Seen] = {}

    # --- folding ------------------------------------------------------------------------------------------------------

    def fold(self, session: Sequence[Entry]) -> int:
        """Take in a session; return its number."""
        number, entries = self.folded, tuple(_interned(one) for one in session)
        self.folded += 1
        if not entries:
            return number
        self.sessions[number] = entries
        self.total = counted(self.total, (number, (), entries[0].at), self.limits)
        self._count_all(entries, OneMore(number, entries, self.limits))
        self._same.clear()
        self._make_room()
        return number

    def _count_all(self, entries: tuple[Entry, ...], one_more: OneMore) -> None:
        """Count the sequences of a session, length by length."""
        singles, after = self._singles(entries, one_more), followers(entries, self.limits)
        often = self._pairs(entries, after, singles, one_more)
        grown = [*singles.values(), *often]
        while often:
            longer = self._longer(entries, after, left(often, self.general, self.limits), one_more)
            fill(longer, self.limits)
            grown += longer
            often = longer
        for one in grown:
            one.let_go()

    def _singles(self, entries: tuple[Entry, ...], one_more: OneMore) -> dict[str, Grown]:
        singles: dict[str, Grown] = {}
        for place, entry in enumerate(entries):
            for item in entry.items:
                if item not in singles:
                    row = self.singles[item] = one_more.count(self.singles.get(item, NEVER), (place,))
                    singles[item] = Grown((item,), row, [])
            for item, wider in zip(entry.items[1:], entry.items, strict=False):
                self.general[item] = wider
        for item, one in singles.items():
            wide = singles.get(self.general.get(item, ""))
            if wide is not None:
                one.wider = (wide,)
        return singles

    def _pairs(
        self, entries: tuple[Entry, ...], after: list[list[int]], singles: Mapping[str, Grown], one_more: OneMore
    ) -> list[Grown]:
        often: list[Grown] = []
        rows, least, count = self.rows, self.limits.least, one_more.count
        for items, ways in _ways_of_two(entries, after).items():
            row = rows[items] = count(rows.get(items, NEVER), ways[0])
            if row[0] >= least:
                first, second = items
                often.append(Grown(items, row, ways, singles[first], singles[second]))
        return _most_of(often)

    def _longer(
        self, entries: tuple[Entry, ...], after: list[list[int]], shorter: Sequence[Grown], one_more: OneMore
    ) -> list[Grown]:
        often: list[Grown] = []
        if not shorter or len(shorter[0].items) >= self.limits.longest:
            return often
        rows, least, count = self.rows, self.limits.least, one_more.count
        for begin in shorter:
            rests = begin.rest.longer
            if not rests:
                continue
            for item, ways in _ways_on(begin, entries, after).items():
                items = (*begin.items, item)
                row = rows[items] = count(rows.get(items) or self._before(begin, items), ways[0])
                if row[0] >= least:
                    often.append(Grown(items, row, ways, begin, rests[item]))
        return _most_of(often)

    def _before(self, begin: Grown, items: Items) -> Row:
        """Return where ``items`` came before this session: nobody counted them until now."""
        seen: list[Seen] = []
        for session, places, _ in latest(begin.row, self.limits)[:-1]:  # the last one is this session
            walk = self._walks.get(session) or self._walk(session)
            way = walk and walk.longer(places, items)
            if way:
                seen.append(self._seen(session, way))
        return counted_all(seen, self.limits)

    def _seen(self, session: int, way: tuple[int, ...]) -> Seen:
        """Return that a sequence was there: one object for all at the same places, in one folding."""
        known = self._same.get((session, way))
        if known is None:
            known = self._same[session, way] = (session, way, self.sessions[session][way[0]].at)
        return known

    def _walk(self, number: int) -> Walk | None:
        """Return what it takes to look through a session again; None where it is not kept any more."""
        entries = self.sessions.get(number)
        if entries is None:
            return None
        walk = self._walks[number] = Walk(entries, self.limits)
        return walk

    def _make_room(self) -> None:
        while len(self.sessions) > self.limits.sessions:
            oldest, _ = self.sessions.popitem(last=False)
            self._walks.pop(oldest, None)
        if len(self.rows) > self.limits.most:
            _, _, now, *_ = self.total
            ranked = sorted(self.rows.items(), key=lambda one: worth(one[1], now, self.limits))
            self.rows = dict(ranked[len(ranked) // 4 :])
            used: set[str] = set().union(*self.rows)
            self.singles = {
                item: row for item, row in self.singles.items()
                if item in used or worth(row, now, self.limits) > 1
            }  # fmt: skip
            self.general = {item: wider for item, wider in self.general.items() if item in self.singles}

    # --- finding ------------------------------------------------------------------------------------------------------

    def found(self, now: float, over_s: float = math.inf) -> list[Found]:
        """Return what comes again, the most telling first; what has not come for ``over_s`` seconds is over."""
        times = {
            items: times
            for items, (times, _, last, *_) in self.rows.items()
            if times >= self.limits.least and now - last <= over_s
        }
        sessions = worth(self.total, now, self.limits)
        some = (self._found(items, now, sessions) for items in near_closed(times, self.general, self.limits.closed))
        return sorted(some, key=lambda one: (-one.score, one.items))

    def _found(self, items: Items, now: float, sessions: float) -> Found:
        row = self.rows[items]
        support = worth(row, now, self.limits)
        lift = log_lift(support, (worth(self.singles[item], now, self.limits) for item in items), sessions)
        return Found(items, row[0], support, lift, lift * math.sqrt(support), occurrences(row, self.limits))

    def seen(self, item: str) -> tuple[Occurrence, ...]:
        """Return where an item came lately, oldest first."""
        return occurrences(self.singles.get(item, NEVER), self.limits)

    def held(self, items: Items, fits: Callable[[float], bool] = lambda _: True) -> tuple[int, int]:
        """Return at how many held-back chances the rest followed, and how many there were.

        A sequence is known from its second time on; each later time at which its first item came, and ``fits`` the
        time, is a chance. Where that item came so often that its older times are not kept, only those count that are:
        the sequence alone, which is rarer, reaches further back.
        """
        known, firsts = latest(self.rows.get(items, NEVER), self.limits), self.seen(items[0])
        if len(known) < self.limits.least or not firsts:
            return 0, 0
        since = max(known[1][0] + 1, firsts[0].session)
        followed = {session for session, _, at in known if session >= since and fits(at)}
        chances = {one.session for one in firsts if one.session >= since and fits(one.at)}
        return len(followed), len(chances | followed)

    # --- forgetting ---------------------------------------------------------------------------------------------------

    def without(self, gone: Collection[int], change: Callable[[int], Sequence[Entry]]) -> Miner:
        """Return a miner that has never seen the sessions ``gone`` as they were, but as ``change`` returns them."""
        fresh = Miner(self.limits)
        for number, entries in self.sessions.items():
            fresh.folded = number
            fresh.fold(change(number) if number in gone else entries)
        fresh.folded = self.folded
        return fresh


def _ways_of_two(entries: tuple[Entry, ...], after: list[list[int]]) -> dict[Items, Ways]:
    """Return the sequences of two that a session has, and in which ways."""
    found: dict[Items, Ways] = {}
    for place, following in enumerate(after):
        for one in following:
            way = (place, one)
            for pair in product(entries[place].items, entries[one].items):
                ways = found.get(pair)
                if ways is None:
                    found[pair] = [way]
                else:
                    ways.append(way)
    return found


def _ways_on(begin: Grown, entries: tuple[Entry, ...], after: list[list[int]]) -> dict[str, Ways]:
    """Return the items with which a sequence is to go on, and in which ways it does."""
    found: dict[str, Ways] = {}
    rests = begin.rest.longer
    for places in begin.ways[:_PLACES]:
        for one in after[places[-1]]:
            way = (*places, one)
            for item in entries[one].items:
                rest = rests.get(item)
                if rest is None or rest.covered:
                    continue
                ways = found.get(item)
                if ways is None:
                    found[item] = [way]
                else:
                    ways.append(way)
    return found


def _most_of(often: list[Grown]) -> list[Grown]:
    """Return what is followed of the sequences of one length, and let it be found from what it begins with."""
    if len(often) > _WIDEST:
        often = sorted(often, key=lambda one: one.row[0])[:_WIDEST]
    for one in often:
        one.begin.lead_to(one.items[-1], one)
    return often


def _interned(entry: Entry) -> Entry:
    """Return an entry whose items are the same objects as in every other: sequences of them are compared quickly."""
    return Entry(tuple(map(sys.intern, entry.items)), entry.at, entry.group)
