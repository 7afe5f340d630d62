"""A text that was dictated keeps its last word; what the verb of the request left behind is none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.model import Plan

if TYPE_CHECKING:
    from conftest import Desk


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Sende eine E-Mail an ida@example.org mit dem Betreff Fest und dem Text Bring Kuchen mit", "Bring Kuchen mit"),
        ("Sende eine E-Mail an ida@example.org mit dem Text Nimm den Schirm mit", "Nimm den Schirm mit"),
        ("Sende eine E-Mail an ida@example.org: Bring Kuchen mit", "Bring Kuchen mit"),
        ("schreib eine Mail an ida@example.org mit dem Betreff Ball und dem Text Ruf mich an", "Ruf mich an"),
        ("schreib eine Mail an ida@example.org mit dem Text Der Kurs fällt aus", "Der Kurs fällt aus"),
        ("schick eine Mail an ida@example.org mit dem Text Schau am Montag rein", "Schau am Montag rein"),
        ("entwirf eine Mail an ida@example.org mit dem Text Der Zug kommt um acht an", "Der Zug kommt um acht an"),
        ("send a mail to ida@example.org saying please switch the heating on", "please switch the heating on"),
        ("erinnere mich um 18 Uhr: Mach den Ofen an", "Mach den Ofen an"),
        ("leg eine Notiz namens Enkel mit dem Inhalt Malstifte kaufen an", "Malstifte kaufen"),
        ("lege eine Notiz namens Ball an mit dem Text Ruf mich an", "Ruf mich an"),
        ("schreib Milch auf die Einkaufsliste drauf", "Milch"),
    ],
)
def test_the_last_word_of_a_text(desk: Desk, sentence: str, text: str) -> None:
    plan = desk.say(sentence)
    assert isinstance(plan, Plan), plan
    assert desk.value(plan.tasks[0].arguments["text"]) == text
