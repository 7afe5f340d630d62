"""A name is taken apart into words, however it is written."""

from __future__ import annotations

import pytest

from skills.names import Vocabulary, words_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("targetEmails_2", ("target", "emails")),
        ("userIDs", ("user", "i", "ds")),
        ("HTTPTarget", ("http", "target")),
        ("reply-to", ("reply", "to")),
        ("Empfänger", ("empfanger",)),
        ("empfaenger", ("empfanger",)),
        ("", ()),
    ],
)
def test_a_name_is_words(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize("word", ["recipients", "addresses", "empfaengerin", "adressen", "emails", "zieladresse"])
def test_a_word_is_known_in_the_plural_and_in_a_compound(word: str) -> None:
    assert Vocabulary("recipient address empfänger adresse email").is_in(words_of(word))


@pytest.mark.parametrize("word", ["ton", "tone", "tomorrow", "total", "host"])
def test_a_short_word_is_no_part_of_another(word: str) -> None:
    assert not Vocabulary("to hos").is_in(words_of(word))
