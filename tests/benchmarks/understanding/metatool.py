"""MetaTool: one of 199 tools for a request: with none seen, after five logged ones a tool, and act, ask or decline.

Reported are at most 25 requests a tool outside the tuning half (``sources.is_tuning``): the published baselines were
taken on 25 a tool, and without a bound a few tools would be most of the set. Logged ones are of the tuning half.
Baselines (BM25, dense, their reciprocal rank fusion, the min-max hybrid .8 / .2) rank the same items over the same
documents, and the difference at R@1 has a paired bootstrap interval. After five logged ones the baselines know the same
requests: the nearest one, the middle of each tool's with its document, and BM25 over documents with what was said to
them. For decisions a fifth of the tools is taken off the shelf and out of the log: their requests are those whose right
tool is absent; beside them stands the dense score alone, cut where it acts as often.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from kernel.ranking import Decider, Document, Moment, Past, Question, Ranker, Request, shelf_of
from kernel.ranking.model import Choice, EncodeTokens
from kernel.ranking.ranker import total
from tests.benchmarks.understanding.compare import figures, fused, interval, place, prefixed, reciprocal
from tests.benchmarks.understanding.kept import Kept
from tests.benchmarks.understanding.sources import Asked, is_tuning, logged, metatool

EACH = 5
MOST_EACH = 25
LEAST = {
    "metatool_zero_r1": 0.66, "metatool_zero_r5": 0.84, "metatool_zero_ndcg10": 0.77,
    "metatool_five_r1": 0.78, "metatool_five_r5": 0.92,
    "metatool_zero_over_best_low": 0.0, "metatool_five_over_best_low": 0.0,
    "metatool_act_precision": 0.95, "metatool_act_coverage": 0.5,
}  # fmt: skip
LIMITS = {"metatool_wrong_act_absent": 0.05}


def measure(data: Path) -> dict[str, float]:
    """Return the figures of all three parts."""
    documents, every = metatool(data)
    kept = Kept()
    held = logged([one for one in every if not is_tuning(one.text)], MOST_EACH, seed=2)
    log = logged([one for one in every if is_tuning(one.text)], EACH, seed=1)
    questions = asked_of(kept, held)
    found = zero_shot(documents, held, questions, kept)
    ranker = Ranker(shelf_of(documents, kept.encode, kept.pieces), past_of(log, documents, kept))
    five = [place_of(ranker, question, one.tool) for one, question in zip(held, questions, strict=True)]
    found |= {f"five_{name}": value for name, value in figures(five).items()} | beside_five(
        documents, log, held, questions, five, kept
    )
    found |= decisions(documents, log, held, questions, kept)
    return prefixed("metatool", found | {"requests": float(len(held)), "logged": float(len(log))})


def asked_of(kept: Kept, asked: Sequence[Asked]) -> list[Question]:
    """The requests with their vectors and word pieces, encoded together."""
    texts = [one.text for one in asked]
    read = kept.pieces(texts)
    return [Question(text, vector, (words, rows)) for text, (vector, words, rows) in zip(texts, read, strict=True)]


def past_of(log: Sequence[Asked], documents: Sequence[Document], kept: Kept) -> Past:
    """A past of accepted requests, beside what the tools' documents say."""
    vectors = kept.encode([one.text for one in documents])
    described = {one.id: vector for one, vector in zip(documents, vectors, strict=True)}
    return Past([Request(one.text, (one.tool,)) for one in log], kept.encode, described)


def place_of(ranker: Ranker, question: Question, tool: str) -> int:
    """The place of ``tool``; the last one where it is no candidate."""
    ids, columns = ranker.reasons(question, Moment())
    return place(total(columns, ranker.weights.values), ids.index(tool)) if tool in ids else len(ranker.shelf)


def zero_shot(
    documents: Sequence[Document], asked: Sequence[Asked], questions: Sequence[Question], kept: Kept
) -> dict[str, float]:
    """Places without any past, beside those of the baselines."""
    ranker = Ranker(shelf_of(documents, kept.encode, kept.pieces))
    places: dict[str, list[int]] = {name: [] for name in ("zero", "bm25", "dense", "rrf", "minmax")}
    for one, question in zip(asked, questions, strict=True):
        found = ranker.shelf.look(question)
        at = found.ids.index(one.tool)
        text, dense = found.columns["text"], found.columns["dense"]
        places["bm25"].append(place(text, at))
        places["dense"].append(place(dense, at))
        places["rrf"].append(place(reciprocal(text, dense), at))
        places["minmax"].append(place(fused(text, dense, 0.8), at))
        places["zero"].append(place_of(ranker, question, one.tool))
    told = {f"{name}_{key}": value for name, own in places.items() for key, value in figures(own).items()}
    best = max(("bm25", "dense", "rrf", "minmax"), key=lambda name: told[f"{name}_r1"])
    first = [[float(at == 0) for at in places[name]] for name in ("zero", best)]
    low, high = interval(*first)
    return told | {"zero_over_best_low": low, "zero_over_best_high": high}


