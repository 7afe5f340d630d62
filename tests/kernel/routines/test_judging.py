"""Words and sums are held against what was read, and nothing else of it counts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from kernel.routines.judging import HEAD_LINES, MOST_CHARACTERS, Text, compares, same_nouns
from kernel.routines.model import About, Comparison
from tests.clock import less_than


@pytest.mark.parametrize(("text", "said", "holds"), [
    ("Die KÜNDIGUNG ist wirksam.", "Kündigung", True), ("Kuendigung", "Kündigung", True),
    ("Kundigung", "Kündigung", True),
    ("Die Kündigungsfrist", "Kündigung", False), ("notice\n  period", "Notice period", True),
    ("notice of a period", "notice period", False), ("Kündi-\ngung", "Kündigung", True), ("e-mail", "e-mail", True),
    ("e-\nmail", "E-Mail", True), ("ﬁnal", "final", True), ("final", "nothing|final", True), ("", "final", False),
    ("anything", "|", False), ("a.c", "a.c", True), ("abc", "a.c", False), ("Straße", "STRASSE", True),
])  # fmt: skip
def test_words_stand_there_as_a_whole_whatever_their_capitals_and_accents(text: str, said: str, holds: bool) -> None:
    assert Text(text).holds(said) is holds


def test_what_it_is_heads_it_in_any_word_that_means_the_same() -> None:
    nouns = same_nouns("rechnung", [("invoice", "Rechnung"), ("letter", "Brief")])
    assert nouns >= {"rechnung", "invoice"}
    assert "Brief" not in nouns
    assert Text("Acme Ltd\n\nINVOICE\nTotal: 5").is_called(nouns)
    assert Text("Rechnungsnummer: 7").is_called(nouns)
    assert not Text("\n".join(["a line"] * HEAD_LINES + ["invoice"])).is_called(nouns)


@pytest.mark.parametrize(("said", "amount", "currency", "fits"), [
    ("> 500 EUR", 500.01, "EUR", True), ("> 500 EUR", 500.0, "EUR", False), (">= 500 EUR", 500, "EUR", True),
    ("< 500 EUR", 499.99, "EUR", True), ("<= 500.50 EUR", 500.5, "EUR", True), ("> 500 EUR", 900, "USD", None),
    ("> 500 EUR", 900, None, None), ("> 500", 900, "USD", True), ("> 500", None, None, None),
    ("> 500", float("nan"), None, None), ("> 500", "900", "EUR", None), ("> 500", True, "EUR", None),
])  # fmt: skip
def test_a_total_is_compared_in_its_currency(said: str, amount: object, currency: object, fits: bool | None) -> None:
    assert compares([(About.TOTAL, said)], {"amount": amount, "currency": currency}) is fits


def test_a_comparison_is_what_it_was_written_as() -> None:
    assert str(Comparison.of(">= 1200.50 EUR")) == ">= 1200.50 EUR"
    assert Comparison.of("> 5") == Comparison(">", Decimal(5))
    for wrong in ("", "5 EUR", "> x", "> 5 euro", "> 5 EUR EUR", "= 5", "> ٥"):
        with pytest.raises(ValueError, match="comparison"):
            Comparison.of(wrong)


def test_a_very_long_text_takes_time_by_its_length_and_says_that_it_was_cut() -> None:
    with less_than(20.0):
        text = Text("a-\n" * (MOST_CHARACTERS // 3 + 1) + "word")
        assert not text.holds("word")
        assert not text.is_whole
