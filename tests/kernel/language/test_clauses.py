"""Which words tell something by their grammar alone, and which may ask for something."""

from __future__ import annotations

import pytest

from kernel.language.frame.clauses import Told, has_object, told_clause


def _told(language: str, text: str) -> tuple[Told | None, tuple[str, ...]]:
    words = tuple(text.split())
    return told_clause(words, 0, len(words), language), words


@pytest.mark.parametrize(
    ("language", "text", "verb"),
    [
        ("en", "i've got my hands full", "i've"),
        ("en", "i keep forgetting to do that", "keep"),
        ("en", "my watch only shows miles", "shows"),
        ("en", "the waiter is waiting", "is"),
        ("en", "haven't needed that thing in ages", "haven't"),
        ("en", "bought paint and brushes yesterday", "bought"),
        ("en", "she promised us an answer", "promised"),
        ("en", "my granddaughter intends to run such a distance", "intends"),
        ("en", "there cannot be many", "cannot"),
        ("en", "that's when grandma turns ninety", "that's"),
        ("en", "but we moved house last month", "moved"),
        ("de", "das stört mich da", "stört"),
        ("de", "den brauche ich morgen", "brauche"),
        ("de", "ich nehme ihn morgen mit", "nehme"),
        ("de", "da wird oma neunzig", "wird"),
        ("de", "dann weiß ich mehr", "weiß"),
        ("de", "das hab ich ewig nicht mehr gebraucht", "hab"),
        ("de", "meine uhr zeigt nur meilen", "zeigt"),
        ("de", "wir machen halbe halbe", "machen"),
        ("de", "denn montags gehe ich zur bank", "gehe"),
        ("de", "am freitag kommt oma", "kommt"),
        ("de", "nächste woche sind wir in berlin", "sind"),
        ("de", "heute abend kommen gäste", "kommen"),
        ("de", "morgen früh fahre ich nach berlin", "fahre"),
        ("de", "am 3. mai wird clara vierzig", "wird"),
        ("en", "on friday my parents are coming", "are"),
        ("en", "next week we are in berlin", "are"),
    ],
)
def test_a_statement_has_a_subject_and_its_verb(language: str, text: str, verb: str) -> None:
    found, words = _told(language, text)
    assert found is not None
    assert words[found.verb] == verb


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "the three largest files in downloads"),
        ("en", "the invoice totals for acme"),
        ("en", "my notes from last week"),
        ("en", "the title should be winter"),
        ("en", "it is called winter"),
        ("en", "the text says buy salt"),
        ("en", "i need the csv"),
        ("en", "we want the total"),
        ("en", "i keep the original"),
        ("en", "delete it"),
        ("en", "where did i put it"),
        ("en", "that folder"),
        ("en", "it"),
        ("en", ""),
        ("en", "tomorrow remind me to call anna"),
        ("en", "on friday delete the photos"),
        ("en", "next week the dentist"),
        ("de", "am freitag lösche die dateien"),
        ("de", "am freitag lösch die termine"),
        ("de", "am montag erinnere mich an yoga"),
        ("de", "am freitag möchte ich geweckt werden"),
        ("de", "morgen schick anna die datei"),
        ("de", "nächste woche termine"),
        ("de", "tage sind es noch bis dahin"),
        ("de", "der ordner downloads"),
        ("de", "die rechnung von nordwind"),
        ("de", "die beiden größten dateien"),
        ("de", "das pdf aus downloads"),
        ("de", "dann lösche sie"),
        ("de", "ich brauche die tabelle"),
        ("de", "die datei heißt winter"),
        ("de", "ich nehme den zweiten"),
        ("de", "wann ist sie fällig"),
    ],
)
def test_what_may_ask_for_something_is_none(language: str, text: str) -> None:
    assert _told(language, text)[0] is None


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("i've got my hands full", True),
        ("i never liked that name", True),
        ("i'll take it along", True),
        ("i just downloaded", False),
        ("i've got in downloads", False),
        ("i changed yesterday", False),
        ("we used most", False),
    ],
)
def test_a_relative_clause_lacks_its_thing(text: str, whole: bool) -> None:
    """ "The file i just downloaded": what is told says which thing is meant."""
    found, words = _told("en", text)
    assert found is not None
    assert has_object(words, found, len(words), "en") is whole
