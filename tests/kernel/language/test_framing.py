"""What frames a request is taken off, in both languages, and nothing else is."""

from __future__ import annotations

import pytest

from kernel.language.frame.framing import Frames, Telling, excludes, lead, says_no_longer
from kernel.language.tokens import words_of

LEADS = [
    "I was wondering | which songs were added in May",
    "I've been wondering | how large the attic folder is",
    "I keep forgetting | what the roof plan says",
    "could you | sort it",
    "would you be so good as to | print the list",
    "would it be possible for you to | shorten the letter",
    "if it isn't too much trouble, could you | open the map",
    "whenever you have a minute, | rename the map",
    "I should be most grateful if you would let me know | when the bill is due",
    "I'd really appreciate it if you could | move the map",
    "I would like to know | how many pages the letter has",
    "is there any chance you could | join the tables",
    "any idea | where the map is?",
    "do you happen to know | who wrote the letter",
    "what I'd like to see is | the sum of the weights",
    "my question is: | how many rows are there",
    "let me think, | how long is it until May",
    "thanks a lot, | show the first one",
    "hmm, well, | show the first one",
    "I suppose you could | delete the map",
    "ich hätte gern gewusst, | wie lang der Brief ist",
    "ich frage mich, | welche Karte die neueste ist",
    "könntest du vielleicht mal | die Karte zeigen",
    "wäre es möglich, dass du | die Karte verschiebst",
    "wenn es dir nichts ausmacht, | lösche die Karte",
    "es wäre nett, wenn du mir | die Karte zeigst",
    "sei so lieb und | zeig die Karte",
    "mich würde interessieren, | wie groß der Ordner ist",
    "kannst du mir sagen, | was in dem Brief steht",
    "I would ask you to | join the lists",
    "would you kindly name me | the three largest maps",
    "I am no longer certain | in which letter it was",
    "just wondering, | which map is the oldest",
    "tell me afterwards | what the sum is",
    "yeah, | show the map",
    "wait | where is the map",
    "they gave me | ten days from today",
    "wären Sie bitte so freundlich, mir auszurechnen, | wie viel das ist",
    "würden Sie bitte nachsehen, | in welchem Brief das steht",
    "sag mir | wie viele Karten es sind",
    "schau mal nach, | welche Karte die neueste ist",
    "stell mir bitte zusammen, | welche Karten es gibt",
]
PLAIN = [
    "if the map exists, delete it",
    "when the letter is older than a year, delete it",
    "look for the map",
    "let me see the map",
    "I need the map",
    "only show the maps",
    "I was in Rome with the map",
    "so that I can find it",
    "should I delete the map",
    "may I delete the map",
    "wenn die Karte alt ist, lösche sie",
    "zeig die Karte",
    "tell me what the letter says",
    "ich hätte die Karte gelöscht",
    "name the map attic",
    "they deleted the map",
]
TAILS = [
    "delete the map | if you don't mind",
    "show the map | , if that's okay",
    "which letters mention it | i wonder",
    "what does the letter say | , I forgot",
    "move it to the attic | when you get a chance",
    "sort the table | , would you",
    "how big are the videos | on this computer",
    "show the map | , that would be great",
    "zeig die Karte | , wenn es geht",
    "zeig die Karte | , das wäre nett",
    "sort the table | . Thank you very much in advance",
    "sortiere die Tabelle | . Vielen Dank im Voraus",
    "which letter is it in | ? Could you find that out for me",
    "some letter mentions it | , which one was that again",
    "ten days from today | . which date does that make it",
    "run the program | and show me what it prints",
    "irgendwo steht es | . Könnten Sie das für mich herausfinden",
]


@pytest.mark.parametrize("text", LEADS)
def test_what_frames_a_request_is_taken_off(text: str) -> None:
    frame, request = text.split(" | ")
    words = words_of(f"{frame} {request}")
    assert words[lead(words) :] == words_of(request)


@pytest.mark.parametrize("text", PLAIN)
def test_conditions_questions_and_requests_are_no_frames(text: str) -> None:
    assert lead(words_of(text)) == 0


@pytest.mark.parametrize("text", TAILS)
def test_what_closes_a_request_is_taken_off(text: str) -> None:
    request, tail = text.split(" | ")
    words = words_of(request + tail if tail.startswith(",") else f"{request} {tail}")
    assert words[: Frames(words).tail()] == words_of(request)


