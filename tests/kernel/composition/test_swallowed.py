"""A name or a text takes in neither the word that says what the request is about nor whom it is to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "name", "value"),
    [
        ("schreib Anna Köhler eine mail dass ich um acht da bin", "to", "Anna Köhler"),
        ("schick die Losung per Mail an Anna", "text", "die Losung"),
        ("answer Jonas's last email with see you then", "text", "see you then"),
        ("email Anna: I sent you an email", "text", "I sent you an email"),
        ("what did ada want in her last email", "sender", "ada"),
        ("What does Anna Köhler want in her message?", "sender", "Anna Köhler"),
        ("leite die Mail von Ben an Jonas weiter", "to", "Jonas"),
        ("leite die Mail von Ben an Jonas weiter", "sender", "Ben"),
        ("reply to Ada's mail that Friday is fine", "text", "Friday is fine"),
        ("reply to Ben's mail that Monday is too late", "text", "Monday is too late"),
        ("answer Ada's message that we meet at eight", "text", "we meet at eight"),
        ("antworte auf Annas Mail, dass Freitag passt", "text", "Freitag passt"),
        ("draft a reply to Jonas saying Friday is fine", "text", "Friday is fine"),
        ("show the thread about dinner", "about", "dinner"),
        ("was meint Karl in seiner letzten Mail", "sender", "Karl"),
    ],
)
def test_what_is_no_part_of_a_value(desk: Desk, sentence: str, name: str, value: str) -> None:
    plan = desk.say(sentence)
    assert isinstance(plan, Plan)
    assert desk.value(plan.tasks[0].arguments[name]) == value


def test_a_verb_behind_what_it_is_is_of_nobody(desk: Desk) -> None:
    proposal = desk.say("kannst du der frau krüger eine mail schicken dass ihr sessel fertig ist")
    assert not isinstance(proposal, Plan) or "schicken" not in desk.shape(proposal)
