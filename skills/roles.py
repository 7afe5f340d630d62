"""What a parameter decides, by its name, its type, its tool's name and the rights it fills: one rule for all.

What this stops: a skill of somebody's that leaves out, or plays down, that a text of its decides which host is asked,
what is opened or what is ended. Of a server's tool also: who else gets something, what lets somebody in, and what is
gone afterwards.
What it does not: tell that a text decides something where neither a right nor its name shows it; manifests say that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from permissions.model import Action
from skills.model import ParamRole, ValueKind

_NAMED = frozenset({ValueKind.TEXT, ValueKind.NEW_FILE})
_THINGS = frozenset({ValueKind.TEXT, ValueKind.NEW_FILE, ValueKind.FILE, ValueKind.FOLDER, ValueKind.INTEGER})
_WHERE = re.compile(
    r"\b(uri|url|to|recipients?|address|host|endpoint|command|webhook|email|cc|bcc|password|passphrase|passcode)\b"
)
_WHOM = re.compile(
    r"\b(participants?|attendees?|invitees?|guests?|members?|assignees?|collaborators?|users?|usernames?|channels?"
    r"|phone|iban|payee|beneficiary|account)\b"
)
_READS = re.compile(r"^(get|list|search|find|read|check|fetch|show|look|query|count|describe|view|is|has)\b")
_DESTROYS = re.compile(
    r"\b(delete|remove|cancel|erase|drop|purge|wipe|destroy|revoke|terminate|kill|unlink|trash|discard)\b"
)
OUTWARD = frozenset({Action.NET_CONNECT, Action.DESKTOP_OPEN, Action.SYSTEM_STOP, Action.SECRET_USE})
"""What reaches others, or what nothing takes back."""

_HOLE = re.compile(r"\{(\w+)")


def fills(name: str, scope: str) -> bool:
    """Tell whether a parameter is part of the scope of a right."""
    return name in _HOLE.findall(scope)


def says_where(name: str, kind: ValueKind) -> bool:
    """Tell whether a parameter may say where something goes, by what it is called (in words) and takes."""
    return kind is ValueKind.URL or (kind in _NAMED and bool(_WHERE.search(name)))


def decides(tool: str, name: str, kind: ValueKind) -> bool:
    """Tell whether a parameter of a tool that nobody here wrote decides something, by what both are called (in words).

    Who gets something is decided where a tool does more than read; of one that takes something away, what it takes.
    """
    if says_where(name, kind):
        return True
    whom = kind in _NAMED and bool(_WHOM.search(name)) and not _READS.search(tool)
    return whom or (kind in _THINGS and bool(_DESTROYS.search(tool)))


def role_of(name: str, kind: ValueKind, declared: ParamRole | None, rights: Iterable[tuple[str, str]]) -> ParamRole:
    """Return the role of a parameter; ``rights`` are the actions and scopes of its tool.

    What fills a right that reaches outward is a sink whatever is declared; else what is declared counts, else its name.
    """
    if any(action in OUTWARD and fills(name, scope) for action, scope in rights):
        return ParamRole.SINK
    if declared is not None:
        return declared
    return ParamRole.SINK if says_where(name.replace("_", " "), kind) else ParamRole.NEUTRAL
