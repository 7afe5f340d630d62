"""Dispatch: run the tasks of a plan, each in its own cell, as soon as what they need is there.

What this stops: a call seeing or changing more than was decided for its task. Its rights are computed again from its
concrete values, must lie inside the decision and are decided again one by one (a tree may hold private places); what it
is shown is held from before that decision until it has ended, so that nothing can take its place (``Places``). Every
effect it describes is held against its rights before it is staged (``kernel.effects``). What it writes is watched.
What it does not: widen anything. A call that needs more fails, and a new plan asks.

Event-driven: a task starts when its last predecessor is done, and what touches the same place before it in the plan
(``kernel.turns``); at most ``parallel`` at once, each with a deadline.
The first failure cancels the rest; nothing of the user's has changed until commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

from kernel.allotting import Allotment, Short, met_memory, with_bound, written_below
from kernel.authorize import Reach, forbidden, needs_of, reach_of_value, within
from kernel.binding import bind, label_of
from kernel.bulk import FIRST, kept, lean_list
from kernel.calling import (
    Caller,
    Floor,
    Space,
    Staged,
    StagingArea,
    Tally,
    answering,
    as_call,
    limits_of,
    settled,
    shown_to,
    spec_of,
)  # fmt: skip
from kernel.connections import ConnectionLog, network_of
from kernel.effects import Bounds, check_effects
from kernel.errors import TaskFailed
from kernel.failures import told
from kernel.model import Authorization, FromTask, Outcome, Plan, Task, TaskId, TaskRights
from kernel.turns import may_begin
from permissions.errors import Conflict, PermissionsError, Refused
from permissions.labels import Label
from permissions.model import CellOutcome, Right
from permissions.policy import Places
from skills.errors import SkillError
from skills.model import Call, CallResult, EffectClass, Tool

_REPLACED, _TRIES = "refused.replaced", 3
"""How often a call is begun that finds a file saved anew by somebody since it was decided on."""


Progress = Callable[[float | None, str], None]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A call with all that it needs but what it may use. ``place`` names its part of the staging."""

    tool: Tool
    needs: tuple[Right, ...]
    rights: TaskRights
    place: str
    staged: Staged
    call: Call
    label: Label


@dataclass(frozen=True, slots=True)
class _Ran:
    """What a call gave, what it may change, what of its trees was left out, and its error in words; empty: none.

    ``short`` is there where a person's limit for memory ended it.
    """

    result: CallResult
    cell: CellOutcome
    place: str
    bounds: Bounds
    left_out: tuple[str, ...]
    error: dict[str, str]
    short: Short | None


async def dispatch(plan: Plan, authorization: Authorization, floor: Floor) -> dict[TaskId, Outcome]:
    """Run ``plan`` and return the outcome of every task that ran. A failed task is an outcome, not an exception."""
    rights = {held.task: held for held in authorization.tasks}
    done: dict[TaskId, Outcome] = {}
    waiting = {task.id: task for task in plan.tasks}
    running: dict[asyncio.Task[Outcome], TaskId] = {}
    try:
        while waiting or running:
            for task in _ready(waiting, done, rights, floor.parallel - len(running)):
                del waiting[task.id]
                job = asyncio.create_task(_run(task, rights[task.id], dict(done), floor))
                running[job] = task.id
            if not running:
                break
            finished, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for job in finished:
                done[running.pop(job)] = job.result()
            if any(not done_one.ok for done_one in done.values()):
                break
    finally:
        await _cancel(running)
    return done


def _ready(
    waiting: Mapping[TaskId, Task], done: Mapping[TaskId, Outcome], rights: Mapping[TaskId, TaskRights], room: int
) -> list[Task]:
    order = list(rights)
    ready = [
        task
        for task in waiting.values()
        if predecessors(task) <= done.keys()
        and may_begin(task.id, (one for one in order[: order.index(task.id)] if one not in done), rights)
    ]
    return ready[: max(room, 0)]


def predecessors(task: Task) -> set[TaskId]:
    """Return the tasks whose outcome ``task`` needs, by data or by order."""
    return {value.task for value in task.arguments.values() if isinstance(value, FromTask)} | set(task.after)


async def _cancel(running: Mapping[asyncio.Task[Outcome], TaskId]) -> None:
    for job in running:
        job.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def _run(task: Task, rights: TaskRights, outcomes: Mapping[TaskId, Outcome], floor: Floor) -> Outcome:
    """Run one task; every way it can fail is an outcome with a code, a message and a hint."""
    try:
        outcome = await _call(task, rights, outcomes, floor)
    except (TaskFailed, PermissionsError, SkillError) as error:
        outcome = _failed(task, error, floor)
    except Exception as error:  # the task edge: an unforeseen fault ends this task, not the daemon
        outcome = _failed(task, _fault(task, error), floor)
    if outcome.ok:
        once = floor.around.tool(task.tool).effect is EffectClass.ONCE  # anything else is only staged so far
        await floor.say("task.done", task.id, _done_body(outcome), once)
    else:
        await floor.say("task.failed", task.id, dict(outcome.error or {}), True)
    return outcome


