"""Which sentences ask about what was, and what of it; and which do not."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from kernel.interpret import read
from kernel.language import Lexicon
from kernel.model import ConversationId, Utterance
from kernel.recalling.hearing import hear
from kernel.recalling.model import Doing, Heard, TakeBack, Talk
from skills.model import Tool

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.fixture(scope="session")
def lexicon(tools: tuple[Tool, ...]) -> Lexicon:
    """The words of the built-in skills."""
    return Lexicon.from_tools(tools)


def _hear(text: str, lexicon: Lexicon) -> Heard | None:
    return hear(read(Utterance(text, ConversationId("c"), "/", "/", NOW), lexicon), lexicon)


@pytest.mark.parametrize(
    ("text", "part", "words", "day"),
    [
        ("what did I ask you yesterday?", "asked", "", 10),
        ("Hey, what did I ask you on Monday", "asked", "", 9),
        ("what did I tell you about Anna on Monday", "asked", "anna", 9),
        ("What did you tell me about the Acme invoice?", "told", "acme invoice", None),
        ("what did you say about the rent yesterday", "told", "rent", 10),
        ("what did we talk about yesterday", "both", "", 10),
        ("find the conversation about the budget", "both", "budget", None),
        ("show me our conversation from yesterday about the May invoice", "both", "may invoice", 10),
        ("when did I last ask you about rent?", "both", "rent", None),
        ("what did I do this morning", "done", "", 11),
        ("can you tell me what you did yesterday", None, "", None),
        ("was habe ich dich gestern gefragt?", "asked", "", 10),
        ("Was wollte ich gestern von dir wissen?", "asked", "", 10),
        ("was hast du mir über die Acme Rechnung gesagt?", "told", "acme rechnung", None),
        ("worüber haben wir gestern gesprochen?", "both", "", 10),
        ("Such mir das Gespräch über das Budget raus", "both", "budget", None),
        ("wann habe ich dich zuletzt nach der Miete gefragt?", "both", "miete", None),
        ("was hast du gestern gemacht?", "done", "", 10),
    ],
)
def test_what_was_said_and_done(lexicon: Lexicon, text: str, part: str | None, words: str, day: int | None) -> None:
    heard = _hear(text, lexicon)
    if part is None:
        assert heard is None
        return
    assert isinstance(heard, Talk)
    since = heard.when.since if heard.when else None
    assert (str(heard.part), heard.words, since.day if since else None) == (part, words, day)


@pytest.mark.parametrize(
    ("text", "verb", "words", "place", "latest"),
    [
        ("when did I last rename something?", "rename", (), "", True),
        ("when was the last time I made a note?", "made", ("note",), "", True),
        ("which file did I move to Archive last week?", "move", (), "archive", False),
        ("what did I rename yesterday?", "rename", (), "", False),
        ("which files did you delete today", "delete", (), "", False),
        ("wann habe ich zuletzt etwas umbenannt?", "umbenannt", (), "", True),
        ("wann habe ich die Datei report.pdf verschoben?", "verschoben", ("report.pdf",), "", True),
        ("Welche Datei habe ich letzte Woche nach Archive verschoben?", "verschoben", (), "archive", False),
        ("was habe ich heute gelöscht", "gelöscht", (), "", False),
    ],
)
def test_when_and_to_what(
    lexicon: Lexicon, text: str, verb: str, words: tuple[str, ...], place: str, latest: bool
) -> None:
    heard = _hear(text, lexicon)
    assert isinstance(heard, Doing)
    assert (heard.verb_said, heard.thing.words, heard.place, heard.latest) == (verb, words, place, latest)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("undo what I did yesterday with the photos", "photos"),
        ("undo everything you did this morning", ""),
        ("Undo the changes from yesterday", ""),
        ("Mach rückgängig, was ich gestern mit den Fotos gemacht habe", "fotos"),
    ],
)
def test_what_is_to_be_taken_back(lexicon: Lexicon, text: str, words: str) -> None:
    heard = _hear(text, lexicon)
    assert isinstance(heard, TakeBack)
    assert heard.words == words
    assert heard.when is not None


@pytest.mark.parametrize(
    "text",
    [
        "undo that",
        "what did I ask you?",
        "what did you say about it?",
        "what files did I change yesterday",
        "welche Dateien habe ich gestern geändert?",
        "find the notes about the budget",
        "find the photos I took last week",
        "when did I last pay the rent to Berg",
        "when is my next appointment",
        "what is the total of the Acme invoice",
        "show the chat.txt file",
        "move what I made yesterday to Archive",
        "remember that I asked Anna about the rent",
        "make a note called What did I do yesterday",
        "was ist die Summe in orders.csv",
        "wann ist Ostern",
    ],
)
def test_other_sentences_are_tasks_like_any_other(lexicon: Lexicon, text: str) -> None:
    heard = _hear(text, lexicon)
    assert heard is None or (isinstance(heard, Doing) and bool(heard.verb.stems))  # answered only if it was done
