"""Authoring: what a person who writes a skill gets: a beginning that works, and everything that can be said of it.

    new -> a folder with SKILL.md, steward.toml, skill.py and a test
    lint -> errors (it would not load, be installed or work) and warnings, each with file, line and a next step

Nothing here runs a line of a skill: what is said of its code is read from the source text. It installs nothing, grants
nothing and repairs nothing.
"""

from __future__ import annotations

from skills.authoring.linting import lint
from skills.authoring.model import Finding, Severity
from skills.authoring.scaffold import new_skill
from skills.authoring.schema_file import schema_text

__all__ = ["Finding", "Severity", "lint", "new_skill", "schema_text"]
