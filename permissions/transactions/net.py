"""The net of a shadow: from what is where now, and what was taken from its place, to the entries that are sealed.

A move back is nothing, a write into what was moved is both, and what lies in a deleted folder is deleted with it,
unless it was taken out before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from permissions.model import ChangeKind
from permissions.transactions.model import Entry, Node, Tree, Version, Xattrs


@dataclass(frozen=True, slots=True)
class Held:
    """What a path holds. ``lower`` is where it lies on the disk now, ``blob`` its new content, ``copied`` the file or
    folder on the disk of which it is a copy. ``gone`` marks emptiness (``lower`` then tells what was deleted there)."""

    node: Node
    lower: str | None = None
    base: Version | None = None
    blob: str | None = None
    mode: int | None = None
    copied: str | None = None
    target: str | None = None
    gone: bool = False
    tree: Tree | None = None
    note: str = ""
    mtime_ns: int | None = None
    xattrs: Xattrs | None = None
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Fate:
    """A thing on the disk that was moved or deleted, as the tool saw it; of a folder also what it held."""

    node: Node
    base: Version
    tree: Tree | None = None
    note: str = ""


def entries(
    now: Mapping[str, Held], fates: Mapping[str, Fate], lower_of: Callable[[str], str | None]
) -> tuple[Entry, ...]:
    """Return the net entries, sorted by path (digests and the sizes of files still to be filled in).

    ``lower_of`` tells where a path lies on the disk.
    """
    return _Net(now, fates, lower_of).entries()


class _Net:
    def __init__(
        self, now: Mapping[str, Held], fates: Mapping[str, Fate], lower_of: Callable[[str], str | None]
    ) -> None:
        self._now, self._fates, self._lower_of = now, fates, lower_of

    def entries(self) -> tuple[Entry, ...]:
        held = {path: thing for path, thing in self._now.items() if not thing.gone}
        found = [entry for path, thing in held.items() for entry in self._entries_at(path, thing)]
        found += self._deletions({thing.lower for thing in held.values() if thing.lower})
        return tuple(sorted(found, key=lambda entry: (entry.path.split("/"), entry.kind == ChangeKind.MODIFIED)))

    def _entries_at(self, path: str, held: Held) -> Iterator[Entry]:
        note = held.note or None
        if held.lower is None:
            made = Entry(
                ChangeKind.CREATED, path, held.node, vacant=self._vacant_of(path), blob=held.blob, note=note,
                mode=held.mode, target=held.target, origin=held.copied, base=held.base, mtime_ns=held.mtime_ns,
                xattrs=held.xattrs,
            )  # fmt: skip
            yield _with_tree(made, held.tree)
            return
        fate = self._fates.get(held.lower)
        if fate and not self._at_home(held.lower, path):
            moved = Entry(
                ChangeKind.MOVED, path, held.node, source=held.lower, origin=held.lower, base=fate.base,
                vacant=self._vacant_of(path), note=note,
            )  # fmt: skip
            yield _with_tree(moved, fate.tree)
        if held.blob or (held.node is Node.FOLDER and (held.mode is not None or held.xattrs is not None)):
            yield Entry(
                ChangeKind.MODIFIED, path, held.node, origin=held.lower, base=held.base, blob=held.blob, note=note,
                mode=held.mode, mtime_ns=held.mtime_ns, xattrs=held.xattrs, apart=held.apart,
            )  # fmt: skip

    def _vacant_of(self, path: str) -> str | None:
        lower = self._lower_of(path)
        return None if lower is None or lower in self._fates else lower

    def _at_home(self, lower: str, path: str) -> bool:
        """Tell whether ``path`` is where the thing at ``lower`` would be had it not been moved itself."""
        return self._lower_of(path) == lower

    def _deletions(self, placed: set[str]) -> Iterator[Entry]:
        deleted = {lower: fate for lower, fate in self._fates.items() if lower not in placed}
        kept = {lower: self._fates[lower] for lower in placed if lower in self._fates}
        for lower, fate in deleted.items():
            nearest = next((parent for parent in _parents(lower) if parent in self._fates), None)
            if nearest not in deleted:  # what lay in a folder that was taken out goes by itself
                gone = Entry(ChangeKind.DELETED, lower, fate.node, origin=lower, base=fate.base, note=fate.note or None)
                yield _without(_with_tree(gone, fate.tree), kept)


def _with_tree(entry: Entry, tree: Tree | None) -> Entry:
    return replace(entry, tree=tree.digest, files=tree.files, size_bytes=tree.size_bytes) if tree else entry


def _without(entry: Entry, kept: dict[str, Fate]) -> Entry:
    """Leave what was taken out of a folder before it is deleted out of its count."""
    if entry.node is not Node.FOLDER or not kept:
        return entry
    count, size_bytes = entry.files, entry.size_bytes
    top = f"{entry.path}/"
    for lower, fate in kept.items():
        if lower.startswith(top) and not any(parent in kept for parent in _parents(lower) if parent.startswith(top)):
            count -= fate.tree.files if fate.tree else 1
            size_bytes -= fate.tree.size_bytes if fate.tree else fate.base.size
    return replace(entry, files=count, size_bytes=size_bytes)


def _parents(path: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
