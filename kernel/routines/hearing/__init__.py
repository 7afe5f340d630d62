"""Hearing a rule: which words of a sentence say when something is to be done, what they mean, and what is left of it.

``clock`` reads times (its parts: ``when``), ``happenings`` what happens to files, the machine, the calendar, and in
Steward itself. Each looks at a ``Line``, and ``happenings`` at which folders and files are there, and says ``Heard``,
``Unclear`` or nothing. Nothing is guessed: what is vague is unclear.

Never: read what is to be done. That is the planner's, from the words that are left.
"""

from kernel.routines.hearing.model import Heard, Lack, Unclear, Words, left_of
from kernel.routines.hearing.opening import begins_when
from kernel.routines.model import About

__all__ = ["About", "Heard", "Lack", "Unclear", "Words", "begins_when", "left_of"]
