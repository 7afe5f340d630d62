"""What several things come to by the price of one; the price of something else is none of theirs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.language.amounts.expressions import find_expressions
from kernel.language.amounts.money import money_at
from kernel.language.line import Line
from kernel.language.tokens import tokenize


def _read(text: str, language: str) -> list[str]:
    line = Line(text, tokenize(text, language), language, datetime(2026, 3, 11, tzinfo=UTC))
    return [found.value for found in find_expressions(line)]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("6.5 metres at 14.80 a metre", "en", "6.5 * 14.8"),
        ("3 hours at 45 euros an hour", "en", "3 * 45"),
        ("what do twelve chairs at $49.90 each come to", "en", "12 * 49.9"),
        ("20 sheets for 1.20 per sheet", "en", "20 * 1.2"),
        ("4380 words times 0.14", "en", "4380 * 0.14"),
        ("6,5 Meter zu 14,80 Euro der Meter", "de", "6.5 * 14.8"),
        ("zwölf Stühle zu je 49,90 Euro", "de", "12 * 49.9"),
        ("Was kosten 20 Bögen für 1,20 pro Stück?", "de", "20 * 1.2"),
        ("4380 Wörter mal 0,14", "de", "4380 * 0.14"),
    ],
)
def test_a_price_for_each(text: str, language: str, value: str) -> None:
    assert _read(text, language) == [value]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("3 hours at 45 euros a day", "en"),
        ("meet 3 people at 5", "en"),
        ("5 foot 3 in cm", "en"),
        ("add 20 sheets for 12 euros", "en"),
        ("a flat for 2 people at 3 each day", "en"),
        ("3 Termine um 5", "de"),
        ("3 Zeilen mal anzeigen", "de"),
        ("2 Karten zu 30 Euro am Abend", "de"),
    ],
)
def test_what_is_no_price_for_each(text: str, language: str) -> None:
    assert _read(text, language) == []


@pytest.mark.parametrize("text", ["9" * 30, "note the number " + "9" * 30, "9" * 30 + " euros 50"])
def test_a_number_of_any_length_is_read(text: str) -> None:
    assert isinstance(_read(text, "en"), list)
    line = Line(text, tokenize(text, "en"), "en", datetime(2026, 3, 11, tzinfo=UTC))
    assert all(money_at(line, at) is None or "euros" in text for at in range(3))
