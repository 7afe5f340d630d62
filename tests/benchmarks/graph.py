"""What the knowledge graph costs: writing, asking, ranking, building anew; and whether it ends only what it should.

A durable fact write (ledger, key file, graph) against the least that could be as durable: the bytes of the same event
and of its key, appended to two files one after the other, each with fdatasync; in turn with it, on the same disk. A
script of facts of mixed relations is held against a plain oracle. Recall here is the graph's own part: whom a name
means, their facts, a search by words, PageRank; the encoder is not counted.

python -m tests.benchmarks.graph [--facts N] [--no-publish]
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from memory import Ledger
from memory.graph import Claim, Graph, Object, Query
from memory.graph.model import DAY_NS, Fact
from memory.model import EntityId
from tests.benchmarks.machine import made_up, median, publish, quantile, result

WRITES = 1_000
SCRIPT = 1_000
ASKED = 200
PORTION = 2_000
KEY_BYTES = 3 * 24
"""What the index of the key file takes for one fact: a tag and a number for its subject, for itself, and their row."""
_EVENT = "SELECT avg(length(sealed) + length(digest) + length(prev) + length(hash) + length(kind) + 16) FROM event"
LIMITS = {
    "durable_p99_vs_bare": 5.0, "durable_p99_ms": 10.0, "false_invalidations": 0.0, "missed_invalidations": 0.0,
    "recall_p95_ms": 60.0,
}  # fmt: skip


@dataclass
class Place:
    """A ledger and its graph in a folder."""

    folder: Path

    def __post_init__(self) -> None:
        self.ledger = Ledger.open(self.folder / "ledger")
        self.graph = Graph.open(self.folder / "graph", self.ledger)

    def close(self) -> None:
        self.graph.close()
        self.ledger.close()


class Bare:
    """Two files, each synced after every write."""

    def __init__(self, folder: Path, sizes: tuple[int, int]) -> None:
        self._sizes = sizes
        self._files = [os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) for name in ("a", "b")]

    def write(self) -> None:
        for file, size in zip(self._files, self._sizes, strict=True):
            os.write(file, os.urandom(size))
            os.fdatasync(file)

    def close(self) -> None:
        for file in self._files:
            os.close(file)


def took_ms(work: Callable[[], object]) -> float:
    """Do ``work``; how long it took."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def writing(scratch: Path, rounds: int) -> dict[str, float]:
    """A durable fact and a bare write in turn."""
    place = Place(scratch / "writing")
    people = [place.graph.make_entity("person", f"Person {number}").id for number in range(50)]
    place.graph.assert_fact(Claim(people[0], "phone", Object.text("+49 30 000000001"), "user", valid_from=1))
    with closing(sqlite3.connect(place.folder / "ledger" / "ledger.db")) as file:
        (event_bytes,) = file.execute(f"{_EVENT} WHERE kind = 'fact.asserted'").fetchone()
    bare = Bare(scratch, (KEY_BYTES, round(event_bytes)))
    ours, theirs = [], []
    for number in range(-20, rounds):
        claim = Claim(people[number % 50], "phone", Object.text(f"+49 30 {number:09}"), "user", valid_from=DAY_NS)
        one, other = took_ms(lambda claim=claim: place.graph.assert_fact(claim)), took_ms(bare.write)  # type: ignore[misc]
        if number >= 0:
            ours.append(one)
            theirs.append(other)
    bare.close()
    place.close()
    return {
        "durable_p50_ms": median(ours), "durable_p99_ms": quantile(ours, 0.99), "bare_p99_ms": quantile(theirs, 0.99),
        "durable_p99_vs_bare": quantile(ours, 0.99) / quantile(theirs, 0.99),
        "durable_p50_vs_bare": median(ours) / median(theirs), "event_bytes": event_bytes,
    }  # fmt: skip


def ending(scratch: Path, count: int) -> dict[str, float]:
    """A script of mixed relations: which facts were ended, held against which should be."""
    place, chance = Place(scratch / "ending"), random.Random(1)
    people = [place.graph.make_entity("person", f"Person {number}").id for number in range(20)]
    orgs = [place.graph.make_entity("org", f"Org {number}").id for number in range(20)]
    ones, many = ("works_at", "role"), ("phone", "prefers", "uses", "remembered")
    told: list[tuple[Fact, tuple[object, ...], str, int]] = []
    for number in range(count):
        predicate, who = chance.choice(ones + many), chance.choice(people)
        thing = Object.entity(chance.choice(orgs)) if predicate in ("works_at", "uses") else Object.text(f"v {number}")
        voice, day = chance.choice(("user", "contacts", "calendar")), number // 2 + chance.randrange(40)
        fact = place.graph.assert_fact(Claim(who, predicate, thing, voice, valid_from=day * DAY_NS))
        told.append((fact, (who, predicate, voice), predicate, day))
    found = {fact.id: fact.closed_by is not None for fact in place.graph.facts()}
    wrong = missed = 0
    for order, (fact, key, predicate, day) in enumerate(told):
        should = predicate in ones and any(
            other_key == key and (other_day, at) > (day, order) and other.object != fact.object
            for at, (other, other_key, _, other_day) in enumerate(told)
        )
        wrong += found[fact.id] and not should
        missed += should and not found[fact.id]
    place.close()
    return {
        "false_invalidations": float(wrong),
        "missed_invalidations": float(missed),
        "ended": float(sum(found.values())),
    }


