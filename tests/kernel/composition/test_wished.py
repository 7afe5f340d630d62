"""What a person says of their own wants behind a request, with no mark before it."""

from __future__ import annotations

import pytest

from tests.kernel.composition.conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("what's Ada's address again i want to send her a parcel", "contacts.find(name=Ada, what=address)"),
        ("wie ist nochmal die Nummer von Ada ich muss sie was fragen", "contacts.find(name=Ada, what=phone)"),
        (
            "summarise letter.docx i don't want to read the whole thing",
            "documents.summary(file=~/Cellar/letter.docx)",
        ),
        ("show my overdue tasks i keep forgetting them", "tasks.show(which=overdue)"),
        ("need to buy stamps, put it on my to-do list", "tasks.add(text=buy stamps)"),
        ("I need it for my tax return, find the invoice", "files.find(name=invoice)"),
    ],
)
def test_a_want_behind_a_request_is_passed_over(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("remind me tomorrow to ring Ada and tell me Ada's number", "; contacts.find(name=Ada, what=phone)"),
        ("I called Ada so tick that off and add buy a hammer to my to-do list", "; tasks.add(text=buy a hammer)"),
    ],
)
def test_what_steward_is_to_answer_is_no_part_of_a_text(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)).endswith(expected)


@pytest.mark.parametrize(
    "sentence",
    [
        "remind me to call Ada and what's her number",
        "remind me to call Karl and give me his number",
        "erinner mich daran Ada anzurufen und sag mir ihre Nummer",
    ],
)
def test_whose_number_it_is_that_steward_is_to_answer_is_asked(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)) == "Question"


@pytest.mark.parametrize(
    "sentence", ["which program takes the most of it?", "welches Programm braucht am meisten davon?"]
)
def test_what_most_is_taken_of_was_spoken_of(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)) == "system.hungriest()"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ada's phone number", "contacts.find(name=Ada, what=phone)"),
        ("adas mobile number", "contacts.find(name=adas, what=mobile)"),
        (
            "change Ada's phone number in my contacts to 0160 334455",
            "contacts.change(detail=phone, name=Ada, value=0160 334455)",
        ),
    ],
)
def test_a_choice_is_not_cut(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected


@pytest.mark.parametrize("sentence", ["find the file i want to send to Ada", "delete the pictures i need to send"])
def test_what_says_more_of_a_noun_is_no_clause_of_its_own(desk: Desk, sentence: str) -> None:
    assert desk.shape(desk.say(sentence)) in {"Decline", "Question"}
