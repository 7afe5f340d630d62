"""The chain: which bytes are hashed, byte for byte. ``docs/ledger-format.md`` is the specification.

What this stops: an edited, deleted, reordered, inserted or bit-rotten event goes unnoticed by ``Ledger.verify``.
What it does not: somebody who holds the signing key (root, or the user's own account) can write a new chain; a tail
cut off together with its key file is seen only back to a checkpoint that was kept elsewhere.

All integers are big-endian; every hash is SHA-256; every hashed message begins with its own domain and the version
byte 0x01, so that no message of one kind can be taken for one of another.

    genesis    = H("steward.genesis"    01 | ledger id [16])
    header     =   "steward.event"      01 | seq u64 | at_ns i64 | text(run) | text(task) | text(kind)
    hash       = H(header | H(sealed) [32] | digest [32] | prev [32])
    digest     = H("steward.payload"    01 | salt [16] | plaintext)
    checkpoint =   "steward.checkpoint" 01 | ledger id [16] | seq u64 | at_ns i64 | hash [32]      (signed, Ed25519)
    entity     = HMAC(index key [32], "steward.entity" 01 | entity in UTF-8) [first 16 bytes]

    text(None) = FFFFFFFF        text(t) = length in bytes u32 | t in UTF-8
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from functools import lru_cache

VERSION = b"\x01"
SALT_BYTES = 16
ID_BYTES = 16

_GENESIS = b"steward.genesis" + VERSION
_EVENT = b"steward.event" + VERSION
_PAYLOAD = b"steward.payload" + VERSION
_CHECKPOINT = b"steward.checkpoint" + VERSION
_ENTITY = b"steward.entity" + VERSION
_NO_TEXT = b"\xff\xff\xff\xff"
_numbers = struct.Struct(">Qq").pack
_length = struct.Struct(">I").pack


def genesis(ledger_id: bytes) -> bytes:
    """The ``prev`` of event 1: it ties the chain to one ledger."""
    return hashlib.sha256(_GENESIS + ledger_id).digest()


def header(seq: int, at_ns: int, run: str | None, task: str | None, kind: str) -> bytes:
    """The bytes of an event's open columns; also the associated data of its seal.

    Raises struct.error, AttributeError or UnicodeEncodeError for values that no honest row holds.
    """
    return b"".join((_EVENT, _numbers(seq, at_ns), _text(run), _text(task), _text(kind)))


def event_hash(head: bytes, sealed: bytes, digest: bytes, prev: bytes) -> bytes:
    """The hash of an event from its header, its ciphertext, its salted digest and the hash before it."""
    return hashlib.sha256(head + hashlib.sha256(sealed).digest() + digest + prev).digest()


def payload_digest(salt: bytes, plaintext: bytes) -> bytes:
    """Says which plaintext was sealed, and says nothing any more once the salt is destroyed."""
    return hashlib.sha256(_PAYLOAD + salt + plaintext).digest()


def checkpoint_message(ledger_id: bytes, seq: int, at_ns: int, head_hash: bytes) -> bytes:
    """The bytes that a checkpoint signs."""
    return _CHECKPOINT + ledger_id + _numbers(seq, at_ns) + head_hash


def entity_tag(index_key: bytes, entity: str) -> bytes:
    """The name under which the index knows an entity: without the key nobody can read or guess it."""
    return hmac.digest(index_key, _ENTITY + entity.encode("utf-8", "surrogatepass"), "sha256")[:16]


@lru_cache(maxsize=1024)  # few kinds and runs, many events
def _text(value: str | None) -> bytes:
    if value is None:
        return _NO_TEXT
    data = value.encode()
    return _length(len(data)) + data
