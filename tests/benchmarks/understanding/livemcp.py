"""LiveMCPBench: the tools that a whole question needs, among 527 of 70 servers, without its annotator's steps.

R@10 is the mean over questions of the share of its annotated tools (by name) among the first ten. Ours cuts a question
into steps itself (``kernel.ranking.steps``) and recommends a set; baselines rank the same documents, server text
included, by the whole question. ``gold_steps`` shows what the annotator's own steps would give: no goal, a ceiling. The
set's weights were chosen on the development questions; a figure on these is in sample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from kernel.ranking import Document, Question, Ranker, set_for, shelf_of
from kernel.ranking.shelf import Found
from kernel.ranking.steps import openers, steps_of
from kernel.ranking.weights import shipped
from tests.benchmarks.understanding.compare import Array, fused, interval, prefixed, reciprocal
from tests.benchmarks.understanding.kept import Kept
from tests.benchmarks.understanding.sources import Wanted, livemcp

FIRST = 10
LEAST = {"livemcp_set_r10": 0.62, "livemcp_over_hybrid_low": 0.0}


def measure(data: Path) -> dict[str, float]:
    """R@10 of the set and of the baselines, whole sets found, and the interval over the best baseline."""
    documents, wanted = livemcp(data)
    kept = Kept()
    ranker = Ranker(shelf_of(documents, kept.encode), weights=shipped("set"))
    names = {one.id: one.id.partition("/")[2] for one in documents}
    known = frozenset(names.values())
    asked = [one for one in wanted if one.tools & known]
    found: dict[str, list[float]] = {
        name: [_share(rank(one), names, one.tools & known) for one in asked]
        for name, rank in _methods(documents, ranker, kept).items()
    }
    low, high = interval(found["set"], found["hybrid"])
    told = {f"{name}_r10": float(np.mean(own)) for name, own in found.items()}
    told |= {"set_all10": float(np.mean([one == 1.0 for one in found["set"]])), "questions": float(len(asked))}
    return prefixed("livemcp", told | {"over_hybrid_low": low, "over_hybrid_high": high})


def _methods(documents: Sequence[Document], ranker: Ranker, kept: Kept) -> dict[str, Callable[[Wanted], list[str]]]:
    opening = openers(documents)
    servers = {one.id: one.id.partition("/")[0] for one in documents}

    def by(score: Callable[[Found], Array]) -> Callable[[Wanted], list[str]]:
        def rank(one: Wanted) -> list[str]:
            found = ranker.shelf.look(_question(one.text, kept))
            return [found.ids[at] for at in np.argsort(-score(found), kind="stable")]

        return rank

    def chosen(text: str, steps: Sequence[str]) -> list[str]:
        asked = [_question(step, kept) for step in steps]
        chosen = set_for(ranker, _question(text, kept), asked, skills=servers, limit=3 * FIRST)
        return [one.id for one in chosen]

    return {
        "bm25": by(lambda found: found.columns["text"].astype(float)),
        "dense": by(lambda found: found.columns["dense"].astype(float)),
        "rrf": by(lambda found: reciprocal(found.columns["text"], found.columns["dense"])),
        "hybrid": by(lambda found: fused(found.columns["text"], found.columns["dense"], 0.7)),
        "set": lambda one: chosen(one.text, steps_of(one.text, opening)),
        "gold_steps": lambda one: chosen(one.text, one.gold_steps),
    }


def _question(text: str, kept: Kept) -> Question:
    return Question(text, kept.encode([text])[0])


def _share(ranked: Sequence[str], names: dict[str, str], wanted: frozenset[str]) -> float:
    """The share of ``wanted`` names among the first ten different names."""
    first = list(dict.fromkeys(names[one] for one in ranked))[:FIRST]
    return len(wanted & set(first)) / len(wanted)
