"""Looking whether the ledger is what was written: quickly at every start, completely on demand.

What this stops and what it does not: ``docs/ledger-format.md``, "What verification detects".
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator

from memory import chain
from memory.database import broken
from memory.model import Problem, Verification
from memory.rows import FORGOTTEN, chain_fault, forgotten_in, head_of, open_row, parts
from memory.sealing import Unsealable, signed_by
from memory.store import APPLICATION_ID, CHECKPOINT_EVERY, FORMAT, SCHEMA, Checkpoint, Reader, Row, schema, stamp

MAX_PROBLEMS = 100
TAIL = 100
"""How many events are looked at when a ledger is opened."""
_CHUNK = 1_000
_NO_TAGS: set[bytes] = set()


def check_tail(reader: Reader, public_key: bytes) -> None:
    """A few milliseconds at the start: origin, newest checkpoint, witness, last events. Raises LedgerBroken."""
    ledger_id, stored_key = reader.origin()
    if reader.key_origin()[0] != ledger_id or stored_key != public_key:
        raise broken(reader.path, "its key file or signing key belongs to another ledger")
    head = reader.head() or (0, chain.genesis(ledger_id))
    _check_heads(reader, ledger_id, public_key, head)
    after = max(0, head[0] - TAIL)
    prev = reader.hash_at(after) if after else chain.genesis(ledger_id)
    for at, row in enumerate(reader.rows(after, limit=TAIL), after + 1):
        fault = "events are missing before it" if row.seq != at else _row_fault(row, prev or b"")
        if fault:
            raise broken(reader.path, fault, seq=row.seq)
        prev = row.hash


def _check_heads(reader: Reader, ledger_id: bytes, public_key: bytes, head: tuple[int, bytes]) -> None:
    for checkpoint in reader.checkpoints(newest=1):
        fault = _checkpoint_fault(checkpoint, ledger_id, public_key, reader.hash_at(checkpoint.seq))
        if fault:
            raise broken(reader.path, fault, seq=checkpoint.seq)
    witness = reader.witness()
    if witness and witness[0] > head[0]:
        raise broken(
            reader.path, f"it ends here, but event {witness[0]} was confirmed: its end was cut off", seq=head[0]
        )
    if witness and reader.hash_at(witness[0]) != witness[1]:
        raise broken(reader.path, "it is not the event that the key file remembers", seq=witness[0])


def _row_fault(row: Row, prev: bytes) -> str:
    try:
        head = head_of(row)
        fault = chain_fault(row, head, prev)
        plaintext = None if fault else open_row(row, head)
        if plaintext is not None:
            parts(plaintext)
    except Unsealable as error:
        return str(error)
    return fault


def _checkpoint_fault(checkpoint: Checkpoint, ledger_id: bytes, public_key: bytes, event_hash: bytes | None) -> str:
    seq, at_ns, signed, signature = checkpoint
    if event_hash != signed:
        return "it is not the event that its checkpoint signs"
    try:
        message = chain.checkpoint_message(ledger_id, seq, at_ns, signed)
    except (struct.error, TypeError):
        return "its checkpoint holds something that was never written"
    return "" if signed_by(public_key, signature, message) else "the signature of its checkpoint is false"


class Audit:
    """One complete verification."""

    def __init__(self, reader: Reader, public_key: bytes) -> None:
        self._reader = reader
        self._public_key = public_key
        self._problems: list[Problem] = []
        self._checked = 0
        self._events = 0
        self._lost: set[int] = set()  # no key
        self._forgotten: set[int] = set()  # said to be forgotten
        self._checkpoints: dict[int, Checkpoint] = {}
        self._index_key = b""
        self._tags: dict[int, set[bytes]] = {}

    def run(self) -> Verification:
        """Look at everything: files, origin, chain, payloads, digests, checkpoints, key file."""
        for step in (self._files, self._origin, self._chain, self._heads, self._keys):
            if len(self._problems) >= MAX_PROBLEMS:
                break
            try:
                step()
            except (sqlite3.Error, OSError) as error:
                self._found(self._checked + 1 if step == self._chain else 0, f"the file cannot be read: {error}")
            except Unsealable as error:
                self._found(0, str(error))
        return Verification(
            events=self._events,
            checked=self._checked,
            forgotten=len(self._lost & self._forgotten),
            checkpoints=len(self._checkpoints),
            problems=tuple(self._problems[:MAX_PROBLEMS]),
        )

    def _found(self, seq: int, reason: str) -> None:
        self._problems.append(Problem(seq, reason))

    def _files(self) -> None:
        for name in ("main", "keys"):
            for (line,) in self._reader.connection.execute(f"PRAGMA {name}.integrity_check"):
                if line != "ok":
                    self._found(0, f"SQLite finds damage in the {_FILE[name]}: {line}")
        if stamp(self._reader.connection, "main") != (APPLICATION_ID, FORMAT):
            self._found(0, f"the file does not call itself a ledger of format {FORMAT}")
        found = schema(self._reader.connection, "main")
        for name in sorted(set(found) ^ set(SCHEMA)) + [n for n in SCHEMA if n in found and found[n] != SCHEMA[n]]:
            self._found(0, f"the table, index or trigger {name!r} is not as the ledger made it")

    def _origin(self) -> None:
        row = self._reader.connection.execute("SELECT ledger_id, public_key FROM main.origin").fetchall()
        if len(row) != 1 or row[0][1] != self._public_key or row[0][0] != self._reader.key_origin()[0]:
            self._found(0, "the ledger, its key file and its signing key do not belong together")

    def _chain(self) -> None:
        ledger_id, self._index_key = self._reader.key_origin()
        self._checkpoints = {one.seq: one for one in self._reader.checkpoints()}
        end = (self._reader.head() or (0, b""))[0]
        prev = chain.genesis(ledger_id)
        for row in self._rows(end):
            self._events += 1
            if row.seq != self._checked + 1:
                self._found(self._checked + 1, f"events are missing: {row.seq} follows {self._checked}")
            self._row(row, prev)
            if row.seq in self._checkpoints or row.seq % CHECKPOINT_EVERY == 0:
                self._checkpoint(row, ledger_id)
            self._checked, prev = row.seq, row.hash
            if len(self._problems) >= MAX_PROBLEMS:
                return

    def _rows(self, end: int) -> Iterator[Row]:
        after = -1
        while after < end:
            rows = self._reader.rows(after, limit=min(_CHUNK, end - after))
            if not rows:
                return
            self._tags = self._reader.tags(rows[0].seq, rows[-1].seq)
            yield from rows
            after = rows[-1].seq

    def _row(self, row: Row, prev: bytes) -> None:
        try:
            head = head_of(row)
            fault = chain_fault(row, head, prev) or self._payload(row, head)
        except Unsealable as error:
            fault = str(error)
        if fault:
            self._found(row.seq, fault)

    def _payload(self, row: Row, head: bytes) -> str:
        plaintext = open_row(row, head)
        if plaintext is None:
            self._lost.add(row.seq)
            return ""
        body, _, entities = parts(plaintext)
        if row.kind == FORGOTTEN:
            self._forgotten |= forgotten_in(body, row.seq)
        tags = {chain.entity_tag(self._index_key, entity) for entity in entities}
        return "" if self._tags.get(row.seq, _NO_TAGS) == tags else "the index does not say whom it is about"

    def _checkpoint(self, row: Row, ledger_id: bytes) -> None:
        checkpoint = self._checkpoints.get(row.seq)
        if checkpoint is None:
            self._found(row.seq, "its checkpoint is missing")
            return
        fault = _checkpoint_fault(checkpoint, ledger_id, self._public_key, row.hash)
        if fault:
            self._found(row.seq, fault)

    def _heads(self) -> None:
        for seq in self._checkpoints:
            if seq > self._checked or seq < 1:
                self._found(seq, "a checkpoint signs it, but it is not there: the end was cut off")
        witness = self._reader.witness()
        if witness and witness[0] > self._checked:
            self._found(witness[0], "the key file remembers it, but it is not there: the end was cut off")
        elif witness and self._reader.hash_at(witness[0]) != witness[1]:
            self._found(witness[0], "it is not the event that the key file remembers")

    def _keys(self) -> None:
        unsaid = self._lost - self._forgotten
        if unsaid:  # a forget may have run since the chain was read: it is announced before its keys go
            for row in self._reader.rows(self._checked, kinds=(FORGOTTEN,), limit=-1):
                body, _, _ = parts(open_row(row, head_of(row)) or b"")
                self._forgotten |= forgotten_in(body, row.seq)
        for seq in sorted(self._lost - self._forgotten):
            self._found(seq, "its key is missing, and no event says that it was forgotten")


_FILE = {"main": "event file", "keys": "key file"}
