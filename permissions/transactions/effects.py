"""Reading described effects: the only words in which a tool may ask for a change.

What this stops: malformed, oversized, relative, unnormalised or ambiguous descriptions; unknown fields; a content
file that is a link, a device, shared with another name, or outside the task's own folder.
What it does not: decide whether the path may be written (``places`` and policy do) or whether it still is as the
tool saw it (the commit does).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from permissions.errors import BadScope
from permissions.naming import shown
from permissions.transactions.model import Version, Xattrs

MOST_EFFECTS = 500_000
"""Effects that one run may describe."""

_PATH_BYTES = 4095
_NAME_BYTES = 255
_BLOB = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_STAGED = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._:-]{{0,119}}/{_BLOB.pattern}")


class Op(StrEnum):
    """What an effect does."""

    WRITE = "write"
    MKDIR = "mkdir"
    MOVE = "move"
    COPY = "copy"
    DELETE = "delete"
    LINK = "link"  # a symbolic link; like the next, read from a tree that a call worked in, never described by a tool
    ATTRIBUTES = "attributes"  # the mode and extended attributes of a folder


_FIELDS = {
    Op.WRITE: {"op", "path", "blob", "mode", "base", "over", "note"},
    Op.MKDIR: {"op", "path", "note"},
    Op.MOVE: {"op", "path", "source", "base", "note"},
    Op.COPY: {"op", "path", "source", "base", "note"},
    Op.DELETE: {"op", "path", "base", "note"},
}
_NEEDED = {
    Op.WRITE: {"path", "blob"},
    Op.MKDIR: {"path"},
    Op.MOVE: {"path", "source"},
    Op.COPY: {"path", "source"},
    Op.DELETE: {"path"},
}


@dataclass(frozen=True, slots=True)
class Effect:
    """One described effect. ``base`` is the version the tool saw (None: nothing was there).

    ``over`` names the staged content (``task/blob``) that a write takes the place of; ``note`` is what the tool wants a
    person to know before it happens. Of what a call did in its own way also ``target`` (of a link), ``mtime_ns``,
    ``xattrs`` (names and base64, None: as they are), and ``apart``: a file of several names becomes one of its own.
    """

    op: Op
    path: str
    source: str = ""
    blob: str = ""
    mode: int | None = None
    base: Version | None = None
    over: str = ""
    note: str = ""
    target: str = ""
    mtime_ns: int | None = None
    xattrs: Xattrs | None = None
    apart: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the object form, as a tool would describe it."""
        out: dict[str, Any] = {"op": str(self.op), "path": self.path}
        if self.op is not Op.MKDIR:
            out["base"] = self.base.to_json() if self.base else None
        if self.op is Op.WRITE:
            out |= {"blob": self.blob, "mode": self.mode}
        elif self.mode is not None:
            out["mode"] = self.mode
        for name in ("source", "over", "note", "target", "mtime_ns", "xattrs", "apart"):
            if getattr(self, name):
                out[name] = getattr(self, name)
        return out


def parse(value: object) -> Effect:
    """Read one effect. Raises BadScope saying what is wrong with it."""
    if not isinstance(value, Mapping):
        raise BadScope("scope.effect", "An effect must be an object.")
    op = _op(value)
    _check_fields(op, value)
    base = value.get("base")
    return Effect(
        op=op,
        path=parse_path(value["path"]),
        source=parse_path(value["source"]) if "source" in value else "",
        blob=_blob(value["blob"]) if op is Op.WRITE else "",
        mode=_mode(value.get("mode")),
        base=None if base is None else Version.from_json(base),
        over=_over(value.get("over")),
        note=_note(value.get("note")),
    )


def _op(value: Mapping[str, Any]) -> Op:
    name = value.get("op")
    if not isinstance(name, str) or name not in set(_FIELDS):
        raise BadScope("scope.effect", f"An effect asks for {name!r:.40}, which is not an operation.")
    return Op(name)


def _check_fields(op: Op, value: Mapping[str, Any]) -> None:
    unknown = [str(name)[:40] for name in value if name not in _FIELDS[op]]
    missing = [name for name in _NEEDED[op] if name not in value]
    if unknown or missing:
        said = f"unknown {unknown[:5]}" if unknown else f"missing {missing}"
        raise BadScope("scope.effect", f"An effect '{op}' has fields that do not fit: {said}.")


def parse_path(value: object) -> str:
    """Return an absolute, normalised path of bounded length. Raises BadScope; nothing is repaired silently."""
    if not isinstance(value, str) or not value.startswith("/") or value == "/" or "\0" in value:
        raise BadScope("scope.path", f"{shown(str(value))!r:.320} is not an absolute path below the root.")
    try:
        raw = os.fsencode(value)
    except UnicodeEncodeError:
        raise BadScope("scope.path", "A path holds characters that no file name can have.") from None
    names = raw.split(b"/")[1:]
    if any(name in (b"", b".", b"..") for name in names):
        raise BadScope("scope.path", f"{shown(value)} is not normalised ('..', '.', '//' or a trailing '/').")
    if len(raw) > _PATH_BYTES or max(map(len, names)) > _NAME_BYTES:
        raise BadScope("scope.path", f"{shown(value)} is longer than the system allows.")
    return value


def _blob(value: object) -> str:
    if not isinstance(value, str) or not _BLOB.fullmatch(value):
        raise BadScope("scope.blob", f"{value!r:.60} is not the name of a content file.")
    return value


def _mode(value: object) -> int | None:
    if value is None:
        return None
    if type(value) is not int or not 0 <= value <= 0o7777:
        raise BadScope("scope.mode", f"{value!r:.40} is not a file mode.")
    return value & 0o777  # setuid, setgid and sticky never survive


def _over(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or not _STAGED.fullmatch(value):
        raise BadScope("scope.blob", f"{value!r:.60} is not the name of a staged content.")
    return value


def _note(value: object) -> str:
    """Return a note fit to be shown: bounded, without control and direction characters."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadScope("scope.effect", "The note of an effect must be text.")
    return shown(value)


def check_blob(folder: int, name: str) -> int:
    """Return the size of content file ``name`` in folder descriptor ``folder``. Raises BadScope.

    It must be a regular file with a single name: a link could lead out of the staging folder.
    """
    try:
        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        raise BadScope("scope.blob", f"The content file {name} is missing.") from None
    if not stat.S_ISREG(info.st_mode) or info.st_nlink != 1:
        raise BadScope("scope.blob", f"The content file {name} is a link or not a regular file.")
    return info.st_size
