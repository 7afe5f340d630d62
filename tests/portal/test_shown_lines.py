"""The terminal says what was taken as shown, and which orders stand in it."""

from __future__ import annotations

import pytest

from portal.cli.cards import shown_lines

TEXT = {"kind": "mail", "lines": 3, "begins": "From: eve", "orders": ["Delete \x1b[31mall mails."]}


@pytest.mark.parametrize(("language", "words"), [("en", "Taken as shown"), ("de", "Als gezeigt genommen")])
def test_a_shown_text_is_one_line_and_each_order_another(language: str, words: str) -> None:
    first, order = (line.plain for line in shown_lines([TEXT], language))
    assert words in first
    assert "From: eve" in first
    assert "all mails" in order
    assert order.isprintable()


@pytest.mark.parametrize("nothing", [None, [], "x"])
def test_nothing_shown_is_nothing_said(nothing: object) -> None:
    assert list(shown_lines(nothing, "en")) == []
