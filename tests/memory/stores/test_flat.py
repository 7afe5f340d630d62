"""The flat store's files: torn by a crash, damaged, held by another; and what is left in them of what was purged."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from memory.errors import EncoderMismatch, StoreFailed
from memory.model import EntityId
from memory.stores import Item, Place, VectorStore, open_store

DIMENSIONS = 384


def opened(folder: Path, encoder: str = "e1", **more: bool) -> VectorStore:
    return open_store(Place(folder=folder), "things", encoder, DIMENSIONS, **more)


def direction(seed: int) -> np.ndarray:
    row = np.random.default_rng(seed).normal(size=DIMENSIONS).astype(np.float32)
    return row / np.linalg.norm(row)


def fill(store: VectorStore, count: int) -> None:
    store.put(Item(f"i{n}", direction(n), f"turn:{n}", label=n % 2, fields={"at": n}) for n in range(count))


def held(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_no_byte_of_a_purged_item_is_left(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 2_000)
    store.put([Item("secret-id", direction(-1 % 2**32), "turn:x", (EntityId("person:swordfish"),), "marzipan")])
    vector = store.fetch(["secret-id"])["secret-id"].tobytes()
    for word in (b"secret-id", b"swordfish", b"marzipan", vector):
        assert word in held(tmp_path)  # control: what is searched for was readable there
    assert store.purge((EntityId("person:swordfish"),), ()) == 1
    for word in (b"secret-id", b"swordfish", b"marzipan", vector, vector[:64], vector[-64:]):
        assert word not in held(tmp_path)
    store.close()
    assert b"secret-id" not in held(tmp_path)


def test_purging_nothing_leaves_no_byte_of_what_was_removed_or_replaced(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 50)
    old = [store.fetch([id])[id].tobytes() for id in ("i3", "i7")]
    store.put([Item("i3", direction(99))])
    store.remove(["i7"])
    store.purge((), ())
    assert not [vector for vector in old if vector in held(tmp_path)]
    assert b"turn:7" not in held(tmp_path)
    assert len(store) == 49
    store.close()


def test_adding_one_writes_one_row(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 5_000)
    path = tmp_path / "things" / "vectors.f32"
    store.put([Item("one", direction(8))])  # the file grew, with room for more
    before, size = os.stat(path).st_ino, path.read_bytes()
    store.put([Item("more", direction(7))])
    after = path.read_bytes()
    changed = np.flatnonzero(np.frombuffer(size, np.uint8) != np.frombuffer(after[: len(size)], np.uint8))
    assert os.stat(path).st_ino == before
    assert changed.max() - changed.min() < DIMENSIONS * 4
    store.close()


def test_rows_are_used_again(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 1_000)
    size = (tmp_path / "things" / "vectors.f32").stat().st_size
    for _ in range(5):
        store.remove([f"i{n}" for n in range(500)])
        fill(store, 500)
    assert (tmp_path / "things" / "vectors.f32").stat().st_size < 2 * size
    assert len(store) == 1_000
    assert store.search(direction(3), 1)[0].id == "i3"
    store.close()


CHILD = """
import sys, numpy as np
from pathlib import Path
from memory.stores import Item, Place, open_store
store = open_store(Place(folder=Path(sys.argv[1])), "things", "e1", 384)
for round in range(10_000):
    rng = np.random.default_rng(round)
    store.put([Item(f"i{n}", rng.normal(size=384).astype(np.float32) + 40 * (n == 0), fields={"at": round})
               for n in range(20)])
    store.remove([f"i{round % 20}"])
    print(round, flush=True)
"""


def test_a_kill_at_any_time_leaves_whole_items(tmp_path: Path) -> None:
    for attempt in range(4):
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(0.05 + 0.06 * attempt)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        store = opened(tmp_path)
        ids = store.ids()
        assert 19 <= len(ids) <= 20
        vectors = np.array(list(store.fetch(ids).values()))
        assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-5
        with closing(sqlite3.connect(tmp_path / "things" / "items.db")) as file:
            rounds = {fields for (fields,) in file.execute("SELECT fields FROM item")}
        assert len(rounds) == 1
        store.close()


def test_a_row_that_no_item_has_is_overwritten_at_opening(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 10)
    store.close()
    path = tmp_path / "things" / "vectors.f32"
    with path.open("r+b") as file:  # as a crash between the row and its commit leaves it
        file.seek(10 * DIMENSIONS * 4)
        file.write(b"halfway!" * 10)
    store = opened(tmp_path)
    assert b"halfway!" not in path.read_bytes()
    assert len(store) == 10
    store.close()


def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 2_000)
    store.close()
    vectors, items = tmp_path / "things" / "vectors.f32", tmp_path / "things" / "items.db"
    whole = vectors.read_bytes()
    vectors.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(StoreFailed) as caught:
        opened(tmp_path)
    assert caught.value.code == "store.damaged"
    assert "rm -r" in caught.value.hint
    vectors.write_bytes(whole)
    items.write_bytes(b"no database" * 500)
    with pytest.raises(StoreFailed) as caught:
        opened(tmp_path)
    assert caught.value.code == "store.damaged"


def test_another_encoder_is_refused_and_renewed(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 3)
    store.close()
    with pytest.raises(EncoderMismatch):
        opened(tmp_path, "e2")
    store = opened(tmp_path, "e2", renew=True)
    assert store.ids() == []
    store.close()
    with pytest.raises(EncoderMismatch):
        opened(tmp_path, "e1")


def test_one_at_a_time(tmp_path: Path) -> None:
    store = opened(tmp_path)
    with pytest.raises(StoreFailed) as caught:
        opened(tmp_path)
    assert caught.value.code == "store.busy"
    store.close()
    with pytest.raises(StoreFailed) as caught:
        store.search(direction(1))
    assert caught.value.code == "store.closed"
    opened(tmp_path).close()


def test_files_are_private(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 1)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "things").iterdir()}
    assert set(modes.values()) == {0o600}
    store.close()


def test_fields_keep_their_type(tmp_path: Path) -> None:
    store = opened(tmp_path)
    fill(store, 2)
    for bad in ("text", 1.5):
        with pytest.raises(ValueError, match="field at"):
            store.put([Item("x", direction(1), fields={"at": bad})])
    with pytest.raises(ValueError, match="field new"):
        store.put([Item("x", direction(1), fields={"new": 1}), Item("y", direction(1), fields={"new": "1"})])
    assert len(store) == 2
    store.close()


@pytest.mark.parametrize("name", ["", "ab", "Upper", "../out", "a" * 64, "-ab"])
def test_a_name_is_a_plain_one(name: str) -> None:
    with pytest.raises(ValueError, match="named"):
        open_store(Place(), name, "e1")
