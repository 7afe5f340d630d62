"""transactions: how a run changes the user's files, and how it takes that back.

A run stages effects (``Transactions.begin``), seals them, shows the difference, and commits exactly what was sealed,
or drops it. Promises: until the commit nothing of the user's is touched; a commit happens whole or not at all, also
when the process dies in the middle of it; whatever somebody else changed meanwhile is a Conflict and never overwritten;
a deletion goes to the trash; ``undo`` brings contents, modes and times back.
Never: follows a link in order to write, writes to the never-written places, asks policy, or decides.
"""

from __future__ import annotations

from permissions.transactions.copying import KEPT, drop
from permissions.transactions.fingerprints import fingerprint
from permissions.transactions.model import FileDiff, HalfDone, Recovered, Recovery, Undone, Usage
from permissions.transactions.retention import Keep
from permissions.transactions.staging import Staging
from permissions.transactions.store import Transactions

__all__ = [
    "KEPT", "FileDiff", "HalfDone", "Keep", "Recovered", "Recovery", "Staging", "Transactions", "Undone", "Usage",
    "drop", "fingerprint",
]  # fmt: skip
