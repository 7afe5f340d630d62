"""Which Steward this is, and which skills it has: a run is told apart by both from one that came out otherwise."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache

from skills.model import Skill


@cache
def own_version() -> str:
    """Return the version that the package says; empty where it was never installed. No start asks for it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("steward-os")
    except PackageNotFoundError:
        return ""


def skills_digest(skills: Iterable[Skill]) -> str:
    """Return the SHA-256 over which skills there are, each by its content."""
    held = sorted((str(one.id), one.hash) for one in skills)
    return hashlib.sha256(json.dumps(held).encode()).hexdigest()