def _failed(task: Task, error: TaskFailed | PermissionsError | SkillError, floor: Floor) -> Outcome:
    message, hint = told(error, floor.language)
    return Outcome(task.id, False, error={"code": error.code, "message": message, "hint": hint})


def _fault(task: Task, error: Exception) -> TaskFailed:
    what = f"{type(error).__name__}: {error}"
    return TaskFailed("task.fault", f"The task {task.tool} stopped on an internal fault: {what}", subject=task.id,
                      hint="./steward doctor", de=f"Die Aufgabe {task.tool} brach mit einem inneren Fehler ab: {what}",
                      de_hint="./steward doctor")  # fmt: skip


def _done_body(outcome: Outcome) -> dict[str, Any]:
    label = (outcome.label or Label()).to_json()
    return {
        "answer": outcome.answer, **kept("value", outcome.value), "table": outcome.table, "files": list(outcome.files),
        "level": outcome.level, "wall_ms": round(outcome.wall_s * 1000, 1), "peak_bytes": outcome.peak_bytes,
        "reserved_bytes": outcome.reserved_bytes,
        "label": label, **network_of(outcome),
    }  # fmt: skip


async def _call(task: Task, rights: TaskRights, outcomes: Mapping[TaskId, Outcome], floor: Floor) -> Outcome:
    tool = floor.around.tool(task.tool)
    bound, labels = bind(task, tool, outcomes)
    values = settled(tool, bound, floor.around.resolve)
    reaches = {name: reach_of_value(tool, name, value) for name, value in values.items()}
    needs = _concrete(task, tool, rights, reaches, floor)
    trees = [reach.path for name in tool.works_in for reach in reaches.get(name, ())]
    prepare = partial(_prepared, tool, values, needs, rights, trees, label_of(labels), floor)
    first = await prepare(1)
    effects = tool.effect is not EffectClass.PURE
    await floor.say("task.started", task.id, {"tool": tool.id, "arguments": lean_list(values)}, effects)

    def progress(fraction: float | None, text: str) -> None:
        body = {"fraction": fraction, "text": text}
        asyncio.ensure_future(floor.say("task.progress", task.id, body, False))  # noqa: RUF006  (held by the ledger's queue)

    network = ConnectionLog(task.id, floor.say, changes=tool.effect is EffectClass.ONCE)
    try:
        ran = await _run_enough(first, prepare, progress, network, floor)
    finally:
        await network.written()
    result, cell = ran.result, ran.cell
    if ran.error:
        return Outcome(task.id, False, error=ran.error, level=str(cell.level), wall_s=cell.wall_s)
    if result.effects:
        await asyncio.to_thread(_stage, ran.place, result.effects, floor.staging(), ran.bounds)
    answer = result.answer + _left_out(ran.left_out, floor.language)
    return Outcome(
        task.id, True, result.value, answer, label_of(labels), result.effects, result.table, result.files,
        level=str(cell.level), wall_s=cell.wall_s, peak_bytes=cell.peak_bytes,
        reserved_bytes=cell.reserved_bytes, connections=cell.connections,
        up_bytes=cell.up_bytes, down_bytes=cell.down_bytes,
    )  # fmt: skip


async def _prepared(
    tool: Tool, values: Mapping[str, Any], needs: tuple[Right, ...], rights: TaskRights, trees: Sequence[str],
    label: Label, floor: Floor, attempt: int,
) -> _Prepared:  # fmt: skip
    """Make ready where the call writes: each attempt in a place of its own."""
    place = rights.task if attempt == 1 else f"{rights.task}.{attempt}"
    folder = None if tool.effect is EffectClass.PURE else str(floor.staging().task_folder(place))
    layers = await asyncio.to_thread(floor.staging().open_trees, place, trees) if trees else ()
    staged = Staged(folder, floor.staging().view(), layers)
    return _Prepared(tool, needs, rights, place, staged, as_call(tool, values, floor, staged), label)


async def _run_enough(
    task: _Prepared, prepare: Callable[[int], Awaitable[_Prepared]], progress: Progress, network: ConnectionLog,
    floor: Floor,
) -> _Ran:  # fmt: skip
    """Run a call; once more, from the beginning, whenever a person gives it more memory than it had."""
    for attempt in count(2):
        ran = await _run_call(task, progress, network, floor)
        if ran.short is None:
            return ran
        await network.written()
        why_not = await floor.more(ran.short)
        if why_not:
            return replace(ran, error={**ran.error, "message": f"{ran.error['message']} {why_not}"})
        await asyncio.to_thread(_forget, task, floor.staging())
        task = await prepare(attempt)
    raise AssertionError  # count never ends


async def _run_call(task: _Prepared, progress: Progress, network: ConnectionLog, floor: Floor) -> _Ran:
    """Run a call. Where a file was saved anew between the decision and its cell, nothing has run: decide once more."""
    for _ in range(_TRIES - 1):
        try:
            return await _run_held(task, progress, network, floor)
        except Refused as error:
            if error.code != _REPLACED:
                raise
    return await _run_held(task, progress, network, floor)


