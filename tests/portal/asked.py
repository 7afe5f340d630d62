"""What the tests of the portal ask for, and what every answer to a program has."""

from __future__ import annotations

PURE = "what is 17 * 3"
WRITES = "make a note called {title} saying milk, eggs and bread"

PROMISED = {"run", "conversation", "resolution", "answer", "result", "question", "plan", "effects", "events", "error"}
"""Keys of the one JSON object: docs/guides/command-line.md."""

EVIL = "<img src=x onerror=alert(1)>"
"""Words that a page which took them for its own would carry out."""
