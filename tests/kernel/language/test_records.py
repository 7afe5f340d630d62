"""Named values: which pairs of a column and a value a sentence holds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Utterance
from skills.model import ValueKind

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(verbs=frozenset("add put show hinzufügen trage".split()))


def records(text: str) -> list[tuple[float, dict[str, Any]]]:
    utterance = Utterance(text, ConversationId("c"), "/nonexistent", "/nonexistent", NOW)
    spans = interpret(utterance, HomeWorld("/nonexistent"), LEXICON).spans
    return [(span.confidence, span.value["fields"]) for span in spans if span.kind is ValueKind.RECORD]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            "add a row to cars.csv with plate B-7, owner Kim Lee and km 1200",
            {"plate": "B-7", "owner": "Kim Lee", "km": "1200"},
        ),
        ("add a row to t.csv with part_no = 7, price: 2.50", {"part_no": "7", "price": "2.50"}),
        (
            "add a line to t.csv with day 3 March 2026, shop 'Tea and Co' and sum 4.20 please",
            {"day": "2026-03-03", "shop": "Tea and Co", "sum": "4.20"},
        ),
        ("new row in t.csv: team Reds, wins 3", {"team": "Reds", "wins": "3"}),
        ("put a row with city name is Bad Ems and zip is 56130 into t.csv", {"city name": "Bad Ems"}),
        ("füge t.csv eine Zeile mit Ort Kiel und Menge 3,5 hinzu", {"Ort": "Kiel", "Menge": "3,5"}),
        ("add a row with day yesterday and hours 3 to t.csv", {"day": "2026-03-10"}),
    ],
)
def test_pairs_after_with(text: str, fields: dict[str, str]) -> None:
    found = [one for sure, one in records(text) if fields.items() <= one.items()]
    assert found, records(text)


def test_several_pairs_are_surer_than_one() -> None:
    assert [sure for sure, _ in records("add a row to t.csv with team Reds and wins 3")] == [0.9]
    assert all(sure < 0.8 for sure, _ in records("add a row to t.csv with team Reds"))


@pytest.mark.parametrize(
    "text",
    [
        "find notes with milk, eggs and bread",
        "show the rows of t.csv with price over 50 and stock under 3",
        "join a.csv with b.csv and show it",
        "add a row without owner Kim and not plate B",
    ],
)
def test_what_is_no_pair_is_no_sure_record(text: str) -> None:
    assert all(sure < 0.8 for sure, _ in records(text))
