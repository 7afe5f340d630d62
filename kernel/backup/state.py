"""What a state folder that is not in use holds, and how it forgets: an unpacked backup, or the state before a restore.

What this stops: a forgotten name in the ledger, the undo, the pictures or the skills' own lists of such a folder, and
in what was worked out from them; an older state bringing back what its own ledger no longer has.
What it does not: look into installed skills and settings, which no forget reaches.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from kernel.knowing.knowledge import FORGETTING
from kernel.knowing.own_folders import OwnStore
from kernel.knowing.stores import RecordStore, body_mentions
from kernel.remembering import pictures
from memory import Ledger
from memory.graph.mentions import Mentions
from memory.model import EntityId, Event
from permissions import Transactions
from permissions.transactions import drop

DERIVED = ("graph", "recall", "habits", "environments", "backup-work")
"""Worked out anew from the rest; ``habits`` is a file."""

_ENTITY = "entity."
_KNOWN = (_ENTITY, "fact.")

LookFor = Callable[[Collection[str]], Mentions]


def forget_in(
    data: Path, home: Path, entities: Collection[EntityId], words: Collection[str], look_for: LookFor,
    gone: Collection[str],
) -> int:  # fmt: skip
    """Let the state below ``data`` forget ``entities``, ``words`` and the events of ``gone``; return how much went."""
    folder = data / "transactions"
    with Ledger.open(data / "ledger") as ledger:
        transactions = Transactions(folder, home, state=data, skills=data / "own")

        def no_pictures(runs: Collection[str]) -> None:
            pictures.drop(pictures.folder_of(data), runs)

        count = sum(ledger.forget(one) for one in entities)
        count += RecordStore(ledger, transactions, no_pictures, look_for).purge(entities, words)
        count += _forget_known(ledger, words, look_for)
        count += forget_again(ledger, data, gone)
    count += OwnStore(data / "own").purge(entities, words)
    for name in DERIVED:
        _remove(data / name)
    return count


def forget_again(ledger: Ledger, data: Path, gone: Collection[str]) -> int:
    """Destroy what ``ledger`` can still read of the events whose hashes are ``gone``; return of how many events.

    A run whose request is among them loses what it would be taken back with, and its pictures.
    """
    if not gone:
        return 0
    known = frozenset(gone)
    found = [event for event in ledger.events() if event.body is not None and event.hash in known]
    runs = {event.run for event in found if event.run is not None and event.kind == "run.created"}
    for run in runs:
        drop(data / "transactions", run)
    pictures.drop(pictures.folder_of(data), runs)
    return ledger.destroy([event.seq for event in found]) if found else 0


def gone_of(ledger: Ledger) -> Iterator[str]:
    """Yield the hash of every event whose words are gone."""
    return (event.hash for event in ledger.events() if event.body is None)


def forgets_since(events: Iterator[Event], at_ns: int) -> int:
    """Return how many forgets a ledger knows of that came after ``at_ns``."""
    return sum(event.kind == FORGETTING and event.body is None and event.at_ns > at_ns for event in events)


def _forget_known(ledger: Ledger, words: Collection[str], look_for: LookFor) -> int:
    """Destroy what says a fact with one of ``words``, and all about whoever is called so, whatever its id is here.

    A state of another past knows the same person by another id. What an interrupted forget wrote down goes, too.
    """
    if not words:
        return 0
    looked_for = look_for(words)
    seqs, ids = [], set[EntityId]()
    for event in ledger.events():
        if event.body is not None and event.kind.startswith(_KNOWN) and body_mentions(event, looked_for):
            seqs.append(event.seq)
            if event.kind.startswith(_ENTITY):
                ids.update(event.entities)
    count = sum(ledger.forget(one) for one in sorted(ids))
    return count + (ledger.destroy(seqs) if seqs else 0)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif os.path.lexists(path):
        path.unlink()
