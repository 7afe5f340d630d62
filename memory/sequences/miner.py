"""The miner: sessions are folded in one at a time, and what comes again in them is found at any time.

What is counted: pairs always; a longer sequence from the moment on when the one without its last item and the one
without its first have come often enough, and then also where it was before. So a session costs what it holds, however
many came before it (Apriori, Agrawal and Srikant 1995, one session at a time).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from memory.sequences.model import Entry, Found, Items, Limits, Occurrence
from memory.sequences.rows import Row
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
        self.sessions: dict[int, tuple[Entry, ...]] = {}
        self.singles: dict[str, Row] = {}
        self.rows: dict[Items, Row] = {}
        self.general: dict[str, str] = {}
        self.total = Row(0)
        self.folded = 0
        self._walks: dict[int, Walk] = {}

    # --- folding ------------------------------------------------------------------------------------------------------

    def fold(self, session: Sequence[Entry]) -> int:
        """Take in a session; return its number."""
        number, entries = self.folded, tuple(session)
        self.folded += 1
        if not entries:
            return number
        self.sessions[number] = entries
        self.total.add(number, (), entries[0].at, self.limits)
        self._count_items(number, entries)
        after = followers(entries, self.limits)
        grown = self._pairs(number, entries, after)
        while grown:
            grown = self._longer(number, entries, after, grown)
        self._make_room()
        return number

    def _count_items(self, number: int, entries: tuple[Entry, ...]) -> None:
        for place, entry in enumerate(entries):
            for item in entry.items:
                row = self.singles.setdefault(item, Row(self.limits.latest))
                row.add(number, (place,), entry.at, self.limits)
            for item, wider in zip(entry.items[1:], entry.items, strict=False):
                self.general[item] = wider

    def _pairs(self, number: int, entries: tuple[Entry, ...], after: list[list[int]]) -> _Grown:
        seen: _Grown = {}
        for place, following in enumerate(after):
            for one in following:
                for first in entries[place].items:
                    for second in entries[one].items:
                        seen.setdefault((first, second), []).append((place, one))
        for items, places in seen.items():
            row = self.rows.get(items)
            if row is None:
                row = self.rows[items] = Row(self.limits.latest)
            row.add(number, places[0], entries[places[0][0]].at, self.limits)
        return self._frequent(seen)

    def _longer(self, number: int, entries: tuple[Entry, ...], after: list[list[int]], shorter: _Grown) -> _Grown:
        seen: _Grown = {}
        if len(next(iter(shorter))) >= self.limits.longest:
            return seen
        for items, ways in shorter.items():
            for places in ways[:_PLACES]:
                for one in after[places[-1]]:
                    for item in entries[one].items:
                        if (*items[1:], item) in shorter:
                            seen.setdefault((*items, item), []).append((*places, one))
        for items, ways in seen.items():
            row = self.rows.get(items)
            if row is None:
                row = self.rows[items] = self._before(items, number)
            row.add(number, ways[0], entries[ways[0][0]].at, self.limits)
        return self._frequent(seen)

    def _frequent(self, seen: _Grown) -> _Grown:
        often = {items: ways for items, ways in seen.items() if self.rows[items].times >= self.limits.least}
        if len(often) <= _WIDEST:
            return often
        return dict(sorted(often.items(), key=lambda one: self.rows[one[0]].times)[:_WIDEST])

    def _before(self, items: Items, number: int) -> Row:
        """Return where ``items`` came before session ``number``: nobody counted them until now."""
        row = Row(self.limits.latest)
        for session, _, _ in self.rows[items[:-1]].latest:
            if session == number or session not in self.sessions:
                continue
            way = self._walk(session).way(items)
            if way is not None:
                row.add(session, way, self.sessions[session][way[0]].at, self.limits)
        return row

    def _walk(self, number: int) -> Walk:
        walk = self._walks.get(number)
        if walk is None:
            walk = self._walks[number] = Walk(self.sessions[number], self.limits)
        return walk

    def _make_room(self) -> None:
        while len(self.sessions) > self.limits.sessions:
            oldest = next(iter(self.sessions))
            del self.sessions[oldest]
            self._walks.pop(oldest, None)
        if len(self.rows) > self.limits.most:
            now = self.total.last
            ranked = sorted(self.rows.items(), key=lambda one: one[1].at(now, self.limits))
            self.rows = dict(ranked[len(ranked) // 4 :])
            used = {item for items in self.rows for item in items}
            self.singles = {
                item: row for item, row in self.singles.items()
                if item in used or row.at(now, self.limits) > 1
            }  # fmt: skip
            self.general = {item: wider for item, wider in self.general.items() if item in self.singles}

    # --- finding ------------------------------------------------------------------------------------------------------

    def found(self, now: float, over_s: float = math.inf) -> list[Found]:
        """Return what comes again, the most telling first; what has not come for ``over_s`` seconds is over."""
        times = {
            items: row.times
            for items, row in self.rows.items()
            if row.times >= self.limits.least and now - row.last <= over_s
        }
        sessions = self.total.at(now, self.limits)
        some = (self._found(items, now, sessions) for items in near_closed(times, self.general, self.limits.closed))
        return sorted(some, key=lambda one: (-one.score, one.items))

    def _found(self, items: Items, now: float, sessions: float) -> Found:
        row = self.rows[items]
        support = row.at(now, self.limits)
        lift = log_lift(support, (self.singles[item].at(now, self.limits) for item in items), sessions)
        return Found(items, row.times, support, lift, lift * math.sqrt(support), row.occurrences())

    def seen(self, item: str) -> tuple[Occurrence, ...]:
        """Return where an item came lately, oldest first."""
        row = self.singles.get(item)
        return row.occurrences() if row else ()

    def held(self, items: Items, fits: Callable[[float], bool] = lambda _: True) -> tuple[int, int]:
        """Return at how many held-back chances the rest followed, and how many there were.

        A sequence is known from its second time on; each later time at which its first item came, and ``fits`` the
        time, is a chance. Where that item came so often that its older times are not kept, only those count that are:
        the sequence alone, which is rarer, reaches further back.
        """
        row, firsts = self.rows.get(items), self.seen(items[0])
        if row is None or len(row.latest) < self.limits.least or not firsts:
            return 0, 0
        since = max(row.latest[1][0] + 1, firsts[0].session)
        followed = {session for session, _, at in row.latest if session >= since and fits(at)}
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


_Grown = dict[Items, list[tuple[int, ...]]]
