"""Which sequences of a session came nowhere without a longer or more particular one: nothing is looked for behind them.

Length by length: first those of which one item was a more particular one everywhere, then, once the longer ones are
counted, those between two items of which the same other one stood everywhere. What begins or ends with a covered one is
covered, too; so a sequence is only held against what its beginning was held against.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memory.sequences.grown import Grown, Ways
from memory.sequences.model import Limits
from memory.sequences.rows import came_where


def left(often: Sequence[Grown], general: Mapping[str, str], limits: Limits) -> list[Grown]:
    """Return what is to be grown of the sequences of one length; ``general`` is the next more general item of each."""
    for one in often:
        if one.begin.covered or one.rest.covered:
            one.covered = True
        wider: list[Grown] = []
        for wide in _wider_than(one, general):
            if wide.ways == one.ways and came_where(wide.row, one.row, limits):
                wide.covered = True
            else:
                wider.append(wide)
        one.wider = wider
    return [one for one in often if not one.covered]


def fill(longer: Sequence[Grown], limits: Limits) -> None:
    """Take in what the sequences of one length have grown to."""
    for one in longer:
        shorter: list[tuple[int, Grown]] = []
        for place, short in _shorter_than(one):
            if (
                short.row[0] == one.row[0]
                and _lie_in(short.ways, one.ways, place)
                and came_where(short.row, one.row, limits, place)
            ):
                short.covered = True
            else:
                shorter.append((place, short))
        one.shorter = shorter


def _wider_than(one: Grown, general: Mapping[str, str]) -> Iterator[Grown]:
    """Yield those with one item that is more general."""
    begin, last = one.begin, one.items[-1]
    for wide in begin.wider:
        if last in wide.longer:
            yield wide.longer[last]
    more_general = general.get(last)
    if more_general in begin.longer:
        yield begin.longer[more_general]


def _shorter_than(one: Grown) -> Iterator[tuple[int, Grown]]:
    """Yield those without one of the items that lie between two others, and which one that is."""
    begin, last = one.begin, one.items[-1]
    for place, short in begin.shorter:
        if last in short.longer:
            yield place, short.longer[last]
    if last in begin.begin.longer:
        yield len(begin.items) - 1, begin.begin.longer[last]


def _lie_in(short: Ways, ways: Ways, place: int) -> bool:
    """Tell whether each of the ways in ``short`` is one of ``ways`` without its item at ``place``."""
    return {one[:place] + one[place + 1 :] for one in ways}.issuperset(short)
