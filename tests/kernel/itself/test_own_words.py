"""The kernel's own requests: the whole sentence means one, or nothing does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.itself.own_words import Own, means_undo, own_request
from kernel.language import Lexicon
from kernel.model import ConversationId, Intent, Utterance


def read(text: str, home: str) -> Intent:
    said = Utterance(text, ConversationId("c"), home, home, datetime(2026, 3, 11, tzinfo=UTC))
    return interpret(said, HomeWorld(home), Lexicon.from_tools(()))


def means(text: str, home: str) -> bool:
    return means_undo(read(text, home))


@pytest.mark.parametrize(
    "text", ["undo that", "Undo", "please undo it", "oh no, undo that please", "can you take that back?",
             "mach das bitte rückgängig", "rückgängig", "nimm das zurück",
             "oh no wait undo that", "ups, mach das rückgängig"],
)  # fmt: skip
def test_undo(text: str, empty_home: str) -> None:
    assert means(text, empty_home)


@pytest.mark.parametrize(
    "text", ["undo the formatting of report.docx", "what does undo mean", "take it to Documents",
             "put it back in Archive",
             "don't undo that", "save a note called undo that"],
)  # fmt: skip
def test_something_else(text: str, empty_home: str) -> None:
    assert not means(text, empty_home)


@pytest.mark.parametrize(
    ("text", "own", "language"),
    [
        ("never mind", Own.CANCEL, "en"),
        ("oh, forget about it please", Own.CANCEL, "en"),
        ("actually, cancel that", Own.CANCEL, "en"),
        ("don't", Own.CANCEL, "en"),
        ("Ach, doch nicht!", Own.CANCEL, "de"),
        ("lass das bitte sein", Own.CANCEL, "de"),
        ("brich das ab", Own.CANCEL, "de"),
        ("help", Own.HELP, "en"),
        ("Help me, please!", Own.HELP, "en"),
        ("what can you do?", Own.HELP, "en"),
        ("Hello Steward, what can you do for me?", Own.HELP, "en"),
        ("what can I ask", Own.HELP, "en"),
        ("was kannst du?", Own.HELP, "de"),
        ("Hallo, was kannst du denn so alles machen?", Own.HELP, "de"),
        ("Hilfe!", Own.HELP, "de"),
        ("who are you?", Own.WHO, "en"),
        ("Hi, who are you", Own.WHO, "en"),
        ("what is Steward?", Own.WHO, "en"),
        ("wer bist du denn?", Own.WHO, "de"),
        ("Was macht Steward?", Own.WHO, "de"),
        ("what did you just do?", Own.LAST, "en"),
        ("ok, what have you done", Own.LAST, "en"),
        ("what just happened", Own.LAST, "en"),
        ("what did I ask before?", Own.LAST, "en"),
        ("what was my last question", Own.LAST, "en"),
        ("was habe ich vorher gefragt?", Own.LAST, "de"),
        ("was wollte ich zuletzt", Own.LAST, "de"),
        ("was hast du gerade getan?", Own.LAST, "de"),
        ("was hast du zuletzt gemacht", Own.LAST, "de"),
        ("was ist gerade passiert?", Own.LAST, "de"),
        ("hello", Own.GREETING, "en"),
        ("Good morning", Own.GREETING, "en"),
        ("Guten Tag!", Own.GREETING, "de"),
        ("hallo", Own.GREETING, "de"),
        ("thanks", Own.THANKS, "en"),
        ("ok great, thank you so much", Own.THANKS, "en"),
        ("Vielen Dank für deine Hilfe", Own.THANKS, "de"),
        ("danke", Own.THANKS, "de"),
        ("rückgängig", Own.UNDO, "de"),
        ("undo that", Own.UNDO, "en"),
    ],
)
def test_what_the_kernel_answers_itself(text: str, own: Own, language: str, empty_home: str) -> None:
    assert own_request(read(text, empty_home)) == (own, language)


@pytest.mark.parametrize(
    "text",
    ["help me find the lease", "what can you do with sales.csv", "hello.txt", "thanks.md", "open the help file",
     "hello, list the files in Downloads", "was kannst du über die Rechnung sagen", "ok", "please", "help " * 20,
     "save a note called thanks", "what can you find in Downloads"],
)  # fmt: skip
def test_a_task_is_no_small_talk(text: str, empty_home: str) -> None:
    assert own_request(read(text, empty_home)) is None
