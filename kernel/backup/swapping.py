"""Putting a restored state in place of the present one: whole or not at all, whenever the process dies.

    restoring.json (in the state folder)    written, on disk, when everything is ready: from here on it goes forward
    DATA -> state/before-DATE/data          the old state is kept there, under Steward's own protection
    coming folder -> DATA                   and the same with the configuration

What this stops: a state of two halves. Before the file is on disk nothing has moved; afterwards whoever comes next (the
restore, or the start of a daemon) makes every step that is left.
What it does not: guard against a program of the same account that moves these folders meanwhile.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from kernel.backup.book import WORK
from kernel.config import Folders
from kernel.errors import NotNow
from permissions.private_file import sync_folder, write_private

FILE = "restoring.json"
COMING = ".steward-coming-"
BEFORE = "before-"

Checkpoint = Callable[[str], object]


class Move(BaseModel):
    """``coming`` takes the place of ``place``, which goes to ``aside``. Absolute paths."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    coming: str
    place: str
    aside: str


class _Plan(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    moves: tuple[Move, ...]


def swap(folders: Folders, moves: Iterable[Move], checkpoint: Checkpoint) -> None:
    """Decide for ``moves`` and make them. Raises OSError: before the decision nothing has moved."""
    plan = _Plan(moves=tuple(moves))
    for move in plan.moves:
        Path(move.aside).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        sync_folder(Path(move.aside).parent)
    sync_folder(folders.state)
    checkpoint("ready")
    write_private(folders.state / FILE, plan.model_dump_json().encode())
    checkpoint("decided")
    _go_forward(folders, plan, checkpoint)


def finish(places: Folders) -> bool:
    """Finish a restore that was interrupted, and clear away what killed ones left; tell whether there was one.

    Raises NotNow, with what to do.
    """
    plan = _decided(places)
    if plan is not None:
        try:
            _go_forward(places, plan, lambda _: None)
        except OSError as error:
            raise NotNow("restore.stuck", f"A restore could not be finished: {error}.",
                         subject=str(error.filename or ""), hint="Make room or mend the disk, and start Steward again."
                         ) from error  # fmt: skip
    sweep(places)
    return plan is not None


def sweep(folders: Folders) -> None:
    """Remove what a killed backup or restore left; nothing of it was in use."""
    shutil.rmtree(folders.data / WORK, ignore_errors=True)
    for parent in {folders.data.parent, folders.config.parent}:
        for one in parent.glob(f"{COMING}*") if parent.is_dir() else ():
            if one.is_dir() and not one.is_symlink():
                shutil.rmtree(one, ignore_errors=True)


def _decided(folders: Folders) -> _Plan | None:
    path = folders.state / FILE
    try:
        return _Plan.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise NotNow("restore.stuck", f"{path} cannot be read, so an interrupted restore cannot be finished.",
                     subject=str(path), hint=f"Look at it: it names the folders. Then move it away: {path}"
                     ) from error  # fmt: skip


def _go_forward(folders: Folders, plan: _Plan, checkpoint: Checkpoint) -> None:
    for move in plan.moves:
        coming, place, aside = Path(move.coming), Path(move.place), Path(move.aside)
        if coming.is_dir():
            if place.is_dir() and not aside.exists():
                place.rename(aside)
                _sync(aside.parent, place.parent)
                checkpoint(f"aside {place.name}")
            elif place.is_dir():  # made anew by somebody in between: it must be empty
                _remove_empty(place)
            coming.rename(place)
            _sync(place.parent)
        checkpoint(f"in place {place.name}")
    (folders.state / FILE).unlink()
    sync_folder(folders.state)
    checkpoint("done")


def _remove_empty(place: Path) -> None:
    for one in sorted(place.rglob("*"), reverse=True):
        if not one.is_dir():
            raise OSError(39, "something was put there meanwhile", str(one))
        one.rmdir()
    place.rmdir()


def _sync(*folders: Path) -> None:
    for folder in folders:
        sync_folder(folder)


def sync_tree(top: Path) -> None:
    """Bring every folder below ``top`` to the disk; the files are there already. Raises OSError."""
    for folder, _, _ in os.walk(top):
        sync_folder(folder)
