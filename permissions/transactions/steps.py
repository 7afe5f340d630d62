"""The six primitive steps, each of which can be recognised as done and taken back.

``move`` renames a known inode to a free name, ``swap`` exchanges a prepared inode with a known one, ``mkdir`` and
``rmdir`` make and remove empty folders, ``fill`` writes into a file that has several names, ``meta`` changes a folder's
mode and attributes.
What this stops: overwriting a file that appeared meanwhile (RENAME_NOREPLACE), losing a change that an editor made
between the last check and the rename, or makes through a file that it has open (the displaced inode is looked at, and
put back: ``displaced``).
What it does not: hide the steps from other programs while they happen, one after another.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from permissions.errors import Conflict, PermissionsError
from permissions.transactions import displaced, files, syscalls
from permissions.transactions.failures import conflict, from_os, kept_both
from permissions.transactions.files import Meta
from permissions.transactions.model import Ident, ident
from permissions.transactions.resolve import Folders


@dataclass(frozen=True, slots=True)
class Step:
    """One primitive. ``other`` is where a move comes from, and where the prepared file of a swap or fill lies.

    ``was`` identifies what is moved or displaced, ``new`` what a swap brings. ``fresh`` marks new content, ``private``
    a destination of our own (trash, holding), ``gone`` one that is thrown away in the end, ``seen`` the digest of what
    was kept of it; ``phase`` and ``key`` order the steps; ``pre`` is the pre-image of a fill; ``meta`` is given on the
    way forward, ``back`` when the step is taken back.
    """

    op: str
    path: str
    other: str = ""
    was: Ident | None = None
    new: Ident | None = None
    folder: bool = False
    fresh: bool = False
    private: bool = False
    gone: bool = False
    seen: str = ""
    phase: int = 2
    key: str = ""
    pre: str = ""
    meta: Meta | None = None
    back: Meta | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the journal's form: defaults left out."""
        out: dict[str, Any] = {"op": self.op, "path": self.path}
        for name in ("other", "was", "new", "folder", "fresh", "private", "gone", "seen", "pre"):
            if getattr(self, name):
                out[name] = getattr(self, name)
        for name, meta in (("meta", self.meta), ("back", self.back)):
            if meta:
                out[name] = meta.to_json()
        return out

    @staticmethod
    def from_json(value: dict[str, Any]) -> Step:
        """Read what ``to_json`` wrote."""
        fields = dict(value)
        for name in ("was", "new"):
            if name in fields:
                fields[name] = tuple(fields[name])
        for name in ("meta", "back"):
            if name in fields:
                fields[name] = Meta.from_json(fields[name])
        return Step(**fields)


