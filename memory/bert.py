"""The forward pass of all-MiniLM-L6-v2 in numpy.

BERT (Devlin et al. 2019) with 6 layers, 12 heads, 384 dimensions; mean over the tokens; unit length (Reimers and
Gurevych 2019). Oracle: sentence-transformers on the same weights; cosine at least 0.99999 and no component further
off than 2e-6 (``tests/memory/test_encoder.py``).

Sentences are laid end to end, so that every matrix product runs over all tokens at once and nothing is padded; only
attention looks at each sentence by itself, all sentences of one length together. Activations are [features, tokens]:
so the weights, which the file holds as [out, in], multiply from the left as they lie there, mapped and uncopied
(OpenBLAS takes twice as long for a dozen tokens when it must transpose them).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import groupby

import numpy as np
import numpy.typing as npt

from memory.weights import Tensors

LAYERS, HEADS, WIDTH = 6, 12, 384
EPSILON = np.float32(1e-12)

Floats = npt.NDArray[np.float32]
_Run = tuple[int, int, int]


def embed(tensors: Tensors, sentences: Sequence[Sequence[int]]) -> Floats:
    """Unit vectors float32 [len(sentences), 384] of token ids; each sentence has 1..512 of them, in order of length.

    Sentences of equal length must stand together.
    """
    x = states(tensors, sentences)
    lengths = [len(sentence) for sentence in sentences]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    means = np.add.reduceat(x, starts, axis=1) / np.asarray(lengths, dtype=np.float32)
    units: Floats = (means / np.linalg.norm(means, axis=0)).T
    return units


def states(tensors: Tensors, sentences: Sequence[Sequence[int]]) -> Floats:
    """The last layer's state of every token, float32 [384, tokens], of sentences as ``embed`` takes them."""
    lengths = [len(sentence) for sentence in sentences]
    tokens = np.concatenate([np.asarray(sentence, dtype=np.intp) for sentence in sentences])
    places = np.concatenate([np.arange(length) for length in lengths])
    rows = (
        tensors["embeddings.word_embeddings.weight"][tokens]
        + tensors["embeddings.position_embeddings.weight"][places]
        + tensors["embeddings.token_type_embeddings.weight"][0]
    )
    x = _normalize(tensors, "embeddings.LayerNorm", np.ascontiguousarray(rows.T))
    runs = _runs(lengths)
    for layer in range(LAYERS):
        x = _layer(tensors, f"encoder.layer.{layer}", x, runs)
    return x


def _layer(tensors: Tensors, name: str, x: Floats, runs: Sequence[_Run]) -> Floats:
    query, key, value = (_linear(tensors, f"{name}.attention.self.{part}", x) for part in ("query", "key", "value"))
    mixed = _linear(tensors, f"{name}.attention.output.dense", _attention(query, key, value, runs))
    x = _normalize(tensors, f"{name}.attention.output.LayerNorm", mixed + x)
    inner = gelu(_linear(tensors, f"{name}.intermediate.dense", x))
    return _normalize(tensors, f"{name}.output.LayerNorm", _linear(tensors, f"{name}.output.dense", inner) + x)


def _attention(query: Floats, key: Floats, value: Floats, runs: Sequence[_Run]) -> Floats:
    """softmax(Q K^T / sqrt(32)) V for each sentence and head (Vaswani et al. 2017, equation 1)."""
    mixed = np.empty_like(query)
    for start, length, count in runs:
        columns = slice(start, start + length * count)
        q, k, v = (part[:, columns].reshape(HEADS, -1, count, length) for part in (query, key, value))
        weights = _softmax(q.transpose(2, 0, 3, 1) @ k.transpose(2, 0, 1, 3) * _SCALE)
        heads = v.transpose(2, 0, 1, 3) @ weights.transpose(0, 1, 3, 2)
        mixed[:, columns] = heads.transpose(1, 2, 0, 3).reshape(WIDTH, -1)
    return mixed


