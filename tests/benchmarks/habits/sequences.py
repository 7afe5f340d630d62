"""What is done next, foretold on two public sets of sequences, beside an interpolated back-off chain of order 3.

Every call of a held-out sequence is foretold from the calls before it, the first one too. Five folds; what is learned,
the weights and how sharp they are, is learned on the other four. ``*_hit1`` and ``*_hit3`` say how often the call was
the first, or one of the first three, of all functions of the set. BFCL's calls belong to requests, whose words are
known by the time a call of theirs is foretold, as those of a sentence are that a person has begun to type: they are
looked at as well; ``bfcl_words_hit1`` is what they tell alone, by naive Bayes over the same sequences.
``bfcl_silent_*`` is without a word of them, and so is the chain. BFCL gives a sequence the
functions of its own classes alone: ``*_offered_*`` is the choice among those. The reasons that are weighed were chosen
with a look at these sets; weights were not.
"""

from __future__ import annotations

import ast
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from kernel.anticipation.foretelling import learned
from kernel.ranking.words import terms
from memory.sequences.following import Act
from tests.benchmarks.understanding.compare import interval

FOLDS = 5
SEED = 0
ORDER = 3
START = "^"
BINS = 10
DOMAINS = ("airline", "retail", "banking")
LEAST = {"bfcl_hit1": 0.52, "tau2_hit1": 0.69}
LIMITS = {"bfcl_calibration_error": 0.05, "tau2_calibration_error": 0.05}
Line = tuple[Act, ...]


def measure(data: Path) -> dict[str, float]:
    """Hits, what the chain comes to on the same calls, and how far the probabilities are from what happens."""
    folder = data / "sequences"
    calls, offered = bfcl(folder / "bfcl")
    silent = [tuple(replace(act, said=frozenset()) for act in line) for line in calls]
    return _figures("bfcl", calls, offered) | _silent(_figures("bfcl_silent", silent, offered)) | (
        _figures("tau2", tau2(folder / "tau2"))
    )  # fmt: skip


def _silent(found: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in found.items() if "chain" not in key or "over" in key}


def bfcl(folder: Path) -> tuple[list[Line], list[frozenset[str]]]:
    """The calls of BFCL's multi-turn base, and the functions that each task is given."""
    groups = {
        json.loads(line)["name"]: path.stem
        for path in sorted(_there(folder / "functions").glob("*.json"))
        for line in path.read_text().splitlines()
    }
    classes = dict(CLASSES)
    lines, offered = [], []
    tasks = {(one := json.loads(row))["id"]: one for row in (folder / "base.json").read_text().splitlines()}
    for row in (folder / "base.answers.json").read_text().splitlines():
        one = json.loads(row)
        said = [frozenset(terms(" ".join(told["content"] for told in turn))) for turn in tasks[one["id"]]["question"]]
        turns = zip(one["ground_truth"], said, strict=True)
        lines.append(tuple(replace(_call(call, groups), said=words) for turn, words in turns for call in turn))
        given = {classes[name] for name in tasks[one["id"]]["involved_classes"]}
        offered.append(frozenset(name for name, group in groups.items() if group in given))
    return lines, offered


CLASSES = {
    "GorillaFileSystem": "gorilla_file_system", "MathAPI": "math_api", "MessageAPI": "message_api",
    "TwitterAPI": "posting_api", "TicketAPI": "ticket_api", "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking", "VehicleControlAPI": "vehicle_control",
}  # fmt: skip
"""Where each class of BFCL has its functions described."""


def _there(folder: Path) -> Path:
    if not folder.is_dir():
        raise FileNotFoundError(2, "not there", str(folder))
    return folder


def _call(written: str, groups: Mapping[str, str]) -> Act:
    call = ast.parse(written, mode="eval").body
    assert isinstance(call, ast.Call)
    name = call.func.id if isinstance(call.func, ast.Name) else ast.unparse(call.func).rpartition(".")[2]
    about = (f"{one.arg}={ast.unparse(one.value)}" for one in call.keywords)
    return Act(name, groups.get(name, ""), tuple(sorted(about)))


def tau2(folder: Path) -> list[Line]:
    """The actions that tau2's tasks are right with, of those with more than one."""
    lines = []
    for domain in DOMAINS:
        for task in json.loads((folder / f"{domain}.json").read_text()):
            actions = (task.get("evaluation_criteria") or {}).get("actions") or ()
            if len(actions) > 1:
                lines.append(tuple(_action(one) for one in actions))
    return lines


def _action(one: Mapping[str, object]) -> Act:
    given = one.get("arguments")
    about = (f"{name}={json.dumps(value)}" for name, value in (given if isinstance(given, dict) else {}).items())
    return Act(str(one["name"]), "", tuple(sorted(about)))


