"""What the user's own file computes in float64 for given values. Runs the user's file, here.

Which value goes where is what the trace wrote down (``Origin.inputs``, ``Origin.weights``); nothing is guessed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_skills.errors import BadProblem
from gpu_skills.intake.loading import called_of, guarded, in_order
from gpu_skills.model import Origin
from gpu_skills.trace import in_float64, parameter_names

Array = NDArray[Any]


def computed(origin: Origin, values: Mapping[str, Array]) -> dict[str, Array]:
    """Return the outputs by the names of the program: ``out``, or ``out0``, ``out1`` ... Raises BadProblem.

    ``values`` are all inputs and weights of the program, by its names, and nothing else.
    """
    called, plain = called_of(origin.file, origin.entry)
    _all_used(origin, values)
    _set_weights(called, origin, values)
    inputs = _inputs(called, plain, {old: _tensor(values[new]) for old, new in origin.inputs})
    what = f"{origin.file.name} fails on other values"
    found = guarded(what, "intake.run", lambda: in_float64(called, inputs))
    return {"out" if len(found) == 1 else f"out{place}": one for place, one in enumerate(found)}


def _all_used(origin: Origin, values: Mapping[str, Array]) -> None:
    known = [new for _, new in (*origin.inputs, *origin.weights)]
    unused = [name for name in values if name not in known]
    if unused:
        raise BadProblem("intake.values", f"{origin.file.name} has nothing that is called {unused[0]}",
                         hint=f"there are {', '.join(known) or 'none'}")  # fmt: skip
    missing = [name for name in known if name not in values]
    if missing:
        raise BadProblem("intake.values", f"the values of {missing[0]} are missing")


def _tensor(value: Array) -> Any:
    import torch

    return torch.from_numpy(np.array(value))


def _inputs(called: Any, plain: tuple[Any, ...], given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the arguments: those of a file in the contract as it makes them where they are no tensors."""
    if not plain:
        return in_order(called, given)
    names = parameter_names(called, len(plain))
    tensors = [name for name, one in zip(names, plain, strict=True) if hasattr(one, "shape")]
    if set(tensors) != set(given):
        raise BadProblem("intake.values", f"the file takes {', '.join(tensors)}, the program {', '.join(given)}")
    return tuple(given.get(name, one) for name, one in zip(names, plain, strict=True))


def _set_weights(called: Any, origin: Origin, values: Mapping[str, Array]) -> None:
    import torch

    own = dict(_weights(called.double() if isinstance(called, torch.nn.Module) else called))
    for old, new in origin.weights:
        value = _tensor(values[new])
        if old not in own:
            raise BadProblem("intake.values", f"{new} is a constant in the code of {origin.file.name}",
                             hint="make it an input, a parameter or a buffer: then it can be given")  # fmt: skip
        if own[old].shape != value.shape:
            shapes = " and ".join("x".join(map(str, one.shape)) or "scalar" for one in (own[old], value))
            raise BadProblem("intake.values", f"{new} has another shape in {origin.file.name}: {shapes}")
        with torch.no_grad():
            own[old].copy_(value)
    for old, new in origin.weights:
        if not np.array_equal(own[old].detach().numpy(), values[new], equal_nan=True):
            raise BadProblem("intake.values", f"{new} is one with another weight of {origin.file.name}",
                             hint="give both the same values")  # fmt: skip


def _weights(called: Any) -> Iterator[tuple[str, Any]]:
    """Yield every parameter and buffer by each of its names: one that is shared has several."""
    import torch

    if isinstance(called, torch.nn.Module):
        yield from called.named_parameters(remove_duplicate=False)
        yield from called.named_buffers(remove_duplicate=False)
