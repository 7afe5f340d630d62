"""Homes for the tests of understanding: what lies where is given by names alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def furnish(home: Path, names: Iterable[str]) -> Path:
    """Put a small file at every name below ``home``, a folder where the name ends with a slash; return ``home``."""
    for name in names:
        path = home / name
        folder = path if name.endswith("/") else path.parent
        folder.mkdir(parents=True, exist_ok=True)
        if folder is not path:
            path.write_text("x")
    return home
