"""What may follow what in a session: the next call of the same request, or a request soon after it.

``Walk`` is a session that is asked again and again whether it has a sequence: what follows what in it, and where each
of its items is, is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory.sequences.model import Entry, Items, Limits


def followers(entries: Sequence[Entry], limits: Limits) -> list[list[int]]:
    """Return for each entry the places of those that may follow it in a sequence."""
    ends = _ends(entries)
    after: list[list[int]] = []
    for place, entry in enumerate(entries):
        if place + 1 < ends[place]:
            after.append([place + 1])
            continue
        following: list[int] = []
        begin = place + 1
        while begin < len(entries) and len(following) <= limits.gap and entries[begin].at - entry.at <= limits.apart_s:
            following.append(begin)
            begin = ends[begin]
        after.append(following)
    return after


def _ends(entries: Sequence[Entry]) -> list[int]:
    """Return for each entry where its group ends; an entry without a group stands alone."""
    ends = [len(entries)] * len(entries)
    for place in range(len(entries) - 2, -1, -1):
        one, following = entries[place], entries[place + 1]
        ends[place] = ends[place + 1] if one.group and one.group == following.group else place + 1
    return ends


class Walk:
    """A session, to be walked through. Immutable. Places are bits of a number: 1 is the first one."""

    __slots__ = ("_after", "_where")

    def __init__(self, entries: Sequence[Entry], limits: Limits) -> None:
        self._after = [sum(1 << one for one in following) for following in followers(entries, limits)]
        self._where: dict[str, int] = {}
        for place, entry in enumerate(entries):
            for item in entry.items:
                self._where[item] = self._where.get(item, 0) | 1 << place

    def longer(self, places: tuple[int, ...], items: Items) -> tuple[int, ...] | None:
        """Return the same as ``way``, where ``places`` are the first ones of all items but the last."""
        here = self._where.get(items[-1])
        if here is None:
            return None
        following = self._after[places[-1]] & here
        return (*places, (following & -following).bit_length() - 1) if following else self.way(items)

    def way(self, items: Items) -> tuple[int, ...] | None:
        """Return the first places at which the session has ``items``, None where it has not."""
        after = self._after
        rest = -1  # where what follows may go on
        tails: list[int] = []
        for item in reversed(items):
            here = self._where.get(item, 0)
            if tails:
                here = sum(1 << place for place in _places(here) if after[place] & rest)
            if not here:
                return None
            rest = here
            tails.append(here)
        found = [_lowest(tails.pop())]
        while tails:
            found.append(_lowest(after[found[-1]] & tails.pop()))
        return tuple(found)


def _places(bits: int) -> Iterator[int]:
    while bits:
        yield _lowest(bits)
        bits &= bits - 1


def _lowest(places: int) -> int:
    return (places & -places).bit_length() - 1
