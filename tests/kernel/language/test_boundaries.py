"""Where clauses may end: strong before a request, weak between nouns, none inside a value."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import Boundary, ConversationId, Intent, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
WORLD = HomeWorld("/nonexistent")
VERBS = (
    "find show list save move copy rename delete read add convert sort describe zip make create summarize count search "
    "calculate filter plot tell finden zeigen speichern verschieben kopieren löschen lesen zählen erstellen liste"
)
LEXICON = Lexicon(verbs=frozenset(VERBS.split()))


def _read(text: str) -> Intent:
    return interpret(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), WORLD, LEXICON)


def _clauses(intent: Intent, least: float) -> list[str]:
    """The sentence cut at the boundaries of at least this strength, connectives dropped."""
    parts, first = [], 0
    for boundary in intent.boundaries:
        if boundary.strength >= least and boundary.left > 0:
            parts.append((first, boundary.left))
            first = boundary.at
    parts.append((first, len(intent.tokens)))
    return [intent.text[intent.tokens[a].start : intent.tokens[b - 1].end].rstrip(" .?!") for a, b in parts]


SPLIT = [
    "filter a.csv | add it to b.csv :: filter a.csv add it to b.csv",
    "find a.csv | zap up the files :: find a.csv, zap up the files",
    "read the bill | divide it by three :: read the bill divide it by three",
    "count the days until then :: count the days until then",
    "find a.csv | divide that by three :: find a.csv and divide that by three",
    "a.csv finden | es dann als b.csv abspeichern :: a.csv finden, und es dann als b.csv abspeichern",
    "find the latest invoice | read its total | add it to a.csv :: "
    "find the latest invoice, read its total and add it to a.csv",
    "find big files | save their names :: find big files and save their names",
    "find big files | save their names :: find big files, then save their names",
    "find big files | save their names :: find big files and then save their names",
    "find big files | save their names :: find big files. Then save their names.",
    "find big files | save their names :: find big files; save their names",
    "find big files | save their names :: find big files, and after that save their names",
    "find big files | save them :: find big files and please save them",
    "find big files | save them :: find big files, could you save them?",
    "how many pages has a.pdf | what is 17% of 230 :: how many pages has a.pdf and what is 17% of 230",
    "show a.csv | how many rows are there :: show a.csv and how many rows are there?",
    "list Downloads | delete the oldest :: list Downloads, delete the oldest",
    "sort a.csv by date | plot it :: sort a.csv by date\nplot it",
    "zip them | move the zip to Archive :: zip them and move the zip to Archive",
    "copy a.pdf to Archive | rename it to b.pdf | show me :: copy a.pdf to Archive, rename it to b.pdf and show me",
    "summarize report.pdf | count its words :: summarize report.pdf and also count its words",
    "search for the contract | move it to Legal :: search for the contract and finally move it to Legal",
    "what is 3 + 4 | what is 5 + 6 :: what is 3 + 4? what is 5 + 6?",
    "read salt and pepper.md | add it to list.md :: read salt and pepper.md and add it to list.md",
    "find files between 1 and 5 MB | delete them :: find files between 1 and 5 MB and delete them",
    "show photos from between March and May | copy them :: show photos from between March and May and copy them",
    "zeige die Dateien | speichere ihre Namen :: zeige die Dateien und speichere ihre Namen",
    "finde die Rechnung | lies sie :: finde die Rechnung, dann lies sie",
    "finde die Rechnung | kopiere sie nach Archiv :: finde die Rechnung und danach kopiere sie nach Archiv",
    "zeige die größten Dateien | wie viele sind es :: zeige die größten Dateien und wie viele sind es?",
    "verschiebe a.pdf nach Archiv | lösche b.pdf :: verschiebe a.pdf nach Archiv und lösche b.pdf",
    "kannst du die Dateien finden | die Namen in einer Notiz speichern :: "
    "kannst du die Dateien finden und die Namen in einer Notiz speichern",
    "find a.pdf | zap the copy :: find a.pdf and zap the copy",
    "find a.pdf | tell me its size :: find a.pdf and tell me its size",
    "convert a.csv to xlsx | filter it :: convert a.csv to xlsx and i want to filter it",
    "make a note | is there a folder Berlin :: make a note and is there a folder Berlin?",
]

WHOLE = [
    "verschieben Sie danach die Datei nach Archiv",
    "lesen wir dann den Brief",
    "find salt and pepper recipes",
    "show files between 3 and 5 MB",
    "show photos between March and May",
    "list rock and roll songs",
    'save a note saying "find it and delete it"',
    "show both a.pdf and b.pdf",
    "move a.pdf, b.pdf and c.pdf to Archive",
    "add one hundred and twenty to it",
    "wait for an hour and a half",
    "sort by name, size and date",
    "show the documents and pictures",
    "read search and replace.md",
    "zeige Salz und Pfeffer",
    "zeige Dateien zwischen 3 und 5 MB",
    "zeige Bilder zwischen März und Mai",
    "verschiebe a.pdf und b.pdf nach Archiv",
    "show files that are large and old",
    "what is 12 plus 4 and a half",
    "find the report about profit and loss",
    "show 10 MB or more",
    "find files named 'copy and move'",
    "the files and list of names",
    "show pages 3, 4 and 5",
    "create a note called buy and sell",
    "find the Smith and Sons contract",
    "show me black, white and grey photos",
    "delete a.pdf but not b.pdf",
    "on March 3, 2025 and March 4, 2025",
    "am 3. März 2025 war das",
    "find a.pdf or b.pdf",
    "list .heic files and .png files",
]


@pytest.mark.parametrize("case", SPLIT)
def test_a_request_after_a_connective_is_a_strong_boundary(case: str) -> None:
    expected, text = case.split(" :: ")
    assert _clauses(_read(text), 0.5) == expected.split(" | ")


@pytest.mark.parametrize("text", WHOLE)
def test_nouns_and_values_are_not_cut_strongly(text: str) -> None:
    assert len(_clauses(_read(text), 0.5)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "show files between 3 and 5 MB",
        'save "one and two, three. four"',
        "show both a.pdf and b.pdf",
        "from March 3 to March 5, 2025",
        "an hour and a half",
        "one hundred and twenty",
        "between 1 and 5",
        "on 3.5.2025",
        "zwischen März und Mai",
        "am 3. März 2025",
    ],
)
def test_inside_a_value_there_is_none_at_all(text: str) -> None:
    assert _read(text).boundaries == ()


@pytest.mark.parametrize(
    ("text", "connective"),
    [
        ("and the oldest one?", "and"),
        ("and what about Documents?", "and what about"),
        ("what about Documents?", "what about"),
        ("how about the second one", "how about"),
        ("no, the other one", "no,"),
        ("only the PDFs", "only"),
        ("also in Documents", "also"),
        ("und die älteste?", "und"),
        ("was ist mit Dokumente?", "was ist mit"),
        ("nein, die andere", "nein,"),
        ("ok, and the second one", "ok, and"),
    ],
)
def test_a_follow_up_shows_its_first_words(text: str, connective: str) -> None:
    first = next(one for one in _read(text).boundaries if one.connective)
    assert first == Boundary(0, first.at, connective, 0.5)
    assert first.at == len(connective.replace(",", " ,").split())


@pytest.mark.parametrize(
    ("text", "connective"),
    [
        ("find a and then save b", "and then"),
        ("find a, and save b", ", and"),
        ("find a. save b", "."),
        ("find a, save b", ","),
        ("finde a und danach speichere b", "und danach"),
        ("find a\nsave b", "\n"),
    ],
)
def test_the_connective_is_kept(text: str, connective: str) -> None:
    assert connective in [boundary.connective for boundary in _read(text).boundaries]


def test_a_spoken_request_without_marks_may_still_be_cut() -> None:
    assert _clauses(_read("find the electricity bill save it as a note"), 0.3) == [
        "find the electricity bill",
        "save it as a note",
    ]


def test_a_list_of_nouns_has_weak_boundaries_that_a_plan_may_use() -> None:
    strengths = [boundary.strength for boundary in _read("the largest file and the oldest file").boundaries]
    assert strengths
    assert max(strengths) < 0.5


def test_many_connectives_stay_bounded_and_in_order() -> None:
    boundaries = _read("find a and save b, " * 300).boundaries
    assert 0 < len(boundaries) <= 48
    assert [boundary.at for boundary in boundaries] == sorted(boundary.at for boundary in boundaries)
    assert all(0 <= boundary.left <= boundary.at for boundary in boundaries)
