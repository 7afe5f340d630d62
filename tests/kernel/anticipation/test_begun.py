"""A sentence that was begun: which sentences it may become, and with which words."""

from __future__ import annotations

import pytest

from kernel.anticipation.begun import MOST_LETTERS, begun

NOTE = "show me my note called Groceries"


@pytest.mark.parametrize(
    ("typed", "fits"),
    [
        ("show me", True),
        ("show me my no", True),
        ("the notes", True),  # a word in another form, and one that says nothing
        ("groc", True),
        ("Groceries ", True),
        ("called ", True),
        ("groc ", False),  # a whole word that does not stand there
        ("show me my mail", False),
        ("show me my note called Groceries", False),  # nothing is left to be offered
        ("Show me my note called groceries?", False),
    ],
)
def test_all_that_was_typed_stands_in_a_sentence_that_fits(typed: str, fits: bool) -> None:
    found = begun(typed)
    assert found is not None
    assert found.fits(NOTE) is fits


@pytest.mark.parametrize("typed", ["", "  ", "sh", "x" * (MOST_LETTERS + 1)])
def test_too_little_and_too_much_are_no_beginning(typed: str) -> None:
    assert begun(typed) is None


def test_the_last_word_is_every_word_that_it_may_become() -> None:
    found = begun("zeig mir die Ter")
    assert found is not None
    said = found.said(["zeig mir die Termine", "zeig mir die Terrasse", "zeig mir die Mails"])
    assert {"termin", "terrass"} <= said
    assert not any(word.startswith("mail") for word in said)
    whole = begun("zeig mir die Termine ")
    assert whole is not None
    assert whole.said(["zeig mir die Terrasse"]) == whole.whole
