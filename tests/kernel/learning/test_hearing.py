"""Which sentences explain words, take that back, or ask for it; and which are requests like any other."""

from __future__ import annotations

import pytest

from kernel.learning.hearing import Explains, Lists, Unteaches, hear

EXPLAINS = [
    ("that means: delete old.zip", "", "delete old.zip"),
    ("No, that means delete old.zip.", "", "delete old.zip"),
    ("by that I mean list Downloads", "", "list Downloads"),
    ("damit meine ich: lösch old.zip", "", "lösch old.zip"),
    ("das heißt: liste Downloads auf", "", "liste Downloads auf"),
    ("when I say month end, do: list the PDFs in Downloads", "month end", "list the PDFs in Downloads"),
    ('when i say "yeet a.pdf" I mean delete a.pdf', "yeet a.pdf", "delete a.pdf"),
    ('whenever I say "tidy", sort Downloads by type', "tidy", "sort Downloads by type"),
    ("if I say cleanup then do sort Downloads by type", "cleanup", "sort Downloads by type"),
    ("wenn ich Feierabend sage, mach: liste Downloads auf", "Feierabend", "liste Downloads auf"),
    ("wenn ich „Monatsende“ sage, liste die PDFs in Downloads auf", "Monatsende", "liste die PDFs in Downloads auf"),
    ("wenn ich sage: wirf a.pdf weg, meine ich lösche a.pdf", "wirf a.pdf weg", "lösche a.pdf"),
    ("mit „aufräumen“ meine ich sortiere Downloads nach Art", "aufräumen", "sortiere Downloads nach Art"),
]
BARE = [
    ("„aufräumen“ bedeutet: sortiere Downloads nach Art", "aufräumen", "sortiere Downloads nach Art"),
    ('"tidy" means sort Downloads by type', "tidy", "sort Downloads by type"),
]
UNTEACHES = [
    ("forget what yeet means", "yeet"),
    ('please forget what "month end" means', "month end"),
    ("vergiss, was Monatsende bedeutet", "Monatsende"),
    ("vergiss was „aufräumen“ heißt", "aufräumen"),
    ("yeet does not mean anything any more", "yeet"),
]
OTHERS = [
    "delete old.zip", "what does that mean?", "I mean the other one", "I meant the newer one", "was heißt das?",
    "write a note: that means trouble ahead of us all", "remember that Anna means well", "wenn es regnet, sag es mir",
    "when did I say that?", "find what Müller means by scope", "forget everything about Anna",
    "if there are more than ten, move them to Archive",
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "phrase", "meaning"), EXPLAINS)
def test_what_a_phrase_means_is_heard(sentence: str, phrase: str, meaning: str) -> None:
    assert hear(sentence) == Explains(meaning, phrase)


@pytest.mark.parametrize(("sentence", "phrase", "meaning"), BARE)
def test_what_is_only_said_to_mean_something_may_be_a_request(sentence: str, phrase: str, meaning: str) -> None:
    assert hear(sentence) == Explains(meaning, phrase, bare=True)


@pytest.mark.parametrize(("sentence", "phrase"), UNTEACHES)
def test_that_it_means_nothing_any_more_is_heard(sentence: str, phrase: str) -> None:
    assert hear(sentence) == Unteaches(phrase)


@pytest.mark.parametrize("sentence", ["what have I taught you?", "Was habe ich dir beigebracht?"])
def test_the_question_for_all_is_heard(sentence: str) -> None:
    assert hear(sentence) == Lists()


@pytest.mark.parametrize("sentence", OTHERS)
def test_other_sentences_explain_nothing(sentence: str) -> None:
    assert hear(sentence) is None
