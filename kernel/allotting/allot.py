"""The allotment of one call: rights decided again, limits narrowed, budgets reserved; stopped, measured, settled."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import chain

from kernel.allotting.accounts import Accounts
from kernel.allotting.met import Bound, beyond, binding
from kernel.allotting.more import Raises
from kernel.allotting.tenures import Tenures
from kernel.authorize import Circumstances, lent_now, rights_now
from kernel.limits import MemoryLimits
from kernel.model import Say
from permissions.model import Action, Decision, Limits, Right, Verdict
from permissions.policy import Policy, Reservation, covers, path_of, used_up
from skills.model import Tool

_NEEDED = ("memory", "cpu", "wall", "pids", "processes")
"""Without any of these no call can run at all."""


@dataclass(frozen=True, slots=True)
class Allotment:
    """What one call may use, and the places inside what it may read that are hidden from it.

    ``around`` returns the circumstances as they are by then: what it describes is held against the tree of that moment.
    ``nodes`` are those of the tree at which it counts; ``bounds`` are the amounts of it that made the limits what they
    are. ``shut`` are hosts that were denied inside of its rights.
    """

    limits: Limits
    hidden: tuple[str, ...]
    around: Callable[[], Circumstances]
    nodes: frozenset[str]
    bounds: tuple[Bound, ...] = ()
    shut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lender:
    """What a call that another one asks for has at most: what is ``left`` to that one.

    At the ``nodes`` of the tree where that one counts, its own reservation bounds both.
    """

    left: Limits
    nodes: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Wish:
    """A call that is about to begin. ``decide`` decides its rights, now and whenever something was taken away."""

    task: str
    tool: Tool
    needs: tuple[Right, ...]
    asked: Limits
    folder: str | None
    decide: Callable[[Iterable[Right], Tool, str, Circumstances], tuple[Decision, ...]] = rights_now
    lender: Lender | None = None
    client: str = ""

    def path(self) -> tuple[str, ...]:
        """Return the nodes from the root down to the calls of the tool."""
        return path_of(self.tool.skill, self.tool.id, self.client)

    def own_nodes(self) -> tuple[str, ...]:
        """Return the nodes at which nobody has reserved anything for it."""
        return tuple(node for node in self.path() if self.lender is None or node not in self.lender.nodes)


@dataclass(frozen=True, slots=True)
class Allotter:
    """Allots the calls of one run. ``around`` returns the circumstances as they are at that moment.

    ``raises`` are the limits for memory that a person has raised for this run alone.
    """

    around: Callable[[], Circumstances]
    tenures: Tenures
    accounts: Accounts
    memory: MemoryLimits
    say: Say
    raises: Raises = field(default_factory=Raises)

    def __call__(
        self, task: str, tool: Tool, needs: tuple[Right, ...], asked: Limits, folder: str | None
    ) -> AbstractAsyncContextManager[Allotment]:
        """Yield what the call of a task may use. ``folder`` is where it writes.

        That is at most what was ``asked``; of memory, what its tool has been found to need. The tree narrows both.

        Raises TaskFailed when a right is missing or taken away, a limit leaves nothing or more was written than it
        allows; Refused where a budget leaves nothing.
        """
        return self._allotted(_Wish(task, tool, needs, asked, folder, client=self.around().client))

    def lent(
        self, task: str, tool: Tool, needs: tuple[Right, ...], asked: Limits, folder: str | None, lender: Lender
    ) -> AbstractAsyncContextManager[Allotment]:
        """Yield what a call may use that another one asks for: ``needs`` are lent by that one, and need no grant.

        What the tree denies the tool, or bounds, holds as always. Raises as for the call of a task.
        """
        return self._allotted(_Wish(task, tool, needs, asked, folder, lent_now, lender, self.around().client))

    @asynccontextmanager
    async def _allotted(self, wish: _Wish) -> AsyncIterator[Allotment]:
        path, now = wish.path(), self.around()
        amounts = self.raises.applied(now.policy, wish.task).limits(path[-1])
        reads = (right.scope for right in wish.needs if right.action is Action.FS_READ)
        limits = narrowed(self.memory.wanted(wish.tool.id, reads, wish.asked), amounts, wish.tool.id)
        if wish.lender is not None:
            limits = bounded(limits, wish.lender.left)
        ends_in_s = _ends_in_s(wish.decide(wish.needs, wish.tool, wish.task, now), now.now_s)
        hidden, shut = withheld(now.policy, path, wish.needs)
        written = _Written(wish.folder)
        with self.tenures.hold(wish.tool.id, lambda: self._lost(wish, hidden, shut), ends_in_s):
            async with self._budgeted(wish, limits, written) as (fitted, left):
                of_tree = [Bound(node, meter, amount) for meter, (amount, node) in amounts.items()]
                bounds = binding(fitted, [*left, *of_tree])
                yield Allotment(fitted, hidden, self.around, frozenset(path), bounds, shut)
            _refuse_too_much(written, amounts, wish.tool.id)

    def _lost(self, wish: _Wish, hidden: tuple[str, ...], shut: tuple[str, ...]) -> Decision | None:
        """Return the first right that the call no longer holds, or that was denied inside of what it may."""
        around, path = self.around(), wish.path()
        decided = wish.decide(wish.needs, wish.tool, wish.task, around)
        fresh = [rule for rule in around.policy.masked(path) if rule.right.scope not in hidden]
        fresh += [rule for rule in around.policy.shut(path, wish.needs) if rule.right.scope not in shut]
        inside = (Decision(rule.right, Verdict.DENY, path[-1], rule.reason, f"./steward perms revoke {rule.id}")
                  for rule in fresh if any(covers(need, rule.right) for need in wish.needs))  # fmt: skip
        return next(chain((one for one in decided if one.verdict is not Verdict.ALLOW), inside), None)

    @asynccontextmanager
    async def _budgeted(
        self, wish: _Wish, limits: Limits, written: _Written
    ) -> AsyncIterator[tuple[Limits, tuple[Bound, ...]]]:
        """Yield the limits with what is left of the budgets, and those budgets."""
        path = wish.own_nodes()
        most = {"wall": math.ceil(limits.wall_s * 1000)} | ({"disk": limits.file_bytes} if wish.folder else {})
        left = tuple(bound for meter in most if (bound := self._left(path, meter)) is not None)
        held = self.accounts.reserve_most(path, most)
        if held is None:
            yield limits, ()
            return
        body = {"id": held.id, "path": list(path), "amounts": dict(held.amounts)}
        await self.say("budget.reserved", wish.task, body, False)
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            yield narrowed(limits, {meter: (amount, path[-1]) for meter, amount in held.amounts.items()}, ""), left
            self._refuse_beyond(held, written)
        finally:
            used = {"wall": math.ceil((clock() - began) * 1000), "disk": written.bytes()}
            await asyncio.shield(self._settle(wish.task, held, {m: a for m, a in used.items() if m in held.amounts}))

    def _left(self, path: tuple[str, ...], meter: str) -> Bound | None:
        """Return the budget on the path that has the least left, None where there is none."""
        room = self.accounts.budgets.room(path, meter)
        if room is None:
            return None
        amount, node = room
        return Bound(node, meter, amount, total=True, renewed=self.accounts.budgets.allowed[node, meter])

    def _refuse_beyond(self, held: Reservation, written: _Written) -> None:
        """Refuse what a call wrote beyond the rest of a budget: its limit bounds each file, not all together."""
        if "disk" in held.amounts and written.bytes() > held.amounts["disk"]:
            left, node = self.accounts.budgets.room(held.path, "disk") or (0, held.path[-1])
            raise used_up(node, "disk", left)

    async def _settle(self, task: str, held: Reservation, used: Mapping[str, int]) -> None:
        self.accounts.settle(held, used)
        await self.say("budget.settled", task, {"id": held.id, "path": list(held.path), "used": dict(used)}, True)


def _ends_in_s(decisions: tuple[Decision, ...], now_s: float) -> float | None:
    ends = [one.expires_s for one in decisions if one.expires_s is not None]
    return max(0.0, min(ends) - now_s) if ends else None


def withheld(policy: Policy, path: Iterable[str], needs: Iterable[Right]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the places and the hosts that a person denied inside of what a call at ``path`` may have."""
    path = tuple(path)
    hidden = tuple(rule.right.scope for rule in policy.masked(path))
    return hidden, tuple(rule.right.scope for rule in policy.shut(path, needs))


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


def bounded(asked: Limits, left: Limits) -> Limits:
    """Return the smaller of both, each for itself."""
    return Limits(
        **{field.name: min(getattr(asked, field.name), getattr(left, field.name)) for field in fields(Limits)}
    )


class _Written:
    """What one call has written into its folder; what lay there before is somebody else's."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self._before = written_below(folder)

    def bytes(self) -> int:
        return max(0, written_below(self._folder) - self._before)


def _refuse_too_much(written: _Written, amounts: Mapping[str, tuple[int, str]], tool: str) -> None:
    if "disk" in amounts and written.bytes() > amounts["disk"][0]:
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
