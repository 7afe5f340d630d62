"""The nouns of clients: who one is, what it may be offered, and a call that it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from permissions.policy import CLIENT

OWN = "steward"
"""What is no skill's: under this name stand the kernel's own two offers."""

ASK = f"{OWN}.ask"
"""The offer to ask in words."""

MEMORY = f"{OWN}.memory_search"
"""The offer to search what Steward knows; without it a client's sentences are not answered from memory either."""

AT_FIRST = (ASK, MEMORY)
"""What a new client may call."""


@dataclass(frozen=True, slots=True)
class Client:
    """A program by its ``name``. ``digest`` is the SHA-256 of its token, ``key`` tells it from an earlier namesake.

    ``at_s`` is when it was added (Unix seconds).
    """

    name: str
    digest: bytes
    key: str
    at_s: float

    @property
    def node(self) -> str:
        """The name of its node in the policy tree."""
        return f"{CLIENT}{self.name}"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of one tool, as the client of this name asks for it; ``arguments`` are as it sent them."""

    client: str
    tool: str
    arguments: Mapping[str, Any]
