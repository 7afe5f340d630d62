"""What the tests of the portal ask for, and what every answer to a program has."""

from __future__ import annotations

PURE = "what is 17 * 3"
WRITES = "make a note called {title} saying milk, eggs and bread"
RULE = "every day at 18:00 show me the largest files in Downloads"
RULE_DE = "jeden Tag um 18 Uhr zeig mir die größten Dateien in Downloads"

PROMISED = {"run", "conversation", "resolution", "answer", "result", "question", "plan", "effects", "events", "error"}
"""Keys of the one JSON object: docs/guides/command-line.md."""

EVIL = "<img src=x onerror=alert(1)>"
"""Words that a page which took them for its own would carry out."""
