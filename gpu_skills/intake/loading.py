"""Runs the user's file: to be called in a process of its own (``gpu_skills.intake.process``).

Stops nothing by itself. What it raises says what is wrong with the file, in its user's words.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpu_skills.errors import BadProblem
from gpu_skills.graph import DType
from gpu_skills.intake.shapes import Shape, by_name, shapes_of

_CONTRACT = ("Model", "get_inputs", "get_init_inputs")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file computes: ``called`` on ``inputs``. ``shapes`` are those of the inputs where they were given."""

    name: str
    entry: str
    called: Any
    inputs: tuple[Any, ...]
    shapes: dict[str, Shape]
    contract: bool = False
    positive: bool = False


def loaded(file: Path, entry: str = "", shapes: str = "", *, source: str = "", seed: int = 0) -> Loaded:
    """Return what ``file`` computes: a function or module by name, or a file in the KernelBench contract.

    ``source`` stands in for the text of the file where sizes in it were changed. Raises BadProblem.
    """
    module = _imported(file, source)
    if entry in ("", "Model") and not shapes and all(hasattr(module, name) for name in _CONTRACT):
        return _by_contract(file, module, seed)
    name = entry or _only_entry(file, module)
    called = _entry(file, module, name)
    if not shapes:
        raise BadProblem("intake.shapes", f"{name} in {file.name} has no shapes",
                         hint=f"say them in order: {', '.join(parameters(called))}")  # fmt: skip
    named = by_name(shapes_of(shapes), parameters(called))
    return with_shapes(Loaded(name, name, called, (), {}), named, seed)


def with_shapes(found: Loaded, shapes: dict[str, Shape], seed: int) -> Loaded:
    """Return what was loaded with inputs of other shapes. Raises BadProblem where one is missing."""
    import torch

    torch.manual_seed(seed)
    names = parameters(found.called, needed=True)
    missing = [name for name in names if name not in shapes]
    if missing:
        raise BadProblem(
            "intake.shapes", f"the shape of {missing[0]} is missing", hint=f"{missing[0]}=64x128, for example"
        )
    order = [name for name in parameters(found.called) if name in shapes]
    given = {name: made(shapes[name], positive=found.positive) for name in order}
    return replace(found, inputs=in_order(found.called, given), shapes=shapes)


def made(shape: Shape, *, positive: bool = False) -> Any:
    """Return a tensor of a shape: normal numbers, those above 0 alone, or whole ones below a bound."""
    import torch

    if shape.dtype is DType.BOOL:
        return torch.rand(shape.sizes) < 0.5
    if shape.dtype in (DType.I64, DType.I32, DType.I8):
        return torch.randint(0, shape.below or 2, shape.sizes, dtype=getattr(torch, shape.dtype))
    numbers = torch.randn(shape.sizes)
    return (numbers.abs() + 1e-3 if positive else numbers).to(getattr(torch, shape.dtype))


def parameters(called: Any, *, needed: bool = False) -> list[str]:
    """Return the names of what a function or module takes; with ``needed``, of what it cannot do without."""
    return [one.name for one in _signature(called) if not needed or one.default is one.empty]


def _signature(called: Any) -> list[inspect.Parameter]:
    function = called.forward if hasattr(called, "forward") else called
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one for one in inspect.signature(function).parameters.values() if one.kind in kinds]


