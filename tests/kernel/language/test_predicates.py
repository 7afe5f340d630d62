"""The verb of a clause beside a name, and the words that stay a name."""

from __future__ import annotations

import pytest

from kernel.language.predicates import name_within


@pytest.mark.parametrize(
    ("clause", "cut", "name", "language"),
    [
        ("what did ada want in her mail", "ada want", "ada", "en"),
        ("what does ada lovelace suggest", "ada lovelace suggest", "ada lovelace", "en"),
        ("tell me what ada wants", "ada wants", "ada", "en"),
        ("how much revenue stands in a.csv", "revenue stands", "revenue", "en"),
        ("was sagt ada in ihrer mail", "sagt ada", "ada", "de"),
        ("wie viel umsatz steht in a.csv", "umsatz steht", "umsatz", "de"),
        ("wie viel ist für die region nord eingetragen", "region nord eingetragen", "region nord", "de"),
        ("nur die zeilen mit artikel bestellt", "artikel bestellt", "artikel bestellt", "de"),
        ("find the mail about the offer", "the offer", "the offer", "en"),
        ("mails from jane answer", "jane answer", "jane answer", "en"),
        ("what did want say", "want", "want", "en"),
        ("mails von will grohe", "will grohe", "will grohe", "de"),
    ],
)
def test_a_verb_of_the_clause_is_no_part_of_a_name(clause: str, cut: str, name: str, language: str) -> None:
    words, part = clause.split(), cut.split()
    start = next(at for at in range(len(words)) if words[at : at + len(part)] == part)
    first, last = name_within(tuple(words), start, start + len(part), language)
    assert " ".join(words[first:last]) == name
