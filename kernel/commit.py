"""Commit: what was staged is held against the card, shown where it must be, and applied whole or not at all.

What this stops: an overwrite, a deletion, a flood of files or a surprise passing under a yes that was given to
something else. A yes answers one seal (the hash of the whole change set) and nothing else. A change that ended up
outside what was decided, because a folder was swapped for a link between the check and the staging. A right that was
taken away after its call had ended, or while a person looked at the changes.
What it does not: judge content. A person sees the diff.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Set
from enum import StrEnum
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kernel.agents.seen import refuse_unseen
from kernel.agents.wording import say
from kernel.allotting.tenures import taken_away
from kernel.approval.card import change_view, diff_view
from kernel.approval.consent import answer_to
from kernel.authorize import Circumstances, is_held, rights_now
from kernel.errors import TaskFailed
from kernel.failures import told
from kernel.model import Authorization, Plan, Resolution
from kernel.remembering.bulk import FEW, lean_changes
from kernel.remembering.lapsing import lapse
from kernel.reminding.hushing import hush
from kernel.run import Run, Stop, error_view, unbroken
from permissions.model import Action, Change, ChangeKind, ChangeSet, Right, Verdict
from permissions.policy import OWN_FOLDER

if TYPE_CHECKING:
    from permissions.transactions import Staging

MANY_FILES = 20
"""More changed files, or more changed folders, than this are shown before they are applied."""


_WORKERS = 500
"""So many changes are listed where a model made them: nobody has said what they would be."""

NAMED = 10
"""So many paths are named as the reason of a question."""


class Concern(StrEnum):
    """Why a change set asks again before it is applied."""

    OVERWRITES = "overwrites"
    DELETES = "deletes"
    MANY = "many"
    NOTED = "noted"  # the tool has something to say about the change, in its own words


async def commit(run: Run, plan: Plan, authorization: Authorization, sealed: bool) -> tuple[Change, ...]:
    """Seal what was staged, ask where the card does not cover it, and apply it whole."""
    if run.staging is None:
        return ()
    loop = asyncio.get_running_loop()
    with run.timed("commit_ms"):
        changes = await loop.run_in_executor(None, run.staging.seal)
    if not changes.changes:
        await drop(run)
        return ()
    refuse_strays(changes, authorization)
    of_a_worker = _of_a_worker(run, plan)
    why = concerns(changes, authorization, yes=run.yes) + of_a_worker
    shown = lean_changes([change_view(change) for change in changes.changes], _WORKERS if of_a_worker else FEW)
    own = os.path.realpath(run.house.folders.kept)
    drawn = await loop.run_in_executor(None, run.staging.whole_diff if of_a_worker else run.staging.diff)
    if of_a_worker:
        refuse_unseen(changes, drawn)
    diff = [diff_view(one, own) for one in drawn]
    if not sealed:
        body = {"seal": changes.seal, "changes": shown, "diff": diff}
        await run.log.say("changes.sealed", None, body, durable=False)
    if why:
        reasons = [{"why": str(kind), "subject": subject} for kind, subject in why]
        card = {"rights": [], "concerns": reasons, "changes": shown} | ({"whole": True} if of_a_worker else {})
        await loop.run_in_executor(None, run.staging.keep)
        await answer_to(run, {"stage": "commit", "seal": changes.seal, "card": card, "diff": diff}, consented=False)
    if run.private:
        await hush(run.house.ledger, run.staging.view(), run.house.folders.kept)
    refuse_withdrawn(run, plan, authorization)
    await run.log.say("commit.started", None, {"seal": changes.seal})
    run.house.causes.note(run.id, changes.changes)
    return await unbroken(_apply(run, run.staging, changes.seal))


def refuse_strays(changes: ChangeSet, authorization: Authorization) -> None:
    """Raise TaskFailed where something would be changed outside of what was decided."""
    outside = strays(changes, authorization)
    if outside:
        message = f"{outside[0]} was to be changed, which the plan did not ask for. Nothing was changed."
        raise TaskFailed(
            "commit.outside", message, subject=outside[0], hint="Look at that folder, then ask again.",
            de=f"{outside[0]} sollte geändert werden, wonach der Plan nicht gefragt hat. Es wurde nichts geändert.",
            de_hint="Sieh dir diesen Ordner an und frag noch einmal.",
        )  # fmt: skip


def refuse_withdrawn(run: Run, plan: Plan, authorization: Authorization) -> None:
    """End the run where one of its tasks no longer holds a right that it was run with. Raises Stop."""
    lost = withdrawn(plan, authorization, run.around())
    if lost is not None:
        message, hint = told(lost, run.language)
        raise Stop(Resolution.BLOCKED, f"{message} {hint}", error=error_view(lost.code, message, hint))


async def _apply(run: Run, staging: Staging, seal: str) -> tuple[Change, ...]:
    loop = asyncio.get_running_loop()
    with run.timed("commit_ms"):
        applied = await loop.run_in_executor(None, _applied, run, staging, seal)
    shown = lean_changes([change_view(change) for change in applied])
    await run.log.say("commit.done", None, {"changes": shown}, durable=False)
    run.staging = None
    run.house.with_effects.append(run.id)
    run.house.causes.made()
    if run.house.transactions.is_due():  # somebody waits for this run: nobody enters a thread to find nothing
        await loop.run_in_executor(None, lapse, run.house, run.id)
    return applied


def _applied(run: Run, staging: Staging, seal: str) -> tuple[Change, ...]:
    staging.commit(seal)
    return run.house.transactions.effects(run.id)


async def drop(run: Run) -> None:
    """Throw away what was staged, and wait for no answer to it."""
    run.waiting = None
    staging, run.staging = run.staging, None
    if staging is not None:
        await unbroken(asyncio.to_thread(staging.drop))


def concerns(changes: ChangeSet, authorization: Authorization, *, yes: bool) -> tuple[tuple[Concern, str], ...]:
    """Return why ``changes`` must be asked about (with the path), empty when the card already covers them.

    Only creating and appending inside the card, and what a skill does in its own folder, never asks, unless the tool
    has noted something about it. ``yes`` (a script's advance consent) answers exactly the overwrites and deletions of
    paths that the request itself named in order to change or delete them, and no note.
    """
    consented, own = _consented(authorization) if yes else frozenset(), _own(authorization)
    others = [change for change in changes.changes if not is_held(Right(Action.FS_WRITE, change.path), own)]
    found = _few(concern for change in others if (concern := _concern(change, consented)))
    found += _few((Concern.NOTED, change.note) for change in changes.changes if change.note)
    folders = sum(change.folder for change in others)
    if max(folders, len(others) - folders) > MANY_FILES:
        found.append((Concern.MANY, str(len(others))))
    return tuple(found)


def _of_a_worker(run: Run, plan: Plan) -> tuple[tuple[Concern, str], ...]:
    """What a model that follows instructions changed is shown in any case: nobody has said what it would be."""
    followed = next((tool for task in plan.tasks if (tool := run.house.registry.tool(task.tool)).followed), None)
    if followed is None:
        return ()
    return ((Concern.NOTED, say(run.language, "changed", model=plan.worker, skill=followed.skill)),)


def _own(authorization: Authorization) -> Set[Right]:
    """Return the rights to write what the skills of the plan keep for themselves."""
    return {one.right for rights in authorization.tasks for one in rights.decisions
            if one.reason == OWN_FOLDER and one.right.action is Action.FS_WRITE}  # fmt: skip


def _few(found: Iterable[tuple[Concern, str]]) -> list[tuple[Concern, str]]:
    """Name the first paths of every concern, and of the others the number."""
    named: list[tuple[Concern, str]] = []
    for kind, same in groupby(sorted(found, key=lambda one: one[0]), key=lambda one: one[0]):
        paths = [path for _, path in same]
        named += [(kind, path) for path in paths[:NAMED]]
        if len(paths) > NAMED:
            named.append((kind, f"… +{len(paths) - NAMED}"))
    return named


def _consented(authorization: Authorization) -> Set[Right]:
    """Return the rights on the very paths that the request named in order to change or delete them.

    A folder that was named to look or to put something into gives a tree; nobody said that it shall go itself.
    """
    found: set[Right] = set()
    for rights in authorization.tasks:
        named = set(rights.named)
        found |= {right for right in rights.needs if right.scope in named}
    return found


def _concern(change: Change, consented: Set[Right]) -> tuple[Concern, str] | None:
    if change.kind is ChangeKind.DELETED:
        action, kind = Action.FS_DELETE, Concern.DELETES
    elif change.kind is ChangeKind.MODIFIED and not change.appends:
        action, kind = Action.FS_WRITE, Concern.OVERWRITES
    else:
        return None
    return None if Right(action, change.path) in consented else (kind, change.path)


def strays(changes: ChangeSet, authorization: Authorization) -> tuple[str, ...]:
    """Return the paths of ``changes`` that lie outside every place that was decided for one of the tasks.

    The paths of a sealed set are real. A right on a path counts for all below it here, since what is copied or moved
    brings its contents; each single effect was held against the exact rights before.
    """
    needs = [need for rights in authorization.tasks for need in rights.needs]
    created = {need.scope for need in needs if need.action in (Action.FS_CREATE, Action.FS_WRITE)}
    deleted = {need.scope for need in needs if need.action is Action.FS_DELETE}
    leading = {above for place in created for above in _and_above(place)}  # folders made on the way
    found = []
    for change in changes.changes:
        made = change.kind is ChangeKind.CREATED and change.folder and change.path in leading
        if change.kind is not ChangeKind.DELETED and not made:
            found += [change.path] if created.isdisjoint(_and_above(change.path)) else []
        gone = change.path if change.kind is ChangeKind.DELETED else change.source
        if gone is not None and deleted.isdisjoint(_and_above(gone)):
            found.append(gone)
    return tuple(found)


def withdrawn(plan: Plan, authorization: Authorization, around: Circumstances) -> TaskFailed | None:
    """Return how the run ends when one of its tasks no longer holds a right that it was run with, or None.

    A right that is not standing when a sealed run is taken up again was given to that run, before the restart.
    """
    tools = {task.id: around.tool(task.tool) for task in plan.tasks}
    for rights in authorization.tasks:
        tool = tools[rights.task]
        decided = rights_now(rights.needs, tool, rights.task, around)
        pairs = zip(rights.decisions, decided, strict=True)
        lost = next((now for had, now in pairs if now.verdict not in (Verdict.ALLOW, had.verdict)), None)
        if lost is not None:
            return taken_away(tool.id, lost)
    return None


def _and_above(path: str) -> tuple[str, ...]:
    return (path, *map(str, PurePosixPath(path).parents))
