"""Sentences that name a macro: where the name ends, and how long a sentence full of blanks takes."""

from __future__ import annotations

import pytest

from kernel.macros import defining, keeping
from tests.clock import less_than

BLANKS = " " * 19_000


@pytest.mark.parametrize(("said", "heard"), [
    ("define monthly close as show my tasks", ("monthly close", "show my tasks", "en")),
    ("please define “archive” as: move it\nand go on", ("archive", "move it\nand go on", "en")),
    ("definiere Aufräumen als sortiere Downloads", ("Aufräumen", "sortiere Downloads", "de")),
    ("define x as", None), (f"define x{BLANKS}y", None), (f"definiere x{BLANKS}y", None),
    ("define " + "a " * 9_000, None),
])  # fmt: skip
def test_what_is_defined_is_heard_at_once(said: str, heard: tuple[str, str, str] | None) -> None:
    with less_than(1.0):
        assert defining.heard(said) == heard


@pytest.mark.parametrize(("said", "named", "heard"), [
    ("save that as a macro called monthly close", True, ("monthly close", "en")),
    ("speichere das als Makro Ab und An ab", True, ("Ab und An", "de")),
    ("speicher das als „Monatsabschluss“", False, ("Monatsabschluss", "de")),
    ("save that as a pdf", True, None), ("save that as one\nand go on", False, None),
    (f"speicher das als x{BLANKS}y\nz", False, None), (f"save that as x{BLANKS}y\nz", False, None),
])  # fmt: skip
def test_what_is_kept_is_heard_at_once(said: str, named: bool, heard: tuple[str, str] | None) -> None:
    with less_than(1.0):
        assert keeping.heard(said, named=named) == heard
