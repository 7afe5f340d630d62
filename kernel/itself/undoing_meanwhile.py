"""Undos that went through before a daemon ended that could not say so: a start writes down what is missing.

What this stops: a run that passes for one that can be taken back when nothing of it is left; a part of a run that was
taken back passing for the whole of it, or being told a second time; a right that outlives its request.
What it does not: carry out what an undo had not begun; ask again whether it was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kernel.approval.card import change_view, taken_back
from kernel.itself.undoing import View, event_of, is_private, run_undone
from kernel.itself.undoing_grants import left_of
from kernel.remembering import bulk
from memory.model import Draft

if TYPE_CHECKING:
    from memory import Ledger
    from permissions import Transactions

PART = "undo.part"
_KINDS = ("undo.started", "undo.refused", PART, "run.undone")


def undone_meanwhile(ledger: Ledger, transactions: Transactions) -> list[Draft]:
    """Return what is still to be written of undos that went through before a daemon ended that could not say so."""
    begun: dict[str, bool] = {}  # and whether only a part was meant
    told: Counter[str] = Counter()
    for event in ledger.events(kinds=_KINDS):
        run = event.run or ""
        if event.kind == "undo.started":
            begun[run] = bool((event.body or {}).get("part"))
        else:
            begun.pop(run, None)
            told[run] += event.kind == PART
    drafts: list[Draft] = []
    for run, part in begun.items():
        missing = transactions.undone(run)[told[run] :]
        if not missing:
            continue
        changes = [change_view(taken_back(change)) for back in missing for change in back]
        told_of = [] if is_private(ledger, run) else changes
        if part or transactions.effects(run):
            drafts.append(part_undone(run, told_of))
        else:
            drafts += [*left_of(ledger, run), run_undone(run, told_of)]
    return drafts


def part_undone(run: str, changes: Sequence[View]) -> Draft:
    """Return the event that says that a part of ``run`` was taken back, and what that changed."""
    return event_of(run, {"changes": bulk.lean_changes(changes)}, kind=PART)
