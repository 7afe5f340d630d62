"""The sorts of events that a person asks for, each with how the kinds begin that are of it."""

from __future__ import annotations

from collections.abc import Mapping

SORTS: Mapping[str, tuple[str, ...]] = {
    "requests": ("run.", "plan.", "trial."),
    "steps": ("task.", "call.", "door.", "worker.", "ahead."),
    "answers": ("approval.",),
    "rights": ("grant.", "grants.", "deny.", "limit.", "budget.", "perms."),
    "changes": ("commit.", "undo.", "changes.", "backup."),
    "skills": ("skill.", "skills.", "server.", "client.", "environment."),
    "memory": ("fact.", "facts.", "entity.", "predicate.", "retention.", "ledger.", "deed."),
    "models": ("model.",),
    "mail": ("mail.",),
    "habits": ("routine.", "macro.", "suggestion.", "offer.", "reminder.", "manners.", "attention.", "ranking."),
    "safety": ("wall.", "clock.", "secret."),
}
"""By sort; an event is of the first that fits."""


def sort_of(kind: str) -> str:
    """Return the sort of a kind; "" where it is of none."""
    return next((name for name, stems in SORTS.items() if kind.startswith(stems)), "")
