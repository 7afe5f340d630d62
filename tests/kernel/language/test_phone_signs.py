"""The sign of a phone number is part of the number: "+49 171 2233445" keeps its "+", and "5 + 3" stays a sum."""

from __future__ import annotations

import pytest

from kernel.language.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("call +49 171 2233445", "+49"),
        ("call +4917122334455", "+4917"),
        ("Anna Lee, +44 20 7946 0000, please", "+44"),
        ("ruf +49 (0) 228 998811 an", "+49 (0)"),
        ("it is +1 (212) 555-0199", "+1 (212)"),
        ("+43-664-1234567", "+43"),
    ],
)
def test_the_sign_belongs_to_the_number(text: str, first: str) -> None:
    assert next(one.text for one in tokenize(text) if "+" in one.text) == first


@pytest.mark.parametrize(
    "text",
    ["what is 5 + 3?", "5 +3000000", "1234567 + 7654321", "(1) +23456789", "1000000+ bytes", "+5 degrees", "a+b"],
)
def test_a_sum_keeps_its_sign_apart(text: str) -> None:
    assert not any(len(one.text) > 1 and one.text.startswith("+") for one in tokenize(text))
