"""Encodings kept on disk between runs, so that a row costs what it measures and not the encoding of its sentences.

They are no measured figures: a text's vector is the same whenever it is made. A key holds the encoder's digest and the
text, so another encoder finds nothing of this one's. Batches are written as they are made: a run that is ended early
goes on where it stopped. The file lies outside of the project, holds public texts' vectors alone, and may be removed.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from memory import Encoder, open_encoder

Floats = npt.NDArray[np.float32]
Pieces = tuple[Floats, list[str], Floats]
FOLDER = "UNDERSTANDING_CACHE"
"""The variable of the environment that names another folder; the command's ``--cache`` sets it."""
AT_ONCE = 256
_TABLE = "CREATE TABLE IF NOT EXISTS encoded (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


def folder() -> Path:
    """The folder of the kept encodings: the one that was named, else one among the user's caches."""
    named = os.environ.get(FOLDER)
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else caches / "steward" / "understanding"


class Store:
    """Bytes by (encoder, kind, text) in one file."""

    def __init__(self, digest: str, path: Path | None = None) -> None:
        """``digest`` names the encoder; the file is made where it is missing."""
        file = (path or folder()) / "encodings.sqlite"
        file.parent.mkdir(parents=True, exist_ok=True)
        self._digest = digest
        self._rows = sqlite3.connect(file, timeout=60.0)
        self._rows.execute("PRAGMA journal_mode = WAL")
        self._rows.execute("PRAGMA synchronous = NORMAL")
        self._rows.execute(_TABLE)

    def each(self, kind: str, texts: Sequence[str], make: Callable[[list[str]], Sequence[bytes]]) -> Iterator[bytes]:
        """Yield what is kept of each text, in their order; ``make`` is asked for what is missing, some at a time."""
        keys = {text: self._key(kind, text) for text in texts}
        missing = [text for text, key in keys.items() if self._read(key) is None]
        for at in range(0, len(missing), AT_ONCE):
            some = missing[at : at + AT_ONCE]
            made = [(keys[text], value) for text, value in zip(some, make(some), strict=True)]
            with self._rows:
                self._rows.executemany("INSERT OR REPLACE INTO encoded VALUES (?, ?)", made)
        for text in texts:
            value = self._read(keys[text])
            assert value is not None
            yield value

    def _key(self, kind: str, text: str) -> bytes:
        said = "\0".join([self._digest, kind, text])
        return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=20).digest()

    def _read(self, key: bytes) -> bytes | None:
        found: tuple[bytes] | None = self._rows.execute("SELECT value FROM encoded WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None


class Kept:
    """The encoder with what it made before. ``encoder`` is the encoder itself, for what is to be timed."""

    def __init__(self, encoder: Any = None, path: Path | None = None) -> None:
        self.encoder: Encoder = encoder or open_encoder()
        self._store = Store(self.encoder.digest, path)

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors, float32, one row each."""
        kept = self._store.each("vector", texts, lambda some: [row.tobytes() for row in self.encoder.encode(some)])
        rows = [np.frombuffer(one, np.float32) for one in kept]
        return np.array(rows, np.float32).reshape(len(texts), -1)

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """The vector, the word pieces and their vectors of each text."""
        make = getattr(self.encoder, "pieces")  # noqa: B009  # the built-in encoder has it, others need not
        return [_unpacked(one) for one in self._store.each("pieces", texts, lambda some: [*map(_packed, make(some))])]


def _packed(read: Pieces) -> bytes:
    vector, words, rows = read
    said = "\n".join(words).encode()
    sizes = np.array([len(said), len(vector)], np.int64).tobytes()
    return sizes + said + vector.astype(np.float32).tobytes() + rows.astype(np.float32).tobytes()


def _unpacked(kept: bytes) -> Pieces:
    said, width = np.frombuffer(kept, np.int64, 2).tolist()
    words = kept[16 : 16 + said].decode()
    numbers = np.frombuffer(kept[16 + said :], np.float32)
    return numbers[:width], words.split("\n") if words else [], numbers[width:].reshape(-1, width)
