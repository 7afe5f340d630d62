"""The tree as it will be: ordered effects go in, net entries come out.

Write then move is a write at the destination; write then delete is nothing; a move back is nothing. Two books are
kept: ``_now`` says what is at a path that differs from the disk, ``_fates`` which things on the disk were taken from
their place and in which version. Nothing on the disk is touched.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace

from permissions.errors import BadScope, Refused
from permissions.model import ChangeKind
from permissions.transactions.effects import MOST_EFFECTS, Effect, Op
from permissions.transactions.failures import conflict, shown, translated
from permissions.transactions.model import Entry, Node, Version
from permissions.transactions.places import Places


@dataclass(frozen=True, slots=True)
class Held:
    """What a path holds. ``lower`` is where it lies on the disk now, ``blob`` its new content, ``copied`` a file on
    the disk whose content it will share. ``gone`` marks emptiness (``lower`` then tells what was deleted there)."""

    node: Node
    lower: str | None = None
    base: Version | None = None
    blob: str | None = None
    mode: int | None = None
    copied: str | None = None
    target: str | None = None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Fate:
    """A thing on the disk that was moved or deleted, as the tool saw it."""

    node: Node
    base: Version


class Shadow:
    """The staged tree of one run. Build, then ``apply`` effects in order, then read ``entries``."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._now: dict[str, Held] = {}
        self._fates: dict[str, Fate] = {}

    def copy(self) -> Shadow:
        """Return an independent copy, so that a refused batch leaves no trace."""
        other = Shadow(self._places)
        other._now, other._fates = dict(self._now), dict(self._fates)
        return other

    def apply(self, effect: Effect, blob: str) -> None:
        """Take one effect in. Raises BadScope, Refused, Conflict or StorageFailed."""
        with translated(effect.path):
            self._dispatch(effect, blob)
        if len(self._now) > 2 * MOST_EFFECTS:
            raise BadScope("scope.many", f"A run may describe at most {MOST_EFFECTS} effects.")

    def _dispatch(self, effect: Effect, blob: str) -> None:
        match effect.op:
            case Op.WRITE:
                self._write(effect, blob)
            case Op.MKDIR:
                self._mkdir(effect.path)
            case Op.MOVE:
                self._move(effect)
            case Op.COPY:
                self._copy(effect)
            case Op.DELETE:
                self._delete(effect)

    # what is where

    def at(self, path: str) -> Held | None:
        """Return what is at ``path`` in the staged tree, None for nothing."""
        held = self._now.get(path)
        if held is not None:
            return None if held.gone else held
        lower = self._lower_of(path)
        return _on_disk(lower) if lower else None

    def _lower_of(self, path: str) -> str | None:
        """Return where ``path`` lies on the disk, seen through moved folders; None where it cannot."""
        folder, _, rest = path.rpartition("/")
        while folder:
            held = self._now.get(folder)
            if held is not None:
                inside = held.lower and not held.gone and held.node is Node.FOLDER
                return f"{held.lower}/{rest}" if inside else None
            folder, _, name = folder.rpartition("/")
            rest = f"{name}/{rest}"
        return path

    def _vacant_of(self, path: str) -> str | None:
        lower = self._lower_of(path)
        return None if lower is None or lower in self._fates else lower

    def _below(self, path: str) -> list[str]:
        return [key for key in self._now if key.startswith(f"{path}/")]

    # the operations

    def _write(self, effect: Effect, blob: str) -> None:
        path = effect.path
        self._make_parents(path)
        held, now = self.at(path), self._now.get(path)
        if held is None:
            if now is not None and now.lower and now.node is Node.FILE and self._at_home(now.lower, path):
                fate = self._fates.pop(now.lower)  # deleted before and now written again: an overwrite
                self._now[path] = Held(Node.FILE, now.lower, fate.base, blob, effect.mode)
                return
            if effect.base is not None:
                raise conflict([path], "is no longer there")
            self._now[path] = Held(Node.FILE, blob=blob, mode=effect.mode)
            return
        _must_be_writable(path, held)
        mode = held.mode if effect.mode is None else effect.mode
        if held.lower and not held.blob:  # first new content of a file on the disk
            if effect.base is None:
                raise conflict([path], "exists already")
            held = replace(held, base=effect.base)
        self._now[path] = replace(held, blob=blob, mode=mode, copied=None)

    def _mkdir(self, path: str) -> None:
        self._make_parents(path)
        held = self.at(path)
        if held is None:
            self._now[path] = Held(Node.FOLDER)
        elif held.node is not Node.FOLDER:
            raise conflict([path], "exists already and is not a folder")

    def _make_parents(self, path: str) -> None:
        folder = path.rpartition("/")[0]
        if not folder:
            return
        held = self.at(folder)
        if held is None:
            self._make_parents(folder)
            self._now[folder] = Held(Node.FOLDER)
        elif held.node is not Node.FOLDER:
            raise BadScope("scope.path", f"{shown(folder)} is not a folder, so nothing can be put into it.")

    def _move(self, effect: Effect) -> None:
        source, path = effect.source, effect.path
        held = self._take(source, effect.base, path)
        if held.node is Node.FOLDER:
            for key in self._below(source):
                self._now[path + key[len(source) :]] = self._now.pop(key)
        self._now[source], self._now[path] = Held(held.node, gone=True), held

    def _take(self, source: str, base: Version | None, path: str) -> Held:
        """Return what is at ``source``, checked for going to ``path``; a thing on the disk gets its fate."""
        held = self.at(source)
        if held is None:
            raise conflict([source], "is no longer there")
        if path == source or path.startswith(f"{source}/"):
            raise BadScope("scope.path", f"{shown(source)} cannot be moved or copied into itself.")
        self._make_parents(path)
        if self.at(path) is not None:
            raise conflict([path], "exists already")
        self._check_new_place(source, path, held)
        if held.lower and held.lower not in self._fates:
            base = held.base or base  # new content was staged on top: the first look counts
            self._fates[held.lower] = Fate(held.node, _needed(base, source))
        return held

    def _check_new_place(self, source: str, path: str, held: Held) -> None:
        if held.node is Node.LINK:
            self._places.check_link(path)
        if held.node is Node.FOLDER and held.lower:
            self._places.check_planting(source, path, _names_below(held.lower))

    def _copy(self, effect: Effect) -> None:
        source, path = effect.source, effect.path
        held = self.at(source)
        if held is None:
            raise conflict([source], "is no longer there")
        if path == source or path.startswith(f"{source}/"):
            raise BadScope("scope.path", f"{shown(source)} cannot be moved or copied into itself.")
        self._make_parents(path)
        if self.at(path) is not None:
            raise conflict([path], "exists already")
        self._check_new_place(source, path, held)
        if held.lower and not held.blob and held.node is not Node.FOLDER:
            held = replace(held, base=_needed(effect.base, source))
        self._copy_held(source, path, held, self._staged_names(source) if held.node is Node.FOLDER else {})

    def _staged_names(self, top: str) -> dict[str, set[str]]:
        names: dict[str, set[str]] = {}
        for key in self._below(top):
            while key != top:
                key, _, name = key.rpartition("/")  # noqa: PLW2901
                names.setdefault(key, set()).add(name)
        return names

    def _copy_held(self, source: str, path: str, held: Held, staged: dict[str, set[str]]) -> None:
        if held.node is Node.LINK:
            self._now[path] = Held(Node.LINK, target=held.target or os.readlink(held.lower or ""))
        elif held.blob or held.copied:
            self._now[path] = replace(held, lower=None, base=held.base if held.copied else None)
        elif held.node is Node.FILE and held.lower:
            base = held.base or Version.of(os.lstat(held.lower))
            self._now[path] = Held(Node.FILE, copied=held.lower, base=base)
        else:
            self._now[path] = Held(Node.FOLDER)
            names = staged.get(source, set()) | (set(os.listdir(held.lower)) if held.lower else set())
            for name in sorted(names):
                below = self.at(f"{source}/{name}")
                if below is not None:
                    self._copy_held(f"{source}/{name}", f"{path}/{name}", below, staged)

    def _delete(self, effect: Effect) -> None:
        held = self.at(effect.path)
        if held is None:
            raise conflict([effect.path], "is no longer there")
        if held.lower and held.lower not in self._fates:
            self._fates[held.lower] = Fate(held.node, _needed(held.base or effect.base, effect.path))
        if held.node is Node.FOLDER:
            for key in self._below(effect.path):
                del self._now[key]
        self._now[effect.path] = Held(held.node, lower=held.lower, gone=True)

    # the result

    def entries(self) -> tuple[Entry, ...]:
        """Return the net entries, sorted by path (digests, sizes and fingerprints still to be filled in)."""
        held = {path: thing for path, thing in self._now.items() if not thing.gone}
        found = [entry for path, thing in held.items() for entry in self._entries_at(path, thing)]
        found += self._deletions({thing.lower for thing in held.values() if thing.lower})
        return tuple(sorted(found, key=lambda entry: (entry.path.split("/"), entry.kind == ChangeKind.MODIFIED)))

    def _entries_at(self, path: str, held: Held) -> Iterator[Entry]:
        if held.lower is None:
            vacant = self._vacant_of(path)
            yield Entry(
                ChangeKind.CREATED,
                path,
                held.node,
                vacant=vacant,
                blob=held.blob,
                mode=held.mode,
                target=held.target,
                origin=held.copied,
                base=held.base,
            )
            return
        fate = self._fates.get(held.lower)
        if fate and not self._at_home(held.lower, path):
            yield Entry(
                ChangeKind.MOVED,
                path,
                held.node,
                source=held.lower,
                origin=held.lower,
                base=fate.base,
                vacant=self._vacant_of(path),
            )
        if held.blob:
            yield Entry(
                ChangeKind.MODIFIED,
                path,
                Node.FILE,
                origin=held.lower,
                base=held.base,
                blob=held.blob,
                mode=held.mode,
            )

    def _at_home(self, lower: str, path: str) -> bool:
        """Tell whether ``path`` is where the thing at ``lower`` would be had it not been moved itself."""
        return self._lower_of(path) == lower

    def _deletions(self, placed: set[str]) -> Iterator[Entry]:
        deleted = {lower: fate for lower, fate in self._fates.items() if lower not in placed}
        for lower, fate in deleted.items():
            if not any(parent in deleted for parent in _parents(lower)):
                yield Entry(ChangeKind.DELETED, lower, fate.node, origin=lower, base=fate.base)


def _parents(path: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _needed(base: Version | None, path: str) -> Version:
    if base is None:
        raise BadScope("scope.version", f"The description of {shown(path)} lacks the version that was seen.")
    return base


def _must_be_writable(path: str, held: Held) -> None:
    if held.node is Node.LINK:
        hint = "Name the file that the link points to."
        raise Refused("refused.link", f"{shown(path)} is a link; links are never written through.", hint=hint)
    if held.node is Node.FOLDER:
        raise conflict([path], "is a folder, not a file")


def _on_disk(path: str) -> Held | None:
    try:
        info = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadScope("scope.path", f"{shown(path)} cannot be looked at: {error.strerror}.") from error
    if stat.S_ISREG(info.st_mode):
        return Held(Node.FILE, path, None)
    if stat.S_ISDIR(info.st_mode):
        return Held(Node.FOLDER, path, None)
    if stat.S_ISLNK(info.st_mode):
        return Held(Node.LINK, path, None)
    raise Refused("refused.device", f"{shown(path)} is a device, pipe or socket.", subject=path)


def _names_below(top: str) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        inside = folder[len(top) + 1 :]
        for name in (*folders, *names):
            yield f"{inside}/{name}" if inside else name
