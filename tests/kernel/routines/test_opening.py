"""How a sentence begins that is a rule although it could be done once: past words that say nothing."""

from __future__ import annotations

import pytest

from kernel.routines.hearing.opening import begins_when, may_open


@pytest.mark.parametrize(
    "text", ["wenn ein PDF kommt", "Also, wenn ein PDF kommt", "ok, whenever a PDF comes", "Right, so when a PDF comes"]
)
def test_words_before_it_that_say_nothing_change_nothing(text: str) -> None:
    assert begins_when(text)
    assert may_open(text)


@pytest.mark.parametrize("text", ["", "also, zeig mir die PDFs", "show me the PDFs when you can", "so, and so"])
def test_other_beginnings_are_none(text: str) -> None:
    assert not begins_when(text)
    assert not may_open(text)
