"""Throwing away our own leftovers: few at once, many behind the user's back.

Unlinking thousands of files can take longer than the commit that made them superfluous; they are renamed into
``garbage`` and removed by a thread, or at the next start.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from contextlib import suppress

from permissions.transactions.files import remove_tree
from permissions.transactions.resolve import Folders
from permissions.transactions.shop import Shop

_MANY = 256
_PAUSE_S = 0.25
_ONE_AT_A_TIME = threading.Lock()
_DUE: set[tuple[int, str]] = set()
"""Whose garbage a thread of which process is about to empty."""


def throw_away(shop: Shop, folders: Folders, path: str, *, later: bool = False) -> None:
    """Remove a folder of ours; a big one, and every one ``later``, disappears at once and is emptied by and by.

    Raises OSError.
    """
    if folders.lstat(path) is None:
        return
    if not (later or _is_big(path)):
        remove_tree(folders, path)
        return
    folders.forget()
    os.rename(path, f"{shop.folder}/garbage/{os.path.basename(path)}-{time.time_ns()}")
    _empty_soon(shop)


def empty(shop: Shop, folders: Folders) -> None:
    """Remove all garbage. Raises OSError."""
    with _ONE_AT_A_TIME:
        for name in os.listdir(f"{shop.folder}/garbage"):
            remove_tree(folders, f"{shop.folder}/garbage/{name}")


def _empty_soon(shop: Shop) -> None:
    """Let a thread empty the garbage when whoever waits now has been served; one that is about to do so is enough."""
    due = os.getpid(), shop.folder  # no thread of ours goes on in a child
    if due not in _DUE:
        _DUE.add(due)
        threading.Thread(target=_empty_quietly, args=(shop, due), name="steward-garbage", daemon=True).start()


def _empty_quietly(shop: Shop, due: tuple[int, str]) -> None:
    time.sleep(_PAUSE_S)
    _DUE.discard(due)
    folders = Folders()
    try:
        with suppress(OSError):  # what is left is for the next start
            empty(shop, folders)
    finally:
        folders.close()


def _is_big(path: str) -> bool:
    names = (name for _, below, inside in os.walk(path) for name in (*below, *inside))
    return next(itertools.islice(names, _MANY, None), None) is not None
