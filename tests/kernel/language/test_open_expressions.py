"""Arithmetic with an earlier number is read with ``x`` in its place; sentences about other things are none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.language.amounts.open_expressions import find_open_expressions, is_open
from kernel.language.line import Line
from kernel.language.tokens import tokenize


def _read(text: str, language: str) -> list[str]:
    line = Line(text, tokenize(text, language), language, datetime(2026, 3, 11, tzinfo=UTC))
    return [found.value for found in find_open_expressions(line)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("divide that by three", "x / 3"),
        ("multiply the result by 1.5", "x * 1.5"),
        ("take 10 percent off it", "x * (1 - 10 / 100)"),
        ("add 19% to the total", "x * (1 + 19 / 100)"),
        ("subtract 40 euros from that", "x - 40"),
        ("what is 15% of that", "15 % of x"),
        ("halve it", "x / 2"),
        ("that times 12", "x * 12"),
        ("times it by 1.1", "x * 1.1"),
        ("what would that be with 3 percent more", "x * (1 + 3 / 100)"),
        ("divide it by 3 for the three nights", "x / 3"),
        ("add another 5 euros shipping on top", "x + 5"),
    ],
)
def test_english(text: str, value: str) -> None:
    assert _read(text, "en") == [value]
    assert is_open(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("teil ihn durch zwei", "x / 2"),
        ("teile das Ergebnis durch 12", "x / 12"),
        ("berechnen Sie davon zehn Prozent", "10 % of x"),
        ("20 Prozent davon", "20 % of x"),
        ("ziehen Sie 3 % vom Betrag ab", "x * (1 - 3 / 100)"),
        ("zieh davon 50 ab", "x - 50"),
        ("die Hälfte davon", "x / 2"),
        ("das dann durch neun", "x / 9"),
        ("noch 5 Euro Versand drauf", "x + 5"),
    ],
)
def test_german(text: str, value: str) -> None:
    assert _read(text, "de") == [value]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("add milk to it", "en"),
        ("add 3 eggs to it", "en"),
        ("take 3 files from it", "en"),
        ("divide the rows by region", "en"),
        ("17% of 230", "en"),
        ("zieh die Datei nach Archiv", "de"),
        ("davon drei nach Archiv", "de"),
        ("füg drei Eier dazu", "de"),
    ],
)
def test_no_earlier_number_is_worked_on(text: str, language: str) -> None:
    assert _read(text, language) == []


def test_a_multiplication_with_x_is_closed() -> None:
    assert not is_open("12 * 4")
    assert not is_open(12)
