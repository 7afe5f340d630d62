"""Perform: one call of a plan, in its own cell, from its bound values to its staged effects.

What this stops: a call seeing or changing more than was decided for its task. Its rights are computed again from its
concrete values, must lie inside the decision and are decided again one by one (a tree may hold private places); what it
is shown is held from before that decision until it has ended, so that nothing can take its place (``Places``). Every
effect it describes is held against its rights before it is staged (``effects``). What it writes is watched. A cell that
does not end when its time is over is not waited for any longer.
What it does not: widen anything. A call that needs more fails, and a new plan asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kernel.allotting import Allotment, Short, met_memory, with_bound, written_below
from kernel.authorize import Reach, forbidden, needs_of, reach_of_value, within
from kernel.calling import (
    CALLED_MEMORY,
    Caller,
    Floor,
    Space,
    Staged,
    StagingArea,
    Tally,
    answering,
    as_call,
    limits_of,
    shown_to,
    spec_of,
    visible,
    worked_in,
)  # fmt: skip
from kernel.dispatching.binding import label_of
from kernel.dispatching.connections import ConnectionLog
from kernel.dispatching.contracts import check_ensures, check_requires
from kernel.dispatching.effects import Bounds, check_effects
from kernel.dispatching.giving import given_to
from kernel.dispatching.holding import held
from kernel.dispatching.inputs import inputs_of
from kernel.errors import TaskFailed
from kernel.flow import Around, Concern, around_of, concerns_of, of_conditions
from kernel.mailing.answering import with_mail
from kernel.mailing.describing import letters_of
from kernel.model import Outcome, Task, TaskId, TaskRights
from kernel.remembering.bulk import FIRST, lean_list
from permissions import naming
from permissions.errors import Refused
from permissions.labels import Label
from permissions.model import CellOutcome, Right
from permissions.policy import Places
from skills.model import Call, CallResult, EffectClass, Tool

if TYPE_CHECKING:
    from permissions.egress import Letter

_REPLACED, _TRIES = "refused.replaced", 3
"""How often a call is begun that finds a file saved anew by somebody since it was decided on."""

_STUBBORN_S = 2.0
"""So long a call that was cancelled may take to end."""

Progress = Callable[[float | None, str], None]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a task asks for, with concrete values; it works in ``trees`` as it likes."""

    tool: Tool
    values: Mapping[str, Any]
    needs: tuple[Right, ...]
    rights: TaskRights
    trees: Sequence[str]
    label: Label
    name: str


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

    ``short`` is there where a person's limit for memory ended it. ``read`` is what it read, as it was then.
    """

    result: CallResult
    cell: CellOutcome
    place: str
    bounds: Bounds
    left_out: tuple[str, ...]
    error: dict[str, str]
    short: Short | None
    read: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Work:
    """A call to be made: its task, what was decided on it, and the outcomes that it is made from.

    ``name`` tells it from the other calls of the same task, ``attempt`` (from 1) from its own earlier ones; its value
    is labelled as what it was made from and as what was ``decided_by``. ``first`` of a task writes that it began.
    """

    task: Task
    rights: TaskRights
    name: str
    outcomes: Mapping[TaskId, Outcome]
    decided_by: Mapping[str, Label]
    attempt: int = 1


Make = Callable[[Work, Floor], Awaitable[Outcome]]
"""Makes a call; a dry run only names some (``kernel.trying``), a replay makes none (``kernel.replaying``)."""


async def perform(work: Work, floor: Floor) -> Outcome:
    """Make the call of ``work`` and stage what it describes.

    What a tool refuses is an outcome that is not ok; raises TaskFailed, PermissionsError and SkillError for the rest.
    """
    task, rights = work.task, work.rights
    tool, given = floor.around.tool(task.tool), given_to(task, work.outcomes, floor)
    values, labels = given.values, given.labels
    decided = {f"when {name}": one for name, one in work.decided_by.items()}
    computes = not tool.rights and tool.effect is EffectClass.PURE and floor.around.skill(tool.skill).shipped
    label = label_of({**labels, **decided}, computes=computes)
    reaches = {name: reach_of_value(tool, name, value) for name, value in values.items()}
    needs = _concrete(task, tool, rights, reaches, floor)
    if tool.requires:
        check_requires(tool, values, floor.staging().view())
    await vouched(concerns_of(task, tool, values, labels, flow_around(floor)), floor)
    await vouched(of_conditions(task, tool, values, _decided(work), flow_around(floor)), floor)
    trees = worked_in(tool, reaches, floor)
    effects = tool.effect is not EffectClass.PURE

    async def begin(attempt: int) -> _Prepared:
        attempt += work.attempt - 1
        made = await _prepared(_Wanted(tool, values, needs, rights, trees, label, work.name), attempt, floor)
        body = {"tool": tool.id, "arguments": lean_list(values)} | ({"attempt": attempt} if attempt > 1 else {})
        body |= {"call": work.name} if work.name != task.id else {}
        await floor.say("task.started", task.id, body, effects)
        return made

    def progress(fraction: float | None, text: str) -> None:
        body = {"fraction": fraction, "text": text}
        asyncio.ensure_future(floor.say("task.progress", task.id, body, False))  # noqa: RUF006  (held by the ledger's queue)

    network = ConnectionLog(task.id, floor.say, changes=tool.effect is EffectClass.ONCE)
    try:
        ran = await _run_enough(begin, progress, network, floor)
    finally:
        await network.written()
    result, cell = ran.result, ran.cell
    if ran.error:
        return Outcome(
            task.id, False, error=ran.error, offered=result.offered, level=str(cell.level), wall_s=cell.wall_s
        )
    letters: list[Letter] = []
    staged: tuple[Mapping[str, Any], ...] = ()
    if ran.read or result.effects:
        letters, staged = await asyncio.to_thread(_described, tool, needs, ran, floor)
    if staged:
        await asyncio.to_thread(_stage, ran.place, staged, floor.staging(), ran.bounds)
    floor.letters.extend(letters)
    if tool.ensures:
        check_ensures(tool, values, result.value, floor.staging().view())
    answer = result.answer + _left_out(ran.left_out, floor.language) + "".join(f"\n({note})" for note in given.notes)
    return Outcome(
        task.id, True, result.value, answer, label, staged, result.table, result.files,
        level=str(cell.level), wall_s=cell.wall_s, peak_bytes=cell.peak_bytes,
        reserved_bytes=cell.reserved_bytes, connections=cell.connections,
        up_bytes=cell.up_bytes, down_bytes=cell.down_bytes,
    )  # fmt: skip


def _decided(work: Work) -> dict[str, tuple[Label, str]]:
    """Return whose word each condition of a call is about, and what was found there."""
    about = {one.text or one.task: one for one in work.task.when}
    return {name: (label, held(about[name], work.outcomes).found) for name, label in work.decided_by.items()}


def flow_around(floor: Floor) -> Around:
    """Return what checking where values come from needs to know."""
    return around_of(floor.around, floor.tasks, floor.language, floor.found)


async def vouched(concerns: Sequence[Concern], floor: Floor) -> None:
    """Have a person vouch for values of others that would decide something. Raises TaskFailed where nobody does."""
    why_not = await floor.vouch(concerns) if concerns else ""
    if not why_not:
        return
    one = concerns[0]
    value = naming.shown(one.value)
    raise TaskFailed(
        "task.flow", f"{one.tool} was not called: {one.decides} would be decided by {value}. {why_not}",
        subject=one.tool, hint="Say the value yourself, in the request.",
        de=f"{one.tool} wurde nicht aufgerufen: {value} hätte bestimmt: {one.decides}. {why_not}",
        de_hint="Nenne den Wert selbst, in der Anfrage.",
    )  # fmt: skip


async def _prepared(wanted: _Wanted, attempt: int, floor: Floor) -> _Prepared:
    """Make ready where the call writes: each attempt in a place of its own."""
    tool, name, staging = wanted.tool, wanted.name, floor.staging
    place = name if attempt == 1 else f"{name}.{attempt}"
    folder = None if tool.effect is EffectClass.PURE else str(staging().task_folder(place))
    layers = await asyncio.to_thread(staging().open_trees, place, wanted.trees) if wanted.trees else ()
    staged = Staged(folder, visible(staging().view(), wanted.needs), layers)
    call = as_call(tool, wanted.values, floor, staged)
    return _Prepared(tool, wanted.needs, wanted.rights, place, staged, call, wanted.label)


async def _run_enough(
    begin: Callable[[int], Awaitable[_Prepared]], progress: Progress, network: ConnectionLog, floor: Floor
) -> _Ran:
    """Run a call; once more, from the beginning, whenever a person gives it more memory than it had."""
    attempt = 1
    while True:
        task = await begin(attempt)
        ran = await _run_call(task, progress, network, floor)
        if ran.short is None:
            return ran
        await network.written()
        why_not = await floor.more(ran.short)
        if why_not:
            return replace(ran, error={**ran.error, "message": f"{ran.error['message']} {why_not}"})
        await asyncio.to_thread(floor.staging().forget, task.place)
        attempt += 1


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
            caller = Caller.of_task(name, tool, task.needs, staged, allotted, task.label, task.call.arguments)
            answer = answering(caller, floor, tally)
            answer = with_mail(answer, tool, task.needs, floor, network, allotted.shut)
            call = floor.run_call(task.call, spec, progress, network.add, answer)
            in_line_s = spec.limits.wall_s if tool.served else 0.0  # so long it may wait for other calls of its server
            ran = await _watched(call, space, tool, spec.limits.wall_s, floor.grace_s + in_line_s)
            bounds = Bounds(tool, task.rights, allotted.around(), spec.hidden_paths)
            whole = staged.layers and not ran.result.error  # what a failed call did is dropped with its run
            out = await asyncio.to_thread(_take_in, task.place, floor.staging(), bounds) if whole else ()
            error = _bounded(tool, ran, allotted, staged.folder, floor.language)
    network.reached += tally.reached
    short = _short(task, ran, allotted, tally.short, network.reached)
    read = inputs_of(ran.result.read, task.needs, staged.layers)
    return _Ran(ran.result, ran.cell, task.place, bounds, out, error, short, read)


def _short(
    task: _Prepared, ran: Any, allotted: Allotment, called: Short | None, reached: Sequence[str]
) -> Short | None:
    """Return what a person can be asked about a call that met a limit of theirs for memory, else None.

    ``called`` is what can be asked about the last call that failed for it.
    """
    error, hosts = ran.result.error or {}, tuple(dict.fromkeys(reached))
    if error.get("code") == CALLED_MEMORY:
        return replace(called, reached=hosts) if called else None
    bound = met_memory(error, ran.cell, allotted.bounds)
    return Short(task.rights.task, task.tool.id, bound, ran.cell.peak_bytes, hosts) if bound else None


def _bounded(tool: Tool, ran: Any, allotted: Allotment, folder: str | None, language: str) -> dict[str, str]:
    """Return the error of a call with the bound of the tree that it met; empty where it did not fail."""
    if not ran.result.error:
        return {}
    written = written_below(folder) if allotted.bounds else 0
    return with_bound(ran.result.error, tool.id, ran.cell, allotted.bounds, written, language)


async def _watched(call: Awaitable[Any], space: Space | None, tool: Tool, wall_s: float, grace_s: float) -> Any:
    """Wait for a call; one that writes more than it may is stopped, and so is one that its own wall does not stop.

    Nothing is looked at when none runs.
    """
    job, clock = asyncio.ensure_future(call), asyncio.get_running_loop().time
    ends_at = clock() + wall_s + grace_s
    try:
        while not job.done():
            left_s = ends_at - clock()
            if left_s <= 0:
                raise _late(tool, wall_s)
            await asyncio.wait([job], timeout=left_s if space is None else min(left_s, space.pause_s))
            if space is not None and not job.done():
                await asyncio.to_thread(space.check)
        return job.result()
    finally:
        await ended([] if job.done() else [job])


async def ended(jobs: Sequence[asyncio.Future[Any]]) -> None:
    """Cancel ``jobs`` and wait for them, but not for ever: one may be deaf to it."""
    for job in jobs:
        job.cancel()
    if jobs:
        done, _ = await asyncio.wait(jobs, timeout=_STUBBORN_S)
        await asyncio.gather(*done, return_exceptions=True)


def _late(tool: Tool, wall_s: float) -> TaskFailed:
    return TaskFailed(
        "task.time", f"{tool.id} took longer than {wall_s:g} seconds and was stopped.", subject=tool.id,
        hint="Ask for less at once.", de=f"{tool.id} brauchte länger als {wall_s:g} Sekunden und wurde beendet.",
        de_hint="Verlange weniger auf einmal.",
    )  # fmt: skip


def _described(
    tool: Tool, needs: tuple[Right, ...], ran: _Ran, floor: Floor
) -> tuple[list[Letter], tuple[Mapping[str, Any], ...]]:
    """Return what a call described to be sent, and to be changed; note what it read. In a thread: it may be much."""
    if ran.read:
        floor.staging().rests_on(ran.read)
    folder = None if tool.effect is EffectClass.PURE else str(floor.staging().task_folder(ran.place))
    return letters_of(ran.result.effects, tool, needs, folder)


def _stage(place: str, effects: tuple[Mapping[str, Any], ...], staging: StagingArea, bounds: Bounds) -> None:
    """Check and stage, in a thread: there may be very many, and the daemon goes on answering."""
    staging.describe(place, effects, lambda real: check_effects(real, staging.view(), bounds))


def _take_in(place: str, staging: StagingArea, bounds: Bounds) -> tuple[str, ...]:
    """Take in what a call did in its trees, held against its rights like what a tool describes."""
    own_way = replace(bounds, own_way=True)
    return staging.take_in(place, lambda real: check_effects(real, staging.view(), own_way))


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
