"""All of what a model did by itself is looked at before it counts, or nothing of it does.

What this stops: the line that matters standing behind as much as nobody is shown.
What it does not: say what a file that is no text does; its card says that nobody can read that here.
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel.errors import TaskFailed
from permissions.model import ChangeSet
from permissions.naming import shown
from permissions.transactions import FileDiff


def refuse_unseen(changes: ChangeSet, drawn: Sequence[FileDiff]) -> None:
    """Raise TaskFailed where a change is not shown whole."""
    if len(drawn) < len(changes.changes):
        count = len(changes.changes)
        raise TaskFailed(
            "commit.unseen", f"The model wants {count} changes, more than a card can show. Nothing was changed.",
            subject=str(count), hint="Ask for less at once.",
            de=f"Das Modell will {count} Änderungen, mehr, als eine Karte zeigen kann. Es wurde nichts geändert.",
            de_hint="Verlange weniger auf einmal.",
        )  # fmt: skip
    cut = next((one for one in drawn if one.truncated), None)
    if cut is not None:
        path = shown(cut.path)
        raise TaskFailed(
            "commit.unseen", f"What the model wrote is more than a card can show, from {path} ({cut.summary}) on, and "
            "what is not shown could hold anything. Nothing was changed.",
            subject=path, hint="Ask for less at once, or for smaller files.",
            de=f"Was das Modell geschrieben hat, ist mehr, als eine Karte zeigen kann, ab {path} ({cut.summary}), und "
               "was sie nicht zeigt, könnte alles sein. Es wurde nichts geändert.",
            de_hint="Verlange weniger auf einmal, oder kleinere Dateien.",
        )  # fmt: skip
