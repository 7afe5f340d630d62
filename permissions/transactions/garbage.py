"""Throwing away our own leftovers: few at once, many behind the user's back.

Unlinking thousands of files can take longer than the commit that made them superfluous; they are renamed into
``garbage`` and removed by a thread, or at the next start.
"""

from __future__ import annotations

import itertools
import os
import queue
import threading
import time
from contextlib import suppress

from permissions.transactions.files import remove_tree
from permissions.transactions.resolve import Folders
from permissions.transactions.shop import Shop

_MANY = 256
_PAUSE_S = 0.25


def throw_away(shop: Shop, folders: Folders, path: str) -> None:
    """Remove a folder of ours; a big one disappears at once and is emptied by and by. Raises OSError."""
    if folders.lstat(path) is None:
        return
    if not _is_big(path):
        remove_tree(folders, path)
        return
    put_out(shop, folders, path)
    empty_soon(shop)


def put_out(shop: Shop, folders: Folders, path: str) -> None:
    """Let a folder of ours disappear: ``empty_soon``, or the next start, removes what is in it. Raises OSError."""
    folders.forget()
    with suppress(FileNotFoundError):
        os.rename(path, f"{shop.folder}/garbage/{os.path.basename(path)}-{time.time_ns()}")


def empty_soon(shop: Shop) -> None:
    """Have the garbage emptied behind the back of whoever waits now. Waking a thread takes a moment, too."""
    _EMPTIER.soon(shop)


def empty(shop: Shop, folders: Folders) -> None:
    """Remove all garbage. Raises OSError."""
    with _EMPTIER.one_at_a_time:
        for name in os.listdir(f"{shop.folder}/garbage"):
            remove_tree(folders, f"{shop.folder}/garbage/{name}")


class _Emptier:
    """A thread that empties garbage when whoever waits now has been served; started when there is some.

    It does not go on in a forked child, which begins anew: nobody there would give back what it holds.
    """

    def __init__(self) -> None:
        self.begin()
        os.register_at_fork(after_in_child=self.begin)

    def begin(self) -> None:
        """Begin with no thread, and nothing to empty."""
        self.one_at_a_time = threading.Lock()
        self._full: queue.SimpleQueue[Shop] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def soon(self, shop: Shop) -> None:
        """Empty the garbage of ``shop`` by and by."""
        self._full.put(shop)
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, name="steward-garbage", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            shops = [self._full.get()]
            time.sleep(_PAUSE_S)
            while not self._full.empty():
                shops.append(self._full.get())
            for shop in {shop.folder: shop for shop in shops}.values():
                _empty_quietly(shop)


_EMPTIER = _Emptier()


def _empty_quietly(shop: Shop) -> None:
    folders = Folders()
    try:
        with suppress(OSError):  # what is left is for the next start
            empty(shop, folders)
    finally:
        folders.close()


def _is_big(path: str) -> bool:
    names = (name for _, below, inside in os.walk(path) for name in (*below, *inside))
    return next(itertools.islice(names, _MANY, None), None) is not None
