"""What the user's own file computes in float64 for given values. Runs the user's file, here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_skills.errors import BadProblem
from gpu_skills.intake.loading import called_of, guarded
from gpu_skills.trace import in_float64, parameter_names

Array = NDArray[Any]


def computed(file: Path, entry: str, values: Mapping[str, Array]) -> dict[str, Array]:
    """Return the outputs by the names of the program: ``out``, or ``out0``, ``out1`` ... Raises BadProblem."""
    import torch

    called, plain = called_of(file, entry)
    if isinstance(called, torch.nn.Module):
        _set_weights(called.double(), values)
    inputs = [_input(values, name, given) for name, given in _inputs(called, plain, values)]
    found = guarded(f"{file.name} fails on other values", "intake.run", lambda: in_float64(called, inputs))
    return {"out" if len(found) == 1 else f"out{place}": one for place, one in enumerate(found)}


def _inputs(called: Any, plain: tuple[Any, ...], values: Mapping[str, Array]) -> list[tuple[str, Any]]:
    if plain:
        names = parameter_names(called, len(plain))
        return [(_identifier(name), given) for name, given in zip(names, plain, strict=True)]
    return [(name, None) for name in map(_identifier, parameter_names(called, 99)) if name in values]


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _input(values: Mapping[str, Array], name: str, given: Any) -> Any:
    import torch

    if given is not None and not hasattr(given, "shape"):
        return given
    found = values.get(name, values.get(f"{name}_given"))
    if found is None:
        raise BadProblem("intake.values", f"the values of {name} are missing")
    return torch.from_numpy(np.array(found))


def _set_weights(module: Any, values: Mapping[str, Array]) -> None:
    import torch

    with torch.no_grad():
        for name, one in (*module.named_parameters(), *module.named_buffers()):
            given = values.get(_identifier(name))
            if given is not None:
                one.copy_(torch.from_numpy(np.array(given)).reshape(one.shape))
