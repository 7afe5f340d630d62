"""The search itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from gpu_skills.knowledge import Advice
from gpu_skills.model import Space
from gpu_skills.search.model import Author, Budget, Found, Progress, Workshop


def search(
    space: Space, workshop: Workshop, folder: Path, *, budget: Budget, seed: int, advice: Advice | None = None,
    authors: Sequence[Author] = (), watch: Callable[[Progress], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Found:  # fmt: skip
    """Find the fastest candidate of ``space`` that the judge accepts, and write every step into ``folder``.

    A search that is started with the folder of an earlier one of the same space goes on where that one was; then the
    earlier seed counts. Raises SearchElsewhere where the folder holds the search of another space, or one that runs.
    """
    raise NotImplementedError
