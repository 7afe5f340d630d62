"""Vectors of texts that do not change, kept on disk: the examples of shipped skills are encoded once, not per start."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from memory.encoder import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORTH_KEEPING = 32  # texts; fewer are encoded as fast as they are read


class CachedEncoder:
    """An encoder that keeps large batches in ``folder``, named by the encoder's digest and the texts."""

    def __init__(self, encoder: Encoder, folder: Path) -> None:
        self._encoder = encoder
        self._folder = folder

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32 [n, dimensions], from the file of these very texts where there is one."""
        if len(texts) < _WORTH_KEEPING:
            return self._encoder.encode(texts)
        path = self._folder / f"vectors-{self._name(texts)}.npy"
        kept = self._load(path, len(texts))
        if kept is not None:
            return kept
        vectors = self._encoder.encode(texts)
        self._keep(path, vectors)
        return vectors

    def _name(self, texts: list[str]) -> str:
        digest = hashlib.sha256(self._encoder.digest.encode())
        for text in texts:
            digest.update(b"\0" + text.encode())
        return digest.hexdigest()[:32]

    @staticmethod
    def _load(path: Path, rows: int) -> NDArray[np.float32] | None:
        import numpy as np

        with contextlib.suppress(OSError, ValueError):
            vectors = np.load(path, allow_pickle=False)
            if vectors.dtype == np.float32 and vectors.ndim == 2 and len(vectors) == rows:
                found: NDArray[np.float32] = vectors
                return found
        return None

    @staticmethod
    def _keep(path: Path, vectors: NDArray[np.float32]) -> None:
        """Write whole or not at all; a folder that cannot be written only costs the next start its time."""
        import numpy as np

        draft = path.with_name(f"{path.name}.{os.getpid()}.new.npy")
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            np.save(draft, vectors, allow_pickle=False)
            draft.replace(path)
