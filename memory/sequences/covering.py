"""Which sequences of a session came nowhere without a longer or more particular one: nothing is looked for behind them.

Length by length: first those of which one item was a more particular one everywhere, then, once the longer ones are
counted, those between two items of which the same other one stood everywhere. What begins or ends with a covered one is
covered, too; so a sequence is only held against what its beginning was held against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory.sequences.grown import Grown
from memory.sequences.model import Limits
from memory.sequences.rows import CameWhere, came_where


def left(often: Sequence[Grown], general: Mapping[str, str], limits: Limits) -> list[Grown]:
    """Return what is to be grown of the sequences of one length; ``general`` is the next more general item of each."""
    for one in often:
        begin, last = one.begin, one.items[-1]
        if begin.covered or one.rest.covered:
            one.covered = True
        wider = [wide.longer[last] for wide in begin.wider if last in wide.longer]
        more_general = general.get(last)
        if more_general in begin.longer:
            wider.append(begin.longer[more_general])
        if wider:
            one.wider = [wide for wide in wider if not _covers_wide(one, wide, limits)]
    return [one for one in often if not one.covered]


def fill(longer: Sequence[Grown], limits: Limits) -> None:
    """Take in what the sequences of one length have grown to."""
    came = CameWhere(limits)
    for one in longer:
        begin, last = one.begin, one.items[-1]
        shorter = [(place, short.longer[last]) for place, short in begin.shorter if last in short.longer]
        if last in begin.begin.longer:
            shorter.append((len(begin.items) - 1, begin.begin.longer[last]))
        if shorter:
            one.shorter = [(place, short) for place, short in shorter if not _covers_short(one, short, place, came)]


def _covers_wide(one: Grown, wide: Grown, limits: Limits) -> bool:
    """Tell whether ``wide``, with one item that is more general, came nowhere without ``one``; it is covered then."""
    if wide.row[0] != one.row[0] or wide.ways != one.ways or not came_where(wide.row, one.row, limits):
        return False
    wide.covered = True
    return True


def _covers_short(one: Grown, short: Grown, place: int, came: CameWhere) -> bool:
    """Tell whether ``short``, without the item at ``place``, came nowhere without ``one``; it is covered then."""
    if short.row[0] != one.row[0]:
        return False
    cut = [way[:place] + way[place + 1 :] for way in one.ways]
    if not all(way in cut for way in short.ways) or not came(short.row, one.row, place):
        return False
    short.covered = True
    return True
