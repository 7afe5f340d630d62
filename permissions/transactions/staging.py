"""The staging of one run: described effects collect here until they are sealed, shown, and committed or dropped.

What this stops: malformed effects, never-written places (also through links and other names), a folder exchanged for a
link between the check of an effect and its staging, a change after the seal, a commit under another seal.
What it does not: ask policy; ``check`` does, on the resolved effects, before any is taken in.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from permissions.errors import BadScope, Refused
from permissions.model import Change, ChangeSet, Layer
from permissions.naming import shown
from permissions.transactions import diff, effects, files
from permissions.transactions.disk import Disk
from permissions.transactions.effects import Effect, Op
from permissions.transactions.failures import conflict, translated
from permissions.transactions.garbage import empty_soon, put_out
from permissions.transactions.model import Entry, FileDiff, Node, Version
from permissions.transactions.reading import Reader
from permissions.transactions.resolve import Folders
from permissions.transactions.rooms import Room, open_room
from permissions.transactions.seal import Sealed, Sealer, canonical, save, seal_of
from permissions.transactions.shadow import Shadow
from permissions.transactions.shop import Shop, checked_name, private_folder
from permissions.transactions.space import Space

Finish = Callable[[Sealed], None]
Check = Callable[[Sequence[Mapping[str, Any]]], None]
"""Is handed the effects of a batch, with real paths, and raises what it finds wrong with them."""


MOST_INPUTS = 100_000
"""Files that were only read, of one run; what it reads beyond that is not compared. Each costs the commit a look."""

_NAMED = 5
"""So many paths are named in a refusal."""


def _unchecked(_effects: Sequence[Mapping[str, Any]]) -> None:
    """Nothing to object."""


class Staging:
    """Effects of one run, in order. Made by ``Transactions.begin`` and ``reopen``; safe to use from several threads."""

    def __init__(self, shop: Shop, run: str, finish: Finish, sealed: Sealed | None = None) -> None:
        self._shop = shop
        self._run = run
        self._top = shop.run_folder(run)
        self._finish = finish
        self._sealed = sealed
        self._changes: ChangeSet | None = None
        self._shadow = Shadow(shop.places)
        self._effects: list[dict[str, Any]] = list(map(dict, sealed.effects)) if sealed else []
        self._inputs: dict[str, Version] = {}
        self._closed = False
        self._lock = threading.RLock()
        self._rooms: dict[str, list[Room]] = {}
        self._untidy = False
        """Whether layers were put out that nobody was told to empty yet."""

    @property
    def run(self) -> str:
        """The run that these effects belong to."""
        return self._run

    def task_folder(self, task: str) -> Path:
        """Return the private folder into which the cell of ``task`` writes new contents. Raises BadScope."""
        path = f"{self._top}/tasks/{checked_name(task)}"
        with translated(path):
            return Path(private_folder(path))

    def space(self, task: str) -> Space:
        """Return the room that the call of ``task`` has from now on. Raises BadScope, StorageFailed."""
        layers = self._layers(task) if self._rooms.get(task) else ""
        return Space(str(self.task_folder(task)), self._top, layers)

    def _layers(self, task: str) -> str:
        return f"{self._top}/layers/{checked_name(task)}"

    def open_trees(self, task: str, trees: Sequence[str]) -> tuple[Layer, ...]:
        """Make ready that ``task`` works in ``trees`` as it likes: it will see what is staged, and change layers alone.

        Raises BadScope where one is no folder, Refused where nobody can work in it (too large, or never written),
        StorageFailed.
        """
        with self._lock:
            self._must_be_open()
            shadow = self._shadow
        outermost = [tree for tree in trees if not any(tree.startswith(f"{other}/") for other in trees)]
        for number, tree in enumerate(dict.fromkeys(outermost)):
            with translated(tree):
                room = open_room(self._shop, shadow, tree, f"{self._layers(task)}/{number}", self._top)
            self._rooms.setdefault(task, []).append(room)
        return tuple(room.layer for room in self._rooms.get(task, ()))

    def take_in(self, task: str, check: Check = _unchecked) -> tuple[str, ...]:
        """Take in, as effects, what ``task`` did in its trees; nothing of it may run any more. All or none.

        Returns the things it left that no tree of the user's gets: devices, pipes, sockets. Raises as ``describe``, and
        Refused for links that lead out of their tree.
        """
        rooms, folders = self._rooms.pop(task, []), Folders()
        try:
            with translated(self._top):
                blobs = str(self.task_folder(task))
                left = [Reader(room, folders, blobs, f"w{number}-").read() for number, room in enumerate(rooms)]
                for room in rooms:
                    room.close()
                    files.remove_tree(folders, f"{room.folder}/staged")  # its names of staged contents go at once
                if rooms:
                    self._put_out_layers(task, folders)
        finally:
            folders.close()
        _must_stay_inside([path for one in left for path in one.astray])
        changed = [path for one in left for path in one.changed]
        if changed:
            raise conflict(changed)
        self._take(task, [effect for one in left for effect in one.effects], check)
        return tuple(path for one in left for path in one.out)

    def forget(self, task: str) -> None:
        """Let go of the trees of ``task``, whose call is made again: nothing of what it did there is read or taken in.

        Nothing of it may run any more. Raises StorageFailed.
        """
        rooms, folders = self._rooms.pop(task, []), Folders()
        try:
            with translated(self._top):
                for room in rooms:
                    room.close()
                    files.remove_tree(folders, f"{room.folder}/staged")
                if rooms:
                    self._put_out_layers(task, folders)
                self._tidy()
        finally:
            folders.close()

    def _put_out_layers(self, task: str, folders: Folders) -> None:
        """Let the layers of a call disappear. Somebody waits for the call: they are emptied when that is answered."""
        put_out(self._shop, folders, self._layers(task))
        self._untidy = True

    def _tidy(self) -> None:
        if self._untidy:
            self._untidy = False
            empty_soon(self._shop)

    def describe(self, task: str, described: Sequence[Mapping[str, Any]], check: Check = _unchecked) -> None:
        """Take the effects of a task in, all or none. Raises BadScope, Refused, Conflict, StorageFailed.

        Every path is resolved once; ``check`` judges the real ones, and what it lets pass is staged through the very
        folders that were open then.
        """
        self._take(task, [effects.parse(value) for value in described], check)

    def _take(self, task: str, batch: Sequence[Effect], check: Check) -> None:
        with self._lock:
            self._must_be_open()
            disk, blobs = Disk(), _Blobs(f"{self._top}/tasks/{checked_name(task)}")
            try:
                resolver = _Resolver(self._shop, disk)
                real = resolver.resolve_all(batch)
                check([effect.to_json() for effect in real])
                shadow = self._shadow.on(disk)
                for effect in real:
                    shadow.apply(effect, blobs.checked(task, effect))
            finally:
                blobs.close()
                disk.close()
            self._shadow = shadow
            self._effects += [{**effect.to_json(), "task": task} for effect in real]

    def view(self) -> tuple[Mapping[str, Any], ...]:
        """Return the effects so far, in order, with real paths; those with content name it as ``blob_path``."""
        with self._lock:
            return tuple(self._seen(effect) for effect in self._effects)

    def _seen(self, effect: dict[str, Any]) -> dict[str, Any]:
        if effect["op"] != Op.WRITE:
            return dict(effect)
        return {**effect, "blob_path": f"{self._top}/tasks/{effect['task']}/{effect['blob']}"}

    def rests_on(self, versions: Mapping[str, Sequence[int]]) -> None:
        """Take note of files that were only read, as they were then: the commit looks whether they still are.

        Each is dev, ino, size, mtime_ns and ctime_ns, by the real path; the first look at a file counts. Raises
        BadScope, Refused after the seal.
        """
        read = {effects.parse_path(path): Version.from_row(row) for path, row in versions.items()}
        with self._lock:
            self._must_be_open()
            for path, version in read.items():
                if len(self._inputs) < MOST_INPUTS:
                    self._inputs.setdefault(path, version)

    def inputs(self) -> frozenset[str]:
        """Return the paths of what was only read."""
        with self._lock:
            return frozenset(self._sealed.inputs if self._sealed else self._inputs)

    def seal(self) -> ChangeSet:
        """Fix the net changes and return them with their hash. Again: the same. Raises Conflict, StorageFailed,
        Refused, BadScope."""
        with self._lock:
            if self._sealed is None:
                self._must_be_open()
                self._sealed = self._seal()
            return self._shown(self._sealed)

    def _shown(self, sealed: Sealed) -> ChangeSet:
        if self._changes is None:
            self._changes = sealed.change_set()
        return self._changes

    def _seal(self) -> Sealed:
        folders = Folders()
        try:
            with translated(self._top):
                private_folder(self._top)
                sealer = Sealer(self._top, folders)
                entries = self._shadow.entries()
                self._shop.places.look_again()
                for entry in entries:
                    self._shop.places.check(entry.path)
                    if entry.node is Node.LINK and entry.target is not None:
                        self._shop.places.check_link(entry.path)
                filled = tuple(sealer.fill(entry) for entry in entries)
                inputs = _only_read(self._inputs, filled)
                text = canonical(self._run, filled, inputs)
                return Sealed(seal_of(text), self._run, filled, tuple(self._effects), inputs)
        finally:
            folders.close()

    def keep(self) -> None:
        """Let the sealed run wait for its answer, also past a crash: only then ``reopen`` finds it. Raises Refused
        before the seal, StorageFailed."""
        with self._lock:
            sealed, folders = self._the_seal(), Folders()
            try:
                with translated(self._top):
                    save(self._top, sealed, folders)
                self._tidy()
            finally:
                folders.close()

    def diff(self, bounds: diff.Bounds = diff.USUAL) -> tuple[FileDiff, ...]:
        """Return what each sealed change does, bounded and safe to show. Raises Refused before the seal."""
        with self._lock:
            return diff.diffs(self._the_seal().entries, self._top, bounds)

    def whole_diff(self) -> tuple[FileDiff, ...]:
        """Return all of what each sealed change does, as far as anybody would look through it."""
        return self.diff(diff.ALL)

    def commit(self, approved: str) -> tuple[Change, ...]:
        """Carry out the change set with this very seal, atomically. Raises Conflict, Refused, StorageFailed."""
        with self._lock:
            sealed = self._the_seal()
            if approved != sealed.seal:
                raise Refused(
                    "refused.seal", "The approval belongs to another set of changes.", hint="Look at them again."
                )
            self._finish(sealed)
            self._closed = True
            self._tidy()
            return self._shown(sealed).changes

    def drop(self) -> None:
        """Forget everything staged. Again, or after a commit: nothing happens."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            folders = Folders()
            try:
                with translated(self._top):
                    files.remove_tree(folders, self._top)
            finally:
                folders.close()
                self._tidy()

    def _must_be_open(self) -> None:
        if self._closed:
            raise Refused("refused.closed", f"Run {shown(self._run)} is committed or dropped already.")
        if self._sealed is not None:
            raise Refused("refused.sealed", f"Run {shown(self._run)} is sealed; nothing can be added.")

    def _the_seal(self) -> Sealed:
        if self._closed:
            raise Refused("refused.closed", f"Run {shown(self._run)} is committed or dropped already.")
        if self._sealed is None:
            raise Refused("refused.unsealed", f"Run {shown(self._run)} is not sealed yet.")
        return self._sealed


