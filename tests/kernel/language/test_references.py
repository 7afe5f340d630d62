"""References are seen with their kind, number, field and noun; ordinary words are not taken for one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Intent, Reference, ReferenceKind, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
WORLD = HomeWorld("/nonexistent")
LEXICON = Lexicon(verbs=frozenset("find show list save move copy rename delete read add zeigen".split()))
RESULT, FIELD, ORDINAL, OTHER = ReferenceKind.RESULT, ReferenceKind.FIELD, ReferenceKind.ORDINAL, ReferenceKind.OTHER
EXTREME = ReferenceKind.EXTREME


def _read(text: str) -> Intent:
    return interpret(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), WORLD, LEXICON)


def _one(text: str) -> Reference:
    found = _read(text).references
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "words", "plural"),
    [
        ("move it to Archive", "it", False),
        ("delete this", "this", False),
        ("show me that", "that", False),
        ("zip them", "them", True),
        ("copy these to Archive", "these", True),
        ("delete those", "those", True),
        ("save the result as a note", "the result", None),
        ("save the results as a note", "the results", True),
        ("rename that file to b.pdf", "that file", False),
        ("open these files", "these files", True),
        ("move those two files", "those two files", True),
        ("rename this one", "this one", False),
        ("delete those ones", "those ones", True),
        ("add that to expenses.csv", "that", False),
        ("verschiebe es nach Archiv", "es", False),
        ("lösche sie bitte", "sie", None),
        ("zeig mir das noch einmal", "das", False),
        ("speichere das Ergebnis als Notiz", "das Ergebnis", None),
        ("öffne diese Datei bitte", "diese Datei", None),
        ("was steht in dieser Datei", "dieser Datei", None),
        ("copy both to Archive", "both", True),
        ("move the two of them to Archive", "the two of them", True),
        ("delete all three", "all three", True),
        ("verschiebe diese beiden nach Archiv", "diese beiden", True),
        ("lösche alle drei", "alle drei", True),
        ("was ist da drin", "da drin", False),
        ("what does it say", "it", False),
        ("worum ging es", "es", False),
        ("wie viele Tage sind es bis dahin", "dahin", False),
        ("wie viele Tage hab ich da noch", "da", False),
        ("how many weeks until then", "then", False),
        ("tell me how many days from today that is", "that", False),
        ("kopier die nach Archiv", "die", None),
        ("lösch die alle", "die", None),
        ("copy what you find to Archive", "what you find", None),
        ("remind me of the call on that day", "on that day", False),
        ("erinnere mich am selben Tag um 9", "am selben Tag", False),
        ("erinnere mich an dem Tag um 13 Uhr an den Zug", "an dem Tag", False),
        ("erinnere mich um 9 Uhr daran", "daran", False),
        ("erinnere mich daran um 9 Uhr", "daran", False),
        ("die kann weg", "die", False),
        ("und die können weg", "die", True),
        ("den brauche ich nicht mehr", "den", None),
    ],
)
def test_results(text: str, words: str, plural: bool | None) -> None:
    intent = _read(text)
    found = _one(text)
    assert found.kind is RESULT
    assert intent.text[intent.tokens[found.first].start : intent.tokens[found.last - 1].end] == words
    assert found.plural is plural


@pytest.mark.parametrize(
    ("text", "field", "plural"),
    [
        ("read its total", "total", False),
        ("save their names", "name", True),
        ("what are their sizes", "size", True),
        ("show its word count", "word count", False),
        ("save the names of them", "name", True),
        ("show the size of it", "size", False),
        ("what is the title of that file", "title", False),
        ("speichere deren Namen bitte", "name", None),
        ("zeige ihre Größe und nichts sonst", "größe", None),
        ("zeige seine Größe bitte", "größe", None),
        ("zeig mir die Namen davon", "name", None),
    ],
)
def test_fields(text: str, field: str, plural: bool | None) -> None:
    found = _one(text)
    assert (found.kind, found.field, found.plural) == (FIELD, field, plural)


@pytest.mark.parametrize(
    ("text", "ordinal", "plural"),
    [
        ("open the second one", 2, False),
        ("open the 3rd one", 3, False),
        ("the first", 1, False),
        ("delete the last one", -1, False),
        ("copy the first two", 1, True),
        ("number 2", 2, False),
        ("the second one please", 2, False),
        ("delete the first of them", 1, False),
        ("lösche das erste davon", 1, False),
        ("öffne das zweite", 2, False),
        ("nimm die dritte bitte", 3, False),
        ("die letzte", -1, False),
        ("nummer 4 bitte", 4, False),
    ],
)
def test_ordinals(text: str, ordinal: int, plural: bool) -> None:
    found = _one(text)
    assert (found.kind, found.ordinal, found.plural) == (ORDINAL, ordinal, plural)


@pytest.mark.parametrize(
    ("text", "plural", "nouns"),
    [
        ("the other one", False, ()),
        ("no, the other file", None, ("file",)),
        ("delete the others", True, ()),
        ("show the rest", True, ()),
        ("the other ones", True, ()),
        ("nein, die andere", None, ()),
        ("zeige die anderen", True, ()),
    ],
)
def test_others(text: str, plural: bool | None, nouns: tuple[str, ...]) -> None:
    found = _one(text)
    assert (found.kind, found.plural, found.nouns) == (OTHER, plural, nouns)


def test_the_noun_restricts_the_type() -> None:
    assert _one("rename that file to b.pdf").nouns == ("file",)


@pytest.mark.parametrize(
    "text",
    [
        "erinnere mich daran am Freitag die Blumen zu gießen",
        "erinnere mich daran um 9 den Müll rauszubringen",
        "what does it say in report.pdf",
        "where does it say that the rent goes up",
        "in welchem Dokument ging es nochmal um die Heizung",
        "worum ging es in report.pdf",
        "files that contain cats",
        "the files in downloads that were changed in May",
        "everything over 5 MB that's been in Downloads",
        "jot down that the wifi code is 4711",
        "what time is it",
        "what day is it",
        "how long is it until June",
        "find the file that has the word March in it",
        "wie viele sind es",
        "gibt es neue Dateien",
        "files that mention Anna",
        "documents that are older",
        "what happened this week",
        "files from this month",
        "the last three days",
        "the first quarter of 2025",
        "the second file in the folder",
        "zeige das Dokument",
        "zeige die Dateien, die alt sind",
        "können Sie die Datei zeigen",
        "was war diese Woche los",
        'save a note saying "delete it and that file"',
        "the resulting table",
        "list items",
        "die Dateien in Downloads",
        "copy both files to Archive",
        "zeige die Dateien, die kann man öffnen",
        "die Datei kann weg",
        "beide Dateien löschen",
        "14.90 for parking, that was yesterday",
        "note the 12 euros and it was last week",
    ],
)
def test_ordinary_words_are_no_reference(text: str) -> None:
    assert _read(text).references == ()


def test_a_chain_has_all_its_references_in_order() -> None:
    found = _read("find the latest invoice, read its total and add it to expenses.csv").references
    assert [(item.kind, item.field) for item in found] == [(EXTREME, "newest"), (FIELD, "total"), (RESULT, "")]


@pytest.mark.parametrize(
    "text",
    [
        "how many days is it actually until May",
        "what date will it be in four weeks",
        "which date it will be in a week",
        "how much was it on that receipt",
        "how much per shop, it's all in a.csv",
        "wie viele Tage sind es noch bis Mai",
        "wie viele Tage es noch bis Mai sind",
    ],
)
def test_a_pronoun_that_stands_for_nothing_points_at_nothing(text: str) -> None:
    pronouns = [one for one in _read(text).references if one.last - one.first == 1 and one.kind is RESULT]
    assert pronouns == []


@pytest.mark.parametrize("text", ["how much is it in euros", "how large was it", "put it in Archive", "zeig es mir"])
def test_a_pronoun_that_may_mean_a_result_points(text: str) -> None:
    assert [one.kind for one in _read(text).references] == [RESULT]


@pytest.mark.parametrize("text", ["move a.pdf there", "verschiebe den Brief dorthin", "move it there and list it"])
def test_a_place_that_was_spoken_of_is_pointed_at(text: str) -> None:
    assert ("folder",) in [one.nouns for one in _read(text).references]


@pytest.mark.parametrize("text", ["how many files are there", "find every file with invoice in its name"])
def test_what_points_at_no_place_and_at_nothing_found(text: str) -> None:
    assert not _read(text).references


@pytest.mark.parametrize("text", ["Was schreibt Anna in ihrer Mail?", "was wollte Frau Weber in ihrer letzten Mail"])
def test_hers_whose_name_stands_before_it_points_at_nothing_else(text: str) -> None:
    assert not any(one.kind is FIELD for one in _read(text).references)


@pytest.mark.parametrize("text", ["lies die Briefe in ihrem Ordner vor", "was stand in der Mail mit ihren Anhängen"])
def test_theirs_behind_a_noun_still_points(text: str) -> None:
    assert any(one.kind is FIELD for one in _read(text).references)
