"""The time zone that a person lives in, by its name: what TZ says, else what the system is set to by now."""

from __future__ import annotations

import os
from functools import lru_cache
from zoneinfo import ZoneInfo

_SYSTEM = "/etc/localtime"


def local_zone() -> ZoneInfo | None:
    """Return the zone, None where it has no name in the database (an offset, a file of one's own)."""
    said = os.environ.get("TZ", "").removeprefix(":")
    return _zone(said or os.path.realpath(_SYSTEM).partition("zoneinfo/")[2])


@lru_cache(maxsize=4)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None
