"""Skills: what Steward can do, each a folder of its own, found, described and called through one door.

A skill is ``SKILL.md`` (what it is for), ``steward.toml`` (its tools' rights, limits, words and example sentences)
and ``skill.py`` (plain typed functions). The registry reads all three without running a line of skill code; the
runner sends a call into a cell of ``permissions.confine`` and checks what comes back against what was declared.

Promises: a broken skill is named with file, line and remedy and stops no other; a result that does not fit its type
never reaches the kernel. Never: skill code in the daemon's process, or a right that is not in the manifest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from skills.errors import BadResult, BadSkill, SkillError, UnknownTool
from skills.later import one_import

if TYPE_CHECKING:
    from skills.registry import Problem, Registry
    from skills.runner import Ran, Runner

__all__ = ["BadResult", "BadSkill", "Problem", "Ran", "Registry", "Runner", "SkillError", "UnknownTool", "one_import"]

_LATER = {"Problem": "registry", "Registry": "registry", "Ran": "runner", "Runner": "runner"}


def __getattr__(name: str) -> Any:
    if name in _LATER:  # the worker comes through this door too, and every page it loads is copied for each call
        with one_import:
            return getattr(import_module(f"skills.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
