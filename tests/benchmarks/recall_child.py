"""A process with the encoder, a graph of as many facts and a recall of as many memories: built once, then asked.

The vectors of what is kept are random directions (encoding 100,000 texts takes half an hour and changes no figure
here); the questions are encoded. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory import Encoder, Ledger, open_encoder
from memory.graph import Claim, Graph, Object
from memory.graph.model import DAY_NS
from memory.model import EntityId
from memory.recall import Question, Recall, Turn
from tests.benchmarks.machine import made_up, median, quantile, rss_mb

ASKED = 200
PORTION = 2_000
FACTS_SHARE = 5
"""One memory in so many is a fact."""
_WORDS = (
    "meeting dinner train invoice garden photo holiday doctor concert recipe contract letter river winter piano".split()
)


class Filler:
    """The encoder for questions; random directions for what is kept."""

    def __init__(self, encoder: Encoder) -> None:
        self.digest, self.dimensions = encoder.digest, encoder.dimensions
        self._chance = np.random.default_rng(3)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = self._chance.normal(size=(len(texts), self.dimensions)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def build(folder: Path, count: int) -> None:
    """A ledger, its graph and the recall of both."""
    chance = random.Random(2)
    ledger = Ledger.open(folder / "ledger")
    graph = Graph.open(folder / "graph", ledger)
    graph.import_lines(
        [
            f'{{"entity": {{"id": "person:p-{n}", "kind": "person", "name": "{made_up(chance)} {made_up(chance)}"}}}}'
            for n in range(count // 10)
        ],
        lambda label: label,
    )
    people = {entity.id: entity.name for entity in graph.entities()}
    ids = list(people)
    recall = Recall.open(folder / "recall", Filler(open_encoder()))
    for start in range(0, count, PORTION):
        facts = graph.assert_facts(*(_claim(ids, number, chance) for number in range(start, start + PORTION)))
        some = facts[::FACTS_SHARE]
        recall.add_facts(
            *((fact, f"{people[fact.subject]} knows {people[EntityId(fact.object.value)]}") for fact in some)
        )
        turns = PORTION - len(some)
        recall.add(*(_turn(people, ids, start + number, chance) for number in range(turns)))
    recall.close()
    graph.close()
    ledger.close()


def ask(folder: Path) -> dict[str, float]:
    """Open all three and ask."""
    chance = random.Random(4)
    ledger = Ledger.open(folder / "ledger")
    graph = Graph.open(folder / "graph", ledger)
    encoder = open_encoder()
    began = time.perf_counter()
    recall = Recall.open(folder / "recall", encoder)
    opened_s = time.perf_counter() - began
    people = list(graph.entities())
    taken: list[float] = []
    busy: list[float] = []
    for number in range(-10, ASKED):
        who = chance.choice(people)
        question = Question(
            f"What did {who.name} say about the {chance.choice(_WORDS)} in {chance.choice(_WORDS)}?", entities=(who.id,)
        )
        began, used = time.perf_counter(), time.process_time()
        hits = recall.search(question, graph)
        if number >= 0:
            taken.append((time.perf_counter() - began) * 1e3)
            busy.append((time.process_time() - used) * 1e3)
        assert len(hits) == question.limit
    memories = float(len(recall))
    awake = rss_mb(os.getpid())
    recall.rest()
    encoder.rest()
    rested = rss_mb(os.getpid())
    recall.close()
    return {
        "memories": memories, "p50_ms": median(taken), "p95_ms": quantile(taken, 0.95),
        "cpu_p50_ms": median(busy), "cpu_p95_ms": quantile(busy, 0.95), "open_ms": opened_s * 1e3,
        "resident_mb": awake, "rested_mb": rested,
    }  # fmt: skip


def _claim(ids: list[EntityId], number: int, chance: random.Random) -> Claim:
    who, other = ids[chance.randrange(len(ids))], ids[int(len(ids) * chance.random() ** 2)]
    return Claim(who, "knows", Object.entity(other), "user", valid_from=number * DAY_NS)


def _turn(people: dict[EntityId, str], ids: list[EntityId], number: int, chance: random.Random) -> Turn:
    who = ids[chance.randrange(len(ids))]
    words = " ".join(chance.choice(_WORDS) if chance.random() < 0.3 else made_up(chance).lower() for _ in range(12))
    return Turn(
        f"turn:{number}", f"{people[who]} said that the {words}", number * 10**9, f"s{number // 20}", "user",
        about=(who,),
    )  # fmt: skip


if __name__ == "__main__":
    part, where = sys.argv[1], Path(sys.argv[2])
    if part == "build":
        build(where, int(sys.argv[3]))
    else:
        print(json.dumps(ask(where)))
