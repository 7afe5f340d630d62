"""Allotting: what one call may use, from its first moment to its last.

Before a call its rights are decided once more, its limits narrowed to those of the tree, and its budgets reserved at
every ancestor; while it runs it is stopped when a right that it needs is taken away or ends; after it, what it used is
settled. All of it is events of the ledger, from which ``replay`` makes the tree and the budgets again.

It promises: no call goes on without its rights; a crash gives back what was only reserved. It never asks anybody.
"""

from kernel.allotting.accounts import Accounts
from kernel.allotting.allot import Allotment, Allotter, Lender, written_below
from kernel.allotting.met import met_memory, with_bound
from kernel.allotting.more import Raise, Raises, Short, memory_at, offered
from kernel.allotting.replay import KINDS, Standing, replay, with_deny, with_limit
from kernel.allotting.tenures import Tenures

__all__ = ["KINDS", "Accounts", "Allotment", "Allotter", "Lender", "Raise", "Raises", "Short", "Standing", "Tenures",
           "memory_at", "met_memory", "offered", "replay", "with_bound", "with_deny", "with_limit",
           "written_below"]  # fmt: skip
