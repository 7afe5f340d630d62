"""Which files a trigger means."""

from __future__ import annotations

import pytest

from kernel.routines.model import About, Change, FileSeen
from kernel.routines.watching.fitting import fits, is_such
from kernel.routines.watching.settling import Seen


@pytest.mark.parametrize(("pattern", "path", "fit"), [
    ("*.pdf", "/d/a.PDF", True), ("*.pdf", "/d/a.pdf.txt", False), ("*", "/d/x", True), ("*.pdf", "/d/in/a.pdf", False),
    ("*.{jpg,png}", "/d/a.png", True), ("*.{jpg,png}", "/d/a.gif", False), ("{a,b}*.{c,d}", "/d/bx.c", True),
    ("*", "/dd/x", False),
])  # fmt: skip
def test_by_folder_and_pattern(pattern: str, path: str, fit: bool) -> None:
    assert fits(FileSeen(Change.CREATED, "/d", pattern), Seen(Change.CREATED, path)) is fit


def test_below_and_by_change() -> None:
    below = FileSeen(Change.CHANGED, "/d", "*.txt", below=True)
    assert fits(below, Seen(Change.CHANGED, "/d/deep/a.txt"))
    assert not fits(below, Seen(Change.CREATED, "/d/deep/a.txt"))
    moved = FileSeen(Change.MOVED_IN, "/d")
    assert fits(moved, Seen(Change.CREATED, "/d/a", moved=True))
    assert not fits(moved, Seen(Change.CREATED, "/d/a"))


@pytest.mark.parametrize(("said", "name", "holds"), [
    ("rechnung", "Rechnung_März.pdf", True), ("rechnung", "invoice-7.pdf", True), ("rechnung", "urlaub.pdf", False),
    ("Überweisung", "ueberweisung.pdf", True),
])  # fmt: skip
def test_by_what_its_name_says_in_any_word_for_it(said: str, name: str, holds: bool) -> None:
    nouns = [("invoice", "rechnung"), ("letter", "brief")]
    assert is_such([(About.IS, said)], f"/d/{name}", 1, nouns) is holds


def test_by_its_size() -> None:
    assert is_such([(About.LARGER, "100")], "/d/a", 101, [])
    assert not is_such([(About.LARGER, "100")], "/d/a", 100, [])


def test_what_cannot_be_told_without_opening_it_is_not_so() -> None:
    assert not is_such([(About.SENDER, "Anna")], "/d/a", 1, [])
