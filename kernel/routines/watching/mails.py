"""Mail as a source of events: what has come into the mailbox is looked at, and told where it is waited for.

What this stops: a mail that sets a routine off twice, or because a mail program moved it; a mailbox that is filled at
once (more than ``MOST_AT_ONCE`` mails that wait to be looked at) and has a routine look without end.
What it does not: open a mail, which is the look's; make up for mails that came while no daemon ran.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any

from kernel.routines.firing import Come
from kernel.routines.looking import Looks
from kernel.routines.model import FileSeen
from kernel.routines.routine import Routine
from kernel.routines.waited_for import look_task, look_tool
from kernel.routines.watching.settling import Seen, is_unfinished
from kernel.routines.watching.unopened import Opening

if TYPE_CHECKING:
    from kernel.house import House

MOST_AT_ONCE = 500
AT_A_TIME = 50
"""So many mails are looked at in one call."""

_BEING_WRITTEN = "tmp"


def _may_be(_house: House, _routine: Routine, seen: Seen) -> bool:
    """Tell whether a mail has come: one that was only moved within its mailbox has not."""
    folder, before = (os.path.basename(os.path.dirname(path)) for path in (seen.path, seen.known))
    return folder != _BEING_WRITTEN and (not seen.known or before == _BEING_WRITTEN)


async def _comes(house: House, looks: Looks, routine: Routine, seen: Sequence[Seen]) -> AsyncIterator[tuple[Come, str]]:
    paths = [one.path for one in seen]
    for first in range(0, len(paths), AT_A_TIME):
        for one in await arrived(house, looks, routine, paths[first : first + AT_A_TIME]):
            yield one


async def arrived(house: House, looks: Looks, routine: Routine, paths: Sequence[str]) -> list[tuple[Come, str]]:
    """Return what comes to ``routine`` with those of the mails at ``paths`` that it waits for, each with where it lies.

    Raises NotNow.
    """
    tool = look_tool("mail", house.registry.skills())
    if tool is None:
        return []
    files = [{"path": path} for path in paths]
    found = await looks.look(routine, look_task(tool, routine, files))
    at = house.clock().astimezone(UTC)
    return [(_come(one, at), _path_of(one)) for one in found.value]


def _come(mail: Mapping[str, Any], at: Any) -> Come:
    return Come(str(mail["key"]), at, 0, [mail], str(mail["subject"]) or str(mail["sender"]))


def _path_of(mail: Mapping[str, Any]) -> str:
    return str(mail["file"]["path"])


async def newest(house: House, looks: Looks, routine: Routine) -> Come | None:
    """Return what would come to ``routine`` with the newest mail there that it waits for. Raises NotNow."""
    trigger = routine.trigger
    assert isinstance(trigger, FileSeen)
    paths = await asyncio.to_thread(_latest, trigger.folder)
    for first in range(0, len(paths), AT_A_TIME):
        found = await arrived(house, looks, routine, paths[first : first + AT_A_TIME])
        if found:
            return found[-1][0]
    return None


def _latest(folder: str) -> list[str]:
    """Return the mails that came last into a folder and below it, the newest first; no more than may be looked at."""
    found: list[tuple[float, str]] = []
    for place, names, files in os.walk(folder):
        names[:] = [name for name in names if not name.startswith(".") and name != _BEING_WRITTEN]
        for name in files:
            path = os.path.join(place, name)
            if not is_unfinished(name):
                found.append((os.lstat(path).st_mtime if os.path.lexists(path) else 0.0, path))
    return [path for _, path in sorted(found, reverse=True)[:MOST_AT_ONCE]]


MAILS = Opening(_may_be, _comes, MOST_AT_ONCE, "broken.mails")
"""Mails that came."""
