"""A line through the encoder's vectors: on one side orders to a program that reads, on the other what people write.

Taught once after installation (``kernel.prepare``) from sentences that ``teaching`` makes; kept beside the encoder's
other vectors under the encoder's digest. Without the encoder or the file, patterns and structure judge alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kernel.firewall.orders import Judge, by_words
from kernel.firewall.teaching import letters, orders

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from memory import Encoder

    Vector = npt.NDArray[np.float64]

THRESHOLD = 2.0
"""How far on the side of the orders (log odds) a sentence must be: a false mark costs trust in the true ones."""

_STEPS = 400
_RATE = 4.0
_SHRINK = 1e-3
_FEWEST_WORDS = 4


def weights_at(folder: Path, encoder: Encoder) -> Path:
    """Return where the line for ``encoder`` is kept below ``folder``."""
    return folder / f"orders-{encoder.digest[:12]}-{_lesson()}.npy"


@cache
def _lesson() -> str:
    """A name for the sentences that are learnt from: others make another line."""
    return hashlib.sha256("\n".join((*orders(), "", *letters())).encode()).hexdigest()[:8]


def teach(encoder: Encoder, folder: Path) -> Path:
    """Learn the line and keep it, if it is not there, in place of what was learnt of other sentences; return where."""
    import numpy as np

    path = weights_at(folder, encoder)
    if path.exists():
        return path
    hostile, plain = orders(), letters()
    vectors = encoder.encode([*hostile, *plain]).astype(np.float64)
    line = _learnt(vectors, np.array([1.0] * len(hostile) + [0.0] * len(plain)))
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, line)
    for other in path.parent.glob(f"orders-{encoder.digest[:12]}-*.npy"):
        if other != path:
            other.unlink(missing_ok=True)
    return path


def _learnt(vectors: Vector, wanted: Vector) -> Vector:
    """Logistic regression with an L2 penalty, by gradient descent; the last weight is the intercept."""
    import numpy as np

    rows = np.hstack([vectors, np.ones((len(vectors), 1))])
    line = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        wrong = 1.0 / (1.0 + np.exp(-rows @ line)) - wanted
        line -= _RATE * (rows.T @ wrong / len(rows) + _SHRINK * line)
    return line


def judge_of(encoder: Encoder | None, folder: Path) -> Judge:
    """Return the best judge that there is: with the line where it and its encoder are there, else by patterns alone."""
    line = _kept(weights_at(folder, encoder)) if encoder is not None else None
    if encoder is None or line is None or len(line) != encoder.dimensions + 1:
        return by_words

    def judge(texts: Sequence[str]) -> list[bool]:
        long = [at for at, text in enumerate(texts) if len(text.split()) >= _FEWEST_WORDS]
        found = by_words(texts)
        if long:
            odds = encoder.encode([texts[at] for at in long]) @ line[:-1] + line[-1]
            for at, one in zip(long, odds, strict=True):
                found[at] = found[at] or bool(one > THRESHOLD)
        return found

    return judge


def _kept(path: Path) -> Vector | None:
    import numpy as np

    try:
        line: Vector = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return line if line.ndim == 1 and bool(np.isfinite(line).all()) else None
