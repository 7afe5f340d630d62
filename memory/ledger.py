"""The ledger: everything that happens, written once, in order, encrypted and chained.

What this stops: losing an acknowledged event to a crash or power cut; changing, removing or reordering events
unnoticed; reading what was forgotten; two daemons writing at once.
What it does not: ``docs/ledger-format.md`` lists it (root, whoever holds the keys, old copies of the key file).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from pathlib import Path

from memory import chain
from memory.audit import Audit, check_tail
from memory.database import broken, sqlite_errors
from memory.errors import StoreFailed
from memory.folder import hold, sync_folder, touch_private, write_private
from memory.keyring import Keyring
from memory.model import Draft, EntityId, Event, Verification
from memory.moment import Moment
from memory.rows import event_of, head_of, open_row, prepare
from memory.scribe import Scribe
from memory.sealing import Signer, Unsealable
from memory.store import CHUNK, EventFile, Reader, Row
from memory.unwritten import Unwritten
from memory.writer import Writer

EVENTS = "ledger.db"
KEYS = "keys.db"
SIGNING_KEY = "signing.key"


class Ledger:
    """An append-only record in a private folder; thread-safe, one writer thread, one process at a time.

    Files: ``ledger.db`` (the events, encrypted), ``keys.db`` (their keys), ``signing.key``. A backup without the last
    two cannot be read by anybody.
    """

    def __init__(
        self,
        folder: Path,
        reader: Reader,
        public_key: bytes,
        writer: Writer | None,
        lock: int,
        unwritten: Unwritten | None = None,
    ) -> None:
        self.folder = folder
        self._reader = reader
        self._public_key = public_key
        self._writer = writer
        self._lock = lock
        self._unwritten = unwritten or Unwritten()
        self._reading = threading.Lock()
        self._closed = False

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        clock_ns: Callable[[], int] = time.time_ns,
        checkpoint_after_s: float = 60.0,
        read_only: bool = False,
    ) -> Ledger:
        """Open the ledger in ``folder``, or begin one; complete what a crash interrupted and check its end.

        The head is signed every 1,000 events, at the close, and ``checkpoint_after_s`` after the first unsigned one.

        With ``read_only`` nothing is made, locked, completed or checked: for looking at a ledger that another
        process holds, or at a damaged one. Raises LedgerBusy, LedgerBroken (with ``seq``) or StoreFailed.
        """
        return _open_read_only(folder) if read_only else _open(folder, clock_ns, checkpoint_after_s)

    # --- writing ------------------------------------------------------------------------------------------------------

    def append(self, *drafts: Draft) -> tuple[Event, ...]:
        """Write the drafts, all or none, in order, and wait until they are on disk.

        Not from a listener (RuntimeError). Raises BadDraft, StoreFailed (nothing was written; may be tried again),
        LedgerBroken.
        """
        self._working().refuse_own_thread()
        return self.submit(*drafts).result()

    def submit(self, *drafts: Draft) -> Future[tuple[Event, ...]]:
        """The same without waiting; what is submitted is written and cannot be cancelled. Raises BadDraft at once."""
        writer = self._working()
        if not drafts:
            nothing: Future[tuple[Event, ...]] = Future()
            nothing.set_result(())
            return nothing
        return writer.append(tuple(prepare(draft) for draft in drafts))

    def forget(self, entity: EntityId) -> int:
        """Destroy the keys of all events about ``entity``; how many there were. The chain still verifies.

        An event of kind ``ledger.forgotten`` names them by number. A crash in between is completed at the next start.
        """
        writer = self._working()
        writer.refuse_own_thread()
        return writer.forget(entity).result()

    def destroy(self, seqs: Collection[int]) -> int:
        """Destroy the keys of these events; how many still had one. Otherwise like ``forget``."""
        writer = self._working()
        writer.refuse_own_thread()
        return writer.forget(seqs=seqs).result()

    def let_go(self, run: str | None = None, seqs: Collection[int] = ()) -> None:
        """Drop what the volatile events of ``run``, or of these numbers, say; what was written of them stays."""
        self._unwritten.let_go(run=run, seqs=seqs)

    # --- reading ------------------------------------------------------------------------------------------------------

    def events(
        self, *, after: int = 0, run: str | None = None, kinds: Collection[str] = (), limit: int | None = None
    ) -> Iterator[Event]:
        """Events after seq ``after``, in order, also those that are written while it is being read.

        ``body`` is None where it was forgotten. Raises LedgerBroken at an event that is not what was written.
        """
        left = limit
        while left is None or left > 0:
            wanted = CHUNK if left is None else min(CHUNK, left)
            rows = self._rows(after, run, kinds, wanted)
            for row in rows:
                yield self._event(row)
            if len(rows) < wanted:
                return
            after = rows[-1].seq
            left = None if left is None else left - len(rows)

    def latest(
        self, limit: int, *, before: int | None = None, run: str | None = None, stems: Collection[str] = ()
    ) -> list[Event]:
        """At most ``limit`` events, the newest first: before seq ``before``, of ``run``, of kinds that begin so.

        ``body`` is None where it was forgotten. Raises LedgerBroken at an event that is not what was written.
        """
        with self._reading, sqlite_errors(self._reader.path):
            self._refuse_closed()
            rows = self._reader.rows_before(before, run=run, stems=stems, limit=limit)
        return [self._event(row) for row in rows]

    def nth_latest(self, kind: str, count: int) -> int:
        """Return the seq of the ``count``-th latest event of a kind, 0 where there are fewer; no body is opened."""
        with self._reading, sqlite_errors(self._reader.path):
            self._refuse_closed()
            return self._reader.nth_latest(kind, count)

    def runs_without(self, end: str, kinds: Collection[str]) -> list[str]:
        """Return the runs that have an event of ``kinds`` and none of kind ``end``, oldest first; no body is opened."""
        with self._reading, sqlite_errors(self._reader.path):
            self._refuse_closed()
            return self._reader.runs_without(end, kinds)

    def _rows(self, after: int, run: str | None, kinds: Collection[str], limit: int) -> list[Row]:
        with self._reading, sqlite_errors(self._reader.path):
            self._refuse_closed()
            return self._reader.rows(after, run=run, kinds=kinds, limit=limit)

    def _event(self, row: Row) -> Event:
        try:
            return self._unwritten.whole(event_of(row, open_row(row, head_of(row))))
        except Unsealable as error:
            raise broken(self._reader.path, str(error), seq=row.seq) from error

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call ``listener`` on the writer's thread for every event once it is on disk, in order, from now on.

        It must be quick, and must not wait for the ledger; what it raises is logged. Call the answer to end it.
        """
        return self._working().subscribe(listener)

    def head(self) -> tuple[int, str]:
        """(seq, hash) of the last event; seq 0 and the genesis hash when there is none."""
        if self._writer is not None:
            seq, digest = self._writer.head()
            return seq, digest.hex()
        with self._reading, sqlite_errors(self._reader.path):
            self._refuse_closed()
            seq, digest = self._reader.head() or (0, chain.genesis(self._reader.origin()[0]))
        return seq, digest.hex()

    def verify(self) -> Verification:
        """Check everything: files, chain, payloads, digests, checkpoints, keys. A million events take 20 s."""
        with sqlite_errors(self.folder / EVENTS):
            reader = Reader(self.folder / EVENTS, self.folder / KEYS)
            try:
                reader.connection.text_factory = _lenient
                return Audit(reader, self._public_key).run()
            finally:
                reader.close()

    def moment(self, folder: Path) -> Moment:
        """Take the ledger as it is now into the empty ``folder``; ``Moment.finish`` completes the copy, which verifies.

        What is appended from here on is not in it, and waits for nothing but the copying of the keys. Raises
        StoreFailed, LedgerBusy.
        """
        writer = self._working()
        writer.refuse_own_thread()
        with sqlite_errors(folder):
            write_private(folder / SIGNING_KEY, (self.folder / SIGNING_KEY).read_bytes())
        return writer.freeze(folder).result()

    # --- the end ------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Write what is queued, sign the head, free the folder. Twice is harmless."""
        if self._writer is not None:
            self._writer.refuse_own_thread()
        with self._reading:
            if self._closed:
                return
            self._closed = True
            self._reader.close()  # first: the last connection to close folds the write-ahead log into the file
        if self._writer is not None:
            self._writer.close()
        if self._lock >= 0:
            os.close(self._lock)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreFailed("store.closed", "The ledger is closed.", hint="Open it again.")

    def _working(self) -> Writer:
        self._refuse_closed()
        if self._writer is None:
            raise StoreFailed(
                "store.read_only",
                f"The ledger in {self.folder} is open for reading only.",
                subject=str(self.folder),
                hint="Open it for writing; nothing was written.",
            )
        return self._writer


