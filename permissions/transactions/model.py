"""The nouns of transactions: versions, sealed entries, and what diff, undo and recovery report.

``Entry`` is the contract between producers of changes (described effects now, an overlay's upper layer as well) and
the commit: whoever fills entries gets seal, compare-and-swap, journal and undo.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from permissions.errors import BadScope
from permissions.model import Change, ChangeKind

Xattrs = tuple[tuple[str, str], ...]
"""Extended attributes: names and values in base64, sorted."""

Ident = tuple[int, int, int, int]
"""dev, ino, size, mtime_ns of a thing; size and mtime are -1 for folders, whose times move with their contents."""


@dataclass(frozen=True, slots=True)
class Version:
    """What ``lstat`` said about a path when it was looked at; any later change of the file changes one of these."""

    dev: int
    ino: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @staticmethod
    def of(info: os.stat_result) -> Version:
        """Return the version in a stat result."""
        return Version(info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)

    @staticmethod
    def from_json(value: object) -> Version:
        """Read the object form; raises BadScope unless it holds exactly five integers."""
        names = Version.__dataclass_fields__
        if not isinstance(value, Mapping) or set(value) != set(names):
            raise BadScope("scope.version", "A version must hold dev, ino, size, mtime_ns and ctime_ns.")
        numbers = [value[name] for name in names]
        if any(type(number) is not int or abs(number) >= 1 << 64 for number in numbers):
            raise BadScope("scope.version", "A version holds something that is not a whole number.")
        return Version(*numbers)

    def to_json(self) -> dict[str, int]:
        """Return the object form."""
        return {name: getattr(self, name) for name in Version.__dataclass_fields__}

    @staticmethod
    def from_row(row: Sequence[int]) -> Version:
        """Read what ``row`` returns; raises BadScope unless it is five integers."""
        if len(row) != len(Version.__dataclass_fields__):
            raise BadScope("scope.version", "A version is five numbers.")
        return Version.from_json(dict(zip(Version.__dataclass_fields__, row, strict=True)))

    def row(self) -> list[int]:
        """Return the five numbers, as the journal keeps them."""
        return [self.dev, self.ino, self.size, self.mtime_ns, self.ctime_ns]

    def but_for_ctime(self, other: Version) -> bool:
        """Tell whether nothing but the status-change time differs (a chmod, a new link, an indexer's attribute)."""
        return self.row()[:4] == other.row()[:4]


@dataclass(frozen=True, slots=True)
class Tree:
    """What a folder held when it was looked at: a digest over the names and versions of everything in it, how many
    files that were, and how many bytes."""

    digest: str
    files: int = 0
    size_bytes: int = 0


def ident(info: os.stat_result) -> Ident:
    """Return the identity by which a step recognises the thing it moves."""
    if stat.S_ISDIR(info.st_mode):
        return (info.st_dev, info.st_ino, -1, -1)
    return (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns)


class Node(StrEnum):
    """What a path holds. Devices, sockets and pipes have no place in a transaction."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Entry:
    """One net change, as sealed.

    ``origin`` is where the thing that ``base`` describes lies before the commit (a file that is modified inside a
    moved folder lies in the old folder); ``vacant`` is a path where nothing may be before the commit. ``blob`` is the
    new content relative to the run's folder; ``mode`` None keeps the old one or takes the usual one. A folder that is
    deleted, moved or copied as a whole has in ``tree`` the digest of what it held, counted in ``files`` and
    ``size_bytes``. ``note`` is what the tool wants said before a person agrees. ``xattrs`` None leaves them; a file
    that is ``apart`` leaves its other names behind. A folder that is modified gets another mode or other attributes.
    """

    kind: ChangeKind
    path: str
    node: Node
    source: str | None = None
    origin: str | None = None
    base: Version | None = None
    base_digest: str | None = None
    tree: str | None = None
    vacant: str | None = None
    blob: str | None = None
    digest: str | None = None
    size_bytes: int = 0
    mode: int | None = None
    mtime_ns: int | None = None
    target: str | None = None
    appends: bool = False
    files: int = 0
    note: str | None = None
    xattrs: Xattrs | None = None
    apart: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the canonical object: absent fields are left out."""
        out: dict[str, Any] = {}
        for name in Entry.__dataclass_fields__:
            value = getattr(self, name)
            if value is not None and value is not False:
                out[name] = value.row() if isinstance(value, Version) else value
        return out

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Entry:
        """Read what ``to_json`` wrote (our own file; its seal is checked by the caller)."""
        fields = dict(value)
        fields["kind"] = ChangeKind(fields["kind"])
        fields["node"] = Node(fields["node"])
        if "base" in fields:
            fields["base"] = Version(*fields["base"])
        if "xattrs" in fields:
            fields["xattrs"] = tuple((name, text) for name, text in fields["xattrs"])
        return Entry(**fields)

    def change(self) -> Change:
        """Return the change as a person and the kernel see it."""
        digest = self.digest if self.node is Node.FILE else None
        return Change(
            kind=self.kind,
            path=self.path,
            source=self.source,
            folder=self.node is Node.FOLDER,
            digest=digest,
            size_bytes=self.size_bytes,
            appends=self.appends,
            files=self.files,
            note=self.note or "",
        )


def change_to_json(change: Change) -> dict[str, Any]:
    """Return the object form of a change."""
    return {name: getattr(change, name) for name in Change.__dataclass_fields__}


def change_from_json(value: Mapping[str, Any]) -> Change:
    """Read what ``change_to_json`` wrote."""
    return Change(**{**value, "kind": ChangeKind(value["kind"])})


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What one change does, to be shown. ``text`` is a unified diff or empty; ``summary`` always says it in words.

    Control and direction characters are made visible; ``truncated`` tells that lines were left out, ``opaque`` that it
    is no text, and ``text`` only what can be read in it. What is not shown whole lies in ``lies`` until the end.
    """

    path: str
    kind: ChangeKind
    text: str = ""
    summary: str = ""
    truncated: bool = False
    opaque: bool = False
    lies: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo took back. ``kept`` are folders left standing because something else lies in them now."""

    run: str
    changes: tuple[Change, ...]
    kept: tuple[str, ...] = ()


class Recovery(StrEnum):
    """What recovery did with a run that was interrupted."""

    FINISHED = "finished"  # the commit had passed the point of no return: it stands
    ROLLED_BACK = "rolled_back"  # the home is as before the commit
    UNDO_FINISHED = "undo_finished"
    UNDO_ROLLED_BACK = "undo_rolled_back"
    WAITING = "waiting"  # the disk refuses; it is tried again the next time
    DROPPED = "dropped"  # staged effects that were never sealed


@dataclass(frozen=True, slots=True)
class Recovered:
    """One run that recovery looked after. ``problems`` are paths it left alone because somebody changed them since.

    Of one that waits they say what the disk refuses.
    """

    run: str
    action: Recovery
    paths: tuple[str, ...] = ()
    problems: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class HalfDone:
    """A commit of ``run``, or with ``undo`` the taking back of one, that stands half way as its disk refuses.

    ``path`` is what the disk refuses, or else something that it changes (empty where that is unknown); ``why`` is what
    the system says about it. It is taken back at the next start that can.
    """

    run: str
    undo: bool
    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Usage:
    """How much disk staging and pre-images take, in bytes, and of how many runs undo still knows.

    ``most_bytes`` and ``keep_s`` (seconds) bound the pre-images.
    """

    staged_bytes: int
    preimage_bytes: int
    runs: int
    most_bytes: int
    keep_s: float
