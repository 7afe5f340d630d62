"""The shipped weights of the ranker, by the names of their features, so that a feature more or less is seen."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from kernel.slots.schema.features import NAMES
from kernel.slots.schema.ranker import Family, Ranker

WEIGHTS = Path(__file__).with_name("weights.json")


def read(path: Path = WEIGHTS) -> Ranker:
    """Read the weights. Raises ValueError when they are of other features than these."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    if tuple(kept["features"]) != NAMES:
        raise ValueError(f"{path}: weights of other features; fit them again: tests.benchmarks.understanding.bfcl")
    weights = {family: np.array(kept["weights"][family.value], dtype=np.float64) for family in Family}
    return Ranker(weights, np.array(kept["trust"], dtype=np.float64))


def write(ranker: Ranker, path: Path = WEIGHTS) -> None:
    """Write the weights, rounded to four places."""
    kept = {
        "features": NAMES,
        "weights": {family.value: [round(float(one), 4) for one in ranker.weights[family]] for family in Family},
        "trust": [round(float(one), 4) for one in ranker.trust],
    }
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
