"""Commit: what was staged is held against the card, shown where it must be, and applied whole or not at all.

What this stops: an overwrite, a deletion, a flood of files or a surprise passing under a yes that was given to
something else. A yes answers one seal (the hash of the whole change set) and nothing else. A change that ended up
outside what was decided, because a folder was swapped for a link between the check and the staging.
What it does not: judge content. A person sees the diff.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath

from kernel.model import Authorization
from permissions.model import Action, Change, ChangeKind, ChangeSet, Right

MANY_FILES = 20
"""More changed files, or more changed folders, than this are shown before they are applied."""


class Concern(StrEnum):
    """Why a change set asks again before it is applied."""

    OVERWRITES = "overwrites"
    DELETES = "deletes"
    MANY = "many"


def concerns(changes: ChangeSet, authorization: Authorization, *, yes: bool) -> tuple[tuple[Concern, str], ...]:
    """Return why ``changes`` must be asked about (with the path), empty when the card already covers them.

    Only creating and appending inside the card never asks. ``yes`` (a script's advance consent) answers exactly the
    overwrites and deletions of paths that the request itself named in order to change or delete them.
    """
    found = [concern for change in changes.changes if (concern := _concern(change, authorization, yes))]
    folders = sum(change.folder for change in changes.changes)
    if max(folders, len(changes.changes) - folders) > MANY_FILES:
        found.append((Concern.MANY, str(len(changes.changes))))
    return tuple(found)


def _concern(change: Change, authorization: Authorization, yes: bool) -> tuple[Concern, str] | None:
    if change.kind is ChangeKind.DELETED:
        action, kind = Action.FS_DELETE, Concern.DELETES
    elif change.kind is ChangeKind.MODIFIED and not change.appends:
        action, kind = Action.FS_WRITE, Concern.OVERWRITES
    else:
        return None
    return None if yes and _is_named(Right(action, change.path), authorization) else (kind, change.path)


def _is_named(right: Right, authorization: Authorization) -> bool:
    """Tell whether a task asked for this very path, as the request named it.

    A folder that was named to look or to put something into gives a tree; nobody said that it shall go itself.
    """
    return any(right in rights.needs and right.scope in rights.named for rights in authorization.tasks)


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


def _and_above(path: str) -> tuple[str, ...]:
    return (path, *map(str, PurePosixPath(path).parents))
