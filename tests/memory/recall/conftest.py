"""A recall over a small house of conversations, with the real encoder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory import Encoder, open_encoder
from memory.model import EntityId
from memory.recall import Recall, Turn

DAY = 86_400 * 10**9
ANNA, BEN = EntityId("person:anna"), EntityId("person:ben")

TURNS = (
    Turn("t1", "I moved to Lisbon last spring", 1 * DAY, "s1", "Anna", source=1, about=(ANNA,)),
    Turn("t2", "Great, how do you like the food there?", 1 * DAY + 1, "s1", "Ben", source=2),
    Turn("t3", "The grilled sardines are wonderful", 1 * DAY + 2, "s1", "Anna", source=3),
    Turn("t4", "My dog is called Rex and he is two years old", 5 * DAY, "s2", "Ben", source=4, label={"tier": 2}),
    Turn("t5", "What a lovely name for a dog", 5 * DAY + 1, "s2", "Anna", source=5),
    Turn("t6", "The invoice of the plumber came to 312 euros", 9 * DAY, "s3", "user", origin="mail", source=6),
    Turn("t7", "Die Rechnung vom Klempner liegt in Dokumente", 9 * DAY + 5, "s3", "steward", source=7),
)


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return open_encoder()


@pytest.fixture
def recall(tmp_path: Path, encoder: Encoder) -> Iterator[Recall]:
    recall = Recall.open(tmp_path / "recall", encoder)
    recall.add(*TURNS, seen=7)
    yield recall
    recall.close()
