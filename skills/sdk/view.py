"""The user's files as a tool sees them: what is on the disk, with the described effects of earlier steps laid over it.

An entry of the overlay says what a path is now: a folder, a file whose content lies at ``real``, or nothing. A path
without an entry is what its nearest ancestor with an entry makes of it, and without any, what is on the disk. Paths
are keyed by their real parent folder, so that a folder reached through a symbolic link is one folder.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Node:
    """What stands at a path. ``real`` is where the content lies (None for a folder that is only described).

    ``base`` is the version of the disk's own file at that path for a staged content, None when there was none.
    """

    folder: bool
    real: str | None
    staged: bool = False
    base: Mapping[str, int] | None = None


def version(status: os.stat_result) -> dict[str, int]:
    """Return the identity by which a commit notices that a file changed since it was seen."""
    return {
        "dev": status.st_dev,
        "ino": status.st_ino,
        "size": status.st_size,
        "mtime_ns": status.st_mtime_ns,
        "ctime_ns": status.st_ctime_ns,
    }


@functools.lru_cache(maxsize=4096)
def _real_folder(folder: str) -> str:
    return os.path.realpath(folder)


def _key(path: str) -> str:
    folder, name = os.path.split(path)
    return path if folder == path else os.path.join(_real_folder(folder), name)


class View:
    """The overlay. Effects are applied in order; lookups never change anything."""

    def __init__(self) -> None:
        self._over: dict[str, Node | None] = {}
        self._kids: dict[str, set[str]] = {}

    def apply(self, effect: Mapping[str, Any]) -> None:
        """Lay one described effect over what is there. A written content is found at ``blob_path``."""
        path = _key(str(effect["path"]))
        if effect["op"] != "delete":
            self._make_above(path)
        match effect["op"]:
            case "write":
                self._put(path, Node(False, str(effect["blob_path"]), staged=True, base=effect.get("base")))
            case "mkdir":
                self._make_folder(path)
            case "link":
                end = os.path.normpath(os.path.join(os.path.dirname(path), str(effect["target"])))
                self._put(path, self._at(_key(end)) or Node(False, path, staged=True))
            case "attributes":
                return
            case "delete":
                self._remove(path)
            case "move":
                self._graft(_key(str(effect["source"])), path, keep=False)
            case "copy":
                self._graft(_key(str(effect["source"])), path, keep=True)
            case other:
                raise ValueError(f"unknown effect {other!r}")

    def node(self, path: str) -> Node | None:
        """Return what stands at ``path``; symbolic links on the disk are followed. None when there is nothing."""
        return self._at(_key(path))

    def staged_base(self, path: str) -> tuple[bool, Mapping[str, int] | None]:
        """Tell whether the content at ``path`` is staged, and the version of the disk's own file there."""
        found = self._over.get(_key(path))
        return (True, found.base) if found is not None and found.staged else (False, None)

    def staged_content(self, path: str) -> str:
        """Return the name (``task/blob``) of the staged content of the file at ``path``; empty when it has none."""
        found = self._over.get(_key(path))
        if found is None or not found.staged or found.real is None:
            return ""
        return "/".join(found.real.split("/")[-2:])

    def names(self, path: str) -> Iterator[tuple[str, os.DirEntry[str] | None]]:
        """Yield the names in a folder, sorted; with the disk's own entry, or None for a described one."""
        key = _real_folder(path)
        node = self._at(_key(path))
        listed: dict[str, os.DirEntry[str] | None] = {}
        if node is not None and node.real is not None:
            with os.scandir(node.real) as entries:
                listed = {entry.name: entry for entry in entries}
        for name in self._kids.get(key, ()):
            listed.pop(name, None)
            if self._over[os.path.join(key, name)] is not None:
                listed[name] = None
        return iter(sorted(listed.items(), key=lambda item: item[0]))

    def _at(self, key: str) -> Node | None:
        if key in self._over:
            return self._over[key]
        parent, rest = os.path.split(key)
        while self._over:
            if parent in self._over:
                above = self._over[parent]
                return self._disk(os.path.join(above.real, rest)) if above is not None and above.real else None
            higher, name = os.path.split(parent)
            if higher == parent:
                break
            parent, rest = higher, os.path.join(name, rest)
        return self._disk(key)

    @staticmethod
    def _disk(real: str) -> Node | None:
        if not os.path.lexists(real):
            return None
        return Node(os.path.isdir(real), real)

    def _make_above(self, path: str) -> None:
        """The folders above a new path are implied by it."""
        parent = os.path.dirname(path)
        if parent != path and self._at(parent) is None:
            self._make_above(parent)
            self._put(parent, Node(True, None, staged=True))

    def _make_folder(self, path: str) -> None:
        if self._at(path) is None:
            self._put(path, Node(True, None, staged=True))

    def _put(self, path: str, node: Node | None) -> None:
        self._over[path] = node
        folder, name = os.path.split(path)
        self._kids.setdefault(folder, set()).add(name)

    def _below(self, path: str) -> list[str]:
        prefix = path.rstrip("/") + "/"
        return [key for key in self._over if key.startswith(prefix)]

    def _forget_below(self, path: str) -> None:
        for key in self._below(path):
            del self._over[key]
            folder, name = os.path.split(key)
            self._kids[folder].discard(name)

    def _remove(self, path: str) -> None:
        node = self._at(path)
        if node is not None and node.folder:
            self._forget_below(path)
        self._put(path, None)

    def _graft(self, source: str, path: str, *, keep: bool) -> None:
        node = self._at(source)
        if node is None:
            raise ValueError(f"an effect names {source}, where nothing stands")
        below = {key: self._over[key] for key in self._below(source)} if node.folder else {}
        self._put(path, Node(node.folder, node.real, staged=node.staged))
        for key, kept in below.items():
            self._put(path + key[len(source.rstrip("/")) :], kept)
        if not keep:
            self._remove(source)
