"""``Transactions``: the door's one object. It hands out staging, commits one at a time, undoes and recovers.

What this stops: two commits at once (a lock in the process, a lock file between processes).
What it does not: guard its own folder against other programs of the same user.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from permissions.errors import BadScope, PermissionsError, Refused
from permissions.model import Change
from permissions.naming import shown
from permissions.transactions import copying, forgetting, journal, recover, seal
from permissions.transactions.commit import Commit
from permissions.transactions.failures import translated
from permissions.transactions.forgetting import Gone
from permissions.transactions.journal import Record
from permissions.transactions.model import HalfDone, Recovered, Recovery, Undone, Usage, change_from_json
from permissions.transactions.places import Places
from permissions.transactions.resolve import Folders
from permissions.transactions.retention import Keep, Shelf
from permissions.transactions.shop import Shop, checked_name, current_umask, private_folder
from permissions.transactions.space import size_below
from permissions.transactions.staging import Staging
from permissions.transactions.undo import Undo, choose


def _no_checkpoint(name: str) -> None:
    """Nothing to see."""


class Transactions:
    """Staging, commit and undo for one home.

    ``folder`` holds staging, journals and pre-images (0700), ``state`` is Steward's own place and never written by a
    run, but for what lies below a folder of ``skills``. ``keep`` bounds what runs are taken back with. ``checkpoint``
    is called before every step that matters to crash safety.
    """

    def __init__(
        self,
        folder: Path,
        home: Path,
        *,
        state: Path,
        skills: Path | None = None,
        keep: Keep | None = None,
        checkpoint: Callable[[str], None] = _no_checkpoint,
    ) -> None:
        with translated(str(folder)):
            Path(folder).mkdir(parents=True, exist_ok=True, mode=0o700)
            real = os.path.realpath(folder)
            places = Places(Path(home), (Path(folder), Path(state)), skills)
            self._shop = Shop(real, os.path.realpath(home), places, checkpoint, current_umask())
            self._shop.make()
        self._shelf = Shelf(self._shop, keep or Keep())
        self._lock = threading.Lock()
        self._alive: set[str] = set()
        self._half_done: dict[str, HalfDone] = {}

    def begin(self, run: str) -> Staging:
        """Return empty staging for a new run. Raises BadScope, Refused if the run exists, StorageFailed."""
        top = self._shop.run_folder(run)
        if os.path.exists(top) or self._record(run) is not None:
            raise Refused("refused.run", f"Run {shown(run)} has staged or committed changes already.")
        with translated(top):
            private_folder(top)
        self._alive.add(run)
        return Staging(self._shop, run, self._commit)

    def reopen(self, run: str) -> Staging | None:
        """Return the sealed staging of a run that waits for an answer, None if there is none."""
        sealed = seal.load(self._shop.run_folder(run))
        if sealed is None or sealed.run != run or self._record(run) is not None:
            return None
        return Staging(self._shop, run, self._commit, sealed)

    def effects(self, run: str) -> tuple[Change, ...]:
        """Return what a committed run changed and has not been taken back, sorted by path."""
        taken = self._taken(run)
        return tuple(change for index, change in enumerate(self._committed(run)) if index not in taken)

    def changes(self, run: str) -> tuple[Change, ...]:
        """Return what a run committed, taken back or not, or what it has sealed and waits to commit."""
        sealed = seal.load(self._shop.run_folder(run))
        return self._committed(run) or (sealed.change_set().changes if sealed else ())

    def undone(self, run: str) -> tuple[tuple[Change, ...], ...]:
        """Return what each undo of a committed run took back, the first undo first."""
        changes = self._committed(run)
        return tuple(tuple(changes[index] for index in taken) for taken in self._undos(run) if changes)

    def _committed(self, run: str) -> tuple[Change, ...]:
        record = self._record(run)
        return tuple(map(change_from_json, record.plan["changes"])) if record is not None and record.plan else ()

    def undo(self, run: str, *, paths: Collection[str] = ()) -> Undone:
        """Take a committed run, or some of its paths, back. Raises Conflict, BadScope, StorageFailed."""
        with self._alone() as folders:
            record = self._record(run)
            if record is None or record.plan is None or record.applied is None:
                raise BadScope("scope.run", f"Run {shown(run)} changed nothing that could be taken back.", subject=run)
            chosen = choose(record, self._taken(run), paths)
            tag = f"{run}~{len(self._undo_tags(run)) + 1}"
            undo = Undo(self._shop, folders, record, tag, chosen)
            with self._watched(tag):
                applied = undo.carry_out()
            self._finish(folders, applied)
            changes = record.plan["changes"]
            return Undone(run, tuple(change_from_json(changes[index]) for index in chosen), tuple(sorted(undo.kept)))

    def recover(self) -> tuple[Recovered, ...]:
        """Settle what a crash interrupted, drop orphans and what is past its time. Raises StorageFailed."""
        with self._alone() as folders, translated(self._shop.folder):
            found = recover.recover(self._shop, folders, self._alive)
            self._shelf.trim(folders, time.time())
            refused = {one.run: one for one in found if one.action is Recovery.WAITING}
            self._half_done.clear()
            for tag in journal.tags(self._shop, "open"):
                told = refused.get(tag.partition("~")[0])
                self._note(tag, next(iter(told.paths), "") if told else "", told.problems[0] if told else "")
            return tuple(found)

    def is_due(self, now_s: float | None = None) -> bool:
        """Tell whether ``trim`` may have something to let go of. Reads no folder."""
        return self._shelf.is_due(time.time() if now_s is None else now_s)

    def trim(self, *, spare: str = "", now_s: float | None = None) -> tuple[str, ...]:
        """Let go of what the oldest runs could be taken back with, where it is past its time or over the quota.

        Returns these runs; ``spare`` is none of them. Where nothing is due that takes a microsecond. Raises
        StorageFailed.
        """
        now = time.time() if now_s is None else now_s
        if not self.is_due(now):
            return ()
        with self._alone() as folders, translated(self._shop.folder):
            return self._shelf.trim(folders, now, spare)

    def runs(self) -> frozenset[str]:
        """Return the committed runs whose journals are kept, taken back or not. Raises StorageFailed."""
        with translated(self._shop.folder):
            return frozenset(
                tag for state in ("done", "open") for tag in journal.tags(self._shop, state) if "~" not in tag
            )

    def half_done(self) -> tuple[HalfDone, ...]:
        """Return what stands half way because its disk would not let it be taken back, by run."""
        return tuple(self._half_done[tag] for tag in sorted(self._half_done))

    def _note(self, tag: str, path: str, why: str) -> None:
        found = recover.half_done(self._shop, tag, path, why)
        if found is not None:
            self._half_done[tag] = found

    @contextmanager
    def _watched(self, tag: str) -> Iterator[None]:
        """Take note where what is done inside fails, and cannot be taken back either."""
        try:
            yield
        except PermissionsError as error:
            with suppress(OSError):
                self._note(tag, "", str(error))
            raise

    def mentioning(self, in_text: Callable[[str], bool]) -> tuple[str, ...]:
        """Return the runs whose journals, old or staged contents hold what ``in_text`` looks for. Raises StorageFailed.

        Contents are read as text; what lies packed in a file (a PDF, an archive) is not looked into.
        """
        with translated(self._shop.folder):
            return forgetting.mentioning(self._shop, in_text)

    def forget(self, runs: Collection[str], in_text: Callable[[str], bool]) -> Gone:
        """Throw away all that is kept to take ``runs`` back; none of them can be undone then. Raises StorageFailed.

        Also what they moved to the trash, where its name or content holds what ``in_text`` looks for. What is under way
        or waits for its disk stays. Called again, it finishes what is left.
        """
        with self._alone() as folders, translated(self._shop.folder):
            return forgetting.forget(self._shop, folders, runs, in_text)

    @contextmanager
    def still(self, to: Path) -> Iterator[None]:
        """Give ``to`` what finished runs are taken back with, and let nothing be committed or undone inside: be quick.

        ``to`` lies on the same disk, or contents are copied. Raises StorageFailed.
        """
        with self._alone(), translated(self._shop.folder):
            copying.keep(self._shop, to)
            yield

    def usage(self) -> Usage:
        """Return what staging and pre-images take on disk."""
        top = self._shop.folder
        runs = [tag for tag in journal.tags(self._shop, "done") if "~" not in tag]
        keep = self._shelf.keep
        staged, kept = size_below(f"{top}/runs"), size_below(f"{top}/preimages")
        return Usage(staged, kept, len(runs), keep.size_bytes, keep.seconds)

    def _commit(self, sealed: seal.Sealed) -> None:
        with self._alone() as folders:
            if self._record(sealed.run) is not None:
                raise Refused("refused.closed", f"Run {shown(sealed.run)} is committed already.")
            with self._watched(sealed.run):
                applied = Commit(self._shop, folders, sealed).carry_out()
            self._finish(folders, applied)
            self._shelf.add(sealed.run)
        self._alive.discard(sealed.run)

    def _finish(self, folders: Folders, applied: Record) -> None:
        """Clean up; what fails here is done by recovery, for the change itself stands."""
        with suppress(OSError, PermissionsError):
            recover.finish(self._shop, folders, applied)

    def _record(self, run: str) -> Record | None:
        """Return the journal of a commit that stands."""
        done = self._read("done", checked_name(run))
        if done is not None:
            return done
        waiting = self._read("open", run)
        return waiting if waiting is not None and waiting.applied is not None else None

    def _read(self, state: str, tag: str) -> Record | None:
        with translated(self._shop.journal(state)):
            return journal.read(self._shop, state, tag)

    def _undo_tags(self, run: str) -> list[str]:
        with translated(self._shop.folder):
            tags = [*journal.tags(self._shop, "done"), *journal.tags(self._shop, "open")]
        return [tag for tag in tags if tag.startswith(f"{run}~")]

    def _taken(self, run: str) -> set[int]:
        return {index for taken in self._undos(run) for index in taken}

    def _undos(self, run: str) -> Iterator[list[int]]:
        """Yield which records of ``run`` each undo that stands has taken back, in the order in which they were made."""
        for tag in sorted(self._undo_tags(run), key=lambda tag: int(tag.rpartition("~")[2])):
            record = self._read("done", tag) or self._read("open", tag)
            if record is not None and record.plan is not None and record.applied is not None:
                yield record.plan["undone"]

    @contextmanager
    def _alone(self) -> Iterator[Folders]:
        """One commit, undo or recovery at a time, in this process and among processes."""
        with self._lock, translated(self._shop.folder):
            lock = os.open(f"{self._shop.folder}/lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            folders = Folders()
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield folders
            finally:
                folders.close()
                os.close(lock)
