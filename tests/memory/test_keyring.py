"""The key file: secrets are made ahead, used once, and survive a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.keyring import AHEAD, LOW, Keyring


@pytest.fixture
def keyring(tmp_path: Path) -> Iterator[Keyring]:
    keyring = Keyring(tmp_path / "keys.db")
    keyring.load(0)
    yield keyring
    keyring.close()


def log_bytes(keyring: Keyring) -> int:
    return keyring.path.with_name("keys.db-wal").stat().st_size


def test_a_secret_is_handed_out_for_one_event_only(keyring: Keyring) -> None:
    first = keyring.prepare(0, 2, ())
    assert keyring.prepare(0, 2, ()) == first  # the commit failed: the same places, tried again
    keyring.committed([1, 2])
    assert not set(first) & set(keyring.prepare(2, 4, ()))
    assert keyring.prepare(0, 1, ()) != first[:1]


def test_most_events_need_no_sync_of_the_key_file(keyring: Keyring) -> None:
    keyring.prepare(0, 1, ())
    before = log_bytes(keyring)
    for seq in range(1, AHEAD):
        keyring.committed([seq])
        keyring.prepare(seq, seq + 1, ())
    assert log_bytes(keyring) == before
    keyring.prepare(AHEAD, AHEAD + 1, [(AHEAD + 1, ["person:anna"])])
    assert log_bytes(keyring) > before


def test_secrets_are_topped_up_when_few_are_left(keyring: Keyring) -> None:
    keyring.prepare(0, 1, ())
    before = log_bytes(keyring)
    keyring.top_up(1)
    assert log_bytes(keyring) == before
    keyring.committed(range(1, AHEAD - LOW + 3))
    keyring.top_up(AHEAD - LOW + 2)
    assert log_bytes(keyring) > before


def test_secrets_made_ahead_survive_a_restart(keyring: Keyring, tmp_path: Path) -> None:
    secrets = keyring.prepare(0, 5, ())
    keyring.close()
    again = Keyring(tmp_path / "keys.db")
    again.load(2)
    assert again.prepare(2, 5, ()) == secrets[2:]
    again.close()
