"""Manners: how often, and when, Steward speaks without being asked: a budget for each day, and quiet hours.

``Manners.may_speak(kind, now)`` is asked before anything is shown that nobody asked for, and ``spoke`` is told after
it. Both count in the ledger, so a restart forgets nothing. What a person asks for is never counted, and never refused;
nor is what the person ordered for a time: a reminder, or a routine's end.
"""

from kernel.manners.manners import SPOKE, Manners

__all__ = ["SPOKE", "Manners"]
