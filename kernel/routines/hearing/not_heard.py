"""A sentence that begins with what happens, of which nobody here heard what it is: its rest is not done instead.

"When a task is urgent, tell me" waits for something. A plan for all of its words would show the tasks now.
"""

from __future__ import annotations

from kernel.language import Line
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.model import Lack, Unclear
from kernel.routines.hearing.opening import Weight, ends, openings
from kernel.routines.hearing.unheard import is_free

_LEAST = 2
_JOINTS = frozenset("when whenever every each any as the wenn sobald sooft immer jedes jedesmal".split())
"""With which words a clause begins that waits for something: "once" and "wann" may as well count or ask."""


def not_heard(line: Line) -> Unclear | None:
    """Return the clause with which the sentence begins, where it is one of something that happens."""
    gist = Gist.of(line)
    opening = next(openings(gist), None)
    if opening is None or opening.weight is Weight.IF or opening.each or opening.fronted or opening.asked:
        return None
    leads = all(line.is_mark(at) or not line.is_content(at) for at in range(gist.spans[opening.at][0]))
    if not leads or gist.word(opening.at) not in _JOINTS or gist.word(gist.size - 1) == "?":
        return None
    last = next(ends(gist, opening), gist.size)
    if last - opening.first < _LEAST or is_free(gist.text(opening.first, last)):
        return None
    return Unclear(Lack.UNKNOWN, (gist.tokens(opening.at, last),), gist.said(opening.first, last))
