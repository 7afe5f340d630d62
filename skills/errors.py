"""Errors of skills, sorted by what the caller does next.

SkillError
├── BadSkill       fix the skill: manifest, tool or example is malformed   (``skill.*``)
├── UnknownTool    fix the plan: no such tool is installed                 (``tool.unknown``)
├── BadResult      fix the skill: what came back does not fit its schema   (``result.*``)
├── BadSchedule    report it: what a skill keeps on the clock is malformed (``skill.schedule``, in ``skills.schedule``)
└── Refused        take another package: this one is not installed         (``package.*``, in ``skills.packages``)
"""

from __future__ import annotations


class SkillError(Exception):
    """Root of the room's errors. ``code`` is stable and dotted; ``hint`` says what to do now."""

    retryable = False

    def __init__(self, code: str, message: str, *, subject: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.subject = subject
        self.hint = hint


class BadSkill(SkillError):
    """A manifest, tool or example is malformed."""


class UnknownTool(SkillError):
    """No such tool is installed."""


class BadResult(SkillError):
    """What a tool returned does not fit its declared result."""