def _figures(name: str, lines: Sequence[Line], offered: Sequence[frozenset[str]] = ()) -> dict[str, float]:
    items = sorted({act.item for line in lines for act in line})
    order = list(range(len(lines)))
    random.Random(SEED).shuffle(order)
    told: dict[str, list[float]] = defaultdict(list)
    for fold in range(FOLDS):
        held = order[fold::FOLDS]
        taught = [lines[at] for at in order if at not in set(held)]
        words = any(act.said for line in taught for act in line)
        teller, chain, bayes = learned(taught, items, words=words), Chain(taught, items), Bayes(taught, items)
        for at in held:
            for place, act in enumerate(lines[at]):
                before = lines[at][:place]
                ranked = [(one.item, one.chance) for one in teller.foretell(before, said=act.said)]
                _note(told, "", act.item, ranked, chain.ranked(before))
                if words:
                    told["words_hit1"].append(float(bayes.first(act.said) == act.item))
                if offered:
                    mine = [one for one in ranked if one[0] in offered[at]]
                    its = [one for one in chain.ranked(before) if one in offered[at]]
                    _note(told, "offered_", act.item, mine, its)
    low, high = interval(told["hit1"], told["chain_hit1"])
    found = {key: float(np.mean(values)) for key, values in told.items() if key != "chance"}
    found |= {"over_chain_low": low, "over_chain_high": high}
    if "words_hit1" in told:
        low, high = interval(told["hit1"], told["words_hit1"])
        found |= {"over_words_low": low, "over_words_high": high}
    found["calibration_error"] = calibration_error(told["chance"], told["hit1"])
    return {f"{name}_{key}": value for key, value in found.items()}


def _note(
    told: dict[str, list[float]], kind: str, item: str, ranked: Sequence[tuple[str, float]], chain: Sequence[str]
) -> None:  # fmt: skip
    names = [name for name, _ in ranked]
    told[f"{kind}hit1"].append(float(names[:1] == [item]))
    told[f"{kind}hit3"].append(float(item in names[:3]))
    told[f"{kind}chain_hit1"].append(float(chain[:1] == [item]))
    if not kind:
        told["chain_hit3"].append(float(item in chain[:3]))
        told["chance"].append(ranked[0][1])


def calibration_error(chances: Sequence[float], right: Sequence[float]) -> float:
    """The expected calibration error of the first guess, in ten bins of equal width (Naeini et al. 2015)."""
    said, came = np.array(chances), np.array(right)
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    parts = (places == one for one in range(BINS))
    return float(sum(abs(said[part].mean() - came[part].mean()) * part.mean() for part in parts if part.any()))


class Chain:
    """The baseline: an interpolated back-off chain (Witten and Bell 1991), written here on its own."""

    def __init__(self, lines: Sequence[Line], items: Sequence[str]) -> None:
        self._items = items
        self._after: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for line in lines:
            names = [START, *(act.item for act in line)]
            for at, name in enumerate(names[1:], 1):
                for order in range(min(ORDER, at) + 1):
                    self._after[tuple(names[at - order : at])][name] += 1

    def ranked(self, before: Line) -> list[str]:
        """Every item, the most probable first."""
        names = [START, *(act.item for act in before)]
        chance = dict.fromkeys(self._items, 1 / len(self._items))
        for order in range(min(ORDER, len(names)) + 1):
            counts = self._after.get(tuple(names[len(names) - order :]))
            if counts:
                total, kinds = sum(counts.values()), len(counts)
                chance = {item: (counts[item] + kinds * chance[item]) / (total + kinds) for item in self._items}
        return sorted(self._items, key=lambda item: -chance[item])


class Bayes:
    """The baseline that looks at words alone: naive Bayes over how often each came with an item, one added to each."""

    def __init__(self, lines: Sequence[Line], items: Sequence[str]) -> None:
        acts = [act for line in lines for act in line]
        self._usual = Counter(act.item for act in acts)
        self._with: dict[str, Counter[str]] = {item: Counter() for item in items}
        for act in acts:
            self._with[act.item].update(act.said)
        self._known = frozenset(word for act in acts for word in act.said)

    def first(self, said: Iterable[str]) -> str:
        """The most probable item."""
        words = self._known.intersection(said)
        return max(self._with, key=lambda item: self._chance(item, words))

    def _chance(self, item: str, words: Iterable[str]) -> float:
        counts = self._with[item]
        whole = sum(counts.values()) + len(self._known)
        return math.log(self._usual[item] + 1) + sum(math.log((counts[word] + 1) / whole) for word in words)
