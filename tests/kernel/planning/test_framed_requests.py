"""Long, polite and indirect sentences mean what their short forms mean; what only tells is passed over whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

COMMANDS = [
    "move a.pdf to Archive",
    "summarize thesis.pdf in three sentences",
    "delete old.zip",
    "show the three largest files in Downloads",
    "make a note called lamp saying buy a bulb and a cable",
]
BEFORE_COMMANDS = [
    "I was wondering if you could",
    "would you be so kind as to",
    "If it's not too much trouble, could you",
    "whenever you have a moment, please",
    "it would be lovely if you could",
    "I'd be very grateful if you would",
    "hmm, I suppose you could",
    "My sister asked for it, so would you please",
    "As I am in a hurry today, please",
]
AFTER_COMMANDS = [", if you don't mind", ", because I need it tomorrow", ", so that she can see it", ", would you"]
QUESTIONS = [
    ("how many pages report.pdf has", "documents.pages(file=~/Documents/report.pdf)"),
    ("how much space Downloads takes", "files.usage(folder=~/Downloads)"),
    (
        "which pdfs were changed yesterday",
        "files.find(kind=pdf, modified={'start': '2025-03-11', 'end': '2025-03-12'})",
    ),
]
BEFORE_QUESTIONS = [
    "I was wondering", "I would like to know", "do you happen to know", "could you tell me", "I can't remember",
    "I need to find out",
]  # fmt: skip
GERMAN = [
    ("ich hätte gern gewusst, wie viele Seiten report.pdf hat", "documents.pages(file=~/Documents/report.pdf)"),
    ("könntest du vielleicht mal old.zip löschen", "files.delete(files=['~/Downloads/old.zip'])"),
    ("wenn es dir nichts ausmacht, lösche bitte old.zip", "files.delete(files=['~/Downloads/old.zip'])"),
    ("ich frage mich, wie viel Platz Downloads braucht", "files.usage(folder=~/Downloads)"),
    ("sei so nett und fasse thesis.pdf zusammen", "documents.summary(file=~/Documents/thesis.pdf)"),
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("frame", BEFORE_COMMANDS)
def test_a_framed_command_is_the_command(planner: Planner, frame: str, command: str) -> None:
    assert planner.shape(planner.say(f"{frame} {command}")) == planner.shape(planner.say(command))


@pytest.mark.parametrize("command", COMMANDS[:4])
@pytest.mark.parametrize("frame", AFTER_COMMANDS)
def test_a_command_with_an_afterthought_is_the_command(planner: Planner, frame: str, command: str) -> None:
    assert planner.shape(planner.say(command + frame)) == planner.shape(planner.say(command))


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
@pytest.mark.parametrize("frame", BEFORE_QUESTIONS)
def test_an_indirect_question_is_the_question(planner: Planner, frame: str, question: str, expected: str) -> None:
    assert planner.shape(planner.say(f"{frame} {question}")) == expected


@pytest.mark.parametrize(("sentence", "expected"), GERMAN)
def test_german_frames(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I don't need old.zip any more, so could you throw it away", "files.delete(files=['~/Downloads/old.zip'])"),
        ("delete old.zip, I don't need it any more", "files.delete(files=['~/Downloads/old.zip'])"),
        ("how much did I spend per region? it's all in sales.csv", "data.group(by=region, table=~/Work/sales.csv)"),
        ("oh before I forget delete old.zip would you", "files.delete(files=['~/Downloads/old.zip'])"),
        ("very good, copy thesis.pdf to Desktop", "files.copy(files=['~/Documents/thesis.pdf'], to=~/Desktop)"),
        ("what is in Documents at the moment?", "files.contents(folder=~/Documents)"),
        ("kannst du die Datei thesis.pdf in final.pdf umbenennen",
         "files.rename(file=~/Documents/thesis.pdf, name=final.pdf)"),
        ("I'd like a.pdf and b.pdf moved to Archive",
         "files.move(files=['~/Downloads/a.pdf', '~/Downloads/b.pdf'], to=~/Archive)"),
        ("please copy the draft thesis.pdf to Desktop", "files.copy(files=['~/Documents/thesis.pdf'], to=~/Desktop)"),
    ],
)  # fmt: skip
def test_what_an_aside_names_may_be_meant(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "My boss only reads pdfs, so please copy everything in Work to Desktop",
        "I need the ones from March, so delete the pdfs in Downloads",
        "if old.zip is older than a year, delete it",
        "I don't want the pdfs touched, so please delete the files in Downloads",
    ],
)
def test_what_limits_a_request_is_never_passed_over(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


def test_an_aside_that_names_something_cuts_off_what_was_found_before(planner: Planner) -> None:
    plan = planner.say("find all pdfs in Downloads")
    assert isinstance(plan, Plan)
    context = planner.after(plan, t1=planner.files("Downloads/a.pdf"))
    proposal = planner.say("my cousin sent a large box last week, please delete it", context)
    assert not isinstance(proposal, Plan)


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ("copy, uhm, thesis.pdf to Desktop", "copy thesis.pdf to Desktop"),
        ("rename the, erm, song.mp3 to first take", "rename song.mp3 to first take"),
        ("find hm contracts in Work", "find contracts in Work"),
        ("verschiebe ähm thesis.pdf nach Desktop", "verschiebe thesis.pdf nach Desktop"),
    ],
)
def test_a_hesitation_says_nothing(planner: Planner, sentence: str, plain: str) -> None:
    assert planner.shape(planner.say(sentence)) == planner.shape(planner.say(plain))


@pytest.mark.parametrize(
    "aside",
    [
        ", I don't want to print a whole book", ", no time to look myself", ", the viewer thing won't tell me",
        ". My granddaughter intends to sing at school", " i kinda want to get out of it",
        ", if it is not too much trouble", ". Thank you very much in advance",
    ],
)  # fmt: skip
def test_what_is_told_beside_a_question_is_passed_over(planner: Planner, aside: str) -> None:
    question = "how many pages does report.pdf have"
    assert planner.shape(planner.say(question + aside)) == planner.shape(planner.say(question))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("the file thesis.pdf landed in Documents by mistake, move it to Archive",
         "files.move(files=~/Documents/thesis.pdf, to=~/Archive)"),
        ("die Datei thesis.pdf ist versehentlich im Ordner Documents gelandet; verschieben Sie sie nach Archive",
         "files.move(files=~/Documents/thesis.pdf, to=~/Archive)"),
        ("copy thesis.pdf to Desktop, but leave the original where it is",
         "files.copy(files=['~/Documents/thesis.pdf'], to=~/Desktop)"),
    ],
)  # fmt: skip
def test_an_aside_says_what_is_meant_or_that_it_stays(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "move thesis.pdf to Desktop, but keep the original",
        "rename thesis.pdf to essay.pdf, but leave the original where it is",
        "the file no-such-file.pdf landed in Downloads by mistake, move it to Archive",
        "delete old.zip, I changed my mind",
        "delete old.zip, never mind",
        "delete the pdfs in Downloads, I do not want you to delete a.pdf",
        "delete the pdfs in Downloads, I don't want to lose them",
        "delete the pdfs in Downloads but not a.pdf",
        "show the pdfs in Downloads, I don't need to see the invoices",
        "copy the pdfs in Downloads to Desktop, I don't want to copy pictures",
        "don't delete the ones from 2024",
        "delete old.zip only if it is over 100",
        "I would have deleted old.zip",
        "ich hätte old.zip gelöscht",
        "I do not want you to delete old.zip",
    ],
)
def test_no_limit_and_no_taking_back_is_passed_over(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


def test_a_wish_that_a_tool_can_do_is_a_request(planner: Planner) -> None:
    plan = planner.say("copy thesis.pdf to Desktop, and i want to delete old.zip")
    assert isinstance(plan, Plan)
    assert [task.tool for task in plan.tasks] == ["files.copy", "files.delete"]


def test_a_number_in_a_wish_is_no_aside(planner: Planner) -> None:
    shape = planner.shape(planner.say("show the largest files in Downloads, I need five"))
    assert "count=5" in shape