def large(scratch: Path, facts: int) -> dict[str, float]:
    """A graph of ``facts`` facts between entities and about them: ranking, recall, building anew, size."""
    place, chance = Place(scratch / "large"), random.Random(2)
    lines = [
        f'{{"entity": {{"id": "person:p-{number}", "kind": "person", "name": "{made_up(chance)} {made_up(chance)}"}}}}'
        for number in range(facts // 10)
    ]
    place.graph.import_lines(lines, lambda label: label)
    ids = [entity.id for entity in place.graph.entities()]
    began = time.perf_counter()
    for start in range(0, facts, PORTION):
        place.graph.assert_facts(*(_claim(ids, number, chance) for number in range(start, start + PORTION)))
    written_s = time.perf_counter() - began
    size = sum(path.stat().st_size for path in (scratch / "large" / "graph").iterdir())
    began = time.perf_counter()
    place.graph.search("first")
    indexed_s = time.perf_counter() - began
    seeds = [{ids[chance.randrange(len(ids))]: 1.0} for _ in range(ASKED // 4)]
    first_ms = took_ms(lambda: place.graph.rank(seeds[0]))
    ranked = [took_ms(lambda seed=seed: place.graph.rank(seed, 20)) for seed in seeds]  # type: ignore[misc]
    names = [place.graph.entity(chance.choice(ids)).name for _ in range(ASKED)]
    recalled = [took_ms(lambda name=name: recall(place.graph, name)) for name in names]  # type: ignore[misc]
    write_ms = took_ms(lambda: place.graph.assert_fact(_claim(ids, facts + 1, chance)))
    place.graph.close()
    shutil.rmtree(scratch / "large" / "graph")
    began = time.perf_counter()
    place.graph = Graph.open(scratch / "large" / "graph", place.ledger)
    rebuilt_s = time.perf_counter() - began
    opened_ms = took_ms(lambda: (place.graph.close(), Graph.open(scratch / "large" / "graph", place.ledger).close()))
    place.close()
    return {
        "facts": float(facts), "ppr_first_ms": first_ms, "ppr_100k_ms": median(ranked),
        "recall_p50_ms": median(recalled), "recall_p95_ms": quantile(recalled, 0.95), "one_more_ms": write_ms,
        "written_per_s": facts / written_s, "indexed_per_s": facts / indexed_s,
        "rebuild_per_s": (facts + len(ids)) / rebuilt_s, "open_ms": opened_ms, "bytes_per_fact": size / facts,
    }  # fmt: skip


def recall(graph: Graph, name: str) -> object:
    """What a planner asks for one name."""
    best = graph.resolve(name)[0].entity.id
    near = graph.rank({best: 1.0}, 10)
    return graph.facts(Query(subject=best)), graph.search(f"{name} likes", 10), near


def _claim(ids: list[EntityId], number: int, chance: random.Random) -> Claim:
    who, other = ids[chance.randrange(len(ids))], ids[int(len(ids) * chance.random() ** 2)]
    if number % 10:
        return Claim(
            who, "knows" if number % 3 else "works_at", Object.entity(other), "user", valid_from=number * DAY_NS
        )
    return Claim(who, "remembered", Object.text(f"likes {made_up(chance)} and {made_up(chance)} {number}"), "user")


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--facts", type=int, default=100_000)
    asked.add_argument("--no-publish", action="store_true")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("DATA")) as scratch:
        folder = Path(scratch)
        figures = writing(folder, WRITES) | ending(folder, SCRIPT) | large(folder, options.facts)
    figures = {name: round(value, 3) for name, value in figures.items()}
    rows = [*(__doc__ or "").strip().splitlines()[2:6], "",
            f"{WRITES} durable writes, a script of {SCRIPT}, a graph of {options.facts:,} facts, {ASKED} recalls.", "",
            "| | |", "|---|---|"]  # fmt: skip
    rows += [f"| {name} | {value:g} |" for name, value in figures.items()]
    if not options.no_publish:
        publish("bench-graph", "What the knowledge graph costs", rows, figures)
    return result("bench-graph", figures, LIMITS)


if __name__ == "__main__":
    sys.exit(main())