def beside_five(
    documents: Sequence[Document], log: Sequence[Asked], asked: Sequence[Asked], questions: Sequence[Question],
    five: Sequence[int], kept: Kept,
) -> dict[str, float]:  # fmt: skip
    """The baselines that know the logged requests, on the same items, and the interval over the best of them."""
    by_tool = {one.id: at for at, one in enumerate(documents)}
    owners = np.array([by_tool[one.tool] for one in log])
    said = kept.encode([one.text for one in log])
    sums = kept.encode([one.text for one in documents]).astype(np.float64)
    np.add.at(sums, owners, said)
    middles = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    spoken = [
        replace(one, examples=(*one.examples, *(asked.text for asked in log if asked.tool == one.id)))
        for one in documents
    ]
    words = shelf_of(spoken)
    places: dict[str, list[int]] = {"nearest": [], "middle": [], "said_bm25": []}
    for one, question in zip(asked, questions, strict=True):
        at, vector = by_tool[one.tool], question.vector
        near = np.full(len(documents), -1.0)
        np.maximum.at(near, owners, said @ vector)
        places["nearest"].append(place(near, at))
        places["middle"].append(place(middles @ vector, at))
        found = words.look(question)
        ours = found.ids.index(one.tool) if one.tool in found.ids else -1
        places["said_bm25"].append(place(found.columns["text"], ours) if ours >= 0 else len(documents))
    told = {f"five_{name}_{key}": value for name, own in places.items() for key, value in figures(own).items()}
    best = max(places, key=lambda name: told[f"five_{name}_r1"])
    low, high = interval([float(at == 0) for at in five], [float(at == 0) for at in places[best]])
    return told | {"five_over_best_low": low, "five_over_best_high": high}


def is_absent(tool: str) -> bool:
    """Tell whether the tool is one of the fifth that is taken away."""
    return zlib.crc32(tool.encode()) % 5 == 0


def without(documents: Sequence[Document], log: Sequence[Asked], kept: Kept, encode_tokens: EncodeTokens) -> Ranker:
    """A ranker that knows nothing of the tools that are absent."""
    there = [one for one in documents if not is_absent(one.id)]
    shelf = shelf_of(there, kept.encode, encode_tokens)
    return Ranker(shelf, past_of([one for one in log if not is_absent(one.tool)], there, kept))


def decisions(
    documents: Sequence[Document], log: Sequence[Asked], asked: Sequence[Asked], questions: Sequence[Question],
    kept: Kept,
) -> dict[str, float]:  # fmt: skip
    """What the shipped decision does after five logged requests a tool, where the right tool is there and where not."""
    ranker, decider = without(documents, log, kept, kept.pieces), Decider()
    verdicts = []
    by_dense: list[tuple[float, bool, bool]] = []  # how near, whether right, whether there
    for one, question in zip(asked, questions, strict=True):
        ranked = ranker.rank(question)
        verdicts.append((decider.decide(ranked).choice, ranked[0].id == one.tool, not is_absent(one.tool)))
        found = ranker.shelf.look(question)
        top = int(np.argmax(found.columns["dense"]))
        by_dense.append((float(found.columns["dense"][top]), found.ids[top] == one.tool, not is_absent(one.tool)))
    there = [(choice, right) for choice, right, is_there in verdicts if is_there]
    acted = [right for choice, right in there if choice is Choice.ACT]
    absent = [choice is Choice.ACT for choice, _, is_there in verdicts if not is_there]
    shares = {str(kind): np.mean([choice is kind for choice, _ in there]) for kind in Choice}
    return {
        "act_precision": float(np.mean(acted)) if acted else 0.0,
        "act_coverage": len(acted) / len(there),
        "wrong_act_absent": float(np.mean(absent)),
        **as_often(by_dense, len(acted)),
        **{f"there_{name}": float(value) for name, value in shares.items()},
    }


def as_often(scored: Sequence[tuple[float, bool, bool]], acts: int) -> dict[str, float]:
    """What a single threshold on one score comes to that acts as often where the right tool is there.

    ``scored`` are (score, whether the first tool is right, whether the right one is there).
    """
    there = sorted(((score, right) for score, right, is_there in scored if is_there), reverse=True)[:acts]
    absent = [score for score, _, is_there in scored if not is_there]
    if not there:
        return {"threshold_act_precision": 0.0, "threshold_wrong_act_absent": 0.0}
    lowest = there[-1][0]
    return {
        "threshold_act_precision": float(np.mean([right for _, right in there])),
        "threshold_wrong_act_absent": float(np.mean([score >= lowest for score in absent])) if absent else 0.0,
    }