def _runs(lengths: Sequence[int]) -> list[_Run]:
    """(first token, length, count) of each group of neighbours of one length."""
    runs: list[_Run] = []
    start = 0
    for length, group in groupby(lengths):
        count = len(list(group))
        runs.append((start, length, count))
        start += length * count
    return runs


def _softmax(scores: Floats) -> Floats:
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _linear(tensors: Tensors, name: str, x: Floats) -> Floats:
    weight = tensors[f"{name}.weight"]
    rows, columns = weight.shape
    tiles = _tiles(rows, columns, x.shape[1])
    y: Floats = (weight.reshape(tiles, -1, columns) @ x).reshape(rows, -1)
    y += tensors[f"{name}.bias"][:, None]
    return y


@lru_cache(maxsize=1024)
def _tiles(rows: int, columns: int, tokens: int) -> int:
    """Into how many blocks of rows to cut a weight.

    With AVX-512 OpenBLAS multiplies up to a million products without first copying its operands; for a short sentence
    that copy is half the time (measured: 4.9 ms instead of 9.4 for the products of 11 tokens, no gain above 64). Its
    other kernels always copy, and of many blocks the activations each time (60 tokens on a Zen 3: 26 ms for 20).
    """
    if tokens > 64 or not _spares_copies():
        return 1
    fitting = (tiles for tiles in range(1, rows) if rows % tiles == 0 and rows // tiles * columns * tokens <= 1_000_000)
    return next(fitting, 1)


@cache
def _spares_copies() -> bool:
    """Tell whether this processor has AVX-512, by the name that numpy has for it (X86_V4 from 2.4 on)."""
    told = np.show_config(mode="dicts")  # it says nothing of what it did not find
    return not {"AVX512_SKX", "X86_V4"}.isdisjoint(told.get("SIMD Extensions", {}).get("found", ()))


def _normalize(tensors: Tensors, name: str, x: Floats) -> Floats:
    """Layer normalization (Ba et al. 2016), in place."""
    x -= x.mean(axis=0)
    x /= np.sqrt(np.square(x).mean(axis=0) + EPSILON)
    x *= tensors[f"{name}.weight"][:, None]
    x += tensors[f"{name}.bias"][:, None]
    return x


def gelu(x: Floats) -> Floats:
    """x Phi(x) with the exact normal distribution function, not the tanh form; in place, ``x`` lies in one piece.

    erfc by Abramowitz and Stegun 7.1.26 (error of erf at most 1.5e-7): with |x| it reads max(x, 0) - |x| erfc / 2.
    Oracle: math.erf; absolute error at most 5e-7 for x in -10..10 in float32.
    """
    flat = x.reshape(-1)
    rooms = np.empty((3, min(_AT_ONCE, len(flat))), np.float32)
    for start in range(0, len(flat), _AT_ONCE):
        some = flat[start : start + _AT_ONCE]
        _gelu(some, *rooms[:, : len(some)])
    return x


def _gelu(x: Floats, size: Floats, t: Floats, erfc: Floats) -> None:
    """A stretch of numbers; the others are room to work in."""
    np.abs(x, out=size)
    np.multiply(size, _P, out=t)
    t += np.float32(1.0)
    np.divide(np.float32(1.0), t, out=t)
    np.multiply(t, _HALVES[-1], out=erfc)
    for coefficient in _HALVES[-2::-1]:
        erfc += coefficient
        erfc *= t
    np.square(x, out=t)
    t *= np.float32(-0.5)
    erfc *= np.exp(t, out=t)
    erfc *= size
    np.maximum(x, np.float32(0.0), out=x)
    x -= erfc


_AT_ONCE = 32_768  # numbers: what is worked in stays near the processor (at 256 tokens a third of the time)
_SCALE = np.float32((WIDTH // HEADS) ** -0.5)
_P = np.float32(0.3275911 / 2**0.5)
_HALVES = np.array([0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429], dtype=np.float32) / 2
