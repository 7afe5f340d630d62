"""The time zone that a person lives in, by its name: what TZ says, else what the system is set to."""

from __future__ import annotations

import os
from functools import lru_cache
from zoneinfo import ZoneInfo

_SYSTEM = "/etc/localtime"


def local_zone() -> ZoneInfo | None:
    """Return the zone, None where it has no name in the database (an offset, a file of one's own)."""
    return _zone(os.environ.get("TZ", ""))


@lru_cache(maxsize=4)
def _zone(said: str) -> ZoneInfo | None:
    name = said.removeprefix(":")
    if not name:
        name = os.path.realpath(_SYSTEM).partition("zoneinfo/")[2]
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None
