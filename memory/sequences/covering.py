"""Which sequences of a session came nowhere without a longer or more particular one: nothing is looked for behind them.

Length by length: first those of which one item was a more particular one everywhere, then, once the longer ones are
counted, those between two items of which the same other one stood everywhere. What begins or ends with a covered one is
covered, too; so a sequence is only held against what its beginning was held against.
"""

from __future__ import annotations

from collections.abc import Mapping

from memory.sequences.model import Items, Limits
from memory.sequences.rows import Row, came_where

Ways = list[tuple[int, ...]]
Grown = dict[Items, Ways]
"""Sequences of one length that a session has, and the ways in which it has them: places."""


class Covering:
    """Follows one session. ``rows`` are what is counted, ``general`` the next more general item of each."""

    def __init__(self, rows: Mapping[Items, Row], general: Mapping[str, str], limits: Limits) -> None:
        self._rows, self._general, self._limits = rows, general, limits
        self._filled: set[Items] = set()
        self._wider: dict[Items, list[Items]] = {}
        self._shorter: dict[Items, list[tuple[int, Items]]] = {}

    def left(self, often: Grown) -> Grown:
        """Return what is to be grown of the sequences of one length."""
        rows, filled, wider = self._rows, self._filled, dict[Items, list[Items]]()
        covered = {one for one in often if one[:-1] in filled or one[1:] in filled} if filled else set()
        for items, ways in often.items():
            for wide in self._wider_than(items):
                at = often.get(wide)
                if at is None:
                    continue
                if at == ways and came_where(rows[wide], rows[items], self._limits):
                    covered.add(wide)
                else:
                    wider.setdefault(items, []).append(wide)
        self._filled, self._wider = set(), wider
        return {items: ways for items, ways in often.items() if items not in covered}

    def fill(self, often: Grown, longer: Grown) -> None:
        """Take in what the sequences that were left have grown to."""
        rows, shorter = self._rows, dict[Items, list[tuple[int, Items]]]()
        for items, ways in longer.items():
            row = rows[items]
            for place, short in self._shorter_than(items):
                at = often.get(short)
                if at is None:
                    continue
                if (
                    rows[short][0] == row[0]
                    and _lie_in(at, ways, place)
                    and came_where(rows[short], row, self._limits, place)
                ):
                    self._filled.add(short)
                else:
                    shorter.setdefault(items, []).append((place, short))
        self._shorter = shorter

    def _wider_than(self, items: Items) -> list[Items]:
        """Return it with one item that is more general."""
        begin, last = items[:-1], items[-1]
        found = [(*wide, last) for wide in self._wider.get(begin, ())]
        if len(begin) == 1 and begin[0] in self._general:
            found.append((self._general[begin[0]], last))
        if last in self._general:
            found.append((*begin, self._general[last]))
        return found

    def _shorter_than(self, items: Items) -> list[tuple[int, Items]]:
        """Return it without one of the items that lie between two others, and which one that is."""
        begin, last = items[:-1], items[-1]
        found = [(place, (*short, last)) for place, short in self._shorter.get(begin, ())]
        found.append((len(begin) - 1, (*begin[:-1], last)))
        return found


def _lie_in(short: Ways, ways: Ways, place: int) -> bool:
    """Tell whether each of the ways in ``short`` is one of ``ways`` without its item at ``place``."""
    return {one[:place] + one[place + 1 :] for one in ways}.issuperset(short)
