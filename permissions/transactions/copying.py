"""What finished runs are taken back with, put into another folder: journals and old contents, nothing under way.

What this stops: half of a commit in a copy (the caller holds the lock of all commits); reading long contents under that
lock: they get a second name where the disk can, for they are never written again.
What it does not: follow a link.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from permissions.transactions.shop import Shop, private_folder

DONE, PREIMAGES = "journal/done", "preimages"
KEPT = (DONE, PREIMAGES)
"""What is kept of finished runs, below the folder of transactions."""


def keep(shop: Shop, to: Path) -> None:
    """Fill ``to``. Raises OSError."""
    for name in KEPT:
        private_folder(f"{to}/{name}")
        _link_tree(f"{shop.folder}/{name}", f"{to}/{name}")


def drop(folder: Path, run: str) -> None:
    """Remove from such a copy what ``run`` would be taken back with; its undos' journals, too. Raises OSError."""
    done = folder / DONE
    for tag in os.listdir(done) if done.is_dir() else ():
        if tag.partition("~")[0] == run:
            (done / tag).unlink()
    kept = folder / PREIMAGES / run
    if kept.is_dir():
        shutil.rmtree(kept)


def _link_tree(source: str, target: str) -> None:
    for one in os.scandir(source):
        place = f"{target}/{one.name}"
        if one.is_dir(follow_symlinks=False):
            os.mkdir(place, 0o700)
            _link_tree(one.path, place)
        elif one.is_file(follow_symlinks=False):
            try:
                os.link(one.path, place, follow_symlinks=False)
            except OSError:  # another disk, or one without second names
                shutil.copy2(one.path, place, follow_symlinks=False)