def _open(folder: Path, clock_ns: Callable[[], int], checkpoint_after_s: float) -> Ledger:
    lock = hold(folder)
    opened: list[Callable[[], None]] = [lambda: os.close(lock)]
    try:
        with sqlite_errors(folder / EVENTS):
            _refuse_partial(folder)
            signer = _signer(folder)
            keyring = Keyring(folder / KEYS)
            opened.append(keyring.close)
            _expect_events(folder / EVENTS, keyring)
            file = EventFile(folder / EVENTS)
            opened.append(file.close)
            if file.is_new():
                _begin(file, keyring, signer)
            reader = Reader(folder / EVENTS, folder / KEYS)
            opened.append(reader.close)
            check_tail(reader, signer.public)
            unwritten = Unwritten()
            scribe = Scribe(file, keyring, signer, clock_ns, unwritten)
            if scribe.declare_doomed():
                scribe.destroy_doomed()
            return Ledger(folder, reader, signer.public, Writer(scribe, checkpoint_after_s), lock, unwritten)
    except BaseException:
        for undo in reversed(opened):
            undo()
        raise


def _begin(file: EventFile, keyring: Keyring, signer: Signer) -> None:
    file.create(keyring.ledger_id, signer.public)
    sync_folder(file.path.parent)
    sync_folder(file.path.parent.parent)


