from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

import pytest

from skills.sdk import words
from skills.sdk.spelling import spelled


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


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Invoice 3/2024: paid?", "Invoice 3 2024 paid"),
        ("  ..notes. ", "notes"),
        ("a\0b\u202ec.txt", "abc.txt"),
        ("a\ttab\nand a line.md", "a tab and a line.md"),
        ("v1. What is new in it", "v1. What is new in it"),
        (".pdf", "pdf"),
        ("/", ""),
        ("Rechnung für März.tar.gz", "Rechnung für März.tar.gz"),
    ],
)
def test_file_names(text: str, name: str) -> None:
    assert words.file_name(text) == name


@pytest.mark.parametrize("letter", ["x", "ü", "€", "🎄", "👍🏽", "q\u0323\u0307", "❤\ufe0f"])
@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_a_long_file_name_is_cut_between_letters_and_keeps_its_suffix(letter: str, before: str) -> None:
    name = words.file_name(before + letter * 300 + ".pdf")
    assert 200 - len(letter.encode()) < len(name.encode()) <= 200
    assert name == before + letter * ((len(name) - len(before) - 4) // len(letter)) + ".pdf"


@pytest.mark.parametrize("marks", ["a" + "\u0323\u0301" * 150, "\u0301" * 300, "\U0001f3fb" * 80])
@pytest.mark.parametrize("suffix", ["", ".pdf"])
def test_a_letter_that_is_too_long_itself_leaves_no_hidden_name_and_no_empty_one(marks: str, suffix: str) -> None:
    name = words.file_name(marks + suffix)
    assert 190 < len(name.encode()) <= 200
    assert not name.startswith(".")
    assert name.endswith(suffix)


@pytest.mark.parametrize(
    ("text", "folded"),
    [("  Zahn\tArzt ", "zahn arzt"), ("Größe", "grosse"), ("É ﬁ Ⅳ", "e fi iv"), ("it’s", "it’s"), ("", "")],
)
def test_what_is_compared_is_folded(text: str, folded: str) -> None:
    assert words.fold(text) == folded


@pytest.mark.parametrize(
    "ways",
    [
        ("Ayşe Yıldız", "Ayse Yildiz"),
        ("Käsekuchen", "Kaesekuchen", "kasekuchen"),
        ("Müller", "Mueller", "Muller"),
        ("Gartenstraße 5", "Gartenstrasse 5", "Gartenstr. 5"),
        ("Bjørn Łukasz", "Bjorn Lukasz"),
    ],
)
def test_however_a_name_is_written_it_is_the_same(ways: tuple[str, ...]) -> None:
    assert len({words.fold(one) for one in ways}) == 1
    for one in ways:
        for other in ways:
            found = re.search(spelled(one.partition(" ")[0]), f"über {other}, heute", re.I)
            assert found is not None
            assert found.start() == 5


@pytest.mark.parametrize("text", ["Gartenweg", "Gartenstra", "Garten", "Gärtenstruktur"])
def test_what_is_another_word_is_not_found(text: str) -> None:
    assert re.search(spelled("Gartenstraße"), text, re.I) is None


@pytest.mark.parametrize(("one", "other"), [("Sue", "Su"), ("Joe", "Jo"), ("Bauer", "Baur"), ("Steuer", "Steur")])
def test_two_vowels_that_are_no_umlaut_stay_two(one: str, other: str) -> None:
    assert words.fold(one) != words.fold(other)


@pytest.mark.parametrize(
    ("there", "wanted", "held"),
    [("a b c", "c a", True), ("a b", "a c", False), ("", "a", False), ("a", "", True), ("a b", "b b", True)],
)
def test_all_that_is_wanted_is_there(there: str, wanted: str, held: bool) -> None:
    assert words.has_all(iter(there.split()), iter(wanted.split()), lambda said, one: said == one) is held
