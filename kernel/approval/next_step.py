"""What a person can do after a denial that no grant changes: which places there are, and how to come to this one."""

from __future__ import annotations

import os
import shlex

from kernel.paths import short
from permissions.model import Action, Decision

_FILES = frozenset({Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE})
_OUTSIDE = "it lies outside your home folder and the folder you called from"
_SYSTEM = "it belongs to the system"

_WORDS = {
    "en": {
        "outside": "Skills work in {home} and in the folder that you ask from. To work there: {command}",
        "system": "No grant opens it. Copy what you need into {home} and name the copy there.",
        "closed": "No grant opens it, for any skill. Name another file or folder in {home}.",
        "other": "No grant allows it. ./steward perms shows what may be asked for.",
    },
    "de": {
        "outside": "Fähigkeiten arbeiten in {home} und in dem Ordner, aus dem du fragst. Für dort: {command}",
        "system": "Keine Erlaubnis öffnet das. Kopiere, was du brauchst, nach {home} und nenne dort die Kopie.",
        "closed": "Keine Erlaubnis öffnet das, keiner Fähigkeit. Nenne eine andere Datei oder einen Ordner in {home}.",
        "other": "Keine Erlaubnis lässt das zu. ./steward perms zeigt, wonach gefragt werden darf.",
    },
}


def next_step(decision: Decision, home: str, language: str) -> str:
    """Return what would do instead of what was denied: the command that changes it, else the places that there are."""
    if decision.remedy:
        return decision.remedy
    right, words = decision.right, _WORDS.get(language, _WORDS["en"])
    if right.action not in _FILES:
        return words["other"]
    folder = right.scope if right.tree or os.path.isdir(right.scope) else os.path.dirname(right.scope)
    command = f'cd {shlex.quote(folder)} && ./steward ask "..."'
    reads = right.action is Action.FS_READ
    key = "outside" if decision.reason == _OUTSIDE else "system" if decision.reason == _SYSTEM and reads else "closed"
    return words[key].format(home=short(home, home), command=command)
