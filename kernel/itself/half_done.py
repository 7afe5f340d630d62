"""What stands half way because its disk refuses: which run, where, and what to do, in words.

What this stops: that a run whose changes are neither made nor taken back is shown as one that changed nothing.
What it does not: mend it. The next start tries again (``permissions.transactions.recover``).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from kernel.paths import short
from permissions.transactions import HalfDone

_WORDS = {
    "en": {
        "commit": "The changes of {run} are half made and wait to be taken back: the disk refuses at {path}.",
        "undo": "Taking back {run} is half done and waits to be reversed: the disk refuses at {path}.",
        "hint": "Make sure that the disk of {folder} is there and can be written, then start Steward anew: "
                "./steward down, ./steward up",
    },
    "de": {
        "commit": "Die Änderungen von {run} sind halb gemacht und noch nicht zurückgenommen: "
                  "der Datenträger verweigert es bei {path}.",
        "undo": "Das Zurücknehmen von {run} ist halb getan und noch nicht umgekehrt: "
                "der Datenträger verweigert es bei {path}.",
        "hint": "Sorge dafür, dass der Datenträger von {folder} da und beschreibbar ist, und starte Steward neu: "
                "./steward down, ./steward up",
    },
}  # fmt: skip


def half_done_view(one: HalfDone, home: str, language: str) -> dict[str, Any]:
    """Return what a client shows of ``one``: run, path, folder, what the system says, a sentence and what to do."""
    words: Mapping[str, str] = _WORDS.get(language, _WORDS["en"])
    path, folder = (short(place, home) if place else "?" for place in (one.path, _folder(one.path)))
    message = words["undo" if one.undo else "commit"].format(run=one.run, path=path)
    hint = words["hint"].format(folder=folder)
    return {"run": one.run, "undo": one.undo, "path": one.path, "folder": _folder(one.path), "why": one.why,
            "message": message, "hint": hint}  # fmt: skip


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent) if path else ""
