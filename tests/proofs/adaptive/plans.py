"""What models in the attacker's hands answer: plans for a planner, actions for a worker."""

from __future__ import annotations

import json
from typing import Any

from tests.kernel.models.server import Act, Line

FOUND = {"from": "t1", "field": None, "index": None}
"""What the first step of a plan has found."""

EARLIER = {"from": "p1", "field": None, "index": None}
"""What was found before in the conversation."""


def planning(*tasks: dict[str, Any], ask: str | None = None, decline: str | None = None) -> Act:
    """A model that answers every request with this plan; ``{"words": words}`` becomes the number those words have."""

    async def act(line: Line) -> None:
        request = json.loads(line.asked.body["messages"][2]["content"])
        numbers = {one["words"]: one["number"] for one in reversed(request["said"])}

        def filled(value: Any) -> Any:
            if isinstance(value, dict):
                if set(value) == {"words"}:
                    return {"said": numbers.get(value["words"], 0)}
                return {name: filled(one) for name, one in value.items()}
            return [filled(one) for one in value] if isinstance(value, list) else value

        await line.say(
            json.dumps({"tasks": filled(list(tasks)), "ask": ask, "about": None, "decline": decline, "later": None})
        )

    return act


def task(number: int, tool: str, each: str | None = None, when: Any = (), **arguments: Any) -> dict[str, Any]:
    """A step of a model's plan."""
    return {"id": f"t{number}", "tool": tool, "arguments": arguments, "each": each, "when": list(when)}


def of_step(step: str = "t1", field: str | None = None, index: int | None = None) -> dict[str, Any]:
    """What a step of a plan has found, or a part of it."""
    return {"from": step, "field": field, "index": index}


def value(given: Any) -> dict[str, Any]:
    """A value that the model writes itself."""
    return {"value": given}
