"""A line to a scripted server, with real rights, budgets and secrets around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from kernel.allotting import Accounts
from kernel.models.asking import Behalf, Line, ask
from kernel.models.breaker import Breakers
from kernel.models.model import Endpoint, Message, Prompt, Reply, Way
from permissions import default_policy
from permissions.labels import KERNEL_SAID, Label
from permissions.policy import Budgets
from permissions.vault import Vault
from tests.kernel.models.server import SCHEMA, Server

CANARY = "sk-canary-5f2c9a7e31"
PROMPT = Prompt((Message("system", "Choose."), Message("user", "velm or trosk?")), SCHEMA, most_tokens=200)


@dataclass(slots=True)
class Desk:
    """Whose question it is; ``told`` is what was written down."""

    behalf: Behalf
    line: Line = field(default_factory=lambda: Line(Breakers()))
    told: list[tuple[str, Mapping[str, Any], Label]] = field(default_factory=list)

    async def say(
        self, kind: str, task: str | None, body: Mapping[str, Any], durable: bool = True, label: Label = KERNEL_SAID
    ) -> None:
        """Keep an event."""
        del task, durable
        self.told.append((kind, dict(body), label))

    def kinds(self) -> list[str]:
        """Return the kinds of what was written down, in order."""
        return [kind for kind, _, _ in self.told]

    def body(self, kind: str) -> Mapping[str, Any]:
        """Return the last event of a kind."""
        return [body for one, body, _ in self.told if one == kind][-1]

    def endpoint(self, server: Server, way: str = "text", **more: Any) -> Endpoint:
        """Return the endpoint that ``server`` is."""
        return Endpoint("scripted", server.url, "m", way=Way(way), **more)

    async def ask(self, endpoint: Endpoint, prompt: Prompt = PROMPT, deadline_s: float = 15.0) -> Reply:
        """Ask it."""
        return await ask(endpoint, "planner", prompt, self.behalf, self.line, deadline_s)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk of a person who granted nothing and set no budget; the vault holds a key."""
    vault = Vault(tmp_path / "secrets")
    vault.put("model-scripted", CANARY)
    desk = Desk(None)  # type: ignore[arg-type]  (made in the next line, with the desk's own pen)
    behalf = Behalf("r-1", "", default_policy("/home/u", ()), 100.0, Accounts(Budgets()), vault, desk.say)
    desk.behalf = replace(behalf)
    return desk
