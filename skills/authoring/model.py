"""The noun of authoring: a finding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # it would not be loaded, not be installed, or a tool could not do what it is for
    WARNING = "warning"  # it works, and worse than it could


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing that is wrong with a skill: where, what, and what to do now. ``line`` counts from 1.

    ``file`` is the path below the skill's folder, ``.`` for the folder itself; ``code`` is stable.
    """

    file: str
    line: int
    severity: Severity
    code: str
    message: str
    hint: str

    def to_json(self) -> dict[str, Any]:
        """Return it as clients show it."""
        return {"file": self.file, "line": self.line, "severity": str(self.severity), "code": self.code,
                "message": self.message, "hint": self.hint}  # fmt: skip
