"""What can be wrong with a backup, each with the one thing to do now."""

from __future__ import annotations

from pathlib import Path

from kernel.errors import BadRequest, NotNow
from permissions.naming import shown

OTHER = "Use another backup. Nothing was changed."


def foreign(path: Path, why: str = "it is no backup of Steward") -> BadRequest:
    """The file is something else."""
    return BadRequest("backup.foreign", f"{shown(str(path))} cannot be restored: {why}.", subject=str(path),
                      hint="Name a file that ./steward backup wrote. Nothing was changed.")  # fmt: skip


def broken(path: Path, why: str) -> BadRequest:
    """It was a backup, and is not whole any more."""
    message = f"The backup {shown(str(path))} is damaged: {why}."
    return BadRequest("backup.broken", message, subject=str(path), hint=OTHER)


def hostile(path: Path, why: str) -> BadRequest:
    """It holds what no backup holds."""
    return BadRequest("backup.refused", f"{shown(str(path))} is not restored: {why}.", subject=str(path),
                      hint=f"No Steward writes such a file. {OTHER}")  # fmt: skip


def newer(path: Path, by: str) -> BadRequest:
    """A later Steward wrote it."""
    return BadRequest("backup.newer", f"{shown(str(path))} was written by a newer Steward{f' ({by})' if by else ''}.",
                      subject=str(path), hint="Update this Steward, then restore it. Nothing was changed.")  # fmt: skip


def not_written(path: Path, error: OSError) -> NotNow:
    """The disk did not take it."""
    why = error.strerror or str(error)
    return NotNow("backup.unwritten", f"{shown(str(path))} could not be written: {why}.", subject=str(path),
                  hint="Make room there or name another place: ./steward backup FILE")  # fmt: skip


def bad_place(path: Path, why: str, hint: str) -> BadRequest:
    """No backup is written there."""
    return BadRequest("backup.place", f"{shown(str(path))} {why}.", subject=str(path), hint=hint)
