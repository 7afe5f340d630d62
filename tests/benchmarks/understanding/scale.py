"""100,000 tools: how long one request takes from its text to ranked tools, what the first pass misses, adding, memory.

The tools are made up of MetaTool's: each has a name of its own, a sentence of one tool and one of another, and a real
request as its example; its vectors are mixtures of theirs with noise of their spread, for encoding 300,000 texts takes
an hour. The questions are real ones that serve as nobody's example, and are encoded while the clock runs. One BLAS
thread. Exact is the product with all rows; recall is over its ten best tools.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kernel.ranking import Decider, Document, Moment, Past, Ranker, Request, question_of
from kernel.ranking.model import Floats
from kernel.ranking.shelf import shelf_with
from kernel.ranking.vectors import Vectors
from tests.benchmarks.machine import quantile
from tests.benchmarks.understanding.compare import prefixed
from tests.benchmarks.understanding.kept import Kept
from tests.benchmarks.understanding.sources import is_tuning, metatool

TOOLS = 100_000
ASKED = 150
EXAMPLES = 600
NOISE = 0.35
LIMITS = {"scale_p95_ms": 35.0, "scale_add_ms": 1000.0, "scale_remove_ms": 1000.0}
LEAST = {"scale_recall10": 0.99}


@dataclass(frozen=True, slots=True)
class Pool:
    """Real texts and their vectors, to make tools of."""

    documents: Sequence[Document]
    described: Floats
    examples: Sequence[str]
    asked: Floats


def measure(data: Path) -> dict[str, float]:
    """Build the shelf, then ask, add and remove."""
    documents, every = metatool(data)
    kept = Kept()
    texts = [one.text for one in every if is_tuning(one.text)][:EXAMPLES]
    pool = Pool(documents, kept.encode([one.text for one in documents]), texts, kept.encode(texts))
    made, rows = tools(pool, TOOLS)
    began = time.process_time()
    shelf = shelf_with(made, Vectors(rows, [3] * len(made), [1] * len(made)), kept.encoder.encode)
    built_s = time.process_time() - began
    past = Past([Request(text, (made[at * 37].id,)) for at, text in enumerate(texts[:300])], kept.encode)
    ranker, decider = Ranker(shelf, past), Decider()
    questions = [one.text for one in every if not is_tuning(one.text)][: ASKED * 20 : 20]
    times, cpu_times, hits = [], [], 0
    for text in questions:
        started, cpu = time.perf_counter(), time.thread_time()
        question = question_of(text, kept.encoder.encode)
        decider.decide(ranker.rank(question, Moment(now_s=1.0)))
        times.append((time.perf_counter() - started) * 1000)
        cpu_times.append((time.thread_time() - cpu) * 1000)
        assert question.vector is not None
        hits += _hits(shelf.segments[0].vectors, rows, question.vector)
    return prefixed(
        "scale",
        {"p50_ms": quantile(times, 0.5), "p95_ms": quantile(times, 0.95),
         "p50_cpu_ms": quantile(cpu_times, 0.5), "p95_cpu_ms": quantile(cpu_times, 0.95),
         "recall10": hits / (10 * len(questions)),
         **changes(ranker, kept), "index_mb": shelf.size_bytes / 1e6, "build_cpu_s": built_s,
         "tools": float(len(made))},
    )  # fmt: skip


def tools(pool: Pool, count: int) -> tuple[list[Document], Floats]:
    """``count`` tools, and three vectors for each: its whole, its sentence, its example."""
    drawn, noise = random.Random(5), np.random.default_rng(5)
    made = []
    picks = np.array([[drawn.randrange(len(pool.documents)) for _ in "ab"] + [drawn.randrange(len(pool.examples))]
                      for _ in range(count)])  # fmt: skip
    for at, (one, other, example) in enumerate(picks):
        a, b = pool.documents[one], pool.documents[other]
        made.append(
            Document(f"t{at}", f"{a.title} {b.title} {at}", (a.sentences[0], b.sentences[-1]), (), "",
                     (pool.examples[example],))
        )  # fmt: skip
    shares = noise.random((count, 1)).astype(np.float32)
    whole = shares * pool.described[picks[:, 0]] + (1 - shares) * pool.described[picks[:, 1]]
    parts = np.stack([whole, pool.described[picks[:, 0]], pool.asked[picks[:, 2]]], axis=1).reshape(-1, whole.shape[1])
    for start in range(0, len(parts), 30_000):
        some = parts[start : start + 30_000]
        some += (NOISE / np.sqrt(some.shape[1])) * noise.standard_normal(some.shape, dtype=np.float32)
    return made, parts / np.linalg.norm(parts, axis=1, keepdims=True)


def _hits(vectors: Vectors | None, rows: Floats, vector: Floats) -> int:
    """How many of the ten tools that are nearest by whole or example are among the candidates."""
    assert vectors is not None
    scores = (rows @ vector).reshape(-1, 3)[:, [0, 2]].max(axis=1)
    best = np.argpartition(scores, len(scores) - 10)[-10:]
    return len(set(best.tolist()) & set(vectors.nearest(vector, 64).tolist()))


def changes(ranker: Ranker, kept: Kept) -> dict[str, float]:
    """A tool is added and found, removed and no longer found; milliseconds from the change to the answer."""
    new = Document("new", "quokka counter", ("Counts quokkas on an island.",), (), "", ("how many quokkas are there",))
    question = question_of("count the quokkas", kept.encoder.encode)
    began = time.perf_counter()
    grown = Ranker(ranker.shelf.with_documents([new]), ranker.past)
    first = grown.rank(question)[0].id
    added = time.perf_counter()
    gone = Ranker(grown.shelf.without(["new"]), ranker.past).rank(question)
    removed = time.perf_counter()
    if first != "new" or any(one.id == "new" for one in gone):
        raise SystemExit("A tool that was added is not found, or one that was removed is.")
    return {"add_ms": (added - began) * 1000, "remove_ms": (removed - added) * 1000}
