"""``SKILL.md`` held against the open Agent Skills format, strictly: what we read leniently others may refuse.

Source: https://agentskills.io/specification (name, description, license, compatibility, metadata, allowed-tools).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from skills.authoring.model import Finding, Severity
from skills.contents import INSTRUCTIONS
from skills.errors import BadSkill
from skills.manifest import front_matter, read_instructions

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
_MOST_NAME, _MOST_DESCRIPTION, _MOST_COMPATIBILITY, _MOST_LINES = 64, 1024, 500, 500
_WHEN = re.compile(r"\b(use|when|whenever|if)\b", re.IGNORECASE)


def of_instructions(folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with ``SKILL.md``."""
    try:
        read_instructions(folder)  # can it be read at all
    except BadSkill as error:
        yield _error(1, error.code, str(error), error.hint)
        return
    text = (folder / INSTRUCTIONS).read_text(encoding="utf-8")
    front = front_matter(text)
    if front is None:
        hint = "Begin the file with three lines: ---, name: ..., description: ... and end them with ---."
        yield _error(1, "instructions.front", "SKILL.md does not begin with front matter.", hint)
        return
    try:
        fields = yaml.safe_load(front)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        yield _error(_line_of(error), "instructions.yaml", f"The front matter is not valid YAML: {_short(error)}.",
                     "Put texts with a colon into quotes, or write them as a block: description: >-")  # fmt: skip
        return
    if not isinstance(fields, dict):
        yield _error(2, "instructions.front", "The front matter is no list of keys.", "Write name: and description:.")
        return
    yield from _of_fields(fields, front, folder.name)
    yield from _of_body(text)


def _of_fields(fields: Mapping[Any, Any], front: str, folder: str) -> Iterator[Finding]:
    for key in fields:
        if key not in _KEYS:
            hint = f"The format has: {', '.join(_KEYS)}. What is your own belongs below metadata."
            yield _warning(_key_line(front, str(key)), "instructions.key", f"{key} is no key of the format.", hint)
    yield from _of_name(fields.get("name"), _key_line(front, "name"), folder)
    yield from _of_description(fields.get("description"), _key_line(front, "description"))
    for key, most in (("license", 0), ("compatibility", _MOST_COMPATIBILITY), ("allowed-tools", 0)):
        value = fields.get(key)
        if value is not None and (not isinstance(value, str) or (most and len(value) > most)):
            hint = f"Write one text{f' of at most {most} characters' if most else ''}."
            yield _error(_key_line(front, key), "instructions.value", f"{key} is not one text that fits.", hint)
    metadata = fields.get("metadata", {})
    if not isinstance(metadata, dict) or not all(isinstance(one, str) for one in (*metadata, *metadata.values())):
        hint = 'Write each as key: "text".'
        yield _error(
            _key_line(front, "metadata"), "instructions.value", "metadata holds other things than texts.", hint
        )


def _of_name(name: Any, line: int, folder: str) -> Iterator[Finding]:
    if not isinstance(name, str) or not name:
        yield _error(line, "instructions.name", "SKILL.md has no name.", f"Write name: {folder}")
    elif name != folder:
        message = f"The name {name} is not that of the folder, {folder}."
        yield _error(line, "instructions.name", message, f"Write name: {folder}, or rename the folder.")
    elif len(name) > _MOST_NAME or not _NAME.fullmatch(name):
        hint = "Use at most 64 lower-case letters and digits, with single hyphens between them."
        yield _error(line, "instructions.name", f"The name {name} does not fit the format.", hint)


def _of_description(description: Any, line: int) -> Iterator[Finding]:
    if not isinstance(description, str) or not description.strip():
        hint = "Say in one or two sentences what the skill does, and when to use it."
        yield _error(line, "instructions.description", "SKILL.md has no description.", hint)
    elif len(description) > _MOST_DESCRIPTION:
        message = f"The description has {len(description)} characters; {_MOST_DESCRIPTION} are allowed."
        yield _error(line, "instructions.description", message, "Say the rest below the front matter.")
    elif not _WHEN.search(description):
        hint = "Add a sentence: Use when someone wants to ..."
        yield _warning(line, "instructions.when", "The description does not say when to use the skill.", hint)


def _of_body(text: str) -> Iterator[Finding]:
    lines = text.count("\n")
    if lines > _MOST_LINES:
        hint = "Move what is rarely needed into files below references/."
        yield _warning(_MOST_LINES, "instructions.long", f"SKILL.md has {lines} lines; whole it is read at once.", hint)


def _key_line(front: str, key: str) -> int:
    """Return the line of the file that holds a key of the front matter; 2, its first, where none does."""
    found = re.search(rf"^[\"']?{re.escape(key)}[\"']?\s*:", front, re.MULTILINE)
    return 2 + front.count("\n", 0, found.start()) if found else 2


def _line_of(error: Exception) -> int:
    mark = getattr(error, "problem_mark", None)
    return 2 + int(mark.line) if mark is not None else 2


def _short(error: Exception) -> str:
    return str(getattr(error, "problem", None) or type(error).__name__)[:200]


def _error(line: int, code: str, message: str, hint: str) -> Finding:
    return Finding(INSTRUCTIONS, line, Severity.ERROR, code, message, hint)


def _warning(line: int, code: str, message: str, hint: str) -> Finding:
    return Finding(INSTRUCTIONS, line, Severity.WARNING, code, message, hint)
