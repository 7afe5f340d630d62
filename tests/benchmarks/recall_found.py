"""What is found on LoCoMo: recall beside baselines that are run on the same questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from memory import open_encoder
from memory.recall import Question, Recall
from memory.word_index import WordIndex
from tests.benchmarks.locomo import Asked, Conversation, conversations
from tests.benchmarks.understanding import compare
from tests.benchmarks.understanding.compare import interval

FIRST = 10
TRAINED_ON = 5
"""The weights were fitted on so many conversations, the first by name."""
LIMITS = {"turn_missed": 0.25, "session_missed": 0.06, "multi_hop_missed": 0.48, "turn_behind_best": 0.0}
Ranker = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Answers:
    """Turn and session R@10 of every method, question by question: [questions] each."""

    turn: Mapping[str, np.ndarray]
    session: Mapping[str, np.ndarray]
    held_out: np.ndarray
    kinds: np.ndarray

    def figures(self) -> dict[str, float]:
        """Of recall, over all questions and over those of conversations that the weights were not fitted on."""
        ours, best = self.turn["recall"], self.best()
        low, high = interval(ours, self.turn[best])
        return {
            "questions": float(len(ours)), "turn_r10": ours.mean(), "session_r10": self.session["recall"].mean(),
            "held_out_turn_r10": ours[self.held_out].mean(),
            "held_out_session_r10": self.session["recall"][self.held_out].mean(),
            "multi_hop_r10": ours[self.kinds == "multi_hop"].mean(),
            "held_out_multi_hop_r10": ours[(self.kinds == "multi_hop") & self.held_out].mean(),
            "best_baseline_turn_r10": self.turn[best].mean(), "gain_low": low, "gain_high": high,
            "turn_missed": 1 - ours[self.held_out].mean(),
            "session_missed": 1 - self.session["recall"][self.held_out].mean(),
            "multi_hop_missed": 1 - ours[(self.kinds == "multi_hop") & self.held_out].mean(),
            "turn_behind_best": -interval(ours[self.held_out], self.turn[best][self.held_out])[0],
        }  # fmt: skip

    def best(self) -> str:
        """The baseline that finds most."""
        return max((name for name in self.turn if name != "recall"), key=lambda name: self.turn[name].mean())


def found(path: Path) -> Answers:
    """Ask everything of every method."""
    encoder = open_encoder()
    turn: dict[str, list[float]] = {}
    session: dict[str, list[float]] = {}
    held_out, kinds = [], []
    for number, conversation in enumerate(conversations(path)):
        with_recall = Recall.open(None, encoder)
        with_recall.add(*conversation.turns)
        where = {one.id: one.session for one in conversation.turns}
        methods = baselines(conversation, with_recall, encoder.encode)
        methods["recall"] = lambda text, recall=with_recall: [  # type: ignore[misc]
            hit.turn.id for hit in recall.search(Question(text, limit=10_000))
        ]
        for asked in conversation.asked:
            held_out.append(number >= TRAINED_ON)
            kinds.append(asked.kind)
            for name, ranked in methods.items():
                one, other = _recalled(asked, ranked(asked.text), where)
                turn.setdefault(name, []).append(one)
                session.setdefault(name, []).append(other)
        with_recall.close()
    as_arrays = [{name: np.array(values) for name, values in some.items()} for some in (turn, session)]
    return Answers(as_arrays[0], as_arrays[1], np.array(held_out), np.array(kinds))


def _recalled(asked: Asked, ranked: Sequence[str], where: Mapping[str, str]) -> tuple[float, float]:
    wanted = {where[id] for id in asked.evidence}
    sessions = list(dict.fromkeys(where[id] for id in ranked))[:FIRST]
    return len(asked.evidence & set(ranked[:FIRST])) / len(asked.evidence), len(wanted & set(sessions)) / len(wanted)


def baselines(
    conversation: Conversation, recall: Recall, encode: Callable[[list[str]], np.ndarray]
) -> dict[str, Ranker]:
    """Each ranks all turns for a question. They see what recall sees: a turn begins with its speaker's name."""
    ids = [turn.id for turn in conversation.turns]
    index = WordIndex()
    index.add_all((turn.id, f"{turn.speaker}: {turn.text}") for turn in conversation.turns)
    assert recall._store is not None
    vectors = recall._store.fetch(ids)
    matrix = np.array([vectors[id] for id in ids])
    sessions = [turn.session for turn in conversation.turns]
    kept: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def scores(text: str) -> tuple[np.ndarray, np.ndarray]:
        if text not in kept:
            terms = [term for term in index.split(text) if term.startswith("~")]
            kept[text] = index.scores(dict.fromkeys(terms, 1.0)), matrix @ encode([text])[0]
        return kept[text]

    def ranked(values: np.ndarray) -> list[str]:
        return [ids[at] for at in np.argsort(-values, kind="stable")]

    def both(text: str) -> np.ndarray:
        return compare.fused(*scores(text), 0.5)

    def beside(text: str) -> np.ndarray:
        base = both(text)
        before = [base[at - 1] if at and sessions[at - 1] == sessions[at] else 0 for at in range(len(base))]
        after = [*(base[at] if sessions[at - 1] == sessions[at] else 0 for at in range(1, len(base))), 0]
        return base + 0.4 * np.maximum(before, after)

    return {
        "BM25": lambda text: ranked(scores(text)[0]), "encoder": lambda text: ranked(scores(text)[1]),
        "RRF": lambda text: ranked(compare.reciprocal(*scores(text))), "hybrid": lambda text: ranked(both(text)),
        "hybrid + neighbour": lambda text: ranked(beside(text)),
    }  # fmt: skip


def rows(answers: Answers) -> list[str]:
    """The table of methods, for the published page."""
    kinds = sorted(set(answers.kinds))
    lines = [
        "", "| method | turn R@10 | session R@10 | turn, 6-10 | session, 6-10 | recall's gain in turns, 6-10 | "
        + " | ".join(kinds) + " |", "|---|" + "---|" * (5 + len(kinds)),
    ]  # fmt: skip
    held = answers.held_out
    for name, turn in answers.turn.items():
        low, high = interval(answers.turn["recall"][held], turn[held])
        session = answers.session[name]
        cells = [turn.mean(), session.mean(), turn[held].mean(), session[held].mean()]
        gain = "" if name == "recall" else f"{low:+.3f} .. {high:+.3f}"
        by_kind = [turn[answers.kinds == kind].mean() for kind in kinds]
        shown = [f"{cell:.3f}" for cell in cells] + [gain] + [f"{cell:.3f}" for cell in by_kind]
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    return lines
