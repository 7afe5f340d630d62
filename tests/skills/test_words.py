from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from skills.sdk import words


@pytest.mark.parametrize(
    ("size_bytes", "english", "german"),
    [
        (0, "0 bytes", "0 Byte"),
        (1, "1 byte", "1 Byte"),
        (999, "999 bytes", "999 Byte"),
        (1000, "1 kB", "1 kB"),
        (1234, "1.2 kB", "1,2 kB"),
        (999_499, "999 kB", "999 kB"),
        (999_500, "1 MB", "1 MB"),
        (99_960_000, "100 MB", "100 MB"),
        (3_450_000_000, "3.5 GB", "3,5 GB"),
        (5 * 10**15, "5000 TB", "5000 TB"),
    ],
)
def test_sizes(size_bytes: int, english: str, german: str) -> None:
    assert (words.size(size_bytes), words.size(size_bytes, "de")) == (english, german)


def test_days_and_counts() -> None:
    assert words.day(date(2025, 3, 1)) == "1 March 2025"
    assert words.day(date(2025, 3, 1), "de") == "1. März 2025"
    assert words.count(1, "file", "files") == "1 file"
    assert words.count(0, "file", "files") == "0 files"


@pytest.mark.parametrize(
    ("items", "wanted"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_listing(items: list[str], wanted: str) -> None:
    assert words.listing(items) == wanted


def test_a_long_listing_is_counted() -> None:
    assert words.listing(list("abcde"), "de", most=2) == "a, b und 3 weitere"


def test_cells_are_json_scalars() -> None:
    assert [words.cell(value) for value in (True, 2, "x", None, Decimal("1.10"), float("inf"), b"x")] == [
        True,
        2,
        "x",
        None,
        "1.10",
        None,
        "b'x'",
    ]
