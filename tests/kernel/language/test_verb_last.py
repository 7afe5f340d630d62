"""German orders and wishes whose verb stands last are read with the verb first; whatever else ends in a verb stays."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.interpret import read
from kernel.language import Lexicon
from kernel.language.frame.verb_last import in_front
from kernel.model import ConversationId, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(
    verbs=frozenset("machen zeigen lesen rufen löschen sortieren hängen zählen addieren speichern".split()),
    parted=frozenset({("machen", "auf"), ("lesen", "vor"), ("rufen", "ab"), ("zählen", "zusammen"), ("legen", "ab")}),
)


def _read(text: str) -> str:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON, "de")
    return " ".join(token.norm for token in in_front(line, LEXICON).tokens)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("den Ordner Musik bitte aufmachen", "machen den ordner musik bitte auf"),
        ("meine neuen Mails abrufen", "rufen meine neuen mails ab"),
        ("ich möchte, dass du mir die Mails zeigst", "zeigen mir die mails"),
        ("es wäre schön, wenn du den Ordner Musik aufmachst", "machen den ordner musik auf"),
        ("ich möchte, dass Anna die Mails liest", "ich möchte , dass anna die mails liest"),
        ("kannst du mir die Notiz vorlesen?", "lesen mir die notiz vor ?"),
        ("könntest du das unter Bilder ablegen", "legen das unter bilder ab"),
        ("ich hätte gern die Termine von morgen angezeigt", "zeigen die termine von morgen an"),
        ("ich möchte die alten Dateien gelöscht haben", "löschen die alten dateien"),
        ("ich möchte die Spalte Menge addiert haben", "addieren die spalte menge"),
        (
            "ich hätte gern die Beträge pro Laden zusammengezählt und die Summe an meine Notiz gehängt",
            "zählen die beträge pro laden zusammen und hängen die summe an meine notiz",
        ),
        ("ich hätte die Fotos gern nach Jahr sortiert", "sortieren die fotos gern nach jahr"),
    ],
)
def test_the_verb_comes_first(text: str, order: str) -> None:
    assert _read(text) == order


@pytest.mark.parametrize(
    "text",
    [
        "Anna anrufen",
        "neue Aufgabe: Notiz vorlesen",
        "zeig mir die Datei, die Anna vorlesen will",
        "ich hätte sie gelöscht",
        "die Dateien, die ich gelöscht habe",
        "lass mich die Notiz vorlesen",
        "erinnere mich daran, die Mails abzurufen",
        "zeig den Hinweis „Mails abrufen“",
        "alle Zeilen vorlesen und als liste.csv speichern",
        "weißt du, wie man Ordner aufmachen kann?",
    ],
)
def test_what_is_no_such_order_stays(text: str) -> None:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON, "de")
    assert in_front(line, LEXICON).tokens == line.tokens


def test_the_parted_verb_keeps_its_offsets() -> None:
    text = "den Ordner Musik aufmachen"
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON, "de")
    tokens = in_front(line, LEXICON).tokens
    assert [text[one.start : one.end] for one in tokens] == ["machen", "den", "Ordner", "Musik", "auf"]