async def _run_held(task: _Prepared, progress: Progress, network: ConnectionLog, floor: Floor) -> _Ran:
    """Hold what the call is shown, decide on it, and run it."""
    tool, staged, name = task.tool, task.staged, task.rights.task
    space = floor.staging().space(task.place) if staged.folder else None
    tally = Tally()
    shown = shown_to(tool, task.needs, staged, task.call.folder, floor)
    with Places(shown.opened_paths()) as places:
        async with floor.allot(name, tool, task.needs, limits_of(tool, floor.timeout_s), staged.folder) as allotted:
            spec = spec_of(shown, allotted, places.identities, floor.private)
            answer = answering(Caller.of_task(name, tool, task.needs, staged, allotted, task.label), floor, tally)
            ran = await _watched(floor.run_call(task.call, spec, progress, network.add, answer), space)
            bounds = Bounds(tool, task.rights, allotted.around(), spec.hidden_paths)
            whole = staged.layers and not ran.result.error  # what a failed call did is dropped with its run
            out = await asyncio.to_thread(_take_in, task.place, floor.staging(), bounds) if whole else ()
            error = _bounded(tool, ran, allotted, staged.folder, floor.language)
    short = _short(task, ran, allotted, (*network.reached, *tally.reached))
    return _Ran(ran.result, ran.cell, task.place, bounds, out, error, short)


def _short(task: _Prepared, ran: Any, allotted: Allotment, reached: Sequence[str]) -> Short | None:
    """Return what a person can be asked about a call that met a limit of theirs for memory, else None."""
    bound = met_memory(ran.result.error or {}, ran.cell, allotted.bounds)
    if bound is None:
        return None
    return Short(task.rights.task, task.tool.id, bound, ran.cell.peak_bytes, tuple(dict.fromkeys(reached)))


def _bounded(tool: Tool, ran: Any, allotted: Allotment, folder: str | None, language: str) -> dict[str, str]:
    """Return the error of a call with the bound of the tree that it met; empty where it did not fail."""
    if not ran.result.error:
        return {}
    written = written_below(folder) if allotted.bounds else 0
    return with_bound(ran.result.error, tool.id, ran.cell, allotted.bounds, written, language)


async def _watched(call: Awaitable[Any], space: Space | None) -> Any:
    """Wait for a call; one that writes more than it may is stopped. Nothing is looked at when none runs."""
    job = asyncio.ensure_future(call)
    try:
        while space is not None and not job.done():
            await asyncio.wait([job], timeout=space.pause_s)
            if not job.done():
                await asyncio.to_thread(space.check)
        return await job
    finally:
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)


def _stage(place: str, effects: tuple[Mapping[str, Any], ...], staging: StagingArea, bounds: Bounds) -> None:
    """Check and stage, in a thread: there may be very many, and the daemon goes on answering."""
    staging.describe(place, effects, lambda real: check_effects(real, staging.view(), bounds))


def _take_in(place: str, staging: StagingArea, bounds: Bounds) -> tuple[str, ...]:
    """Take in what a call did in its trees, held against its rights like what a tool describes."""
    own_way = replace(bounds, own_way=True)
    return staging.take_in(place, lambda real: check_effects(real, staging.view(), own_way))


def _forget(task: _Prepared, staging: StagingArea) -> None:
    """Let go of the trees of a call that is made again: what it did there is read, and none of it is taken in."""
    if task.staged.layers:
        with suppress(Refused, Conflict):
            staging.take_in(task.place, _none_of_it)


def _none_of_it(_effects: Sequence[Mapping[str, Any]]) -> None:
    raise Refused("refused.again", "The call is made again.")


def _left_out(paths: Sequence[str], language: str) -> str:
    """Say what a call left that no tree of the person's gets."""
    if not paths:
        return ""
    named = ", ".join(paths[:FIRST]) + (" …" if len(paths) > FIRST else "")
    kinds = "Gerätedateien, Pipes und Sockets" if language == "de" else "devices, pipes and sockets"
    return f"\nNicht übernommen ({kinds}): {named}" if language == "de" else f"\nNot kept ({kinds}): {named}"


def _concrete(
    task: Task, tool: Tool, rights: TaskRights, reaches: Mapping[str, tuple[Reach, ...]], floor: Floor
) -> tuple[Right, ...]:
    needs = tuple(right for right, _ in needs_of(tool, reaches, floor.around))
    outside = within(needs, rights) or [need for need in needs if forbidden(need, tool, floor.around)]
    if outside:
        raise TaskFailed("task.rights", f"{tool.id} would need {outside[0]}, which the plan did not ask for.",
                         subject=task.id, hint="Name that file or folder in the request.",
                         de=f"{tool.id} bräuchte {outside[0]}, wonach der Plan nicht gefragt hat.",
                         de_hint="Nenne diese Datei oder diesen Ordner in der Anfrage.")  # fmt: skip
    return needs
