"""What a private request put on the clock is told to the person, and no word of it to the ledger.

Which entries these are is written before the request's changes land, by a digest of each id: so it holds over a
restart, and nothing of the person's is in it.

What this stops: a reminder's words in the ledger for having rung; an id that a skill made of such words.
What it does not: reach what a later, open request does with the same entry; its old contents are kept for its undo.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memory import Ledger
from memory.model import Draft, Json
from permissions.labels import KERNEL_SAID
from skills.errors import SkillError
from skills.schedule import FILE, MOST_BYTES, Scheduled, read_schedule

HUSHED = "reminder.hushed"
"""Body {"names": [...]}: quiet names of entries."""


def quiet_name(name: str) -> str:
    """Return what the journal knows the entry ``name`` by where its id may not be said."""
    skill, _, entry = name.partition("/")
    return f"{skill}/~{hashlib.sha256(entry.encode()).hexdigest()[:20]}"


async def hush(ledger: Ledger, view: Sequence[Mapping[str, Any]], own: Path) -> None:
    """Have on disk which entries a private request is about to put on the clock or change."""
    draft = await asyncio.to_thread(hushed, view, own)
    if draft is not None:
        await asyncio.wrap_future(ledger.submit(draft))


def hushed(view: Sequence[Mapping[str, Any]], own: Path) -> Draft | None:
    """Return the event that says which entries staged changes put on the clock or change; None for none."""
    staged = dict(_staged(view, own))
    before = {
        name: entry for skill in {name.partition("/")[0] for name in staged} for name, entry in _there(own, skill)
    }
    changed = sorted(name for name, entry in staged.items() if before.get(name) != entry)
    if not changed:
        return None
    names: Json = [quiet_name(name) for name in changed]
    return Draft(kind=HUSHED, body={"names": names}, label=KERNEL_SAID.to_json())


def _staged(view: Sequence[Mapping[str, Any]], own: Path) -> Iterator[tuple[str, Scheduled]]:
    """Every file that is written into an own folder may come to be its schedule, by whatever name it is first."""
    top = f"{os.path.realpath(own)}/"
    for effect in view:
        if effect.get("blob_path") and str(effect["path"]).startswith(top):
            skill = str(effect["path"]).removeprefix(top).partition("/")[0]
            yield from _named(skill, Path(effect["blob_path"]))


def _there(own: Path, skill: str) -> Iterator[tuple[str, Scheduled]]:
    return _named(skill, own / skill / FILE)


def _named(skill: str, path: Path) -> Iterator[tuple[str, Scheduled]]:
    """Yield the entries of a file; none where it is no schedule, of which nothing is ever told."""
    try:
        with path.open("rb") as file:
            entries = read_schedule(file.read(MOST_BYTES + 1))
    except (OSError, SkillError):
        return
    yield from ((f"{skill}/{one.id}", one) for one in entries)
