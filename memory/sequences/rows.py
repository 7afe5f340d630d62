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
    *_, older, newer = row
    before = newer or older
    return row if before and before[-1][0] == seen[0] else _with(row, seen, limits)


class OneMore:
    """Counts one session. Rows that are one object stay one where the session has both at the same places.

    So what came wherever a more particular one came is counted once, kept once, and seen to be equal at a glance.
    """

    __slots__ = ("_entries", "_limits", "_session", "_there")

    def __init__(self, session: int, entries: Sequence[Entry], limits: Limits) -> None:
        self._session, self._entries, self._limits = session, entries, limits
        self._there: dict[tuple[int, ...], tuple[Seen, dict[int, tuple[Row, Row]]]] = {}

    def count(self, row: Row, places: tuple[int, ...]) -> Row:
        """Return ``row``, which was not counted in this session yet, with one time more."""
        there = self._there.get(places)
        if there is None:  # one object for all at the same places
            there = self._there[places] = (self._session, places, self._entries[places[0]].at), {}
        seen, rows = there
        known = rows.get(id(row))
        if known is None:
            known = rows[id(row)] = row, _with(row, seen, self._limits)  # with the row before: its id stays its own
        return known[1]


def _with(row: Row, seen: Seen, limits: Limits) -> Row:
    """Return ``row`` with one time more, in a session that it does not have yet."""
    times, weight, last, older, newer = row
    at = seen[2]
    times += 1
    if at > last:
        weight, last = weight * 2.0 ** ((last - at) / limits.half_life_s) + 1.0, at
    else:
        weight += 1.0
    if times % _FEW:
        return times, weight, last, older, (*newer, seen)
    return times, weight, last, (*older, *newer, seen)[-limits.latest :], ()


def counted_all(seen: Sequence[Seen], limits: Limits) -> Row:
    """Return the row of what was seen there and nowhere else: in a session each, in their order."""
    if not seen:
        return NEVER
    weight, last, half_life_s = 0.0, 0.0, limits.half_life_s
    for _, _, at in seen:
        if at > last:
            weight, last = weight * 2.0 ** ((last - at) / half_life_s) + 1.0, at
        else:
            weight += 1.0
    return row_of(len(seen), weight, last, seen[-limits.latest - len(seen) % _FEW :])


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


class CameWhere:
    """The same for one session, where each two rows are looked at once: most sequences share theirs with others."""

    __slots__ = ("_known", "_limits")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: dict[tuple[int, int, int], bool] = {}

    def __call__(self, part: Row, whole: Row, place: int) -> bool:
        """Tell whether ``part`` came where ``whole`` did, which has one item more. Both are kept by who asks."""
        key = id(part), id(whole), place
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = came_where(part, whole, self._limits, place)
        return known


def worth(row: Row, now: float, limits: Limits) -> float:
    """Return the count of ``row`` as it is worth at ``now`` (seconds)."""
    _, weight, last, *_ = row
    return weight * 2.0 ** ((last - now) / limits.half_life_s) if now > last else weight


def occurrences(row: Row, limits: Limits) -> tuple[Occurrence, ...]:
    """Return where it was lately, oldest first."""
    return tuple(Occurrence(*one) for one in latest(row, limits))
