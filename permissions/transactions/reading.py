"""Reading a room: what a call left in its upper layer, or in its copy, becomes the effects that the staging knows.

It is read when nothing of the call lives any more, through descriptors, following no link.
What this stops: set-id bits, file capabilities, devices, pipes, sockets and the overlay's own marks reaching the user's
tree; links that lead out of it; a change of what somebody else changed meanwhile (every effect carries the version that
the call could see).
What it does not: ask whether a place may be written; the staging does, effect by effect. A file that was renamed is
found again by its size, time, mode and content, nothing else.
"""

from __future__ import annotations

import base64
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from permissions.transactions import files
from permissions.transactions.effects import Effect, Op
from permissions.transactions.laying import user_xattrs
from permissions.transactions.model import Node, Version, Xattrs
from permissions.transactions.net import Held
from permissions.transactions.resolve import Folders
from permissions.transactions.rooms import OPAQUE, Before, Like, Room, is_whiteout
from permissions.transactions.trees import node_of

HARD_LINK = "breaks a hard link"


@dataclass(slots=True)
class _Met:
    """A file or link that the call left: where, what it is like, and what was there before."""

    path: str
    info: os.stat_result
    was: Held | None


@dataclass(slots=True)
class Left:
    """What a call left in one tree, as ordered effects. ``out`` are the things that no tree of the user's gets,
    ``astray`` the links that lead out of it, ``changed`` the paths of deleted folders that somebody else changed."""

    effects: list[Effect] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    astray: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)


