"""What a task may connect to, and the events of its connections: where each went and how much, never what was said."""

from __future__ import annotations

import asyncio
from typing import Any

from kernel.model import Outcome, Say, TaskId
from permissions.model import Action, Connection, Right
from skills.model import EffectClass, Tool


def hosts_of(tool: Tool, needs: tuple[Right, ...]) -> tuple[str, ...]:
    """Return what a call of ``tool`` may connect to; nothing where it says that it is pure."""
    if tool.effect is EffectClass.PURE:
        return ()
    return tuple(sorted(right.scope for right in needs if right.action is Action.NET_CONNECT))


class ConnectionLog:
    """Writes an event for each connection of a task, as it ends.

    ``reached`` are the hosts where a call that ``changes`` things may have changed some; others only read.
    """

    def __init__(self, task: TaskId, say: Say, *, changes: bool) -> None:
        self._task = task
        self._say = say
        self._changes = changes
        self.reached: list[str] = []
        self._under_way: list[asyncio.Future[None]] = []

    def add(self, one: Connection) -> None:
        """Write one."""
        if self._changes and one.address:
            self.reached.append(one.host)
        body = {
            "host": one.host, "port": one.port, "address": one.address, "up_bytes": one.up_bytes,
            "down_bytes": one.down_bytes, "ms": round(one.wall_s * 1000, 1), "code": one.code,
        }  # fmt: skip
        self._under_way.append(asyncio.ensure_future(self._say(f"net.{one.end}", self._task, body, False)))

    async def written(self) -> None:
        """Wait until all are handed to the ledger: the task's end comes after them."""
        await asyncio.gather(*self._under_way)


def network_of(outcome: Outcome) -> dict[str, Any]:
    """Return what stands of the network in the event of a task's end: nothing when it had none."""
    if not outcome.connections:
        return {}
    counts = {"connections": outcome.connections, "up_bytes": outcome.up_bytes, "down_bytes": outcome.down_bytes}
    return {"network": counts}
