"""One question over two values: what the first part says holds for the second."""

from __future__ import annotations

import pytest

from kernel.language.paired_questions import paired


@pytest.mark.parametrize(
    ("sentence", "language", "one", "other"),
    [
        ("How much did I spend on food in May and how much in June, according to a.csv?", "en",
         "How much did I spend on food in May, according to a.csv",
         "How much did I spend on food in June, according to a.csv"),
        ("what's on on Thursday and what on Friday?", "en", "", ""),
        ("How many files are in Music and how many in Videos?", "en", "How many files are in Music",
         "How many files are in Videos"),
        ("wieviel haben wir laut a.csv im mai ausgegeben und wieviel im juni", "de",
         "wieviel haben wir laut a.csv im mai ausgegeben", "wieviel haben wir laut a.csv im juni ausgegeben"),
        ("Was steht am Montag an und was am Dienstag?", "de", "Was steht am Montag an", "Was steht am Dienstag an"),
        ("how much is in a.csv and how much did we spend", "en", "", ""),
        ("what is in Music and what about the rest of it all", "en", "", ""),
    ],
)  # fmt: skip
def test_both_questions_are_whole(sentence: str, language: str, one: str, other: str) -> None:
    assert paired(sentence, language) == ((one, other) if one else None)