def in_order(called: Any, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return arguments in their order; one that is not given, before one that is, is its default. Raises BadProblem."""
    places = [place for place, one in enumerate(_signature(called)) if one.name in given]
    found = []
    for one in _signature(called)[: max(places, default=-1) + 1]:
        if one.name not in given and not isinstance(one.default, int | float | str | None):
            raise BadProblem(
                "intake.shapes", f"the shape of {one.name} is missing", hint=f"{one.name}=64x128, for example"
            )
        found.append(given.get(one.name, one.default))
    return tuple(found)


def called_of(file: Path, entry: str) -> tuple[Any, tuple[Any, ...]]:
    """Return the function or module of a file, and the inputs that a file in the contract makes for it."""
    module = _imported(file, "")
    if entry == "Model" and all(hasattr(module, name) for name in _CONTRACT):
        found = _by_contract(file, module, 0)
        return found.called, found.inputs
    return _entry(file, module, entry), ()


def _imported(file: Path, source: str) -> Any:
    if not file.is_file():
        raise BadProblem("intake.file", f"there is no file {file}", hint="say the path of a Python file")
    name = f"_problem_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise BadProblem("intake.file", f"{file.name} is no Python file", hint="its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))
    return guarded(f"{file.name} does not import", "intake.import", lambda: _run(module, spec.loader, file, source))


def _run(module: Any, loader: Any, file: Path, source: str) -> Any:
    if source:
        exec(compile(source, str(file), "exec"), module.__dict__)  # noqa: S102  the user's file, in its own process
    else:
        loader.exec_module(module)
    return module


def guarded(what: str, code: str, act: Callable[[], Any]) -> Any:
    """Return what ``act`` returns; what it raises becomes a BadProblem that says what went wrong in the file."""
    try:
        return act()
    except BadProblem:
        raise
    except MemoryError as error:
        raise BadProblem("intake.memory", f"{what}: it takes more memory than it may", hint=_SMALLER) from error
    except FileNotFoundError as error:
        missing = error.filename or error
        raise BadProblem("intake.data", f"{what}: it needs {missing}, which is not there",
                         hint="paths are read as they stand: give absolute ones") from error  # fmt: skip
    except ModuleNotFoundError as error:
        raise BadProblem("intake.import", f"{what}: it needs {error.name}", hint=f"install {error.name}") from error
    except (Exception, SystemExit) as error:  # whatever the user's code raises is a verdict on the file
        text = str(error).strip().splitlines()[:1] or [""]
        if "allocate memory" in text[0] or "out of memory" in text[0].lower():
            raise BadProblem("intake.memory", f"{what}: {text[0]}", hint=_SMALLER) from error
        raise BadProblem(code, f"{what}: {type(error).__name__}: {text[0]}") from error


_SMALLER = "give smaller shapes, or allow it more memory"


def _by_contract(file: Path, module: Any, seed: int) -> Loaded:
    import torch

    torch.manual_seed(seed)
    init = guarded(f"get_init_inputs of {file.name} fails", "intake.inputs", module.get_init_inputs)
    inputs = guarded(f"get_inputs of {file.name} fails", "intake.inputs", module.get_inputs)
    if not isinstance(inputs, list | tuple):
        raise BadProblem(
            "intake.inputs", f"get_inputs of {file.name} gives no list", hint="it returns a list of tensors"
        )
    torch.manual_seed(seed)
    called = guarded(f"Model of {file.name} cannot be made", "intake.inputs", lambda: module.Model(*init))
    if not isinstance(called, torch.nn.Module):
        raise BadProblem("intake.entry", f"Model of {file.name} is no nn.Module")
    return Loaded(file.stem, "Model", called, tuple(inputs), {}, contract=True)


def _only_entry(file: Path, module: Any) -> str:
    found = _entries(module)
    if len(found) == 1:
        return found[0]
    hint = f"say which: {', '.join(found)}" if found else "it needs a function or an nn.Module"
    raise BadProblem("intake.entry", f"{file.name} has {len(found)} functions and modules", hint=hint)


def _entries(module: Any) -> list[str]:
    own = [name for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__]
    plain = (one for one in own if not one.startswith("_"))
    return [one for one in plain if callable(getattr(module, one)) and not one.startswith("get_")]


def _entry(file: Path, module: Any, name: str) -> Any:
    import torch

    found = getattr(module, name, None)
    if found is None or not callable(found):
        raise BadProblem("intake.entry", f"{file.name} has no function or module {name}",
                         hint=f"it has {', '.join(_entries(module)) or 'none'}")  # fmt: skip
    if isinstance(found, type):
        init = getattr(module, "get_init_inputs", list)
        made_of = found
        found = guarded(f"{name} cannot be made", "intake.entry", lambda: made_of(*init()))
        if not isinstance(found, torch.nn.Module):
            raise BadProblem("intake.entry", f"{name} of {file.name} is a class, but no nn.Module")
    return found


def ran(found: Loaded) -> list[Any]:
    """Return the tensors that a file computes. Raises BadProblem where it fails, gives none, or gives NaN."""
    import torch

    def act() -> Any:
        with torch.no_grad():
            return found.called(*found.inputs)

    results = guarded(f"{found.name} fails on {_shown(found.inputs)}", "intake.run", act)
    flat = [one for one in torch.utils._pytree.tree_leaves(results) if isinstance(one, torch.Tensor)]
    if not flat:
        raise BadProblem("intake.outputs", f"{found.name} gives no tensor", hint="it returns a tensor or several")
    for one in flat:
        if one.is_floating_point() and bool(torch.isnan(one).any()):
            raise BadProblem(
                "intake.nan", f"{found.name} gives NaN for its own inputs", hint="inputs that make numbers"
            )
    return flat


def _shown(inputs: Sequence[Any]) -> str:
    return ", ".join("x".join(map(str, one.shape)) if hasattr(one, "shape") else repr(one)[:20] for one in inputs)


def input_elements(inputs: Sequence[Any]) -> int:
    """Return how many elements all tensors of ``inputs`` have."""
    return sum(math.prod(one.shape) for one in inputs if hasattr(one, "shape"))
