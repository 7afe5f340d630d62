"""Pictures that runs were given: kept by run, and destroyed with the run's words.

What this stops: a picture staying of a private run, or of one whose words were forgotten or are past their time.
What it does not: reach a copy that somebody took of it.
"""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kernel.house import House

MOST_KEPT = 200
"""So many pictures are kept of all runs together; the oldest go."""

_BEGINNINGS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"RIFF": "webp"}
_lock = threading.Lock()


def folder_of(data: Path) -> Path:
    """Return where the pictures of all runs lie."""
    return data / "pictures"


def keep(folder: Path, run: str, contents: Iterable[bytes]) -> Sequence[str]:
    """Keep what really is a picture for ``run``, under its digest; return the paths."""
    kept = []
    with _lock:
        for content in contents:
            kind = next((end for start, end in _BEGINNINGS.items() if content.startswith(start)), "")
            if not kind:
                continue
            place = folder / (run or "none")
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = place / f"{hashlib.sha256(content).hexdigest()[:32]}.{kind}"
            path.write_bytes(content)
            kept.append(str(path))
        _prune(folder)
    return kept


def drop(folder: Path, runs: Iterable[str]) -> None:
    """Destroy the pictures of ``runs``."""
    with _lock:
        for run in runs:
            shutil.rmtree(folder / (run or "none"), ignore_errors=True)


def drop_left_behind(house: House) -> None:
    """Destroy the pictures of runs whose words are gone, or were never written: an earlier daemon was killed."""
    folder = folder_of(house.folders.data)
    with suppress(FileNotFoundError):
        drop(folder, [one.name for one in folder.iterdir() if _is_over(house, one.name)])


def _is_over(house: House, run: str) -> bool:
    if run in house.live:
        return False
    created = next(iter(house.ledger.events(run=run, kinds=("run.created",))), None)
    return created is None or created.body is None or bool(created.body.get("private"))


def _prune(folder: Path) -> None:
    """Let go of the oldest; a file that is gone by then is no matter."""
    found = []
    for path in folder.glob("*/*"):
        with suppress(FileNotFoundError):
            found.append((path.stat().st_mtime, path))
    for _, path in sorted(found)[:-MOST_KEPT]:
        path.unlink(missing_ok=True)
        with suppress(OSError):  # others of its run are there
            path.parent.rmdir()
