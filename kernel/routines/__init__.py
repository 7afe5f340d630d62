"""Routines: rules in plain language that stay: what sets one off, what is done then, and what became of it.

A rule is heard once, by its words, and kept as a trigger and a plan that a person has seen (decision 52). ``moments``
says when a trigger of the clock is due; ``model`` has the nouns.

Promises: a moment is due once, also over changes of the clock, of its zone, and of the machine's sleep. Never: a rule
that grants itself a right, or answers a question.
"""

from kernel.routines.model import (
    Added,
    BeforeEvent,
    Called,
    Change,
    Clock,
    Elapsed,
    FileSeen,
    Happened,
    Learnt,
    Machine,
    Once,
    Recurring,
    State,
    TaskDue,
    Trigger,
)
from kernel.routines.moments import Due, due, following

__all__ = [
    "Added", "BeforeEvent", "Called", "Change", "Clock", "Due", "Elapsed", "FileSeen", "Happened", "Learnt", "Machine",
    "Once", "Recurring", "State", "TaskDue", "Trigger", "due", "following",
]  # fmt: skip
