"""A thing that is told to be off, pressing or done with stands where it is taken up; what else is told stays."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.interpret import read
from kernel.language import Lexicon
from kernel.language.frame.topics import with_topic
from kernel.model import ConversationId, Utterance

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
VERBS = "setz show take move cancel delete put remind give tick lösch löschen nimm verschieb gib streich"
LEXICON = Lexicon(verbs=frozenset(VERBS.split()))


def _read(text: str) -> str:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON)
    return " ".join(token.norm for token in with_topic(line, LEXICON).tokens)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("the concert is off, take it out of my calendar", "take the concert out of my calendar"),
        ("the concert is off on saturday, take it out", "take the concert on saturday out"),
        ("drinks with mira tonight aren't happening take it out", "take drinks with mira tonight out"),
        ("ok the concert fell through, please delete it", "please delete the concert"),
        ("the letter is really urgent by now, give that task high priority", "give the task letter high priority"),
        ("I don't need the kiln alarm any more, cancel it", "cancel the kiln alarm"),
        ("I can't make the vet on Friday, move it to Monday", "move the vet on friday to monday"),
        ("I have to buy glaze by saturday, put that on my list", "put buy glaze by saturday on my list"),
        ("gotta buy glaze by saturday, put that on my list", "put buy glaze by saturday on my list"),
        (
            "ich muss noch Ton kaufen bis Samstag, setz das auf meine Liste",
            "setz ton kaufen bis samstag auf meine liste",
        ),
        ("ich muss noch ton kaufen setz das mal auf meine liste", "setz ton kaufen mal auf meine liste"),
        ("we need to order clay, remind me of it tomorrow", "remind me of order clay tomorrow"),
        ("das Konzert fällt am Samstag aus, nimm das raus", "nimm das konzert am samstag raus"),
        ("den Wecker um 6:45 brauch ich nicht mehr, kannst löschen", "kannst den wecker um 6:45 löschen"),
        ("die Glasur eilt nicht so, verschieb die Aufgabe auf Montag", "verschieb die aufgabe glasur auf montag"),
        ("der Tierarzt am Montag ist abgesagt, lösch den Termin", "lösch den termin tierarzt am montag"),
        ("die Glasur wird langsam dringend, gib der hohe Priorität", "gib die glasur hohe priorität"),
        ("ich brauche den Termin nicht mehr, nimm ihn raus", "nimm den termin raus"),
        ("the kiln bill belongs in the archive, move it there", "move the kiln bill into the archive"),
        ("this letter should go to Old papers, please put it there", "please put this letter to old papers"),
        (
            "die Rechnung gehört eigentlich nach Steuern, verschieb die mal dahin",
            "verschieb die rechnung mal nach steuern",
        ),
    ],
)
def test_the_thing_stands_where_it_is_taken_up(text: str, plain: str) -> None:
    assert _read(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "the concert is off",
        "the kiln bill belongs in the archive, delete it",
        "the kiln bill belongs in the archive",
        "is the concert off? move it to friday",
        "if the concert is off, take it out of my calendar",
        "all my concerts are off, delete them",
        "the files are in the way, delete them",
        "the concert is on saturday, move it to sunday",
        "the concert is off but keep it in the calendar",
        "the concert is off, take the dinner out of my calendar",
        'the "concert" is off, take it out',
        "I need the csv, put it on the desktop",
        "it is off, delete it",
        "the concert is off, tell mira that I am ill",
        "the concert is off, take that ticket out",
        "die Glasur eilt nicht, streich die farbe von der liste",
        "show the rows of kiln.csv where the heat is over 80 and put that on my list",
        "show me what is important, put it on my list",
        "take the note that is important, put it on my list",
        "the concert is off and so is the dinner, who told me that",
        "alle Konzerte sind abgesagt, lösch sie",
        "wenn das Konzert abgesagt ist, nimm es raus",
        "das Konzert fällt aus, nimm die Karten von der Liste",
        "die Listen sind überholt, lösch sie",
    ],
)
def test_anything_else_stays_as_it_is(text: str) -> None:
    line = read(Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW), LEXICON)
    assert with_topic(line, LEXICON) is line
