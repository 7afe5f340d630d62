"""Forgetting runs: the journals, old contents and trash that a person's "forget" must reach.

What this stops: old contents, paths or diffs of a forgotten run staying on disk; a thing in the trash being taken for
one that a run put there (its description must name the path that the run deleted).
What it does not: words inside packed files (a PDF, an archive), which are not opened here; blocks that a disk has not
reused; what lies in the home.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from permissions.transactions import files, garbage, journal
from permissions.transactions.journal import Record
from permissions.transactions.resolve import Folders
from permissions.transactions.shop import Shop

_PIECE_BYTES = 1 << 20
_OVERLAP_BYTES = 4 << 10

InText = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Gone:
    """How many runs can no longer be taken back, and how many things left the trash."""

    runs: int
    trash: int


def mentioning(shop: Shop, in_text: InText) -> tuple[str, ...]:
    """Return the runs that mention it, sorted. Raises OSError."""
    found = {record.run for record in _records(shop) if in_json([record.begin, record.plan, record.applied], in_text)}
    for place in ("preimages", "runs"):
        for run in os.listdir(f"{shop.folder}/{place}"):
            if run not in found and _tree_mentions(f"{shop.folder}/{place}/{run}", in_text):
                found.add(run)
    found |= {run for run, path in _kept(shop) if _tree_mentions(path, in_text)}
    return tuple(sorted(found))


def forget(shop: Shop, folders: Folders, runs: Collection[str], in_text: InText) -> Gone:
    """Remove what is kept for ``runs``. Raises OSError."""
    wanted, trash = set(runs), 0
    gone: set[str] = set()
    for record in [one for one in _records(shop, "done") if one.run in wanted]:
        if not record.is_undo:
            trash += _empty_trash(folders, record, in_text)
        files.remove_tree(folders, shop.preimages(record.run))
        os.unlink(f"{shop.journal('done')}/{record.tag}")
        gone.add(record.run)
    for run, path in list(_kept(shop)):
        if run in wanted:
            files.remove_tree(folders, path)
    garbage.empty(shop, folders)
    return Gone(len(gone), trash)


def in_json(value: Any, in_text: InText) -> bool:
    """Tell whether any text or key of a JSON value holds it."""
    match value:
        case str():
            return in_text(value)
        case dict():
            return any(in_json(key, in_text) or in_json(one, in_text) for key, one in value.items())
        case list():
            return any(in_json(one, in_text) for one in value)
    return False


def _records(shop: Shop, *states: str) -> Iterator[Record]:
    for state in states or ("done", "open"):
        for tag in journal.tags(shop, state):
            record = journal.read(shop, state, tag)
            if record is not None:
                yield record


def _kept(shop: Shop) -> Iterator[tuple[str, str]]:
    """Yield (run, folder) of old contents that a crash left apart."""
    folder = f"{shop.folder}/kept"
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        yield name.rpartition("-")[0], f"{folder}/{name}"


def _empty_trash(folders: Folders, record: Record, in_text: InText) -> int:
    removed = 0
    for one in (record.plan or {}).get("records", ()):
        if "trash" not in one or not _is_that(one["info"], one["path"]):
            continue
        if in_text(one["path"]) or in_text(os.path.basename(one["trash"])) or _tree_mentions(one["trash"], in_text):
            files.remove_tree(folders, one["trash"])
            os.unlink(one["info"])
            removed += 1
    return removed


def _is_that(info: str, path: str) -> bool:
    """Tell whether a description in the trash is that of ``path``: its slot may have another thing by now."""
    try:
        with open(info, encoding="utf-8", errors="surrogateescape") as lines:
            named = [unquote(line[5:].strip(), errors="surrogateescape") for line in lines if line.startswith("Path=")]
    except OSError:
        return False
    return bool(named) and (path == named[0] or path.endswith(f"/{named[0]}"))


def _tree_mentions(top: str, in_text: InText) -> bool:
    if not os.path.isdir(top) or os.path.islink(top):
        return _file_mentions(top, in_text)
    for folder, names, found in os.walk(top):
        if any(in_text(name) for name in (*names, *found)):
            return True
        if any(_file_mentions(f"{folder}/{name}", in_text) for name in found):
            return True
    return False


def _file_mentions(path: str, in_text: InText) -> bool:
    if os.path.islink(path):
        return in_text(os.readlink(path))
    try:
        with open(path, "rb") as file:
            before = b""
            while piece := file.read(_PIECE_BYTES):
                if in_text((before + piece).decode("utf-8", "replace")):
                    return True
                before = piece[-_OVERLAP_BYTES:]
    except FileNotFoundError:
        return False
    return False
