"""The first rung: the same call once more.

What this stops: a plan that ends for a crash or a host that answered badly once; and trying for ever.
What it does not: repeat anything that may have happened. A tool that acts ``once`` is never called again, and of the
others nothing has left the staging of the run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from kernel.calling import Floor
from permissions.model import Action
from skills.model import EffectClass, Tool

MOST_RETRIES = 2
PAUSES_S = (0.1, 0.5)

_PASSING = frozenset({"task.crashed", "net.connect", "net.protocol", "net.name", "net.busy", "wall.worker_died"})
_LASTING = ("storage.full", "storage.quota", "storage.read_only", "storage.denied")


def may_pass(error: Mapping[str, str]) -> bool:
    """Tell whether an error may not be there the next time: its code or its class says so."""
    code = error.get("code", "")
    return code in _PASSING or ("retryable" in error and code not in _LASTING)


def _is_repeatable(tool: Tool) -> bool:
    """Tell whether nobody outside can have noticed a call: one that asks other tools is not made again."""
    calls = any(right.action == Action.SKILL_CALL for right in tool.rights)
    return tool.effect is not EffectClass.ONCE and not calls


class Attempts:
    """How often one call has been made."""

    def __init__(self, tool: Tool, floor: Floor) -> None:
        self._tool = tool
        self._floor = floor
        self._made = 0

    def next(self) -> int:
        """Begin the next one; return its number, from 1."""
        self._made += 1
        return self._made

    async def again(self, call: str, task: str, error: Mapping[str, str]) -> bool:
        """Tell whether the call is made once more after ``error``: then it was let go of and a moment has passed."""
        if not _is_repeatable(self._tool) or self._made > MOST_RETRIES or not may_pass(error):
            return False
        body = {"rung": "retry", "attempt": self._made + 1, "code": error.get("code", ""), "call": call}
        await self._floor.say("task.recovered", task, body, False)
        if self._tool.works_in:
            place = call if self._made == 1 else f"{call}.{self._made}"
            await asyncio.to_thread(self._floor.staging().forget, place)
        await asyncio.sleep(PAUSES_S[self._made - 1])
        return True
