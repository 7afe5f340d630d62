"""The tree as it will be: ordered effects go in, net entries come out.

Write then move is a write at the destination; write then delete is nothing; a move back is nothing. Two books are
kept: ``_now`` says what is at a path that differs from the disk, ``_fates`` which things on the disk were taken from
their place and in which version. Nothing on the disk is touched; it is looked at through ``disk`` alone.
"""

from __future__ import annotations

from dataclasses import replace

from permissions.errors import BadScope, Refused
from permissions.naming import shown
from permissions.transactions import net
from permissions.transactions.disk import Disk
from permissions.transactions.effects import MOST_EFFECTS, Effect, Op
from permissions.transactions.failures import conflict, taken, translated
from permissions.transactions.model import Entry, Node, Tree, Version
from permissions.transactions.net import Fate, Held
from permissions.transactions.places import Places


class Shadow:
    """The staged tree of one run. A batch takes a copy ``on`` its disk, applies its effects in order and keeps it."""

    def __init__(self, places: Places, disk: Disk | None = None) -> None:
        self._places = places
        self._now: dict[str, Held] = {}
        self._fates: dict[str, Fate] = {}
        self._looked = disk

    def on(self, disk: Disk) -> Shadow:
        """Return an independent copy that looks through ``disk``; a batch that is refused leaves no trace."""
        other = Shadow(self._places, disk)
        other._now, other._fates = dict(self._now), dict(self._fates)
        return other

    @property
    def _disk(self) -> Disk:
        assert self._looked is not None, "a shadow is changed only on a disk"
        return self._looked

    def apply(self, effect: Effect, blob: str) -> None:
        """Take one effect in; its paths are real. Raises BadScope, Refused, Conflict or StorageFailed."""
        with translated(effect.path):
            self._dispatch(effect, blob)
        if len(self._now) > 2 * MOST_EFFECTS:
            raise BadScope("scope.many", f"A run may describe at most {MOST_EFFECTS} effects.")

    def _dispatch(self, effect: Effect, blob: str) -> None:
        match effect.op:
            case Op.WRITE:
                self._write(effect, blob)
            case Op.MKDIR:
                self._mkdir(effect)
            case Op.MOVE:
                self._move(effect)
            case Op.COPY:
                self._copy(effect)
            case Op.DELETE:
                self._delete(effect)
            case Op.LINK:
                self._link(effect)
            case Op.ATTRIBUTES:
                self._attributes(effect)

    # what is where

    def at(self, path: str) -> Held | None:
        """Return what is at ``path`` in the staged tree, None for nothing."""
        held = self._now.get(path)
        if held is not None:
            return None if held.gone else held
        lower = self.lower_of(path)
        found = self._disk.found(lower) if lower else None
        return Held(found.node, lower) if found else None

    def staged(self) -> dict[str, Held]:
        """Return what differs from the disk, by path; of what is gone a ``Held`` says so."""
        return dict(self._now)

    def lower_of(self, path: str) -> str | None:
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

    def _below(self, path: str) -> list[str]:
        return [key for key in self._now if key.startswith(f"{path}/")]

    # the operations

    def _write(self, effect: Effect, blob: str) -> None:
        path = effect.path
        self._make_parents(path)
        held, now = self.at(path), self._now.get(path)
        if held is None:
            self._write_new(effect, blob, now)
            return
        _must_be_writable(path, held)
        _must_be_known(effect, held)
        mode = held.mode if effect.mode is None else effect.mode
        base = held.base if held.blob else effect.base  # the first look at a file on the disk counts
        held = replace(held, base=base if held.lower else None, copied=None, note=effect.note or held.note)
        self._now[path] = _with_content(replace(held, mode=mode), effect, blob)

    def _write_new(self, effect: Effect, blob: str, now: Held | None) -> None:
        path = effect.path
        if now is not None and now.lower and now.node is Node.FILE and self.lower_of(path) == now.lower:
            fate = self._fates.pop(now.lower)  # deleted before and now written again: an overwrite
            held = Held(Node.FILE, now.lower, fate.base, mode=effect.mode, note=effect.note)
            self._now[path] = _with_content(held, effect, blob)
            return
        if effect.base is not None or effect.over:
            raise conflict([path], "is no longer there")
        self._now[path] = _with_content(Held(Node.FILE, mode=effect.mode, note=effect.note), effect, blob)

    def _mkdir(self, effect: Effect) -> None:
        path = effect.path
        self._make_parents(path)
        held = self.at(path)
        if held is None:
            held = Held(Node.FOLDER, mode=effect.mode, note=effect.note)
            self._now[path] = replace(held, mtime_ns=effect.mtime_ns, xattrs=effect.xattrs)
        elif held.node is not Node.FOLDER:
            raise conflict([path], "exists already and is not a folder")

    def _link(self, effect: Effect) -> None:
        path = effect.path
        self._make_parents(path)
        if self.at(path) is not None:
            raise taken(path)
        self._places.check_link(path)
        self._now[path] = Held(Node.LINK, target=effect.target, note=effect.note)

    def _attributes(self, effect: Effect) -> None:
        held = self.at(effect.path)
        if held is None or held.node is not Node.FOLDER:
            raise conflict([effect.path], "is no longer a folder")
        base = _needed(held.base or effect.base, effect.path) if held.lower else None
        self._now[effect.path] = replace(held, base=base, mode=effect.mode, xattrs=effect.xattrs)

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
        held = self._bound_for(path, source)
        self._doom(held, effect, source)
        if held.node is Node.FOLDER:
            for key in self._below(source):
                self._now[path + key[len(source) :]] = self._now.pop(key)
        self._now[source] = Held(held.node, gone=True)
        self._now[path] = replace(held, note=effect.note or held.note)

    def _bound_for(self, path: str, source: str) -> Held:
        """Return what is at ``source``, checked for going to ``path``."""
        held = self.at(source)
        if held is None:
            raise conflict([source], "is no longer there")
        if path == source or path.startswith(f"{source}/"):
            raise BadScope("scope.path", f"{shown(source)} cannot be moved or copied into itself.")
        self._make_parents(path)
        if self.at(path) is not None:
            raise taken(path)
        if held.node is Node.LINK:
            self._places.check_link(path)
        if held.node is Node.FOLDER and held.lower:
            self._places.check_planting(source, path, self._disk.below(held.lower))
        return held

    def _doom(self, held: Held, effect: Effect, seen: str) -> None:
        """Give a thing on the disk that leaves its place its fate; the first look at it counts."""
        if held.lower and held.lower not in self._fates:
            base = _needed(held.base or effect.base, seen)
            self._fates[held.lower] = Fate(held.node, base, self._tree_of(held), effect.note)

    def _tree_of(self, held: Held) -> Tree | None:
        return self._disk.tree(held.lower) if held.node is Node.FOLDER and held.lower else None

    def _copy(self, effect: Effect) -> None:
        source, path = effect.source, effect.path
        held = self._bound_for(path, source)
        if held.lower and not held.blob:
            held = replace(held, base=self._base_of_copy(held, effect), tree=self._tree_of(held))
        self._copy_held(source, path, held, self._staged_names(source) if held.node is Node.FOLDER else {})
        self._now[path] = replace(self._now[path], note=effect.note)

    def _base_of_copy(self, held: Held, effect: Effect) -> Version:
        found = self._disk.found(held.lower or "") if held.node is Node.FOLDER else None
        return effect.base or _needed(found.version if found else None, effect.source)

    def _staged_names(self, top: str) -> dict[str, set[str]]:
        names: dict[str, set[str]] = {}
        for key in self._below(top):
            while key != top:
                key, _, name = key.rpartition("/")  # noqa: PLW2901
                names.setdefault(key, set()).add(name)
        return names

    def _copy_held(self, source: str, path: str, held: Held, staged: dict[str, set[str]]) -> None:
        if held.node is Node.LINK:
            self._now[path] = Held(Node.LINK, target=held.target or self._disk.target(held.lower or ""))
        elif held.blob or (held.copied and held.node is Node.FILE):
            self._now[path] = replace(held, lower=None, base=held.base if held.copied else None)
        elif held.node is Node.FILE and held.lower:
            found = self._disk.found(held.lower)
            self._now[path] = Held(Node.FILE, copied=held.lower, base=held.base or (found.version if found else None))
        else:
            self._copy_folder(source, path, held, staged)

    def _copy_folder(self, source: str, path: str, held: Held, staged: dict[str, set[str]]) -> None:
        whole = held.tree is not None  # below it everything is covered by the one at the top
        self._now[path] = Held(
            Node.FOLDER, copied=held.lower if whole else None, base=held.base if whole else None, tree=held.tree
        )
        names = staged.get(source, set()) | (self._disk.names(held.lower) if held.lower else set())
        for name in sorted(names):
            below = self.at(f"{source}/{name}")
            if below is not None:
                self._copy_held(f"{source}/{name}", f"{path}/{name}", below, staged)

    def _delete(self, effect: Effect) -> None:
        held = self.at(effect.path)
        if held is None:
            raise conflict([effect.path], "is no longer there")
        self._doom(held, effect, effect.path)
        if held.node is Node.FOLDER:
            for key in self._below(effect.path):
                del self._now[key]
        self._now[effect.path] = Held(held.node, lower=held.lower, gone=True)

    def entries(self) -> tuple[Entry, ...]:
        """Return the net entries, sorted by path (digests and the sizes of files still to be filled in)."""
        return net.entries(self._now, self._fates, self.lower_of)


def _with_content(held: Held, effect: Effect, blob: str) -> Held:
    """Return ``held`` with new content, and with what else the effect says of the file."""
    apart = effect.apart or held.apart
    return replace(held, blob=blob, mtime_ns=effect.mtime_ns, xattrs=effect.xattrs, apart=apart)


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


def _must_be_known(effect: Effect, held: Held) -> None:
    """Refuse content for what the tool does not say that it saw: a staged content, a copy, a file on the disk."""
    if held.blob:
        if effect.over != held.blob.partition("/")[2]:
            raise conflict([effect.path], "was written by an earlier step of the plan")
    elif effect.base is None or (held.copied and effect.base != held.base):
        raise taken(effect.path)
