"""Fit when to act, ask or decline to MetaTool's tuning half, and print it as kernel/ranking/weights.toml has it.

    python -m tests.benchmarks.understanding.deciding --data FOLDER

Of the tuning half every tool logs five requests; of the others at most 25 a tool are asked. Five times another fifth
of the tools is taken off the shelf and out of the log, and once more nothing at all is logged: a decision has to hold
for a person of the first day. Nothing of the half that is reported is read.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Sequence
from pathlib import Path

from kernel.ranking import Document, Past, Question, Ranker, shelf_of
from kernel.ranking.decision import EVIDENCE, Decider, evidence, fitted
from tests.benchmarks.understanding.kept import Kept
from tests.benchmarks.understanding.metatool import EACH, MOST_EACH, asked_of, past_of
from tests.benchmarks.understanding.sources import Asked, is_tuning, logged, metatool

FOLDS = 5
ASK = 0.2
Seen = tuple[dict[str, float], bool, bool]


def seen(data: Path) -> list[Seen]:
    """Return the evidence of every request, whether the first tool was right, and whether the right one was there."""
    documents, every = metatool(data)
    kept = Kept()
    tuning = [one for one in every if is_tuning(one.text)]
    log = logged(tuning, EACH, seed=1)
    taken = {one.text for one in log}
    held = logged([one for one in tuning if one.text not in taken], MOST_EACH, seed=3)
    questions = asked_of(kept, held)
    found: list[Seen] = []
    for fold in range(FOLDS):
        for some in (log, []):
            found += _fold(fold, documents, some, list(zip(held, questions, strict=True)), kept)
    return found


def _fold(
    fold: int, documents: Sequence[Document], log: Sequence[Asked], asked: Sequence[tuple[Asked, Question]], kept: Kept
) -> list[Seen]:
    there = [one for one in documents if not _is_off(one.id, fold)]
    past = past_of([one for one in log if not _is_off(one.tool, fold)], there, kept) if log else Past([], kept.encode)
    ranker = Ranker(shelf_of(there, kept.encode, kept.pieces), past)
    found = []
    for one, question in asked:
        ranked = ranker.rank(question)
        found.append((evidence(ranked), ranked[0].id == one.tool, not _is_off(one.tool, fold)))
    return found


def _is_off(tool: str, fold: int) -> bool:
    """Tell whether a tool is taken away in this fold; another cut than the one that is reported."""
    return zlib.crc32(f"fold {tool}".encode()) % FOLDS == fold


def page(decider: Decider) -> str:
    """Return the part of the weights' file."""
    known = decider.thresholds
    head = f"[decision]\nact = {known.act:.4f}\nask = {known.ask:.4g}\nbias = {known.bias:.4f}\n\n[decision.weights]\n"
    return head + "".join(f"{name} = {known.values[name]:.4f}\n" for name in EVIDENCE)


def main() -> None:
    """Fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    found = seen(parser.parse_args().data)
    print(page(fitted(found, precision=0.95, wrong_acts=0.05, ask=ASK)))


if __name__ == "__main__":
    main()
