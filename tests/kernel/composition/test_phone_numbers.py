"""A contact's number keeps its sign: in what is written, and in what is learnt of the request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.learning.learnt import marked
from kernel.learning.marking import clauses_of
from kernel.model import Plan

if TYPE_CHECKING:
    from conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("change Ben's phone number to +1 212 555 0199", "+1 212 555 0199"),
        ("change Olga's mobile number to +33 6 12 34 56 78", "+33 6 12 34 56 78"),
        ("Ändere Idas Nummer auf +49 171 9999999", "+49 171 9999999"),
        ("ändere die Handynummer von Tilda auf +436641234567", "+436641234567"),
        ("add Ann Lee, +44 20 7946 0000, to my contacts", "+44 20 7946 0000"),
        ("add Paul Hill, +44 (0)20 7946-0000, to my contacts", "+44 (0)20 7946-0000"),
        ("füge Nina Roth, +41 44 668 18 00, zu meinen Kontakten hinzu", "+41 44 668 18 00"),
    ],
)
def test_a_contact_gets_the_number_with_its_sign_and_so_does_what_is_learnt(
    desk: Desk, sentence: str, number: str
) -> None:
    proposal = desk.say(sentence)
    assert isinstance(proposal, Plan)
    assert desk.shape(proposal).count(f"={number}") == 1
    (clause,) = clauses_of(proposal, sentence)
    assert f":{number}}}" in marked(clause)
