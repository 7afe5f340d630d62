"""Why a problem is no evidence: what robust-kbench filters, as named reasons.

Over several seeds: outputs that stay in a tiny range, hardly vary, do not vary along an axis, do not depend on the
inputs or on the weights, or that all zeros would pass for. Runs the user's file, here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_skills.intake.loading import Loaded, loaded, ran
from gpu_skills.intake.process import Limits, asked

_RANGE, _SPREAD, _TOLERANCE, _SAME, _SEEDS = 0.01, 0.01, 1e-4, 1e-6, 5


class Reason(StrEnum):
    """Why a problem is no evidence."""

    RANGE = "every output lies within 0.01 of 0"
    SPREAD = "the outputs hardly vary"
    AXIS = "the outputs are constant along an axis"
    INPUTS = "the outputs do not depend on the inputs"
    WEIGHTS = "the outputs do not depend on the weights"
    ZERO = "an answer of zeros is within the tolerance"


@dataclass(frozen=True, slots=True)
class Concern:
    """A reason, and what was seen."""

    reason: Reason
    detail: str


def concerns(file: Path, entry: str = "", shapes: str = "", *, limits: Limits | None = None) -> tuple[Concern, ...]:
    """Return why the problem of a file is no evidence; empty where nothing speaks against it. Raises BadProblem."""
    request = {"act": "concerns", "file": str(Path(file).resolve()), "entry": entry, "shapes": shapes}
    return tuple(Concern(Reason(reason), str(detail)) for reason, detail in asked(request, limits)["concerns"])


def concerns_here(file: Path, entry: str = "", shapes: str = "", *, source: str = "") -> list[Concern]:
    """Return the same in this process."""
    runs = [loaded(file, entry, shapes, source=source, seed=seed) for seed in range(_SEEDS)]
    outputs = [_numbers(one) for one in runs]
    found = _of_values(outputs)
    found += _of_inputs(runs[0], runs[1:], outputs[0])
    return found + _of_weights(runs[0], outputs[0])


Array = NDArray[Any]


def _numbers(found: Loaded) -> list[Array]:
    return [one.double().numpy() for one in ran(found)]


def _of_values(outputs: Sequence[Sequence[Array]]) -> list[Concern]:
    whole = np.concatenate([one.reshape(-1) for each in outputs for one in each])
    found = []
    largest, spread = float(np.abs(whole).max()), float(whole.std())
    if largest <= _RANGE:
        found.append(Concern(Reason.RANGE, f"the largest is {largest:.2e}"))
    if spread < _SPREAD:
        found.append(Concern(Reason.SPREAD, f"their standard deviation is {spread:.2e}"))
    if largest <= _TOLERANCE:
        found.append(Concern(Reason.ZERO, f"the largest is {largest:.2e}, the tolerance {_TOLERANCE:.0e}"))
    for place, one in enumerate(outputs[0]):
        flat = [axis for axis in range(one.ndim) if one.shape[axis] > 1 and float(one.std(axis=axis).max()) < _RANGE]
        if flat and one.size > 1:
            found.append(Concern(Reason.AXIS, f"axis {flat[0]} of output {place}"))
    return found


def _of_inputs(first: Loaded, others: Sequence[Loaded], before: Sequence[Array]) -> list[Concern]:
    """The same weights and other inputs."""
    for other in others:
        moved = Loaded(first.name, first.entry, first.called, other.inputs, first.shapes, first.contract)
        if not _equal(before, _numbers(moved)):
            return []
    return [Concern(Reason.INPUTS, f"{len(others)} other inputs give the same")]


def _of_weights(first: Loaded, before: Sequence[Array]) -> list[Concern]:
    import torch

    if not isinstance(first.called, torch.nn.Module):
        return []
    weights = [one for one in first.called.parameters() if one.is_floating_point()]
    if not weights:
        return []
    kept = [one.detach().clone() for one in weights]
    with torch.no_grad():
        for one in weights:
            one.add_(torch.randn_like(one) * (one.std(unbiased=False) + 0.1))
    after = _numbers(first)
    with torch.no_grad():
        for one, old in zip(weights, kept, strict=True):
            one.copy_(old)
    return [Concern(Reason.WEIGHTS, "other weights give the same")] if _equal(before, after) else []


def _equal(one: Sequence[Array], other: Sequence[Array]) -> bool:
    pairs = zip(one, other, strict=True)
    return all(a.shape == b.shape and np.allclose(a, b, rtol=_SAME, atol=_SAME, equal_nan=True) for a, b in pairs)
