"""Habits: what a person did again and again, seen in the ledger, with what speaks for it (decision 54).

Runs become deeds, deeds sessions, and what comes again in sessions is a pattern whose arguments generalise over what
was seen. It promises: nothing that others wrote is in a pattern; what was refused, failed, was taken back, private,
forgotten, or asked by a program or a routine is no evidence. It offers nothing and does nothing: a pattern is a value.
"""

from kernel.habits.habits import Habits
from kernel.habits.kin import are_kin
from kernel.habits.model import Deed, Pattern, Step

__all__ = ["Deed", "Habits", "Pattern", "Step", "are_kin"]