def _only_read(inputs: Mapping[str, Version], entries: Sequence[Entry]) -> dict[str, Version]:
    """Return the inputs that no entry is about: what is changed itself is compared with its content."""
    own = {entry.origin: entry.base for entry in entries if entry.origin}
    return {path: version for path, version in inputs.items() if own.get(path) != version}


def _must_stay_inside(links: Sequence[str]) -> None:
    if links:
        named = ", ".join(shown(path) for path in links[:_NAMED])
        more = f" and {len(links) - _NAMED} more" if len(links) > _NAMED else ""
        message = f"{named}{more}: links that lead out of the folder are not made by a run."
        raise Refused("refused.link", message, subject=links[0], hint="Make them yourself, outside Steward.")


class _Resolver:
    """Resolves folders' links once per batch and keeps effects out of the never-written places."""

    def __init__(self, shop: Shop, disk: Disk) -> None:
        self._places = shop.places
        self._places.look_again()
        self._others = shop.places.other_names()
        self._disk = disk

    def resolve_all(self, batch: Sequence[Effect]) -> list[Effect]:
        """Return the effects with real paths. Raises Refused that names the first places that may not be written."""
        real: list[Effect] = []
        refused: list[Refused] = []
        for effect in batch:
            try:
                real.append(self._resolve(effect))
            except Refused as error:
                refused.append(error)
                if len(refused) == _NAMED:
                    break
        if refused:
            first = refused[0]
            others = "".join(f" Nor {shown(one.subject)}." for one in refused[1:])
            raise Refused(first.code, f"{first}{others}", subject=first.subject, hint=first.hint)
        return real

    def _resolve(self, effect: Effect) -> Effect:
        path = self._target(effect.path)
        source = ""
        if effect.source:
            source = self._place(effect.source)
            if effect.op is Op.MOVE:
                self._places.check_removal(effect.source)
                self._places.check_removal(source)
        if effect.op is Op.DELETE:
            self._places.check_removal(path)
        return replace(effect, path=path, source=source)

    def _target(self, path: str) -> str:
        self._places.check(path)
        real = self._place(path)
        self._places.check(real)
        return real

    def _place(self, path: str) -> str:
        with translated(path):
            return self._disk.real(path, self._check_inodes)

    def _check_inodes(self, folder: str) -> None:
        """A protected folder may be mounted under another name: recognise it by inode, up to the root."""
        while folder:
            try:
                info = os.lstat(folder)
            except OSError:
                info = None
            place = self._others.of(info) if info else ""
            if place:
                message = f"{shown(folder)} is another name of {shown(place)}, which is never written by a run."
                raise Refused("refused.place", message, subject=folder)
            folder = folder.rpartition("/")[0]


class _Blobs:
    """Looks at content files through one descriptor of the task's folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._fd = -1

    def checked(self, task: str, effect: Effect) -> str:
        """Return where the content of an effect lies below the run's folder. Raises BadScope unless it is sound."""
        if effect.op is not Op.WRITE:
            return ""
        if self._fd < 0:
            try:
                self._fd = os.open(self._folder, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            except OSError:
                raise BadScope("scope.blob", "The task has no folder for contents.") from None
        effects.check_blob(self._fd, effect.blob)
        return f"tasks/{task}/{effect.blob}"

    def close(self) -> None:
        """Let go of the folder."""
        if self._fd >= 0:
            os.close(self._fd)
