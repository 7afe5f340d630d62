"""Calls that other tools ask for: each decided, lent its rights, run in a cell of its own, written down, answered.

What this stops: a call asking for one that it may not ask for, or for more than it has itself (``lending``); one that
goes on when its caller has ended, was cancelled or has lost a right; calls that ask for calls without end; two at a
time, so that their order is that in which they were asked for.
What it does not: trust what comes back. It is checked against the tool's declared type, and is untrusted like any
result.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from kernel.allotting import Allotment, Lender, Short, written_below
from kernel.authorize import Circumstances, needs_of, reach_of_value
from kernel.calling import conditions, doors, refusals, short, wording
from kernel.calling.cell import Staged, as_call, limits_of, settled, shown_to, spec_of, visible, worked_in
from kernel.calling.deciding import Answered, Sinks, sinks_of
from kernel.calling.floor import Answer, Floor
from kernel.calling.lending import Loan, check_effect, check_hidden, check_sinks, lend, may_ask
from kernel.calling.steps import in_form, seen_after, wanted
from kernel.dispatching.connections import ConnectionLog
from kernel.errors import TaskFailed
from kernel.failures import told
from kernel.model import TaskId
from permissions.errors import PermissionsError
from permissions.labels import Label
from permissions.model import HOST_ACTIONS, Action, Layer, Limits, Right
from permissions.policy import Places
from skills.arguments import checked_arguments
from skills.branches import HOLDS
from skills.errors import SkillError
from skills.model import EffectClass, Tool, ToolId

MOST_DEPTH = 3
"""A task's call is at depth 0; what it calls at 1."""

MOST_CALLS = 1000
MOST_REFUSED = 50
"""Of one task, at all depths. Each is a line in the ledger; after so many nobody listens any more."""

LEAST_BYTES = 64 << 20
"""With less memory no call begins."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A call that asks: its number, what it holds, its private folders, and when its time is over (the loop's time).

    ``hidden`` and ``shut`` are what was denied inside of what it holds: places, and hosts; ``sinks`` are the values of
    its own that decide something, for which a person answers.
    """

    call: str
    task: TaskId
    tool: Tool
    held: tuple[Right, ...]
    rooms: tuple[str, ...]
    view: tuple[Mapping[str, Any], ...]
    hidden: tuple[str, ...]
    shut: tuple[str, ...]
    nodes: frozenset[str]
    allotted: Allotment
    ends_at: float
    label: Label
    depth: int = 0
    sinks: Sinks = frozenset()

    @staticmethod
    def of_task(
        task: TaskId, tool: Tool, needs: tuple[Right, ...], staged: Staged, allotted: Allotment, label: Label,
        values: Mapping[str, Any],
    ) -> Caller:  # fmt: skip
        """Return the call of a task that begins now; what comes back to it is labelled as what it gives back."""
        rooms = (staged.folder,) if staged.folder else ()
        ends_at = asyncio.get_running_loop().time() + allotted.limits.wall_s
        return Caller(task, task, tool, needs, rooms, staged.view, allotted.hidden, allotted.shut, allotted.nodes,
                      allotted, ends_at, label, sinks=sinks_of(tool, values))  # fmt: skip


@dataclass(slots=True)
class Tally:
    """How often a task has asked, at all depths; ``reached`` are hosts where such a call may have changed something.

    ``short`` is the last of them that failed at a person's limit for memory; None where it was something else.
    """

    made: int = 0
    refused: int = 0
    reached: list[str] = field(default_factory=list)
    short: Short | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question that was understood and may be answered."""

    call: str
    tool: Tool
    values: Mapping[str, Any]
    loan: Loan
    trees: tuple[str, ...]
    step: bool = False


def answering(caller: Caller, floor: Floor, tally: Tally | None = None) -> Answer | None:
    """Return what answers ``caller``; None where it holds no right to call anything, nor to a door of the daemon's."""
    if not any(right.action is Action.SKILL_CALL or right.action in HOST_ACTIONS for right in caller.held):
        return None
    return _SubCalls(caller, floor, tally or Tally()).answer


