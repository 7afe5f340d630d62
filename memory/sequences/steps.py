"""What may follow what in a session: the next call of the same request, or a request soon after it."""

from __future__ import annotations

from collections.abc import Sequence

from memory.sequences.model import Entry, Limits


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
