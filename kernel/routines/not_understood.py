"""A rule that was heard and not understood: it may be put into other words before it is asked about.

What only the person can tell (a time of day, which folder), and what cannot be, is asked and said at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NoReturn

from kernel.asking.ask import NO_PARAMETER
from kernel.model import Question
from kernel.routines.compiling import Lacking
from kernel.routines.hearing import Lack, Unclear


class NotUnderstood(Exception):
    """A sentence is a rule, and not all of it could be read. ``end`` says what is said of that, and raises Stop."""

    def __init__(self, end: Callable[[], Awaitable[NoReturn]]) -> None:
        super().__init__()
        self.end = end


def may_be_said_otherwise(found: Unclear | Lacking) -> bool:
    """Tell whether other words may be all that is missing: the condition is not known, or what is to be done is not."""
    if isinstance(found, Unclear):
        return found.why is Lack.UNKNOWN
    lacks_a_value = isinstance(found.proposal, Question) and found.proposal.parameter != NO_PARAMETER
    return not (found.macro or found.moving or lacks_a_value)
