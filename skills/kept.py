"""What was read of the skills that come with Steward, kept beside our compiled modules from one start to the next.

What this stops: a file that is torn, damaged, or made by other code or another Python (its key and its digest are
compared before a byte of it is read as a value); a value of a class that is no noun of ``skills`` or ``permissions``.
What it does not: somebody who may write into our ``__pycache__``, whose compiled modules run in any case. A skill that
was kept counts only for the very bytes of its folder, which ``loading`` hashes each time. Skills of others are never
kept here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import pickle
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from skills.beside import file_beside, keep_beside, read_beside
from skills.model import Skill

_HERE = Path(__file__).resolve().parent
CODE = _HERE.parent
"""Where our code lies, and with it the skills that come with it."""

_NOUNS = ("skills.model", "permissions.model")


def default_file() -> Path:
    """Return where this interpreter keeps what it read: beside the compiled form of this module."""
    return file_beside(__file__, ".read")


def code_key() -> bytes:
    """Return what tells this interpreter and the code that reads skills from others."""
    digest = hashlib.sha256(importlib.util.MAGIC_NUMBER)
    for path in (*sorted(_HERE.glob("*.py")), *sorted(_HERE.glob("sdk/*.py")), CODE / "permissions/model.py"):
        data = path.read_bytes()
        digest.update(f"\n{path.name} {len(data)}\n".encode() + data)
    return digest.digest()


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Nouns alone: nothing in the file can have anything else made, or run."""
        if module not in _NOUNS or "." in name:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a skill")
        return super().find_class(module, name)


def read_kept(file: Path, key: bytes) -> dict[Path, Skill]:
    """Return what was kept in ``file`` under ``key``; nothing where it is missing, damaged, or of other code."""
    with suppress(ValueError, EOFError, TypeError, AttributeError, IndexError, pickle.UnpicklingError):
        if data := read_beside(file, key):
            found = _Reader(io.BytesIO(data)).load()
            return {Path(skill.folder): skill for skill in found if isinstance(skill, Skill)}
    return {}


def keep(file: Path, key: bytes, skills: Mapping[Path, Skill]) -> None:
    """Put ``skills`` into ``file`` for the next start, whole or not at all: not where nobody may write."""
    keep_beside(file, key, pickle.dumps(tuple(skills.values()), pickle.HIGHEST_PROTOCOL))
