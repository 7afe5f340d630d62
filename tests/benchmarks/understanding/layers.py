"""Token vectors of two layers of the sentence encoder, one row per token of the kernel's: what taggers learn from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kernel.language import tokenize
from memory import bert, open_encoder
from memory.encoder import _portions
from tests.benchmarks.understanding.kept import Store

LAYERS = (2, 6)
Rows = npt.NDArray[np.float32]


class Layers:
    """Gives and keeps the vectors of texts, float32 [tokens, 768]; reads the encoder's own parts: test code only."""

    def __init__(self) -> None:
        self._encoder = open_encoder()
        self._store = Store(self._encoder.digest)
        self._kept: dict[str, Rows] = {}

    def __call__(self, texts: Sequence[str]) -> list[Rows]:
        """The vectors of each text; what was asked before is not encoded again."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        for text, rows in zip(missing, self._store.each(f"layers {LAYERS}", missing, self._encode), strict=True):
            offsets = self._encoder._tokenizer.encode(text).offsets
            own = np.frombuffer(rows, np.float32).reshape(len(offsets), -1)
            self._kept[text] = _by_token(text, offsets, own)
        return [self._kept[text] for text in texts]

    def _encode(self, texts: Sequence[str]) -> list[bytes]:
        """The rows of each text's pieces, as they are kept."""
        sentences = [self._encoder._tokenizer.encode(text).ids for text in texts]
        order = sorted(range(len(sentences)), key=lambda at: len(sentences[at]))
        found: dict[int, bytes] = {}
        for some in _portions(order, sentences):
            columns = self._run([sentences[at] for at in some])
            ends = np.cumsum([len(sentences[at]) for at in some])
            for at, own in zip(some, np.split(columns, ends[:-1]), strict=True):
                found[at] = own.astype(np.float32).tobytes()
        return [found[at] for at in range(len(sentences))]

    def _run(self, sentences: Sequence[Sequence[int]]) -> Rows:
        """The forward pass of ``memory.bert`` with what two layers give, [pieces, 768]."""
        tensors = self._encoder._weights.tensors
        lengths = [len(sentence) for sentence in sentences]
        rows = (
            tensors["embeddings.word_embeddings.weight"][np.concatenate([np.asarray(one) for one in sentences])]
            + tensors["embeddings.position_embeddings.weight"][np.concatenate([np.arange(one) for one in lengths])]
            + tensors["embeddings.token_type_embeddings.weight"][0]
        )
        x = bert._normalize(tensors, "embeddings.LayerNorm", np.ascontiguousarray(rows.T))
        runs = bert._runs(lengths)
        kept = []
        for layer in range(bert.LAYERS):
            x = bert._layer(tensors, f"encoder.layer.{layer}", x, runs)
            if layer + 1 in LAYERS:
                kept.append(x.T.copy())
        return np.concatenate(kept, axis=1)


def _by_token(text: str, offsets: Sequence[tuple[int, int]], rows: Rows) -> Rows:
    """The mean of the pieces that lie in each token; zero where the encoder read none (beyond its 256 pieces)."""
    tokens = tokenize(text, "en")
    found = np.zeros((len(tokens), rows.shape[1]), dtype=np.float32)
    for at, token in enumerate(tokens):
        inside = [
            place
            for place, (start, end) in enumerate(offsets)
            if start < token.end and end > token.start and end > start
        ]
        if inside:
            found[at] = rows[inside].mean(axis=0)
    return found
