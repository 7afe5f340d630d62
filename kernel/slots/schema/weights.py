"""The shipped weights of the ranker, by the names of their features, so that a feature more or less is seen."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from kernel.slots.schema.calls import WHOLE
from kernel.slots.schema.columns import NAMES
from kernel.slots.schema.ranker import Family, Floats, Ranker
from kernel.slots.schema.trust import CALL, Trust

WEIGHTS = Path(__file__).with_name("weights.json")


def read(path: Path = WEIGHTS) -> Ranker:
    """Read the weights. Raises ValueError when they are of other features than these."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    if (kept["features"], kept["figures"], len(kept["call"])) != (list(NAMES), WHOLE, CALL + 1):
        raise ValueError(f"{path}: weights of other features; fit them again: tests.benchmarks.understanding.bfcl")
    weights = {family: _array(kept["weights"][family.value]) for family in Family}
    return Ranker(weights, _array(kept["whole"]), Trust(_array(kept["argument"]), _array(kept["call"])))


def write(ranker: Ranker, path: Path = WEIGHTS) -> None:
    """Write the weights, rounded to four places."""
    kept = {
        "features": NAMES,
        "figures": WHOLE,
        "weights": {family.value: _rounded(ranker.weights[family]) for family in Family},
        "whole": _rounded(ranker.whole),
        "argument": _rounded(ranker.trust.argument),
        "call": _rounded(ranker.trust.call),
    }
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _array(numbers: list[float]) -> Floats:
    return np.array(numbers, dtype=np.float64)


def _rounded(weights: Floats) -> list[float]:
    return [round(float(one), 4) for one in weights]