def _expect_events(path: Path, keyring: Keyring) -> None:
    if keyring.in_use() and not (path.exists() and path.stat().st_size):
        raise broken(path, "it is gone or empty, but there are keys of its events")


def _refuse_partial(folder: Path) -> None:
    """The three files are made in the order signing key, key file, event file: none may be without those before it."""
    there = [(folder / name).exists() for name in (SIGNING_KEY, KEYS, EVENTS)]
    for name, is_there, others in zip((SIGNING_KEY, KEYS), there[:2], (there[1:], there[2:]), strict=True):
        if any(others) and not is_there:
            raise broken(folder / name, "it is gone, but the rest of the ledger is there")


def _signer(folder: Path) -> Signer:
    path = folder / SIGNING_KEY
    if path.exists():
        touch_private(path)
        return _read_signer(path)
    return Signer.create(path)


def _read_signer(path: Path) -> Signer:
    try:
        return Signer(path.read_bytes())
    except ValueError as error:
        raise broken(path, "it is not a signing key") from error


def _open_read_only(folder: Path) -> Ledger:
    for name in (EVENTS, KEYS, SIGNING_KEY):
        if not (folder / name).exists():
            raise StoreFailed(
                "store.absent",
                f"There is no ledger in {folder}: {name} is missing.",
                subject=str(folder),
                hint="Name the folder that holds ledger.db, or put the missing file back from a backup.",
            )
    with sqlite_errors(folder / EVENTS):
        signer = _read_signer(folder / SIGNING_KEY)
        return Ledger(folder, Reader(folder / EVENTS, folder / KEYS), signer.public, None, -1)


def _lenient(data: bytes) -> str:
    """Damaged text is a finding of the chain, not an error of the reader."""
    return data.decode("utf-8", "surrogateescape")
