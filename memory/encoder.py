"""The sentence encoder: text to a unit vector whose direction is its meaning, without torch.

all-MiniLM-L6-v2 on numpy with pinned weights. numpy and the tokenizer are imported when an encoder is opened, not
before, so that whoever does without pays nothing.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memory.errors import EncoderMissing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import Tokenizer

    from memory.weights import Weights

    Pieces = tuple[npt.NDArray[np.float32], list[str], npt.NDArray[np.float32]]

MAX_TOKENS = 256
"""What comes after this many tokens of a text, the two marks included, is not read."""
MAX_CHARACTERS = 20_000
"""Nor what comes after this many characters: 254 words are far shorter."""
DIMENSIONS = 384
ALGORITHM = "minilm-l6-numpy-1"
"""Changes when the same weights would give other vectors."""

_TOKENS_AT_ONCE = 512
_log = logging.getLogger(__name__)


class Encoder(Protocol):
    """What every encoder can do. Thread-safe; made by ``open_encoder``."""

    @property
    def digest(self) -> str:
        """Names whatever decides what a vector is: vectors of two digests cannot be compared."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        ...

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit vectors, float32 [len(texts), dimensions]."""
        ...

    def rest(self) -> None:
        """Give back what only encoding needs while nobody asks. Always safe."""
        ...


class MiniLM:
    """Encodes texts; thread-safe and without state. Made by ``open_encoder``."""

    def __init__(self, tokenizer: Tokenizer, weights: Weights, digests: Sequence[str]) -> None:
        self._tokenizer = tokenizer
        self._weights = weights
        self._digest = hashlib.sha256("\n".join([ALGORITHM, *digests]).encode()).hexdigest()

    @property
    def digest(self) -> str:
        """Names the weights, the vocabulary and the arithmetic: vectors of two digests cannot be compared."""
        return self._digest

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return DIMENSIONS

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit vectors, float32 [len(texts), 384]; a text's vector does not depend on its neighbours (to 1e-6)."""
        import numpy as np

        from memory.bert import embed

        sentences = [self._tokens(text) for text in texts]
        order = sorted(range(len(sentences)), key=lambda at: len(sentences[at]))
        vectors = np.zeros((len(sentences), DIMENSIONS), dtype=np.float32)
        for some in _portions(order, sentences):
            vectors[some] = embed(self._weights.tensors, [sentences[at] for at in some])
        return vectors

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """The vector of each text, its word pieces, and a unit vector for each, float32 [pieces, 384], in one pass.

        The pieces' vectors are the last layer's states; the two marks that stand around a text are left out.
        """
        import numpy as np

        from memory.bert import states

        sentences = [self._tokens(text) for text in texts]
        order = sorted(range(len(sentences)), key=lambda at: len(sentences[at]))
        found: dict[int, Pieces] = {}
        for some in _portions(order, sentences):
            rows = states(self._weights.tensors, [sentences[at] for at in some]).T
            ends = np.cumsum([len(sentences[at]) for at in some])
            for at, own in zip(some, np.split(rows, ends[:-1]), strict=True):
                whole = own.mean(axis=0)
                units = own[1:-1] / np.linalg.norm(own[1:-1], axis=1, keepdims=True)
                words = [str(self._tokenizer.id_to_token(id)) for id in sentences[at][1:-1]]
                found[at] = (whole / np.linalg.norm(whole), words, units)
        return [found[at] for at in range(len(sentences))]

    def rest(self) -> None:
        """Give 44 MB of resident memory back while nobody asks; the next call takes some 5 ms longer. Always safe."""
        self._weights.release()

    def _tokens(self, text: str) -> list[int]:
        readable = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode()
        ids: list[int] = self._tokenizer.encode(readable).ids
        return ids


def open_encoder(folder: Path | None = None, model: Path | None = None) -> Encoder:
    """Open the encoder: the built-in one, or that of a folder with another model (``memory/encoder_model.py``)."""
    if model is None:
        return open_minilm(folder)
    from memory.encoder_model import open_model

    return open_model(model, folder)


def open_minilm(folder: Path | None = None) -> MiniLM:
    """Open the built-in encoder; 0.1-0.3 s of CPU, the first time up to 0.5 s more for the digest of 91 MB.

    ``folder`` is where a stamp remembers that the installed weights were checked; without it they are checked every
    time. Sets numpy's BLAS to one thread for the whole process: with two a short sentence takes three times as long.
    Raises EncoderMissing when the weights are absent or not the pinned ones.
    """
    from memory.weights import DIGESTS, MODEL, TOKENIZER, check_weights, find_weights, map_weights

    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise EncoderMissing(
            "encoder.not_installed",
            "The tokenizer of the sentence encoder is not installed; tools are found by their words alone.",
            subject="tokenizers",
            hint="Install it: python -m pip install tokenizers",
        ) from error
    weights = find_weights()
    check_weights(weights, folder)
    single_blas_thread()
    tokenizer = Tokenizer.from_file(str(weights / TOKENIZER))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return MiniLM(tokenizer, map_weights(weights / MODEL), [DIGESTS[MODEL], DIGESTS[TOKENIZER]])


def single_blas_thread() -> bool:
    """Tell the OpenBLAS that numpy brought along to use one thread; whether one was found.

    The same without a call: OPENBLAS_NUM_THREADS=1 in the environment before numpy is imported.
    """
    import numpy as np

    libraries = Path(np.__file__).parent.with_name("numpy.libs").glob("*openblas*")
    found = False
    for library in libraries:
        for name in ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads", "openblas_set_num_threads"):
            with suppress(OSError, AttributeError):
                getattr(ctypes.CDLL(str(library)), name)(1)
                found = True
                break
    if not found:
        _log.info("numpy's BLAS was not found; set OPENBLAS_NUM_THREADS=1 for short answers on a busy machine")
    return found


def _portions(order: Sequence[int], sentences: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Stretches of ``order`` with at most 512 tokens together: a large batch needs little memory."""
    some: list[int] = []
    tokens = 0
    for at in order:
        if some and tokens + len(sentences[at]) > _TOKENS_AT_ONCE:
            yield some
            some, tokens = [], 0
        some.append(at)
        tokens += len(sentences[at])
    if some:
        yield some