class Reader:
    """Reads one room. ``blobs`` is the folder of ours into which new contents go, ``prefix`` begins their names."""

    def __init__(self, room: Room, folders: Folders, blobs: str, prefix: str) -> None:
        self._room = room
        self._folders = folders
        self._blobs = blobs
        self._prefix = prefix
        self._before = Before(room, folders)
        self._tree = room.layer.tree
        self._upper = room.layer.upper
        self._left = Left()
        self._gone: dict[str, Held] = {}
        self._replaced: dict[str, Held] = {}
        self._folders_made: list[Effect] = []
        self._attributes: list[Effect] = []
        self._met: list[_Met] = []
        self._taken: dict[tuple[int, int], str] = {}

    def read(self) -> Left:
        """Return what the call did. Raises OSError."""
        root = os.fstat(self._folders.fd(self._upper))
        self._open_up(self._tree, root)
        self._same_folder(self._tree, root, self._before.at(self._tree) or Held(Node.FOLDER))
        self._into(self._tree)
        moves = list(self._moves())
        writes = [effect for met in self._met for effect in self._written(met)]
        effects = [*map(self._delete, self._replaced.items()), *self._folders_made, *moves, *writes]
        self._left.effects = [*effects, *map(self._delete, self._gone.items()), *self._attributes]
        for held in (*self._gone.values(), *self._replaced.values()):
            if held.node is Node.FOLDER and held.lower:
                self._left.changed += self._before.changed_below(held.lower)
        return self._left

    # --- looking ------------------------------------------------------------------------------------------------

    def _place(self, path: str) -> str:
        return self._upper + path[len(self._tree) :]

    def _into(self, top: str) -> None:
        """Go through a folder that is there, and all below it."""
        waiting = [top]
        while waiting:
            path = waiting.pop()
            present, gone = self._look(path)
            for name in sorted(gone):
                was = self._before.at(f"{path}/{name}")
                if was is not None:
                    self._gone[f"{path}/{name}"] = was
            for name in sorted(present):
                if self._take(f"{path}/{name}", present[name]):
                    waiting.append(f"{path}/{name}")

    def _look(self, path: str) -> tuple[dict[str, os.stat_result], set[str]]:
        """Return what is in a folder now, and the names that are gone from it."""
        place = self._place(path)
        folder = self._folders.fd(place)
        found = {name: os.stat(name, dir_fd=folder, follow_symlinks=False) for name in os.listdir(folder)}
        if self._room.made is not None:
            names = {name for name in self._before.names(path) if self._was_copied(f"{path}/{name}")}
            return found, names - found.keys()
        whiteouts = {name for name, info in found.items() if is_whiteout(info)}
        present = {name: info for name, info in found.items() if name not in whiteouts}
        if _is_opaque(folder):
            whiteouts |= self._before.names(path) - present.keys()
        return present, whiteouts

    def _was_copied(self, path: str) -> bool:
        return self._room.made is not None and path[len(self._tree) + 1 :] in self._room.made

    def _take(self, path: str, info: os.stat_result) -> bool:
        """Take in one thing that is there; return whether it is a folder to look into."""
        was, node = self._before.at(path), node_of(info.st_mode)
        if node is None:
            self._left.out.append(path)
            if was is not None:
                self._gone[path] = was
        elif node is Node.FOLDER:
            self._open_up(path, info)
            self._folder(path, info, was)
        elif not self._is_untouched(path, info):
            self._met.append(_Met(path, info, was))
        return node is Node.FOLDER

    def _open_up(self, path: str, info: os.stat_result) -> None:
        if info.st_mode & 0o700 != 0o700:
            folder, name = self._folders.at(self._place(path))
            os.chmod(name, 0o700, dir_fd=folder)

    def _is_untouched(self, path: str, info: os.stat_result) -> bool:
        """Tell whether a thing in a whole copy is still what was copied."""
        made = self._room.made.get(path[len(self._tree) + 1 :]) if self._room.made is not None else None
        return made is not None and made[0].version == Version.of(info)

    # --- folders ------------------------------------------------------------------------------------------------

    def _folder(self, path: str, info: os.stat_result, was: Held | None) -> None:
        if was is not None and was.node is Node.FOLDER:
            self._same_folder(path, info, was)
            return
        if was is not None:
            self._replaced[path] = was
        xattrs = user_xattrs(self._folders, self._place(path), info)
        mode = stat.S_IMODE(info.st_mode) & 0o777
        made = Effect(Op.MKDIR, path, mode=mode, mtime_ns=info.st_mtime_ns, xattrs=xattrs or None)
        self._folders_made.append(made)

    def _same_folder(self, path: str, info: os.stat_result, was: Held) -> None:
        """Note another mode, or other attributes, of a folder that was there."""
        like, xattrs = self._before.like(path), user_xattrs(self._folders, self._place(path), info)
        mode = stat.S_IMODE(info.st_mode) & 0o777
        if like is None or (mode, xattrs) == (like.mode & 0o777, like.xattrs):
            return
        base = was.base if was.lower else None
        changed = None if xattrs == like.xattrs else xattrs
        self._attributes.append(Effect(Op.ATTRIBUTES, path, mode=mode, base=base, xattrs=changed))

    # --- files and links ----------------------------------------------------------------------------------------

    def _delete(self, gone: tuple[str, Held]) -> Effect:
        path, held = gone
        return Effect(Op.DELETE, path, base=held.base)

    def _moves(self) -> Iterator[Effect]:
        """Yield a move for each new thing that is one of those that went; they are neither new nor gone then."""
        left: dict[tuple[object, ...], list[tuple[str, Held]]] = {}
        for path, held in self._vanished():
            left.setdefault(self._print_of(path, held), []).append((path, held))
        for met in list(self._met):
            like = left.get(self._print(met)) if met.was is None and met.info.st_nlink == 1 else None
            found = next((one for one in like or () if self._is_the_same(met, one[0])), None)
            if like and found:
                like.remove(found)
                self._met.remove(met)
                self._gone.pop(found[0], None)
                yield Effect(Op.MOVE, met.path, source=found[0], base=found[1].base)

    def _vanished(self) -> Iterator[tuple[str, Held]]:
        """Yield the files and links of the disk that went by themselves, or with their folder."""
        waiting = list(self._gone.items())
        while waiting:
            path, held = waiting.pop()
            if held.node is Node.FOLDER:
                inner = ((f"{path}/{name}", self._before.at(f"{path}/{name}")) for name in self._before.names(path))
                waiting += [(below, one) for below, one in inner if one is not None]
            elif held.lower and not held.blob:
                yield path, held

    def _print_of(self, path: str, held: Held) -> tuple[object, ...]:
        like = self._before.like(path)
        if held.node is Node.LINK:
            return ("link", self._target(self._before.real(path) or held.lower or ""))
        return (like.mode & 0o777, like.size, like.mtime_ns) if like else ("gone", path)

    def _print(self, met: _Met) -> tuple[object, ...]:
        if stat.S_ISLNK(met.info.st_mode):
            return ("link", self._target(self._place(met.path)))
        return (stat.S_IMODE(met.info.st_mode) & 0o777, met.info.st_size, met.info.st_mtime_ns)

    def _target(self, place: str) -> str:
        folder, name = self._folders.at(place)
        return os.readlink(name, dir_fd=folder)

    def _is_the_same(self, met: _Met, gone: str) -> bool:
        if stat.S_ISLNK(met.info.st_mode):
            return True
        like = self._before.like(gone)
        return like is not None and self._has(met, like.xattrs, self._source(gone))

    def _source(self, path: str) -> str:
        """Return where the content of what was at ``path`` lies."""
        held = self._before.at(path)
        return (self._before.real(path) if self._room.made is None else held.lower if held else "") or ""

    def _has(self, met: _Met, xattrs: Xattrs, source: str) -> bool:
        """Tell whether a file that the call left has these attributes, and the content of ``source``."""
        if self._xattrs(met) != xattrs or not source:
            return False
        new, old = self._open(met), self._folders.open(source)
        try:
            same = os.fstat(new).st_size == os.fstat(old).st_size
            return same and files.begins_with(old, new)
        finally:
            os.close(new)
            os.close(old)

    def _open(self, met: _Met) -> int:
        folder, name = self._folders.at(self._place(met.path))
        if not met.info.st_mode & stat.S_IRUSR:
            os.chmod(name, 0o600, dir_fd=folder)
        return self._folders.open(self._place(met.path))

    def _xattrs(self, met: _Met) -> Xattrs:
        opened = self._open(met)
        try:
            pairs = files.Meta.of(opened).xattrs
        finally:
            os.close(opened)
        mine = ((name, value) for name, value in pairs if name.startswith("user."))
        return tuple((name, base64.b64encode(value).decode()) for name, value in sorted(mine))

    def _written(self, met: _Met) -> Iterator[Effect]:
        if met.was is not None and met.was.node is not node_of(met.info.st_mode):
            self._replaced[met.path] = met.was
            met.was = None
        if stat.S_ISLNK(met.info.st_mode):
            yield from self._linked(met)
        elif not self._is_as_it_was(met):
            yield self._content(met)
        elif met.info.st_nlink > 1:  # another name of it may be new, and must be the only one of its content
            folder, name = self._folders.at(self._place(met.path))
            os.unlink(name, dir_fd=folder)

    def _linked(self, met: _Met) -> Iterator[Effect]:
        target = self._target(self._place(met.path))
        if met.was is not None:
            if target == self._old_target(met):
                return
            self._replaced[met.path] = met.was
        if leads_out(self._tree, met.path, target):
            self._left.astray.append(met.path)
        yield Effect(Op.LINK, met.path, target=target)

    def _old_target(self, met: _Met) -> str | None:
        was = met.was
        if was is None or was.target is not None:
            return was.target if was else None
        return self._target(was.lower or "")

    def _is_as_it_was(self, met: _Met) -> bool:
        """Tell whether a file was only opened, and nothing of it is another."""
        like = self._before.like(met.path) if met.was is not None else None
        if like is None or not _looks_like(met.info, like):
            return False
        return self._room.made is None and self._has(met, like.xattrs, self._source(met.path))

    def _content(self, met: _Met) -> Effect:
        was, like = met.was, self._before.like(met.path) if met.was is not None else None
        mode, xattrs = stat.S_IMODE(met.info.st_mode) & 0o777, self._xattrs(met)
        base, over, apart = None, "", False
        if was is not None:
            over = was.blob.partition("/")[2] if was.blob else ""
            base = None if over else was.base
            seen = self._before.seen(was.lower) if was.lower else None
            apart = seen is not None and seen.names > 1 and not over
        note = HARD_LINK if apart else ""
        return Effect(
            Op.WRITE, met.path, blob=self._blob(met), base=base, over=over, apart=apart, note=note,
            mode=None if like and like.mode & 0o777 == mode else mode, mtime_ns=met.info.st_mtime_ns,
            xattrs=None if xattrs == (like.xattrs if like else ()) else xattrs,
        )  # fmt: skip

    def _blob(self, met: _Met) -> str:
        """Move a content to the others of its task; a second name of the same file uses the same content."""
        same = (met.info.st_dev, met.info.st_ino)
        folder, name = self._folders.at(self._place(met.path))
        if same in self._taken:
            os.unlink(name, dir_fd=folder)
            return self._taken[same]
        blob = f"{self._prefix}{len(self._taken) + 1:06d}"
        blobs = self._folders.fd(self._blobs)
        folder = self._folders.at(self._place(met.path))[0]  # opening the other may have closed it
        os.rename(name, blob, src_dir_fd=folder, dst_dir_fd=blobs)
        os.chmod(blob, 0o600, dir_fd=blobs)
        self._taken[same] = blob
        return blob


def _is_opaque(folder: int) -> bool:
    try:
        return os.getxattr(f"/proc/self/fd/{folder}", OPAQUE) == b"y"
    except OSError:
        return False


def _looks_like(info: os.stat_result, like: Like) -> bool:
    now = (stat.S_IMODE(info.st_mode) & 0o777, info.st_size, info.st_mtime_ns)
    return now == (like.mode & 0o777, like.size, like.mtime_ns)


def leads_out(tree: str, path: str, target: str) -> bool:
    """Tell whether a link at ``path`` leads out of ``tree``, as it is written."""
    end = os.path.normpath(os.path.join(os.path.dirname(path), target))
    return end != tree and not end.startswith(f"{tree}/")
