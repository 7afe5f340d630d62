"""Problems as JSON, without loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpu_skills.graph import program_from_json, program_to_json
from gpu_skills.model import Fill, Filling, Origin, Problem


def problem_to_json(problem: Problem) -> dict[str, Any]:
    """Return a problem as what JSON holds."""
    origin = problem.origin
    return {
        "name": problem.name,
        "program": program_to_json(problem.program),
        "held_out": [program_to_json(one) for one in problem.held_out],
        "fills": {name: [one.filling.value, one.scale, one.below] for name, one in problem.fills.items()},
        "origin": None if origin is None else _origin(origin),
    }


def _origin(origin: Origin) -> list[Any]:
    return [str(origin.file), origin.entry, *([list(one) for one in each] for each in (origin.inputs, origin.weights))]


def _origin_from(data: Sequence[Any]) -> Origin:
    file, entry, inputs, weights = data
    return Origin(Path(file), str(entry), _pairs(inputs), _pairs(weights))


def _pairs(data: Sequence[Any]) -> tuple[tuple[str, str], ...]:
    return tuple((str(old), str(new)) for old, new in data)


def problem_from_json(data: Mapping[str, Any]) -> Problem:
    """Return the problem that was written. Raises ValueError where it is none."""
    try:
        fills = {str(name): Fill(Filling(one[0]), float(one[1]), int(one[2])) for name, one in data["fills"].items()}
        origin = None if data["origin"] is None else _origin_from(data["origin"])
        held_out = tuple(program_from_json(one) for one in data["held_out"])
        return Problem(str(data["name"]), program_from_json(data["program"]), held_out, fills, origin)
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"this is no problem: {type(error).__name__}: {error}") from error
