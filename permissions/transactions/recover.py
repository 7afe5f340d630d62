"""After a crash: every open journal is brought to one side, and what nobody waits for is removed.

What this stops: a home between two states; pre-images, staging and temporary names that nobody owns any more.
What it does not: touch a path that somebody changed after the crash; it is reported instead.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection

from permissions.transactions import apply, files, garbage, journal, seal
from permissions.transactions.failures import place
from permissions.transactions.garbage import throw_away
from permissions.transactions.journal import Record
from permissions.transactions.model import HalfDone, Recovered, Recovery
from permissions.transactions.resolve import Folders
from permissions.transactions.retention import drop_orphans
from permissions.transactions.shop import Shop, private_folder


def recover(shop: Shop, folders: Folders, alive: Collection[str]) -> list[Recovered]:
    """Settle all open journals and drop orphans, but not the staging of runs ``alive``. Raises OSError.

    One whose disk refuses stays open, and is tried again the next time; nothing else waits for it.
    """
    found = [_settled(shop, folders, tag) for tag in journal.tags(shop, "open")]
    handled = {item.run for item in found}
    waiting = {item.run for item in found if item.action is Recovery.WAITING}
    for run in sorted(os.listdir(f"{shop.folder}/runs")):
        if run not in alive and run not in waiting and seal.load(shop.run_folder(run)) is None:
            files.remove_tree(folders, shop.run_folder(run))
            if run not in handled:
                found.append(Recovered(run, Recovery.DROPPED))
    _drop_orphans(shop, folders)
    garbage.empty(shop, folders)
    return found


def _settled(shop: Shop, folders: Folders, tag: str) -> Recovered:
    try:
        return settle(shop, folders, tag)
    except OSError as error:
        if place(error).startswith(shop.folder):
            raise  # our own disk
        folders.forget()
        run = tag.partition("~")[0]
        refused = (place(error),) if place(error).startswith("/") else ()
        return Recovered(run, Recovery.WAITING, refused, (f"{place(error) or run}: {error.strerror or error}",))


def half_done(shop: Shop, tag: str, path: str, why: str) -> HalfDone | None:
    """Return what the open journal ``tag`` left half way, None where it changed nothing or all of it. Raises OSError.

    ``path`` is what the disk refused, empty where nobody said that.
    """
    record = journal.read(shop, "open", tag)
    if record is None or record.applied is not None:
        return None
    committed = journal.read(shop, "done", record.run) if record.is_undo else record
    changes = ((committed and committed.plan) or {}).get("changes", [])
    return HalfDone(record.run, record.is_undo, path or next((change["path"] for change in changes), ""), why)


def settle(shop: Shop, folders: Folders, tag: str) -> Recovered:
    """Bring one open journal to an end: forward if it was applied, back otherwise. Raises OSError."""
    record = journal.read(shop, "open", tag) or Record(tag)
    changes = (record.plan or {}).get("changes", [])
    paths = tuple(change["path"] for change in changes)
    if record.applied is not None:
        finish(shop, folders, record)
        return Recovered(record.run, Recovery.UNDO_FINISHED if record.is_undo else Recovery.FINISHED, paths)
    problems = apply.take_back(shop, folders, record)
    if not record.is_undo:
        files.remove_tree(folders, shop.run_folder(record.run))
        _put_preimages_away(shop, folders, record.run, bool(problems))
    journal.discard(shop, tag)
    return Recovered(record.run, Recovery.UNDO_ROLLED_BACK if record.is_undo else Recovery.ROLLED_BACK, paths, problems)


def _put_preimages_away(shop: Shop, folders: Folders, run: str, wanted: bool) -> None:
    """Old contents that could not be put back, because somebody changed the file after the crash, are kept apart."""
    if not wanted:
        files.remove_tree(folders, shop.preimages(run))
    elif os.path.isdir(shop.preimages(run)):
        private_folder(f"{shop.folder}/kept")
        os.rename(shop.preimages(run), f"{shop.folder}/kept/{run}-{time.time_ns()}")


def finish(shop: Shop, folders: Folders, record: Record) -> None:
    """Clean up behind something that was applied, and file its journal. Raises OSError."""
    apply.clear(shop, folders, record.tag, (record.plan or {}).get("temps", []))
    if not record.is_undo:
        throw_away(shop, folders, shop.run_folder(record.run))
    else:
        _drop_used_preimages(shop, folders, record)
    journal.finish(shop, record.tag)


def _drop_used_preimages(shop: Shop, folders: Folders, record: Record) -> None:
    done = journal.read(shop, "done", record.run)
    if done is None or done.plan is None:
        return
    records, undone = done.plan["records"], (record.plan or {})["undone"]
    if len(undone) == len(records):
        throw_away(shop, folders, shop.preimages(record.run))
        undone = []
    for index in undone:
        if "pre" in records[index]:
            files.remove_tree(folders, f"{shop.preimages(record.run)}/{records[index]['pre']}")


def _drop_orphans(shop: Shop, folders: Folders) -> None:
    drop_orphans(shop)
    waiting = set(journal.tags(shop, "open"))
    known = waiting | set(journal.tags(shop, "done"))
    for run in os.listdir(f"{shop.folder}/preimages"):
        if run not in known:
            files.remove_tree(folders, shop.preimages(run))
    for tag in os.listdir(f"{shop.folder}/holding"):
        if tag not in waiting:  # what is done holds nothing any more; the removal may have been lost with the power
            files.remove_tree(folders, shop.holding(tag))
