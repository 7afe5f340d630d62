"""Where backups were written, and which events were forgotten: a small file of Steward's own.

What is kept of a forget is the chain hash of each event whose key is gone, a digest over what nobody can read any more:
it tells nothing, and is enough to know the event again in an older backup.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from kernel.backup.model import Sum, Taken
from kernel.errors import BadRequest
from permissions.private_file import write_private

FILE = "backups.json"
WORK = "backup-work"
_LOCK = "backups.lock"
MOST_KEPT = 1000


class Book(BaseModel):
    """What the file says; the newest backup last."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    form: Literal[1] = 1
    taken: tuple[Taken, ...] = ()
    forgotten: tuple[Sum, ...] = ()


def read_book(data: Path) -> Book:
    """Return what is remembered. Raises BadRequest where the file cannot be read."""
    path = data / FILE
    try:
        return Book.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Book()
    except (OSError, ValidationError) as error:
        raise BadRequest("backup.book", f"{path} cannot be read, so nobody knows where backups are.", subject=str(path),
                         hint="Move it away. Backups that you have made stay; forgets no longer reach those."
                         ) from error  # fmt: skip


def change_book(data: Path, change: Callable[[tuple[Taken, ...]], tuple[Taken, ...]]) -> None:
    """Change which backups are remembered. Raises BadRequest, OSError."""
    book = read_book(data)
    write_book(data, book.model_copy(update={"taken": change(book.taken)[-MOST_KEPT:]}))


def write_book(data: Path, book: Book) -> None:
    """Put the file in place. Raises OSError."""
    write_private(data / FILE, book.model_dump_json().encode())


@contextmanager
def one_at_a_time(data: Path) -> Iterator[None]:
    """Let one backup, or one forget in backups, go on at a time, also among processes. Waits. Raises OSError."""
    held = os.open(data / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
