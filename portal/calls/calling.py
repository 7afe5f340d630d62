"""What every room of calls has: the wire, and ids as parts of a path."""

from __future__ import annotations

from urllib.parse import quote

from portal.wire import DaemonError, Wire


class Calls:
    """Calls of the daemon over one wire; each raises DaemonError."""

    _wire: Wire


def part(given: str, what: str) -> str:
    """Return an id as one part of a path; what holds a slash or is dots only would name another path. Raises."""
    if not given or "/" in given or not given.strip("."):
        where = {
            "run": "runs",
            "skill": "skills",
            "secret": "secrets",
            "proposal": "skills proposals",
            "server": "mcp list",
            "client": "mcp clients",
            "model": "models",
            "role": "models",
            "routine": "routines",
            "macro": "macros",
            "offer": "offers",
            "source": "offers",
            "suggestion": "suggestions",
        }.get(what, "perms")
        hint = f"./steward {where} lists them."
        raise DaemonError(f"{what}.unknown", f"There is no {what} {given}.", hint, 404)
    return quote(given, safe="")