class _SubCalls:
    """What one call asks for."""

    def __init__(self, caller: Caller, floor: Floor, tally: Tally) -> None:
        self._caller = caller
        self._floor = floor
        self._tally = tally
        self._number = 0
        self._answered = Answered(caller.sinks)
        self._wanted: list[Mapping[str, Any]] = []  # by its steps so far, as later ones see it

    async def answer(self, question: bytes, given_bytes: int) -> bytes | None:
        """Answer one question of a caller that has been given so much memory by now; None where it asks too much."""
        if self._tally.made >= MOST_CALLS or self._tally.refused >= MOST_REFUSED:
            return None
        self._tally.made += 1
        self._number += 1
        call = f"{self._caller.call}.{self._number}"
        tool = ""
        try:
            knock = doors.read_knock(question)
            if knock is not None:
                said = await self._let_through(call, knock)
            else:
                around = self._caller.allotted.around()
                asked = await asyncio.to_thread(self._judged, call, question, around)
                if isinstance(asked, _Asked):
                    tool = asked.tool.id
                    said = await self._performed(asked, self._left(given_bytes))
                else:
                    said = asked
        except (TaskFailed, PermissionsError, SkillError) as error:
            said = await self._refused(call, tool, error)
        except Exception as error:  # the edge of a call: an unforeseen fault ends this one, and its caller is told
            said = await self._refused(call, tool, refusals.fault(call, error))
        return json.dumps(said, default=dict, ensure_ascii=False).encode("utf-8", "surrogatepass")

    async def _refused(self, call: str, tool: str, error: TaskFailed | PermissionsError | SkillError) -> dict[str, Any]:
        self._tally.refused += 1
        message, hint = told(error, self._floor.language)
        body = wording.failed(call, self._caller.tool, tool, error.code, message, hint)
        await self._floor.say("call.failed", self._caller.task, body, False)
        return {"error": {"code": error.code, "message": message, "hint": hint}}

    async def _let_through(self, call: str, knock: doors.Knock) -> dict[str, Any]:
        """Do what is asked for at a door of the daemon's, and write down that it was."""
        caller = self._caller
        right, value = await doors.through(knock, caller.tool, caller.held, caller.allotted.around())
        body = {"call": call, "by": caller.tool.id, "door": knock.door, "right": str(right)}
        await self._floor.say("door.used", caller.task, body, doors.DOORS[knock.door].changes)
        return {"value": value}

    def _judged(self, call: str, question: bytes, around: Circumstances) -> _Asked | wording.Body:
        """Read and judge a question; in a thread, since a caller may name very many places. A condition is answered."""
        caller = self._caller
        asked = wording.read_question(question)
        if asked.tool == HOLDS:
            return conditions.decided(asked)
        if caller.depth >= MOST_DEPTH:
            raise refusals.too_deep(caller.tool, MOST_DEPTH)
        may_ask(caller.tool, caller.held, asked.tool)
        tool = around.tool(ToolId(asked.tool))
        check_effect(caller.tool, tool)
        arguments = in_form(tool, asked.arguments, asked.parts, self._floor.language)
        values = settled(tool, checked_arguments(tool, arguments), around.resolve)
        reaches = {parameter: reach_of_value(tool, parameter, value) for parameter, value in values.items()}
        check_sinks(tool, values, reaches, caller.rooms, self._answered)
        needs = [right for right, _ in needs_of(tool, reaches, around)]
        loan = lend(tool, needs, caller.held, caller.rooms, around, step=asked.step)
        check_hidden(caller.tool, caller.held, caller.hidden, loan.rights)
        trees = tuple(dict.fromkeys(worked_in(tool, reaches, self._floor)))
        return _Asked(call, tool, values, loan, trees, asked.step)

    def _left(self, given_bytes: int) -> Limits:
        """Return what is left to the caller: time until its end, and the memory that it has not been given."""
        limits = self._caller.allotted.limits
        left_s = self._caller.ends_at - asyncio.get_running_loop().time()
        left_bytes = limits.memory_bytes - given_bytes
        if left_s <= 0 or left_bytes < LEAST_BYTES:
            raise refusals.nothing_left(self._caller.tool, "time" if left_s <= 0 else "memory")
        return replace(limits, wall_s=left_s, memory_bytes=left_bytes, reserve_bytes=left_bytes,
                       cpu_s=max(1, min(limits.cpu_s, round(left_s))))  # fmt: skip

    async def _performed(self, asked: _Asked, left: Limits) -> dict[str, Any]:
        """Make the call and write down how it ended; return what its caller is answered."""
        caller, floor, tool = self._caller, self._floor, asked.tool
        once = tool.effect is EffectClass.ONCE
        network = ConnectionLog(caller.task, floor.say, changes=once)
        try:
            ran = await self._ran(asked, left, network)
        except asyncio.CancelledError:  # its caller has ended
            cut = wording.failed(asked.call, caller.tool, tool.id, "task.cancelled", f"{tool.id} was cancelled.", "")
            await floor.say("call.failed", caller.task, cut, False)
            raise
        finally:
            await network.written()
            self._tally.reached += network.reached
        if ran.result.effects and not asked.step:
            raise refusals.described(tool)
        folder = self._folder_of(asked)
        changes = await asyncio.to_thread(wanted, tool, ran.result.effects, folder)
        self._wanted += seen_after(ran.result.effects, folder)
        if floor.around.skill(tool.skill).shipped and not ran.result.error:
            self._answered.note(tool, ran.result.value)
        body = wording.ended(asked.call, caller.tool, tool, ran, caller.label)
        await floor.say("call.failed" if ran.result.error else "call.done", caller.task, body, once)
        return wording.reply(ran, tool, asked.loan, changes)

    def _folder_of(self, asked: _Asked) -> str | None:
        """Return where a step writes what it wants: a folder of its own, that its caller does not see."""
        if not asked.step or asked.tool.effect is EffectClass.PURE:
            return None
        return str(self._floor.staging().task_folder(f"{asked.call}.step"))

    async def _ran(self, asked: _Asked, left: Limits, network: ConnectionLog) -> Any:
        caller, floor, tool = self._caller, self._floor, asked.tool
        says = await asyncio.to_thread(self._folder_of, asked)
        view = visible((*caller.view, *self._wanted), asked.loan.all())
        staged = Staged(says, view, tuple(Layer(tree, tree) for tree in asked.trees))
        call = as_call(tool, asked.values, floor, staged, called=True)
        folder = os.path.commonpath(asked.trees) if asked.trees else says
        lender = Lender(left, caller.nodes)
        limits = limits_of(tool, floor.timeout_s)
        shown = shown_to(tool, asked.loan.all(), staged, call.folder, floor)
        async with AsyncExitStack() as until:
            held = until.enter_context(Places(shown.opened_paths())).identities
            allotted = await until.enter_async_context(
                floor.allot.lent(caller.task, tool, asked.loan.rights, limits, folder, lender)
            )
            spec = spec_of(shown, allotted, held, (*floor.private, *caller.hidden), caller.shut)
            begun = wording.started(asked.call, caller.tool, tool, caller.depth + 1, asked.values, asked.loan)
            await floor.say("call.started", caller.task, begun, tool.effect is EffectClass.ONCE)
            answer = answering(self._caller_of(asked, staged, allotted), floor, self._tally)
            ran = await floor.run_call(call, spec, _unheard, network.add, answer)
            return self._judged_end(ran, tool, allotted, left, folder) if ran.result.error else ran

    def _judged_end(self, ran: Any, tool: Tool, allotted: Allotment, left: Limits, folder: str | None) -> Any:
        caller = self._caller
        written = written_below(folder) if allotted.bounds else 0
        if ran.result.error.get("code") == short.MEMORY:  # of one that it asked for itself
            return ran
        ran, self._tally.short = short.judged(
            ran, tool, caller.tool, caller.task, (allotted, caller.allotted), left, written, self._floor.language
        )
        return ran

    def _caller_of(self, asked: _Asked, staged: Staged, allotted: Allotment) -> Caller:
        """Return the call that was asked for, as one that may ask in its turn."""
        caller = self._caller
        ends_at = asyncio.get_running_loop().time() + allotted.limits.wall_s
        hidden, shut = (*caller.hidden, *allotted.hidden), (*caller.shut, *allotted.shut)
        return Caller(
            asked.call, caller.task, asked.tool, asked.loan.all(), asked.trees, staged.view, hidden, shut,
            caller.nodes | allotted.nodes, allotted, ends_at, caller.label, caller.depth + 1,
            sinks_of(asked.tool, asked.values),
        )  # fmt: skip


def _unheard(_fraction: float | None, _text: str) -> None:
    """A caller reports its own progress; that of what it calls would run beside it."""
