"""What a tool's docstring says: its first sentence, and a line for each argument under ``Args:``."""

from __future__ import annotations

import re

_ARGUMENT = re.compile(r"(\w+)(?: \([^)]*\))?:\s*(.*)")


def first_sentence(docs: str) -> str:
    """Return the first paragraph as one line."""
    return " ".join(docs.strip().split("\n\n", 1)[0].split())


def argument_docs(docs: str) -> dict[str, str]:
    """Return the text of each argument from the ``Args:`` section (Google style); further lines are indented more."""
    found: dict[str, str] = {}
    name, indent, inside = "", None, False
    for line in docs.splitlines():
        depth = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        if depth == 0:
            inside = line.strip() in ("Args:", "Arguments:")
            continue
        if not inside:
            continue
        indent = depth if indent is None else indent
        match = _ARGUMENT.match(line.strip()) if depth == indent else None
        if match:
            name = match[1]
            found[name] = match[2].strip()
        elif name:
            found[name] = f"{found[name]} {line.strip()}".strip()
    return found
