"""The file of settings, ``config.toml``: read whole, and written whole in the place of what was there."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def stored(file: Path) -> dict[str, Any]:
    """Return what a person has set; nothing where there is no file. Raises OSError, ValueError."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}


def store(file: Path, values: Mapping[str, Any]) -> None:
    """Keep ``values``, and nothing else: whoever reads meanwhile finds the one or the other whole. Raises OSError."""
    import tomli_w

    draft = file.with_suffix(".new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        tomli_w.dump(dict(values), out)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
