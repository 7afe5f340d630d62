"""Vectors of shipped texts are made once; never taken from other texts, another encoder or a damaged file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memory import KeptVectors
from memory.encoder import Encoder

TEXTS = [f"text number {number}" for number in range(40)]


class Counting:
    """An encoder that counts what it is given; a text's vector tells its length and its last letter."""

    def __init__(self, digest: str = "one") -> None:
        self.digest = digest
        self.count = 0

    def encode(self, texts: list[str]) -> np.ndarray:
        self.count += len(texts)
        return np.array([[len(text), ord(text[-1]), len(self.digest)] for text in texts], np.float32)


def _kept(encoder: Counting, file: Path, texts: list[str] = TEXTS) -> KeptVectors:
    vectors = KeptVectors(encoder)  # type: ignore[arg-type]
    vectors.keep(file, texts)
    return vectors


def test_the_second_time_is_mapped(tmp_path: Path) -> None:
    encoder, file = Counting(), tmp_path / "below" / "some.vectors"
    first = _kept(encoder, file).encode(TEXTS)
    second = _kept(encoder, file).encode(TEXTS)
    assert encoder.count == len(TEXTS)
    assert np.array_equal(first, second)
    assert np.array_equal(second, Counting().encode(TEXTS))
    assert isinstance(second.base, np.memmap), "nothing is read before it is asked for"
    assert [one.name for one in file.parent.iterdir()] == [file.name], "no draft is left"


def test_what_is_mapped_is_what_was_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another daemon may put a new file there between the two."""
    encoder, file, memmap = Counting(), tmp_path / "some.vectors", np.memmap
    _kept(encoder, file)

    def replaced(opened: object, *how: object) -> np.ndarray:
        _write_other(file)
        return memmap(opened, *how)  # type: ignore[call-overload,no-any-return]

    def _write_other(file: Path) -> None:
        other = file.with_name("other")
        other.write_bytes(file.read_bytes()[::-1])
        other.replace(file)

    monkeypatch.setattr(np, "memmap", replaced)
    assert np.array_equal(_kept(encoder, file).encode(TEXTS), Counting().encode(TEXTS))


def test_only_new_texts_are_encoded(tmp_path: Path) -> None:
    encoder, file = Counting(), tmp_path / "some.vectors"
    _kept(encoder, file)
    changed = ["before", *TEXTS[5:], "behind", "before"]
    found = _kept(encoder, file, changed).encode(changed)
    assert encoder.count == len(TEXTS) + 2
    assert np.array_equal(found, Counting().encode(changed))
    assert _kept(encoder, file, changed).encode([TEXTS[0]])[0, 0] == len(TEXTS[0])
    assert encoder.count == len(TEXTS) + 3, "what is no longer wanted is no longer kept"


def test_two_files_answer_together(tmp_path: Path) -> None:
    encoder = Counting()
    vectors = _kept(encoder, tmp_path / "shipped.vectors")
    vectors.keep(tmp_path / "own.vectors", ["mine", "mine too"])
    mixed = ["mine", *TEXTS, "a stranger"]
    assert np.array_equal(vectors.encode(mixed), Counting().encode(mixed))
    assert encoder.count == len(TEXTS) + 3


def test_another_encoder_begins_anew(tmp_path: Path) -> None:
    file, other = tmp_path / "some.vectors", Counting("another digest")
    _kept(Counting(), file)
    assert _kept(other, file).encode(TEXTS)[0, 2] == len("another digest")
    assert other.count == len(TEXTS)


@pytest.mark.parametrize("at", [0, 20, 40, 66, 75, 200, -1])
def test_a_damaged_file_is_never_trusted(tmp_path: Path, at: int) -> None:
    file = tmp_path / "some.vectors"
    _kept(Counting(), file)
    data = bytearray(file.read_bytes())
    data[at] ^= 0x40
    file.write_bytes(data)
    encoder = Counting()
    assert np.array_equal(_kept(encoder, file).encode(TEXTS), Counting().encode(TEXTS))
    assert encoder.count == len(TEXTS)
    _kept(encoder, file)
    assert encoder.count == len(TEXTS), "it was made anew"


@pytest.mark.parametrize("left", [0, 10, 70, 300, -100])
def test_a_torn_file_is_never_trusted(tmp_path: Path, left: int) -> None:
    file = tmp_path / "some.vectors"
    _kept(Counting(), file)
    file.write_bytes(file.read_bytes()[:left])
    assert np.array_equal(_kept(Counting(), file).encode(TEXTS), Counting().encode(TEXTS))


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert np.array_equal(_kept(Counting(), blocked / "some.vectors").encode(TEXTS), Counting().encode(TEXTS))


def test_where_nobody_may_write_another_place_keeps_them(tmp_path: Path) -> None:
    blocked, encoder = tmp_path / "file", Counting()
    blocked.write_text("in the way")
    for _ in range(2):
        vectors = KeptVectors(encoder)  # type: ignore[arg-type]
        vectors.keep(blocked / "some.vectors", TEXTS, tmp_path / "own" / "some.vectors")
        assert isinstance(vectors.encode(TEXTS).base, np.memmap)
    assert encoder.count == len(TEXTS)


def test_the_encoder_fits(tmp_path: Path) -> None:
    encoder: Encoder = Counting()  # type: ignore[assignment]
    assert KeptVectors(encoder).encode(["alone"]).shape == (1, 3)
