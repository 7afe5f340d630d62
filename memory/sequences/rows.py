"""How often a sequence came: how many sessions had it, the same after decay, and where it was lately.

There are many rows, and the garbage collector passes over plain tuples of plain values: so a row is one. Counting
writes the newest few places anew, and not the many older ones beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from memory.sequences.model import Entry, Limits, Occurrence

Seen = tuple[int, tuple[int, ...], float]
"""An occurrence as it is kept."""
Row = tuple[int, float, float, tuple[Seen, ...], tuple[Seen, ...]]
"""``times``, the ``weight`` of it when it came last, when that was, and its places, one a session: ``older`` and
``newer`` ones, of which the ``latest`` count. Rows of as many times have as many newer ones.
"""

NEVER: Row = (0, 0.0, 0.0, (), ())
_FEW = 8
"""So many newer places become older ones."""


def row_of(times: int, weight: float, last: float, seen: Sequence[Seen]) -> Row:
    """Return a row; ``seen`` is where it was lately, one a session, oldest first."""
    split = max(0, len(seen) - times % _FEW)
    return times, weight, last, tuple(seen[:split]), tuple(seen[split:])


def latest(row: Row, limits: Limits) -> tuple[Seen, ...]:
    """Return where it was lately, one a session, oldest first."""
    *_, older, newer = row
    return (older + newer)[-limits.latest :]


def counted(row: Row, seen: Seen, limits: Limits) -> Row:
    """Return ``row`` with one time more; a session counts once."""
    times, weight, last, older, newer = row
    session, _, at = seen
    before = newer or older
    if before and before[-1][0] == session:
        return row
    times, (weight, last) = times + 1, _one_more(weight, last, at, limits.half_life_s)
    newer = (*newer, seen)
    if times % _FEW:
        return times, weight, last, older, newer
    return times, weight, last, (older + newer)[-limits.latest :], ()


class OneMore:
    """Counts one session. Rows that are one object stay one where the session has both at the same places.

    So what came wherever a more particular one came is counted once, kept once, and seen to be equal at a glance.
    """

    def __init__(self, session: int, entries: Sequence[Entry], limits: Limits) -> None:
        self._session, self._entries, self._limits = session, entries, limits
        self._seen: dict[tuple[int, ...], Seen] = {}
        self._rows: dict[tuple[int, tuple[int, ...]], tuple[Row, Row]] = {}  # with the row before: its id stays its own

    def __call__(self, row: Row, places: tuple[int, ...]) -> Row:
        """Return ``row`` with one time more."""
        key = (id(row), places)
        known = self._rows.get(key)
        if known is None:
            known = self._rows[key] = (row, counted(row, self._seen_at(places), self._limits))
        return known[1]

    def _seen_at(self, places: tuple[int, ...]) -> Seen:
        """Return that a sequence is there: one object for all at the same places."""
        return self._seen.setdefault(places, (self._session, places, self._entries[places[0]].at))


def counted_all(seen: Sequence[Seen], limits: Limits) -> Row:
    """Return the row of what was seen there and nowhere else: in a session each, in their order."""
    weight, last = 0.0, 0.0
    for _, _, at in seen:
        weight, last = _one_more(weight, last, at, limits.half_life_s)
    return row_of(len(seen), weight, last, seen[-limits.latest - len(seen) % _FEW :])


def _one_more(weight: float, last: float, at: float, half_life_s: float) -> tuple[float, float]:
    """Return a weight with one time more, at ``at``, and when it came last."""
    return (weight * 2.0 ** ((last - at) / half_life_s) + 1.0, at) if at > last else (weight + 1.0, last)


def came_where(part: Row, whole: Row, limits: Limits, place: int | None = None) -> bool:
    """Tell whether a sequence came as often as another, and there; that one may have one item more, at ``place``."""
    if part[0] != whole[0]:
        return False
    if place is None and (part is whole or part[3:] == whole[3:]):
        return True
    pairs = islice(zip(_newest_first(part), _newest_first(whole), strict=False), limits.latest)
    if place is None:
        return all(some == other for some, other in pairs)
    return all(some == places[:place] + places[place + 1 :] for (_, some, _), (_, places, _) in pairs)


def _newest_first(row: Row) -> Iterator[Seen]:
    *_, older, newer = row
    return chain(reversed(newer), reversed(older))


def worth(row: Row, now: float, limits: Limits) -> float:
    """Return the count of ``row`` as it is worth at ``now`` (seconds)."""
    _, weight, last, *_ = row
    return weight * 2.0 ** ((last - now) / limits.half_life_s) if now > last else weight


def occurrences(row: Row, limits: Limits) -> tuple[Occurrence, ...]:
    """Return where it was lately, oldest first."""
    return tuple(Occurrence(*one) for one in latest(row, limits))
