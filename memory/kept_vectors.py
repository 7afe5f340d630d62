"""Vectors of texts that do not change, kept in a file: an example of a skill is encoded once, and not at each start.

A file holds, for the texts that it was made for and in their order, a key of each and its vector. It is mapped, not
read: what nobody asks for costs no memory, and two daemons share it. When texts come or go, only new ones are encoded.
What this stops: vectors of another text or encoder, and those of a file that is torn or damaged: its digest is checked.
What this does not: somebody who may write there, and gives the file a digest that fits.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memory.derived import write_derived
from memory.encoder import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FORM = b"steward vectors 1\n"
_KEY, _HEAD = 16, 64  # bytes
_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class _Kept:
    """The keys of some texts, one behind the other, and their vectors, float32 [n, width]."""

    keys: bytes
    rows: NDArray[np.float32]

    def among(self, keys: set[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors of those of ``keys`` that are here."""
        places = {self.keys[at : at + _KEY]: at // _KEY for at in range(0, len(self.keys), _KEY)}
        return {key: self.rows[places[key]] for key in keys & places.keys()}


class KeptVectors:
    """An encoder that first looks into what it has kept."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._kept: list[_Kept] = []

    def keep(self, file: Path, texts: Sequence[str], instead: Path | None = None) -> None:
        """See to it that ``file`` holds the vectors of ``texts`` and no others; only those it lacks are encoded.

        Where it cannot be written, ``instead`` holds them; where that cannot be either, the next start takes its time.
        """
        keys = [_key(text) for text in texts]
        files = [file] if instead is None else [file, instead]
        found = [one for one in map(self._read, files) if one is not None]
        kept = next((one for one in found if one.keys == b"".join(keys)), None)
        if kept is None:
            made = _Kept(b"".join(keys), self._made(texts, keys, found))
            written = next((one for one in files if self._write(one, made)), None)
            kept = (self._read(written) if written else None) or made
        self._kept.append(kept)

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32 [n, dimensions]; those of exactly the texts of a file are mapped from there."""
        if len(texts) == 1:
            return self._encoder.encode(texts)  # a request: it is in no file
        keys = [_key(text) for text in texts]
        same = next((one.rows for one in self._kept if one.keys == b"".join(keys)), None)
        return self._made(texts, keys, self._kept) if same is None else same

    def _made(self, texts: Sequence[str], keys: Sequence[bytes], kept: Sequence[_Kept]) -> NDArray[np.float32]:
        """The vectors of ``texts``: out of ``kept`` where they are there, made where not."""
        import numpy as np

        known: dict[bytes, NDArray[np.float32]] = {}
        for one in kept:
            known |= one.among(set(keys))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if len(new) == len(texts):
            return self._encoder.encode(list(texts))
        if new:
            known |= dict(zip(new, self._encoder.encode(list(new.values())), strict=True))
        return np.array([known[key] for key in keys], np.float32)

    def _write(self, file: Path, made: _Kept) -> bool:
        """Write whole or not at all; tell which."""
        count, width = made.rows.shape
        body = count.to_bytes(8, "little") + width.to_bytes(8, "little") + made.keys + made.rows.tobytes()
        return write_derived(file, _FORM.ljust(_HEAD - 32), body, self._bound_to())

    def _read(self, file: Path) -> _Kept | None:
        """What is in ``file``, mapped; None when it is not there, not whole, or of another encoder."""
        import numpy as np

        with contextlib.suppress(OSError, ValueError), file.open("rb") as opened:
            head, size = opened.read(_HEAD), opened.read(16)
            count, width = int.from_bytes(size[:8], "little"), int.from_bytes(size[8:], "little")
            digest = hashlib.sha256(self._bound_to() + size)
            while some := opened.read(_AT_ONCE):
                digest.update(some)
            if head == _FORM.ljust(_HEAD - 32) + digest.digest():
                opened.seek(_HEAD + len(size))
                keys = opened.read(count * _KEY)
                rows = np.memmap(opened, np.float32, "r", opened.tell(), (count, width))
                return _Kept(keys, rows.view(np.ndarray))
        return None

    def _bound_to(self) -> bytes:
        """What digests begin with: the encoder's, so that vectors of two are never taken for each other."""
        return self._encoder.digest.encode() + b"\0"


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=_KEY).digest()
