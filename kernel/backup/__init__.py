"""Backups: what Steward keeps of a person in one file, and put back from one (decision 61).

``gathering`` takes a moment of it, ``archive`` is the file and what is believed of one, ``taking`` writes them and
``book`` remembers where, ``forgetting`` lets a forget reach them, ``restoring`` puts one in place and ``swapping`` does
that whole or not at all. What each takes is loaded when it is called: no start waits for it.

Promises: a backup is one moment, and its ledger verifies; nothing of an archive is put anywhere before all of it was
checked; a restore that dies leaves the old state or the new one. Never: the person's own files, or anything that is
worked out anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.config import Folders

if TYPE_CHECKING:
    from kernel.backup.model import Progress
    from kernel.backup.restoring import Restored

__all__ = ["examine_backup", "finish_restore", "restore_backup"]


def examine_backup(path: Path, tell: Callable[[Progress], object], folders: Folders | None = None) -> dict[str, Any]:
    """Check a whole backup; return what it holds and what restoring it here would mean. Raises BadRequest."""
    from kernel.backup.restoring import examine

    return examine(path, folders or Folders(), tell)


def restore_backup(path: Path, tell: Callable[[Progress], object], folders: Folders | None = None) -> Restored:
    """Put a backup in place of the present state; no daemon runs. Raises BadRequest, NotNow: nothing was changed."""
    from kernel.backup.restoring import restore

    return restore(path, folders or Folders(), tell=tell)


def finish_restore(folders: Folders | None = None) -> bool:
    """Finish a restore that was interrupted, and clear away what killed ones left; tell whether there was one.

    For the holder of the daemon's lock, before anything is opened. Raises NotNow, with what to do.
    """
    places = folders or Folders()
    if not any(place.exists() for place in (places.state / "restoring.json", places.data / "backup-work")):
        parents = (places.data.parent, places.config.parent)
        if not any(next(parent.glob(".steward-coming-*"), None) for parent in parents):
            return False
    from kernel.backup.swapping import finish

    return finish(places)