@pytest.mark.parametrize("text", ["thank you", "please", "that would be great", "i wonder", "if you don't mind"])
def test_a_sentence_is_never_all_closing_frame(text: str) -> None:
    words = words_of(text)
    assert Frames(words).tail() == len(words)


@pytest.mark.parametrize(
    ("text", "reason", "statement"),
    [
        ("because I need it tomorrow", True, False),
        ("so that she can read it", True, False),
        ("as we have run out of it", True, False),
        ("da ich sie morgen brauche", True, False),
        ("weiß ich, was die Nacht kostet", True, False),
        ("weiß ich das", False, False),
        ("my boss works with tables", False, True),
        ("I don't need it any more", False, True),
        ("it's all in the letter", False, True),
        ("delete the map", False, False),
        ("as a table", False, False),
        ("I want the maps", False, False),
        ("I need the maps", False, False),
        ("my granddaughter intends to run", False, True),
        ("mein Chef meint dass es eilt", False, True),
        ("steht alles in der Liste", False, True),
    ],
)
def test_reasons_and_statements_ask_for_nothing(text: str, reason: bool, statement: bool) -> None:
    frames = Frames(words_of(text))
    assert (frames.is_reason(0), frames.is_statement(0)) == (reason, statement)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("i kinda want to get out of it", Telling.WISH),
        ("wir machen halbe halbe", Telling.WISH),
        ("ich muss das überweisen", Telling.WISH),
        ("no time to read it all", Telling.UNABLE),
        ("ich habe keine Zeit dafür", Telling.UNABLE),
        ("don't want to print a book", Telling.UNWILLING),
        ("the upload thing won't take it", Telling.BALKING),
        ("the photo a.jpg landed in the attic by mistake", Telling.ABOUT),
        ("das Foto a.jpg ist versehentlich im Keller gelandet", Telling.ABOUT),
        ("I changed my mind", Telling.TAKEN_BACK),
        ("never mind", Telling.TAKEN_BACK),
        ("I meant the other map", Telling.TAKEN_BACK),
        ("ich behalte die Karten", Telling.TAKEN_BACK),
    ],
)
def test_how_a_clause_tells_something(text: str, how: Telling) -> None:
    assert Frames(words_of(text)).tells(how, 0) > 0


@pytest.mark.parametrize(
    "text",
    [
        "I want the maps", "don't want the maps", "I need more maps", "leave the maps",
        "only if it is over 100", "delete the map", "zeig die Karte",
    ],
)  # fmt: skip
def test_what_asks_or_limits_tells_nothing(text: str) -> None:
    frames = Frames(words_of(text))
    assert [how for how in Telling if frames.tells(how, 0) > 0] == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("but leave the original where it is", True),
        ("keep the original", True),
        ("the original should please remain where it is", True),
        ("das Original soll bitte da bleiben", True),
        ("lass das Original unverändert", True),
        ("leave the maps alone", False),
        ("keep the original in the attic and delete the copy", False),
        ("move the original", False),
    ],
)
def test_the_original_is_to_stay(text: str, kept: bool) -> None:
    words = words_of(text)
    assert Frames(words).keeps_original(0, len(words)) is kept


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("we're out of tinfoil", "tinfoil"),
        ("were almost out of oat milk", "oat milk"),
        ("the milk is all gone", "milk"),
        ("uns fehlt noch Mehl", "mehl"),
        ("wir haben kein Mehl mehr", "mehl"),
        ("we have tinfoil", ""),
        ("get out of the map", ""),
    ],
)
def test_what_is_lacking(text: str, lacking: str) -> None:
    words = words_of(text)
    first, last = Frames(words).lacking(0, len(words))
    assert " ".join(words[first:last]) == lacking


def test_a_reason_needs_a_mark_before_it_when_its_word_has_other_uses() -> None:
    assert not Frames(words_of("as we have it")).is_reason(0, marked=False)
    assert Frames(words_of("because we have it")).is_reason(0, marked=False)


def test_what_limits_a_request_is_seen() -> None:
    assert excludes(words_of("my boss only reads letters"))
    assert not excludes(words_of("my boss reads letters"))
    assert says_no_longer(words_of("I don't need it any more"))
    assert not says_no_longer(words_of("I don't need the maps"))
