"""Commit: what was staged is held against the card, shown where it must be, and applied whole or not at all.

What this stops: an overwrite, a deletion, a flood of files or a surprise passing under a yes that was given to
something else. A yes answers one seal (the hash of the whole change set) and nothing else.
What it does not: judge content. A person sees the diff.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from kernel.model import Authorization
from permissions.model import Change, ChangeKind, ChangeSet

MANY_FILES = 20
"""More changed paths than this are shown before they are applied."""


class Concern(StrEnum):
    """Why a change set asks again before it is applied."""

    OVERWRITES = "overwrites"
    DELETES = "deletes"
    MANY = "many"


def concerns(changes: ChangeSet, authorization: Authorization, *, yes: bool) -> tuple[tuple[Concern, str], ...]:
    """Return why ``changes`` must be asked about (with the path), empty when the card already covers them.

    Only creating and appending inside the card never asks. ``yes`` (a script's advance consent) answers exactly the
    overwrites and deletions of paths that the request itself named.
    """
    named = {path for rights in authorization.tasks for path in rights.named} if yes else set()
    found = [found for change in changes.changes for found in _concern(change, named)]
    if sum(not change.folder for change in changes.changes) > MANY_FILES:
        found.append((Concern.MANY, str(len(changes.changes))))
    return tuple(found)


def _concern(change: Change, named: set[str]) -> Iterable[tuple[Concern, str]]:
    if change.path in named:
        return ()
    if change.kind is ChangeKind.DELETED:
        return ((Concern.DELETES, change.path),)
    if change.kind is ChangeKind.MODIFIED and not change.appends:
        return ((Concern.OVERWRITES, change.path),)
    return ()
