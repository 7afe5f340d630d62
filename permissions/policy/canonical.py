"""One form for equal values: JSON with sorted keys and no spaces, in ASCII, and its SHA-256.

Numbers are whole or finite; a lone surrogate of a file name that is not UTF-8 is written as an escape.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical(value: Any) -> bytes:
    """Return the one JSON text of ``value``. Raises ValueError on NaN and infinities, TypeError on what JSON lacks."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()
