"""What is mounted where, as the kernel tells this process.

Source: ``proc_pid_mountinfo(5)``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_ESCAPED = re.compile(r"\\([0-7]{3})")


class Mount(NamedTuple):
    """One mount: its number, the device under it, where it is, and the kind of file system."""

    number: int
    device: str
    point: str
    kind: str


def mounts() -> Sequence[Mount]:
    """Return all mounts. Raises OSError."""
    with open("/proc/self/mountinfo", "rb", buffering=0) as table:
        return _mounts(table.readall())


@lru_cache(maxsize=1)
def _mounts(table: bytes) -> Sequence[Mount]:
    return tuple(_mount(line) for line in table.decode(errors="surrogateescape").split("\n") if line)


def kind_of(number: int) -> str:
    """Return the kind of the file system that is mounted under ``number``. Raises OSError."""
    return next((mount.kind for mount in mounts() if mount.number == number), "an unknown file system")


def is_anything_seen_twice() -> bool:
    """Tell whether a file system, or a part of it, is mounted in two places; if none is, no folder has two names."""
    devices = [mount.device for mount in mounts()]
    return len(set(devices)) < len(devices)


def _mount(line: str) -> Mount:
    words, _, rest = line.partition(" - ")
    number, _, device, _, point, *_ = words.split(" ")
    return Mount(int(number), device, _plain(point), rest.split(" ", 1)[0])


def _plain(point: str) -> str:
    """Return the path of a mount, whose blanks, tabs, line breaks and backslashes are written in octal."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), point)
