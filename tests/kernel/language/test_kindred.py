"""Everyday words that mean the same: which are read as a word that some tool knows, and which are left alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.language import Lexicon, Line, tokenize
from kernel.language.kindred import in_known_words, kindred, kindred_verbs

LEXICON = Lexicon(
    verbs=frozenset({"rename"}),
    vocabulary=frozenset({"left", "ändern", "space"}),
    spelt_en=frozenset({"left", "rename", "space"}),
    spelt_de=frozenset({"ändern"}),
)


def _line(text: str, language: str) -> Line:
    return Line(text, tokenize(text, language), language, datetime(2026, 3, 11, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "language", "said", "lemma"),
    [
        ("how many days remain until May", "en", "remain", "left"),
        ("relabel a.png", "en", "relabel", "rename"),
        ("welche Dateien habe ich gestern bearbeitet", "de", "bearbeitet", "ändern"),
        ("how much room is there", "en", "room", "space"),
    ],
)
def test_a_word_that_no_tool_knows_is_read_as_a_kindred_one(text: str, language: str, said: str, lemma: str) -> None:
    read = in_known_words(_line(text, language), LEXICON, lambda _word: False)
    assert next(token.lemma for token in read.tokens if token.norm == said) == lemma


@pytest.mark.parametrize(
    "text", ["how many days are left", 'find the note "remain"', "a note saying remain here", "how many widgets wobble"]
)
def test_what_is_known_quoted_or_dictated_stays(text: str) -> None:
    line = _line(text, "en")
    assert in_known_words(line, LEXICON, lambda _word: False) is line


def test_a_name_of_the_person_stays() -> None:
    line = _line("open the room plan", "en")
    assert in_known_words(line, LEXICON, {"room"}.__contains__) is line


def test_a_word_without_kin_is_alone() -> None:
    assert kindred({"zebra"}, "en") == {"zebra"}
    assert {"remain", "left"} <= kindred({"left"}, "en")


@pytest.mark.parametrize(
    ("text", "language", "at", "lemma"),
    [
        ("stick bananas on the list", "en", 0, "put"),
        ("could you please pop a haircut in", "en", 3, "put"),
        ("scrap the timer", "en", 0, "cancel"),
        ("shoot Lena a mail that I am coming over", "en", 0, "send"),
        ("hau a.pdf in den Müll", "de", 0, "werfen"),
    ],
)
def test_what_a_request_begins_with_is_read_as_the_plain_verb(text: str, language: str, at: int, lemma: str) -> None:
    line = _line(text, language)
    known = Lexicon(
        verbs=frozenset({"put", "cancel", "send", "werfen", "stick", "pop"}), vocabulary=frozenset({"stick", "pop"})
    )
    assert in_known_words(line, known, lambda _word: False).tokens[at].lemma == lemma


@pytest.mark.parametrize(
    "text", ["copy it to the stick", "pop up a notice", "show me the scrap", "stick them together"]
)
def test_elsewhere_or_with_a_particle_it_is_another_word(text: str) -> None:
    line = _line(text, "en")
    known = Lexicon(verbs=frozenset({"put", "pop"}), vocabulary=frozenset({"stick", "pop", "scrap"}))
    assert in_known_words(line, known, lambda _word: False) is line


def test_a_record_is_no_verb_of_writing_down() -> None:
    assert "row" in kindred({"record"}, "en")
    assert kindred_verbs({"record"}, "en") == {"record"}


def test_pepper_on_the_list_is_thrown_nowhere() -> None:
    line = _line("pfeffer und salz auf die einkaufsliste", "de")
    assert in_known_words(line, Lexicon(verbs=frozenset({"werfen"})), lambda _word: False).tokens[0].lemma != "werfen"
