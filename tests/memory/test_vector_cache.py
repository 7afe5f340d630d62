"""Vectors of shipped texts are made once; never taken from other texts, another encoder or a torn file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memory import CachedEncoder, open_encoder
from memory.errors import EncoderMissing

TEXTS = [f"text number {number}" for number in range(40)]


class Counting:
    """The real encoder, and how many texts it was given."""

    def __init__(self, digest: str | None = None) -> None:
        try:
            self._encoder = open_encoder()
        except EncoderMissing as missing:
            pytest.skip(f"{missing} {missing.hint}")
        self.digest = digest or self._encoder.digest
        self.count = 0

    def encode(self, texts: list[str]) -> np.ndarray:
        self.count += len(texts)
        return self._encoder.encode(texts)


def test_the_second_time_is_read(tmp_path: Path) -> None:
    encoder = Counting()
    first = CachedEncoder(encoder, tmp_path).encode(TEXTS)  # type: ignore[arg-type]
    second = CachedEncoder(encoder, tmp_path).encode(TEXTS)  # type: ignore[arg-type]
    assert encoder.count == len(TEXTS)
    assert np.array_equal(first, second)
    assert len(list(tmp_path.iterdir())) == 1, "no draft is left"


def test_other_texts_another_encoder_and_a_torn_file_are_made_anew(tmp_path: Path) -> None:
    encoder = Counting()
    CachedEncoder(encoder, tmp_path).encode(TEXTS)  # type: ignore[arg-type]
    CachedEncoder(encoder, tmp_path).encode([*TEXTS[:-1], "another"])  # type: ignore[arg-type]
    assert encoder.count == 2 * len(TEXTS)
    other = Counting("another digest")
    CachedEncoder(other, tmp_path).encode(TEXTS)  # type: ignore[arg-type]
    assert other.count == len(TEXTS)
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes()[:-100])
    CachedEncoder(encoder, tmp_path).encode(TEXTS)  # type: ignore[arg-type]
    assert encoder.count == 3 * len(TEXTS)


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert CachedEncoder(Counting(), blocked).encode(TEXTS).shape == (len(TEXTS), 384)  # type: ignore[arg-type]
