"""A file as the trigger of a routine brings it: the value that a tool would return, and what tells it from others."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING

from kernel.routines.contents import by_name
from kernel.routines.firing import Come
from kernel.routines.model import Change, FileSeen
from kernel.routines.routine import Routine
from kernel.routines.watching.fitting import fits, is_such
from kernel.routines.watching.settling import Seen, is_unfinished

if TYPE_CHECKING:
    from kernel.house import House

_MOST_LOOKED_AT = 20_000
MOST_LYING = 1_000


def come_of(house: House, routine: Routine, seen: Seen) -> Come | None:
    """Return what came to ``routine`` with the file that was ``seen``; None where it is none of those that it means, as
    far as that is told without opening it.
    """
    now = house.clock().astimezone(UTC)
    if seen.change is Change.DELETED:  # nothing of it is left to tell two deletions of one path apart but their times
        return (
            Come(_mark(seen, 0, int(now.timestamp() * 1e6)), now) if _is_meant(house, routine, seen.path, 0) else None
        )
    try:
        found = os.lstat(seen.path)
    except OSError:
        return None  # it is gone again
    if not _is_meant(house, routine, seen.path, found.st_size):
        return None
    return Come(_mark(seen, found.st_ino, found.st_ctime_ns), now, 0, value_of(seen.path, found),
                os.path.basename(seen.path))  # fmt: skip


def value_of(path: str, found: os.stat_result) -> list[dict[str, object]]:
    """Return a file as a tool that finds files returns one."""
    modified = datetime.fromtimestamp(found.st_mtime, UTC).astimezone().isoformat()
    return [{"path": path, "size_bytes": found.st_size, "modified": modified}]


def newest(house: House, routine: Routine) -> Come | None:
    """Return what would have come to ``routine`` with the newest file there that it means; None where there is none."""
    meant = fitting(routine)
    return next((come for one in meant if (come := come_of(house, routine, one)) is not None), None)


def fitting(routine: Routine) -> list[Seen]:
    """Return the files that lie where ``routine`` waits for some and fit its trigger by their names, newest first."""
    trigger = routine.trigger
    if not isinstance(trigger, FileSeen):
        return []
    there = (seen_at(trigger, path) for path in _there(trigger.folder, trigger.below))
    return sorted((one for one in there if fits(trigger, one)), key=lambda one: _changed(one.path), reverse=True)


def lying(house: House, routine: Routine) -> tuple[list[str], bool]:
    """Return the files that lie there and would be meant, newest first, and whether more lie there than were looked at:
    ``MOST_LYING``, since it is only told.
    """
    trigger = routine.trigger
    if not isinstance(trigger, FileSeen):
        return [], False
    paths = list(islice(_there(trigger.folder, trigger.below), MOST_LYING + 1))
    nouns = nouns_of(house) if routine.such else ()
    found: list[tuple[float, str]] = []
    for path in paths[:MOST_LYING]:
        if not fits(trigger, seen_at(trigger, path)):
            continue
        with suppress(OSError):  # it is gone by now
            at = os.lstat(path)
            if is_such(by_name(routine.such), path, at.st_size, nouns):
                found.append((at.st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)], len(paths) > MOST_LYING


def seen_at(trigger: FileSeen, path: str) -> Seen:
    """Return the file at ``path`` as if what ``trigger`` waits for had just happened to it."""
    moved = trigger.change is Change.MOVED_IN
    return Seen(Change.CREATED if moved or trigger.change is Change.WRITTEN else trigger.change, path, moved)


def _is_meant(house: House, routine: Routine, path: str, size: int) -> bool:
    return not routine.such or is_such(by_name(routine.such), path, size, nouns_of(house))


def nouns_of(house: House) -> Sequence[Sequence[str]]:
    """Return the groups of words that mean the same in the name of a file."""
    tools = (tool for skill in house.registry.skills() for tool in skill.tools)
    return tuple({group for tool in tools for group in tool.nouns})


def _there(folder: str, below: bool) -> Iterator[str]:
    """Yield the files in a folder, and below it where wanted; no more than can be looked at in a moment."""
    left = _MOST_LOOKED_AT
    for place, names, files in os.walk(folder):
        names[:] = [name for name in names if below and not name.startswith(".")]
        for name in files[:left]:
            if not is_unfinished(name):
                yield os.path.join(place, name)
        left -= len(files)
        if left <= 0:
            return


def _changed(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _mark(seen: Seen, inode: int, changed_ns: int) -> str:
    """A digest: what a file is called stands with its run alone, and can be forgotten with it."""
    text = f"{seen.change}\0{seen.path}\0{inode}\0{changed_ns}"
    return blake2b(text.encode(errors="surrogateescape"), digest_size=12).hexdigest()
