"""What is the case around a request beside what Steward did: a file that has just come, an appointment near now.

It is looked at when a request is made, or when offers are asked for, and at no other time: nothing is watched for it. A
request's own is written beside it (``AROUND``), since nobody could tell later what lay there then.

What this stops: a word of others in what is kept: of a file its kind alone (``.pdf``), of an appointment whether it is
ahead or has begun. What it does not: open a file or a calendar; of appointments it knows what is known already.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memory.errors import StoreError
from skills import one_import

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.run import Run

AROUND = "run.around"
"""What was the case when a request was made: ``fresh``, ``event``; nothing else, and no event where it is neither."""

FRESH = timedelta(minutes=15)
"""So long a file has just come."""

AHEAD, BEGUN = timedelta(minutes=30), timedelta(minutes=90)
"""So long before it begins an appointment is ahead, and so long after that it has begun."""

MOST_LOOKED_AT = 2_000
"""Of a folder with more entries nothing is told: a look costs no request more than a moment."""

_KINDS = {"fresh": re.compile(r"\.[a-z0-9]{1,8}"), "event": re.compile(r"ahead|begun")}
_WHERE = ("Downloads", "Desktop")
_UNFINISHED = frozenset({".part", ".partial", ".crdownload", ".download", ".tmp", ".swp"})


def told(body: Mapping[str, object]) -> dict[str, str]:
    """Return what an ``AROUND`` event tells; nothing that it could not have told."""
    return {kind: str(body[kind]) for kind, form in _KINDS.items() if form.fullmatch(str(body.get(kind, "")))}


async def note(run: Run) -> None:
    """Write down what is the case around a request of the person's own."""
    if run.client or run.private:
        return
    found = await asyncio.to_thread(surroundings, run.house, run.utterance.now)
    if found:
        await run.log.say(AROUND, None, found, durable=False)


def surroundings(house: House, now: datetime) -> dict[str, str]:
    """Return what is the case at a moment: ``fresh``, the kind of the file that came last; ``event``, what is near."""
    found = {"fresh": _fresh(house, now), "event": _event(house, now)}
    return {kind: one for kind, one in found.items() if one}


def _fresh(house: House, now: datetime) -> str:
    since, latest, kind = (now - FRESH).timestamp(), 0.0, ""
    for folder in (place for name in _WHERE for place in house.world.folders(name)[:1]):
        with suppress(OSError):
            if os.stat(folder).st_mtime < since:  # nothing has come into it
                continue
            for path, changed in _files(folder):
                suffix = os.path.splitext(path)[1].lower()
                if max(latest, since) <= changed <= now.timestamp() and _KINDS["fresh"].fullmatch(suffix):
                    latest, kind = (changed, suffix) if suffix not in _UNFINISHED else (latest, kind)
    return kind


def _files(folder: str) -> list[tuple[str, float]]:
    """The plain files of a folder, each with when it was written last; none of one with very many entries."""
    with os.scandir(folder) as entries:
        listed = [one for one, _ in zip(entries, range(MOST_LOOKED_AT + 1), strict=False)]
    if len(listed) > MOST_LOOKED_AT:
        return []
    plain = [one for one in listed if not one.name.startswith(".") and one.is_file(follow_symlinks=False)]
    return [(one.name, one.stat(follow_symlinks=False).st_mtime) for one in plain]


def _event(house: House, now: datetime) -> str:
    """Whether an appointment that is known is ahead, or has begun; the one that is ahead counts."""
    if not house.knowledge.has_made("event"):
        return ""
    with one_import:
        from memory.graph import Query

    at = now.timestamp()
    try:
        facts = house.knowledge.graph().facts(Query(predicate="happened_at", valid_at=int(at * 1e9)))
    except StoreError:
        return ""
    away = [int(one.object.value) / 1e9 - at for one in facts]
    if any(0 <= one <= AHEAD.total_seconds() for one in away):
        return "ahead"
    return "begun" if any(-BEGUN.total_seconds() <= one < 0 for one in away) else ""
