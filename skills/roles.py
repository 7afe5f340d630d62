"""What a parameter decides, by its name, its type and the rights it fills: one rule for every skill and server.

What this stops: a skill of somebody's that leaves out, or plays down, that a text of its decides which host is asked,
what is opened or what is ended.
What it does not: tell that a text decides something where neither a right nor its name shows it; manifests say that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from skills.model import ParamRole, ValueKind

_TEXTS = frozenset({ValueKind.TEXT, ValueKind.TITLE, ValueKind.QUERY, ValueKind.URL, ValueKind.NEW_FILE})
_NAMED = frozenset({ValueKind.TEXT, ValueKind.NEW_FILE})
_WHERE = re.compile(r"\b(uri|url|to|recipients?|address|host|endpoint|command|webhook|email)\b")
_OUTWARD = frozenset({"net.connect", "desktop.open", "system.stop", "secret.use"})
_HOLE = re.compile(r"\{(\w+)")


def says_where(name: str, kind: ValueKind) -> bool:
    """Tell whether a parameter may say where something goes, by what it is called (in words) and takes."""
    return kind is ValueKind.URL or (kind in _NAMED and bool(_WHERE.search(name)))


def role_of(name: str, kind: ValueKind, declared: ParamRole | None, rights: Iterable[tuple[str, str]]) -> ParamRole:
    """Return the role of a parameter; ``rights`` are the actions and scopes of its tool.

    What fills a right that reaches outward is a sink whatever is declared; else what is declared counts, else its name.
    """
    fills = any(action in _OUTWARD and name in _HOLE.findall(scope) for action, scope in rights)
    if kind in _TEXTS and fills:
        return ParamRole.SINK
    if declared is not None:
        return declared
    return ParamRole.SINK if says_where(name.replace("_", " "), kind) else ParamRole.NEUTRAL
