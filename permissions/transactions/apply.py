"""The common course of a commit and an undo: begin, prepare, plan, do, applied, clean up; and its recovery.

What this stops: a home between two states, whatever dies when; a failure that leaves leftovers.
What it does not: hide the intermediate states from other programs while the steps run.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from permissions.errors import Conflict, PermissionsError, StorageFailed
from permissions.transactions import files, journal
from permissions.transactions.draft import Draft
from permissions.transactions.failures import from_os, place
from permissions.transactions.garbage import throw_away
from permissions.transactions.journal import Journal, Record
from permissions.transactions.ordering import order
from permissions.transactions.resolve import Folders
from permissions.transactions.shop import Shop, make_durable
from permissions.transactions.steps import Engine, Step

Times = Mapping[str, tuple[int, int]]


def carry_out(
    shop: Shop, folders: Folders, draft: Draft, tag: str, head: dict[str, Any], result: Callable[[], dict[str, Any]]
) -> Record:
    """Carry a draft out: afterwards everything is done and durable, or an error is raised and nothing changed.

    ``head`` goes into the plan, ``result()`` (versions after the steps) into the applied record. The journal is left
    open past the point of no return; the caller finishes what is returned, which is what the journal says.
    """
    book = None
    engine = Engine(folders, shop.checkpoint)
    try:
        book = Journal(shop, tag)
        if draft.temps:
            book.write("begin", {"temps": draft.temps, "times": draft.times})
        draft.prepare()
        steps = order(draft.steps, draft.spot)
        _settle(shop, folders, draft)
        plan = {**head, "temps": draft.temps, "times": draft.times, "steps": [s.to_json() for s in steps]}
        book.write("plan", plan)
        draft.started = True
        engine.run(steps)
        try:
            shop.checkpoint("steps:done")
            _touch(folders, head.get("restore", {}))
            make_durable(folders, _filled(steps), _touched(steps, folders))
            shop.checkpoint("steps:durable")
            engine.look_again(steps)
            applied = result()
            book.write("applied", applied)
        except (OSError, Conflict):
            engine.back(steps)
            raise
        return Record(tag, None, plan, applied)
    except (OSError, PermissionsError) as error:
        if engine.is_half_done:  # the open journal is all that knows how to take it back
            raise _not_taken_back(error.__context__ or error, error, engine.refused) from error
        _give_up(shop, folders, draft, tag, error)
        raise (from_os(error, place(error)) if isinstance(error, OSError) else error) from error
    finally:
        if book is not None:
            book.close()


def _settle(shop: Shop, folders: Folders, draft: Draft) -> None:
    """Make all prepared files durable before the plan promises them."""
    holding = shop.holding(draft.tag)
    names = {path.rpartition("/")[0] for path in draft.prepared} | {holding, *draft.copied}
    make_durable(folders, draft.prepared, names)
    shop.checkpoint("prepared:durable")


def _give_up(shop: Shop, folders: Folders, draft: Draft, tag: str, error: Exception) -> None:
    """Clear what a failed attempt left. If even that fails the open journal lets recovery do it."""
    try:
        clear(shop, folders, tag, draft.temps)
        if draft.temps or draft.started:
            _touch(folders, draft.times)
        journal.discard(shop, tag)
    except OSError as second:
        raise _not_taken_back(error, second) from error


def _not_taken_back(first: BaseException, second: Exception, path: str = "") -> StorageFailed:
    """Return how something ends that failed, and whose taking back failed as well."""
    why = from_os(first, path or place(first)) if isinstance(first, OSError) else first
    hint = (
        "Make that disk writable, then start Steward anew, which finishes taking it back: ./steward down, ./steward up"
    )
    message = f"{why} Taking it back failed as well: {second}."
    return StorageFailed("storage.half_done", message, subject=getattr(why, "subject", ""), hint=hint)


def _filled(steps: Iterable[Step]) -> list[str]:
    return [step.path for step in steps if step.op == "fill"]


def _touched(steps: Iterable[Step], folders: Folders) -> list[str]:
    paths = {path.rpartition("/")[0] for step in steps for path in (step.path, step.other) if path}
    return [path for path in paths if _is_folder(folders, path)]


_UNCHANGEABLE = (errno.EPERM, errno.EACCES, errno.EROFS)
"""A shared folder of somebody else's, or one on a disk that nobody can write to (any more)."""


def _touch(folders: Folders, times: Times) -> None:
    """Give folders their times back; inner ones first, so that nothing is disturbed again."""
    for folder in sorted(times, reverse=True):
        if _is_folder(folders, folder):
            parent, name = folders.at(folder)
            atime, mtime = times[folder]
            try:
                os.utime(name, ns=(atime, mtime), dir_fd=parent, follow_symlinks=False)
            except OSError as error:
                if error.errno not in _UNCHANGEABLE:
                    raise


def _is_folder(folders: Folders, path: str) -> bool:
    info = folders.lstat(path) if path else None
    return info is not None and stat.S_ISDIR(info.st_mode)


def clear(shop: Shop, folders: Folders, tag: str, temps: Iterable[str]) -> None:
    """Remove what lies in holding and under temporary names, for good; the times of the folders stay. OSError."""
    shop.checkpoint("clear")
    for path in temps:
        above = folders.lstat(path.rpartition("/")[0])
        if above is not None and folders.lstat(path) is not None:
            files.remove_tree(folders, path)
            _touch(folders, {path.rpartition("/")[0]: (above.st_atime_ns, above.st_mtime_ns)})
    throw_away(shop, folders, shop.holding(tag))


def take_back(shop: Shop, folders: Folders, record: Record) -> tuple[str, ...]:
    """Roll an interrupted commit or undo back; returns the paths that somebody changed meanwhile. Raises OSError."""
    problems: tuple[str, ...] = ()
    steps: list[Step] = []
    if record.plan is not None:
        steps = [Step.from_json(step) for step in record.plan["steps"]]
        problems = Engine(folders, shop.checkpoint).back(steps)
    known = record.plan or record.begin or {"temps": [], "times": {}}
    clear(shop, folders, record.tag, known["temps"])
    _touch(folders, {path: (row[0], row[1]) for path, row in known["times"].items()})
    make_durable(folders, _filled(steps), _touched(steps, folders))
    return problems
