"""The byte-level format, held by hand-made bytes: these numbers must never change."""

from __future__ import annotations

import hashlib
import hmac
import struct

import pytest

from memory import chain

ID = bytes(range(16))


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def test_genesis() -> None:
    assert chain.genesis(ID) == sha(b"steward.genesis\x01" + ID)


def test_header() -> None:
    expected = (
        b"steward.event\x01"
        + b"\x00\x00\x00\x00\x00\x00\x01\x02"
        + b"\xff\xff\xff\xff\xff\xff\xff\xfe"
        + b"\x00\x00\x00\x02\xc3\xa9"
        + b"\xff\xff\xff\xff"
        + b"\x00\x00\x00\x01k"
    )
    assert chain.header(258, -2, "é", None, "k") == expected


def test_no_text_is_not_empty_text() -> None:
    assert chain.header(1, 1, None, "", "k") != chain.header(1, 1, "", None, "k")


def test_neighbouring_texts_do_not_run_together() -> None:
    assert chain.header(1, 1, "ab", "c", "k") != chain.header(1, 1, "a", "bc", "k")


def test_event_hash() -> None:
    head, sealed, digest, prev = b"head", b"sealed", b"d" * 32, b"p" * 32
    assert chain.event_hash(head, sealed, digest, prev) == sha(head + sha(sealed) + digest + prev)


def test_digest_checkpoint_and_entity() -> None:
    assert chain.payload_digest(b"s" * 16, b"{}") == sha(b"steward.payload\x01" + b"s" * 16 + b"{}")
    assert chain.checkpoint_message(ID, 1, 2, b"h" * 32) == (
        b"steward.checkpoint\x01" + ID + (1).to_bytes(8, "big") + (2).to_bytes(8, "big") + b"h" * 32
    )
    key = b"k" * 32
    assert chain.entity_tag(key, "person:ä") == hmac.digest(key, b"steward.entity\x01person:\xc3\xa4", "sha256")[:16]


@pytest.mark.parametrize("seq", [-1, 2**64, 1.5, "1"])
def test_a_seq_that_no_row_can_have_is_an_error(seq: int) -> None:
    with pytest.raises(struct.error):
        chain.header(seq, 0, None, None, "k")
