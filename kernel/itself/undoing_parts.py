"""Taking back single files or folders of a run; the rest of it stays done, and can be taken back later.

What this stops: a path that is no part of the run being passed over, a run that counts as taken back while something of
it is left.
What it does not: take facts back that the run told, or rights that its card gave; they go with the whole of it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kernel.approval.card import change_view, taken_back
from kernel.errors import BadRequest
from kernel.itself.undoing import (
    Undoable,
    View,
    change_of,
    event_of,
    must_be_possible,
    said_again,
    shortened,
    take_back,
    told,
)
from kernel.itself.undoing_grants import grants_of
from kernel.itself.undoing_meanwhile import part_undone
from kernel.paths import short
from kernel.remembering import bulk
from permissions.errors import Conflict
from permissions.model import Change
from permissions.naming import shown

if TYPE_CHECKING:
    from kernel.house import House


def part_of(house: House, run: str, paths: Collection[str]) -> Undoable:
    """Return what taking back those changes of ``run`` does that are at or below the absolute ``paths``.

    Raises BadRequest where the run changed nothing at one of them, NotNow where nothing of the run can be undone.
    """
    what = change_of(house, run)
    if bad := next((path for path in paths if not os.path.isabs(path) or "\0" in path), None):
        raise BadRequest("undo.part", f"{shown(bad)} is no absolute path.", subject=shown(bad))
    wanted = _resolved(paths)
    chosen = _meant(house.transactions.effects(run), wanted)
    home, words = os.path.realpath(house.folders.home), _words(what)
    for path in wanted:
        if not _meant(chosen, (path,)):
            message = words["none"].format(path=short(path, home), run=run)
            raise BadRequest("undo.part", message, subject=path, hint=words["which"].format(run=run))
    must_be_possible(house, what, among=[change.path for change in chosen])
    return replace(what, changes=tuple(change_view(taken_back(change)) for change in chosen), facts=0, grants=())


async def take_part_back(house: House, run: str, paths: Collection[str]) -> View:
    """Take that part of a run back and say so. Raises as ``part_of``, and Conflict where it has changed since."""
    what, wanted = part_of(house, run, paths), _resolved(paths)
    if len(what.changes) == len(house.transactions.effects(run)) and not told(house, run) and not grants_of(house, run):
        return await take_back(house, change_of(house, run))
    await asyncio.wrap_future(house.ledger.submit(event_of(run, {"part": True}, kind="undo.started")))
    house.causes.note(run, house.transactions.effects(run))
    try:
        undone = (await asyncio.to_thread(lambda: house.transactions.undo(run, paths=wanted))).changes
    except Conflict as error:
        body = {"paths": list(error.paths[: bulk.FIRST])}
        await asyncio.wrap_future(house.ledger.submit(event_of(run, body, kind="undo.refused")))
        raise said_again(house, what, error) from error
    house.causes.made()
    changes = [change_view(taken_back(change)) for change in undone]
    written = replace(part_undone(run, changes), volatile=what.private)
    await asyncio.wrap_future(house.ledger.submit(written))
    words = _words(what)
    count = words["one" if len(changes) == 1 else "many"].format(count=len(changes))
    answer = words["done"].format(changes=count, run=run, text=shortened(what.text))
    return {"run": run, "effects": changes, "answer": answer, "text": what.text, "language": what.language}


def _resolved(paths: Collection[str]) -> tuple[str, ...]:
    """The paths as a run's changes have them: links of folders followed, the last name never."""
    plain = (one.rstrip("/") if os.path.basename(one.rstrip("/")) not in ("", ".", "..") else os.path.realpath(one)
             for one in paths)  # fmt: skip
    ends = ((os.path.realpath(os.path.dirname(path)), os.path.basename(path)) for path in plain)
    return tuple(f"{folder.rstrip('/')}/{name}" for folder, name in ends)


def _meant(changes: Sequence[Change], paths: Collection[str]) -> list[Change]:
    return [
        change
        for change in changes
        if any(
            place == path or place.startswith(f"{path}/")
            for place in (change.path, change.source or change.path)
            for path in paths
        )
    ]


def _words(what: Undoable) -> dict[str, str]:
    return _WORDS.get(what.language, _WORDS["en"])


_WORDS = {
    "en": {
        "none": "The run {run} changed nothing at {path} that could be taken back.",
        "which": "./steward runs {run} shows what it changed.",
        "one": "1 change",
        "many": "{count} changes",
        "done": "I took back {changes} of “{text}” (run {run}); the rest of it stays.",
    },
    "de": {
        "none": "Der Lauf {run} hat an {path} nichts geändert, was sich zurücknehmen ließe.",
        "which": "./steward runs {run} zeigt, was er geändert hat.",
        "one": "1 Änderung",
        "many": "{count} Änderungen",
        "done": "Ich habe {changes} von „{text}“ zurückgenommen (Lauf {run}); der Rest bleibt.",
    },
}
