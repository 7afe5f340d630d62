"""The allotment of one call: rights decided again, limits narrowed, budgets reserved; stopped, measured, settled."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import chain

from kernel.allotting.accounts import Accounts
from kernel.allotting.met import Bound, beyond, binding
from kernel.allotting.tenures import Tenures
from kernel.authorize import Circumstances, rights_now
from kernel.limits import MemoryLimits
from kernel.model import Say
from permissions.model import Action, Decision, Limits, Right, Verdict
from permissions.policy import Reservation, covers, path_of, used_up
from skills.model import Tool

_NEEDED = ("memory", "cpu", "wall", "pids", "processes")
"""Without any of these no call can run at all."""


@dataclass(frozen=True, slots=True)
class _Held:
    """What a call began with."""

    needs: tuple[Right, ...]
    tool: Tool
    task: str
    hidden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Allotment:
    """What one call may use, and the places inside what it may read that are hidden from it.

    ``around`` returns the circumstances as they are by then: what it describes is held against the tree of that moment.
    ``bounds`` are the amounts of the tree that made the limits what they are.
    """

    limits: Limits
    hidden: tuple[str, ...]
    around: Callable[[], Circumstances]
    bounds: tuple[Bound, ...] = ()


@dataclass(frozen=True, slots=True)
class Allotter:
    """Allots the calls of one run. ``around`` returns the circumstances as they are at that moment."""

    around: Callable[[], Circumstances]
    tenures: Tenures
    accounts: Accounts
    memory: MemoryLimits
    say: Say

    @asynccontextmanager
    async def __call__(
        self, task: str, tool: Tool, needs: tuple[Right, ...], asked: Limits, folder: str | None
    ) -> AsyncIterator[Allotment]:
        """Yield what the call may use. ``folder`` is where it writes.

        That is at most what was ``asked``; of memory, what its tool has been found to need. The tree narrows both.

        Raises TaskFailed when a right is missing or taken away, a limit leaves nothing or more was written than it
        allows; Refused where a budget leaves nothing.
        """
        path = path_of(tool.skill, tool.id)
        now = self.around()
        amounts = now.policy.limits(path[-1])
        reads = (right.scope for right in needs if right.action is Action.FS_READ)
        limits = narrowed(self.memory.wanted(tool.id, reads, asked), amounts, tool.id)
        ends_in_s = _ends_in_s(rights_now(needs, tool, task, now), now.now_s)
        hidden = tuple(rule.right.scope for rule in now.policy.masked(path))
        held = _Held(needs, tool, task, hidden)
        with self.tenures.hold(tool.id, lambda: self._lost(held), ends_in_s):
            async with self._budgeted(task, path, limits, folder) as (fitted, left):
                of_tree = [Bound(node, meter, amount) for meter, (amount, node) in amounts.items()]
                yield Allotment(fitted, hidden, self.around, binding(fitted, [*left, *of_tree]))
            _refuse_too_much(folder, amounts, tool.id)

    def _lost(self, held: _Held) -> Decision | None:
        """Return the first right that the call no longer holds, or that was denied inside of what it reads."""
        around = self.around()
        decided = rights_now(held.needs, held.tool, held.task, around)
        path = path_of(held.tool.skill, held.tool.id)
        fresh = [rule for rule in around.policy.masked(path) if rule.right.scope not in held.hidden]
        inside = (Decision(rule.right, Verdict.DENY, path[-1], rule.reason, f"./steward perms revoke {rule.id}")
                  for rule in fresh if any(covers(need, rule.right) for need in held.needs))  # fmt: skip
        return next(chain((one for one in decided if one.verdict is not Verdict.ALLOW), inside), None)

    @asynccontextmanager
    async def _budgeted(
        self, task: str, path: tuple[str, ...], limits: Limits, folder: str | None
    ) -> AsyncIterator[tuple[Limits, tuple[Bound, ...]]]:
        """Yield the limits with what is left of the budgets, and those budgets."""
        most = {"wall": math.ceil(limits.wall_s * 1000)} | ({"disk": limits.file_bytes} if folder else {})
        left = tuple(bound for meter in most if (bound := self._left(path, meter)) is not None)
        held = self.accounts.reserve_most(path, most)
        if held is None:
            yield limits, ()
            return
        body = {"id": held.id, "path": list(path), "amounts": dict(held.amounts)}
        await self.say("budget.reserved", task, body, False)
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            yield narrowed(limits, {meter: (amount, path[-1]) for meter, amount in held.amounts.items()}, ""), left
            self._refuse_beyond(held, folder)
        finally:
            used = {"wall": math.ceil((clock() - began) * 1000), "disk": written_below(folder)}
            await asyncio.shield(self._settle(task, held, {m: a for m, a in used.items() if m in held.amounts}))

    def _left(self, path: tuple[str, ...], meter: str) -> Bound | None:
        """Return the budget on the path that has the least left, None where there is none."""
        room = self.accounts.budgets.room(path, meter)
        if room is None:
            return None
        amount, node = room
        return Bound(node, meter, amount, total=True, renewed=self.accounts.budgets.allowed[node, meter])

    def _refuse_beyond(self, held: Reservation, folder: str | None) -> None:
        """Refuse what a call wrote beyond the rest of a budget: its limit bounds each file, not all together."""
        if "disk" in held.amounts and written_below(folder) > held.amounts["disk"]:
            left, node = self.accounts.budgets.room(held.path, "disk") or (0, held.path[-1])
            raise used_up(node, "disk", left)

    async def _settle(self, task: str, held: Reservation, used: Mapping[str, int]) -> None:
        self.accounts.settle(held, used)
        await self.say("budget.settled", task, {"id": held.id, "path": list(held.path), "used": dict(used)}, True)


def _ends_in_s(decisions: tuple[Decision, ...], now_s: float) -> float | None:
    ends = [one.expires_s for one in decisions if one.expires_s is not None]
    return max(0.0, min(ends) - now_s) if ends else None


def narrowed(asked: Limits, amounts: Mapping[str, tuple[int, str]], tool: str) -> Limits:
    """Return ``asked`` with the smaller amounts of the tree. Raises TaskFailed where one leaves nothing at all."""
    none = next((meter for meter in _NEEDED if meter in amounts and amounts[meter][0] == 0), None)
    if none is not None:
        raise beyond(tool, Bound(amounts[none][1], none, 0))

    def least(value: int, *meters: str) -> int:
        return min([value, *(amounts[meter][0] for meter in meters if meter in amounts)])

    return replace(
        asked,
        memory_bytes=least(asked.memory_bytes, "memory"),
        reserve_bytes=least(asked.reserve_bytes, "memory"),
        processes=least(asked.processes, "pids", "processes"),
        file_bytes=least(asked.file_bytes, "disk"),
        wall_s=least(math.ceil(asked.wall_s * 1000), "wall") / 1000 if "wall" in amounts else asked.wall_s,
        cpu_s=max(1, least(asked.cpu_s * 1000, "cpu") // 1000),
    )


def _refuse_too_much(folder: str | None, amounts: Mapping[str, tuple[int, str]], tool: str) -> None:
    if folder is not None and "disk" in amounts and written_below(folder) > amounts["disk"][0]:
        raise beyond(tool, Bound(amounts["disk"][1], "disk", amounts["disk"][0]))


def written_below(folder: str | None) -> int:
    """Return the bytes of the files below ``folder``; without following a link."""
    total = 0
    for place, _, names in os.walk(folder) if folder else ():
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except FileNotFoundError:
                continue
    return total
