"""The scribe writes: secrets first, then events and checkpoints. It runs on the writer's thread alone."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from memory import chain
from memory.database import sqlite_errors, translate
from memory.keyring import Keyring
from memory.model import Event
from memory.moment import Moment
from memory.rows import Prepared, event_of, forgetting, write_row
from memory.sealing import Signer
from memory.store import CHECKPOINT_EVERY, Checkpoint, EventFile, Row
from memory.unwritten import Unwritten

_log = logging.getLogger(__name__)


class Scribe:
    """Everything that changes the files. After an error nothing is half-written and the next call may succeed."""

    def __init__(
        self, events: EventFile, keyring: Keyring, signer: Signer, clock_ns: Callable[[], int], unwritten: Unwritten
    ) -> None:
        self._events = events
        self._keyring = keyring
        self._signer = signer
        self._clock_ns = clock_ns
        self._unwritten = unwritten
        self.head = events.head() or (0, chain.genesis(keyring.ledger_id))
        self._checkpointed = (keyring.witness() or (0, b""))[0]
        keyring.load(self.head[0])

    def write(self, batch: Sequence[Prepared]) -> list[Event]:
        """Append the batch in one transaction. Raises StoreFailed, LedgerBusy or LedgerBroken."""
        try:
            rows = self._rows(batch)
            checkpoints = [self._sign(row.seq, row.hash) for row in rows if row.seq % CHECKPOINT_EVERY == 0]
            for row, prepared in zip(rows, batch, strict=True):
                if prepared.draft.volatile:  # held before it can be read back
                    self._unwritten.hold(row.seq, row.run, prepared.draft.body, prepared.draft.label)
            self._events.write(rows, checkpoints)
        except sqlite3.Error as error:
            self._unwritten.let_go(seqs=range(self.head[0] + 1, self.head[0] + 1 + len(batch)))
            self._recover()
            raise translate(error, self._events.path) from error
        self.head = (rows[-1].seq, rows[-1].hash)
        self._keyring.committed(row.seq for row in rows)
        if checkpoints:
            self._witness(checkpoints[-1])
        written = (event_of(row, prepared.plaintext) for row, prepared in zip(rows, batch, strict=True))
        return [self._unwritten.whole(event) for event in written]

    def _rows(self, batch: Sequence[Prepared]) -> list[Row]:
        first, prev = self.head[0] + 1, self.head[1]
        about = [(first + at, prepared.draft.entities) for at, prepared in enumerate(batch)]
        secrets = self._keyring.prepare(first - 1, first - 1 + len(batch), about)
        rows: list[Row] = []
        for prepared, secret in zip(batch, secrets, strict=True):
            rows.append(write_row(prepared, first + len(rows), self._clock_ns(), secret, prev))
            prev = rows[-1].hash
        return rows

    def _recover(self) -> None:
        """After a failed commit the file says where the ledger ends."""
        self._keyring.failed()
        try:
            head = self._events.head()
        except sqlite3.Error:
            _log.warning("the ledger cannot be read after a failed write", exc_info=True)
            return
        if head is not None and head[0] > self.head[0]:
            self._keyring.committed(range(self.head[0] + 1, head[0] + 1))
            self.head = head

    # --- checkpoints --------------------------------------------------------------------------------------------------

    @property
    def has_news(self) -> bool:
        """Whether there are events that no checkpoint signs yet."""
        return self.head[0] > self._checkpointed

    def checkpoint(self) -> None:
        """Sign the head where it is not signed yet. A full disk is logged and tried again the next time."""
        if not self.has_news:
            return
        checkpoint = self._sign(*self.head)
        try:
            self._events.write((), [checkpoint])
        except sqlite3.Error:
            _log.warning("a checkpoint of the ledger could not be written", exc_info=True)
        else:
            self._witness(checkpoint)

    def _sign(self, seq: int, head_hash: bytes) -> Checkpoint:
        at_ns = self._clock_ns()
        message = chain.checkpoint_message(self._keyring.ledger_id, seq, at_ns, head_hash)
        return Checkpoint(seq, at_ns, head_hash, self._signer.sign(message))

    def _witness(self, checkpoint: Checkpoint) -> None:
        self._checkpointed = checkpoint.seq
        try:
            self._keyring.remember(checkpoint.seq, checkpoint.hash)
        except sqlite3.Error:
            _log.warning("the key file could not take note of a checkpoint", exc_info=True)

    def top_up(self) -> None:
        """Make secrets ahead while there is nothing else to do; a failure shows again when they are needed."""
        try:
            self._keyring.top_up(self.head[0])
        except sqlite3.Error:
            _log.debug("no secrets could be made ahead", exc_info=True)

    # --- forgetting ---------------------------------------------------------------------------------------------------

    def doom(self, entity: str = "", seqs: Collection[int] = ()) -> int:
        """Choose the events about ``entity``, or these; how many are to go, with those that an earlier failure left.

        A crash from here on is completed at the next start.
        """
        try:
            chosen = self._keyring.about(entity, self.head[0]) if entity else []
            chosen += self._keyring.held(seqs, self.head[0])
            self._keyring.doom(chosen)
            self._unwritten.let_go(seqs=frozenset(chosen))
            return len(self._keyring.doomed())
        except sqlite3.Error as error:
            raise translate(error, self._keyring.path) from error

    def declare_doomed(self) -> list[Event]:
        """Write the event that names the doomed events; [] when there are none."""
        doomed = self._keyring.doomed()
        return self.write([forgetting(doomed)]) if doomed else []

    def destroy_doomed(self) -> None:
        """Destroy their keys. Raises StoreFailed or LedgerBusy; what is left goes at the next start."""
        try:
            self._keyring.destroy_doomed()
        except sqlite3.Error as error:
            raise translate(error, self._keyring.path) from error

    # --- a moment -----------------------------------------------------------------------------------------------------

    def freeze(self, folder: Path) -> Moment:
        """Copy the keys to ``folder`` and hold the events as they are now. Raises StoreFailed, LedgerBusy."""
        with sqlite_errors(self._keyring.path):
            self._keyring.copy_to(folder / self._keyring.path.name)
        return Moment(self._events.path, folder)

    def close(self) -> None:
        """Sign the head and close the files."""
        self.checkpoint()
        self._events.close()
        self._keyring.close()