class Engine:
    """Does steps and takes them back, through one set of open folders."""

    def __init__(self, folders: Folders, checkpoint: Callable[[str], None]) -> None:
        self._folders = folders
        self._checkpoint = checkpoint
        self.refused = ""  # where the system refused a step
        self.is_half_done = False  # what was done could not be taken back

    def run(self, steps: Sequence[Step]) -> None:
        """Do all steps. On the first that fails, take back those before it and raise Conflict or StorageFailed."""
        for index, step in enumerate(steps):
            try:
                self._checkpoint(f"step:{step.op}")
                self._do(step)
            except OSError as error:
                self.refused = _user_side(step)
                self.back(steps[: index + (step.op != "mkdir")])  # it may have happened before the disk failed
                raise from_os(error, self.refused) from error
            except PermissionsError:
                self.back(steps[:index])
                raise

    def look_again(self, steps: Sequence[Step]) -> None:
        """Look a last time at what is to be thrown away: who was opening it just then has done so by now.

        Raises Conflict; OSError.
        """
        for step in steps:
            if step.op == "swap" or step.gone:
                spot = step.other if step.op == "swap" else step.path
                wrong = displaced.objection(self._folders, spot, step.was, "", _user_side(step))
                if wrong is not None:
                    raise wrong

    def back(self, steps: Sequence[Step]) -> tuple[str, ...]:
        """Take back whichever of ``steps`` happened, last first; returns paths left alone because they changed."""
        problems = []
        self.is_half_done = True
        moves = {step.path: step for step in steps if step.op == "move" and step.folder}
        for step in reversed(steps):
            self._checkpoint(f"back:{step.op}")
            if not self._undo(self._where_it_is(step, moves)):
                problems.append(_user_side(step))
        self.is_half_done = False
        return tuple(problems)

    def _where_it_is(self, step: Step, moves: Mapping[str, Step]) -> Step:
        """Return the step at the place its thing has now: after a power cut a folder above may be at its old name."""
        for folder in reversed(above(step.path) if moves else ()):
            move = moves.get(folder)
            if move is not None and self._folders.lstat(folder) is None and self._has_stayed(move):
                return replace(step, path=move.other + step.path[len(folder) :])
        return step

    def _has_stayed(self, move: Step) -> bool:
        there = self._folders.lstat(move.other)
        return there is not None and move.was is not None and ident(there)[:2] == move.was[:2]

    # forward

    def _do(self, step: Step) -> None:
        match step.op:
            case "move":
                self._move(step)
            case "swap":
                self._swap(step)
            case "mkdir":
                folder, name = self._folders.at(step.path)
                os.mkdir(name, 0o755 if step.meta is None else step.meta.mode, dir_fd=folder)
            case "rmdir":
                folder, name = self._folders.at(step.path)
                os.rmdir(name, dir_fd=folder)
                self._folders.forget()
            case "fill":
                self._fill(step.path, step.other, step.was, step.meta, step.seen)
            case "meta":
                self._mend(step.path, step.was, step.meta)
            case _:
                raise AssertionError(step.op)

    def _move(self, step: Step) -> None:
        if step.gone:
            self._take_out(step)
            return
        self._rename(step.other, step.path, syscalls.RENAME_NOREPLACE, step.folder)
        if self._is(step.path, step.was):
            return
        self._rename(step.path, step.other, syscalls.RENAME_NOREPLACE, step.folder)
        raise conflict([_user_side(step)])

    def _take_out(self, step: Step) -> None:
        with displaced.held_still(self._folders, step.other, step.was, step.seen, step.other) as held:
            self._rename(step.other, step.path, syscalls.RENAME_NOREPLACE, step.folder)
            if held.lies_at(step.path):
                return
            raise self._put_back(step.path, step.other, step.folder)

    def _put_back(self, spot: str, path: str, folder: bool) -> Conflict:
        """Give what came in place of the known thing back to its path, or beside what lies there by now."""
        try:
            self._rename(spot, path, syscalls.RENAME_NOREPLACE, folder)
        except FileExistsError:
            return kept_both(path, displaced.keep_beside(self._folders, spot, path))
        return conflict([path])

    def _swap(self, step: Step) -> None:
        with displaced.held_still(self._folders, step.path, step.was, step.seen, step.path) as held:
            self._exchange(step)
            if held.lies_at(step.other):
                return
            self._exchange(step)
            raise self._both(step, step.new) or conflict([step.path])

    def _both(self, step: Step, ours: Ident | None) -> Conflict | None:
        """Where somebody has worked on what was shown for a moment, keep that beside what is there."""
        if displaced.objection(self._folders, step.other, ours, "", step.path) is None:
            return None
        return kept_both(step.path, displaced.keep_beside(self._folders, step.other, step.path))

    def _exchange(self, step: Step) -> None:
        try:
            self._rename(step.other, step.path, syscalls.RENAME_EXCHANGE, False)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            self._swap_by_three(step)

    def _swap_by_three(self, step: Step) -> None:
        """Where the file system cannot exchange: the old one steps aside first."""
        aside = f"{step.other}.old"
        self._rename(step.path, aside, syscalls.RENAME_NOREPLACE, False)
        self._checkpoint("swap:aside")
        self._rename(step.other, step.path, syscalls.RENAME_NOREPLACE, False)
        self._checkpoint("swap:placed")
        self._rename(aside, step.other, syscalls.RENAME_NOREPLACE, False)

    def _rename(self, old: str, new: str, flags: int, folder: bool) -> None:
        old_fd, old_name = self._folders.at(old)
        new_fd, new_name = self._folders.at(new)
        old_fd = self._folders.at(old)[0]  # opening the second may have closed the first
        try:
            syscalls.renameat2(old_fd, old_name, new_fd, new_name, flags)
        except OSError as error:
            if error.errno != errno.EINVAL or flags != syscalls.RENAME_NOREPLACE:
                raise
            if self._folders.lstat(new) is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new) from error
            os.rename(old_name, new_name, src_dir_fd=old_fd, dst_dir_fd=new_fd)
        if folder:
            self._folders.forget()

    def _fill(self, path: str, source: str, was: Ident | None, meta: Meta | None, seen: str = "") -> None:
        new = self._folders.open(source)
        try:
            old = self._folders.open(path, os.O_RDWR)
            try:
                displaced.hold_alone(old, path)
                if was is not None and (ident(os.fstat(old)) != was or (seen and files.digest_of(old) != seen)):
                    raise conflict([path])
                os.ftruncate(old, 0)
                os.lseek(old, 0, os.SEEK_SET)
                self._checkpoint("fill:half")
                files.copy_content(new, old)
                if meta:
                    meta.put(old, times=True, mask=0o7777)
                os.fsync(old)
            finally:
                os.close(old)
        finally:
            os.close(new)

    def _mend(self, path: str, was: Ident | None, meta: Meta | None) -> None:
        folder = os.dup(self._folders.fd(path))
        try:
            if meta is None or (was is not None and ident(os.fstat(folder)) != was):
                raise conflict([path])
            meta.give_to_folder(folder)
        finally:
            os.close(folder)

    # backward

    def _undo(self, step: Step) -> bool:
        match step.op:
            case "move":
                return self._undo_move(step)
            case "swap":
                return self._undo_swap(step)
            case "mkdir":
                return self._undo_mkdir(step)
            case "meta":
                there = self._folders.lstat(step.path)
                if there is not None and (step.was is None or ident(there) == step.was):
                    self._mend(step.path, step.was, step.back)
                return True
            case "rmdir":
                if self._folders.lstat(step.path) is None:
                    folder, name = self._folders.at(step.path)
                    os.mkdir(name, 0o700, dir_fd=folder)
                    if step.back:
                        step.back.give_to_folder(self._folders.fd(step.path))
                return True
            case _:
                return self._undo_fill(step)

    def _undo_move(self, step: Step) -> bool:
        there = self._folders.lstat(step.path)
        if there is None:
            return True  # it did not happen, or somebody took it away
        same = step.was is not None and ident(there)[:2] == step.was[:2]
        if not same and not step.private:
            return True  # a stranger with the same name; ours never came
        if self._folders.lstat(step.other) is not None:
            return not same
        folder = stat.S_ISDIR(there.st_mode)
        if step.fresh and same:
            return self._take_ours_back(step, folder)
        self._rename(step.path, step.other, syscalls.RENAME_NOREPLACE, folder)
        return True

    def _take_ours_back(self, step: Step, folder: bool) -> bool:
        """Take new content away again, unless it was written to since: then it is somebody's work."""
        try:
            with displaced.held_still(self._folders, step.path, step.was, "", step.path) as held:
                self._rename(step.path, step.other, syscalls.RENAME_NOREPLACE, folder)
                if held.lies_at(step.other):
                    return True
                self._put_back(step.other, step.path, folder)
        except Conflict:
            return False  # somebody works, or has worked, on it
        return False

    def _undo_swap(self, step: Step) -> bool:
        aside = f"{step.other}.old"
        there = self._folders.lstat(step.path)
        left = self._folders.lstat(aside)
        if left is not None:
            return self._close_gap(
                step, aside, there, going_back=step.new is not None and ident(left)[:2] == step.new[:2]
            )
        if there is None or step.new is None or ident(there)[:2] != step.new[:2]:
            return True
        try:
            with displaced.held_still(self._folders, step.path, step.new, "", step.path) as held:
                self._exchange(step)
                if held.lies_at(step.other):
                    return True
                self._exchange(step)
                self._both(step, step.was)
        except Conflict:
            return False  # somebody works, or has worked, on ours
        return False

    def _close_gap(self, step: Step, aside: str, there: os.stat_result | None, *, going_back: bool) -> bool:
        """Finish going back from between the three renames: the new one may be in place, or already aside."""
        waiting = self._folders.lstat(step.other) is not None
        if there is not None and waiting:
            return False  # somebody filled the gap
        if going_back:
            if there is None:
                self._rename(step.other, step.path, syscalls.RENAME_NOREPLACE, False)
            self._rename(aside, step.other, syscalls.RENAME_NOREPLACE, False)
            return True
        if there is not None:
            self._rename(step.path, step.other, syscalls.RENAME_NOREPLACE, False)
        self._rename(aside, step.path, syscalls.RENAME_NOREPLACE, False)
        return True

    def _undo_fill(self, step: Step) -> bool:
        there = self._folders.lstat(step.path)
        if there is None or step.was is None or ident(there)[:2] != step.was[:2]:
            return False
        if ident(there) == step.was:
            return True  # not begun
        if not self._is_half_filled(step):
            return False
        self._fill(step.path, step.pre, None, step.back)
        return True

    def _is_half_filled(self, step: Step) -> bool:
        """Tell whether the file holds a part of what we were writing, and nothing of anybody else's.

        That is the new content, or the old one where we died while we were putting it back.
        """
        return any(self._is_part(step.path, ours) for ours in (step.other, step.pre))

    def _is_part(self, path: str, ours: str) -> bool:
        now, whole = self._folders.open(path), self._folders.open(ours)
        try:
            return files.is_part_of(now, whole)
        finally:
            os.close(now)
            os.close(whole)

    def _undo_mkdir(self, step: Step) -> bool:
        try:
            folder, name = self._folders.at(step.path)
            os.rmdir(name, dir_fd=folder)
            self._folders.forget()
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                return False
            raise
        return True

    def _is(self, path: str, was: Ident | None) -> bool:
        there = self._folders.lstat(path)
        return there is not None and was is not None and ident(there) == was


def _user_side(step: Step) -> str:
    return step.other if step.private else step.path


def above(path: str) -> list[str]:
    """Return the folders above ``path``, the outermost first."""
    names = path.split("/")
    return ["/".join(names[:length]) for length in range(2, len(names))]
