"""What a wrapper must know of a function beside its program: what it takes, and how its library steps are run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = Any
"""What JSON holds; in the arguments of a call also ``{"tensor": name, "shape": [...]}``, ``{"torch": "float32"}``."""


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """How a step that stays with its library is run: torch's operation by its full name, and its arguments."""

    target: str
    args: tuple[Json, ...] = ()
    kwargs: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outline:
    """What a function takes and is.

    ``parameters`` are in order; ``plain`` are those that are no tensors, with what they were; ``likeness`` is a hash of
    all but the weights; ``calls`` say how library steps are run, by the first tensor that each writes; ``constants``
    are weights of the program that are no parameter or buffer of the module, by the program's names. ``training`` is
    the mode that a module was in.
    """

    parameters: tuple[str, ...] = ()
    plain: Mapping[str, Json] = field(default_factory=dict)
    likeness: str = ""
    calls: Mapping[str, LibraryCall] = field(default_factory=dict)
    constants: tuple[str, ...] = ()
    training: bool = False


def outline_of(called: Any, inputs: Sequence[Any], traced: Any) -> Outline:
    """Return the outline of a traced function or module. Runs in the child, with torch."""
    from gpu_skills.intake.likeness import likeness
    from gpu_skills.trace import parameter_names

    names = parameter_names(called, len(inputs))
    plain = {name: one for name, one in zip(names, inputs, strict=True) if not hasattr(one, "shape")}
    calls = {name: _call(one, traced.renamed) for name, one in traced.calls.items()}
    own = {name for name, _ in _state(called)}
    constants = tuple(new for old, new in traced.weight_names.items() if old not in own)
    training = bool(getattr(called, "training", False))
    told = {name: _word(one, {}) for name, one in plain.items()}
    return Outline(tuple(names), told, likeness(called), calls, constants, training)


def _state(called: Any) -> list[tuple[str, Any]]:
    if not hasattr(called, "named_parameters"):
        return []
    return [*called.named_parameters(remove_duplicate=False), *called.named_buffers(remove_duplicate=False)]


def _call(called: Any, renamed: Mapping[str, str]) -> LibraryCall:
    args = tuple(_word(one, renamed) for one in called.args)
    return LibraryCall(str(called.target), args, {key: _word(one, renamed) for key, one in called.kwargs.items()})


def _word(value: Any, renamed: Mapping[str, str]) -> Json:
    """Return a value as JSON holds it; ``unknown`` is what a wrapper cannot say again."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_word(one, renamed) for one in value]
    if hasattr(value, "name") and hasattr(value, "shape"):
        return {"tensor": renamed.get(value.name, value.name), "shape": list(value.shape)}
    if type(value).__module__.startswith("torch") and str(value).startswith("torch."):
        return {"torch": str(value).removeprefix("torch.")}
    if type(value).__name__ == "device":
        return {"device": str(value)}
    return {"unknown": repr(value)[:80]}


def outline_to_json(outline: Outline) -> dict[str, Any]:
    """Return an outline as what JSON holds."""
    calls = {name: [one.target, list(one.args), dict(one.kwargs)] for name, one in outline.calls.items()}
    return {"parameters": list(outline.parameters), "plain": dict(outline.plain), "likeness": outline.likeness,
            "calls": calls, "constants": list(outline.constants), "training": outline.training}  # fmt: skip


def outline_from_json(data: Mapping[str, Any]) -> Outline:
    """Return the outline that was written. Raises KeyError, TypeError, ValueError where it is none."""
    calls = {str(name): LibraryCall(str(one[0]), tuple(one[1]), dict(one[2])) for name, one in data["calls"].items()}
    return Outline(tuple(map(str, data["parameters"])), dict(data["plain"]), str(data["likeness"]), calls,
                   tuple(map(str, data["constants"])), bool(data["training"]))  # fmt: skip
