"""How often a sequence came: how many sessions had it, the same after decay, and where it was lately.

There are many rows, and the garbage collector passes over plain tuples of plain values: so a row is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.sequences.model import Entry, Limits, Occurrence

Seen = tuple[int, tuple[int, ...], float]
"""An occurrence as it is kept."""
Row = tuple[int, float, float, tuple[Seen, ...]]
"""``times``, the ``weight`` of it when it came last, when that was, and the ``latest`` places, one a session."""

NEVER: Row = (0, 0.0, 0.0, ())


def counted(row: Row, seen: Seen, limits: Limits) -> Row:
    """Return ``row`` with one time more; a session counts once."""
    times, weight, last, latest = row
    session, _, at = seen
    if latest and latest[-1][0] == session:
        return row
    weight, last = _one_more(weight, last, at, limits.half_life_s)
    kept = latest if len(latest) < limits.latest else latest[1:]
    return times + 1, weight, last, (*kept, seen)


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
    return len(seen), weight, last, tuple(seen[-limits.latest :])


def _one_more(weight: float, last: float, at: float, half_life_s: float) -> tuple[float, float]:
    """Return a weight with one time more, at ``at``, and when it came last."""
    return (weight * 2.0 ** ((last - at) / half_life_s) + 1.0, at) if at > last else (weight + 1.0, last)


def came_where(part: Row, whole: Row, place: int | None = None) -> bool:
    """Tell whether a sequence came as often as another, and there; that one may have one item more, at ``place``."""
    if part[0] != whole[0]:
        return False
    if place is None:
        return part is whole or part[3] == whole[3]
    for (_, some, _), (_, places, _) in zip(part[3], whole[3], strict=False):
        if some != places[:place] + places[place + 1 :]:
            return False
    return True


def worth(row: Row, now: float, limits: Limits) -> float:
    """Return the count of ``row`` as it is worth at ``now`` (seconds)."""
    _, weight, last, _ = row
    return weight * 2.0 ** ((last - now) / limits.half_life_s) if now > last else weight


def occurrences(row: Row) -> tuple[Occurrence, ...]:
    """Return where it was lately, oldest first."""
    return tuple(Occurrence(*one) for one in row[3])
