"""What a rule says of the thing that comes, and not whose it is."""

from __future__ import annotations

import pytest

from kernel.interpret import read
from kernel.model import ConversationId, Utterance
from kernel.routines.owning import of_it
from tests.kernel.planner import NOW, Planner, home, planner

__all__ = ["home", "planner"]
NAMES = {
    "en": frozenset({"total", "date", "invoice number"}),
    "de": frozenset({"summe", "datum", "firma", "betrag"}),
}


@pytest.mark.parametrize(("language", "said", "meant"), [
    ("en", "read the total and its date, add them to b.csv", "the total and date of X"),
    ("en", "add its invoice number to b.csv", "the invoice number of X"),
    ("en", "write the date into my note", ""),
    ("en", "tell me the total of expenses.csv", ""),
    ("en", "what a total mess", ""),
    ("de", "trag die Summe, ihr Datum und die Firma in b.csv ein", "die Summe und Datum und Firma aus X"),
    ("de", "trag die Sume in b.csv ein", "die summe aus X"),
    ("de", "sag mir die Summe aus ausgaben.csv", ""),
])  # fmt: skip
def test_what_is_said_of_it(planner: Planner, language: str, said: str, meant: str) -> None:
    line = read(Utterance(said, ConversationId("c"), planner.home, planner.home, NOW), planner.lexicon, language)
    assert line.language == language
    assert list(of_it(line, frozenset(), NAMES[language], "X").values()) == ([meant] if meant else [])
