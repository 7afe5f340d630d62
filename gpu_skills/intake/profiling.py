"""Where a model spends its time: per operation, on one CPU thread, ranked by what its removal would gain.

Amdahl's law: if an operation that takes the share p cost nothing, the whole would be 1 / (1 - p) times as fast. Runs
the user's file, here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpu_skills.errors import KernelsError
from gpu_skills.graph import Library, Sweep
from gpu_skills.intake.loading import loaded
from gpu_skills.intake.process import Limits, asked
from gpu_skills.trace import trace

_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Cost:
    """One kind of operation: how often it ran, its CPU time in a run, and the highest gain of the whole model."""

    operation: str
    calls: int
    seconds: float
    share: float
    gain: float


@dataclass(frozen=True, slots=True)
class Profile:
    """A model's operations, the dearest first; ``sweeps`` are the operations that one sweep each could take."""

    seconds: float
    costs: tuple[Cost, ...]
    sweeps: tuple[str, ...] = field(default=())
    libraries: tuple[str, ...] = field(default=())


def profiled(file: Path, entry: str = "", shapes: str = "", *, limits: Limits | None = None) -> Profile:
    """Return where the model of a file spends its time, measured in a child. Raises BadProblem."""
    found = asked({"act": "profile", "file": str(Path(file).resolve()), "entry": entry, "shapes": shapes}, limits)
    costs = tuple(Cost(str(one[0]), int(one[1]), *(float(each) for each in one[2:5])) for one in found["costs"])
    return Profile(float(found["seconds"]), costs, tuple(found["sweeps"]), tuple(found["libraries"]))


def profile_here(file: Path, entry: str = "", shapes: str = "") -> Profile:
    """Return the same in this process."""
    found = loaded(file, entry, shapes)
    return profile(found.called, found.inputs)


def profile(model: Any, inputs: Sequence[Any]) -> Profile:
    """Return where ``model`` spends its time on ``inputs``; per operation the least of five rounds, one thread."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.no_grad():
            model(*inputs)
            rounds = [_round(model, inputs) for _ in range(_ROUNDS)]
    finally:
        torch.set_num_threads(threads)
    least = {name: min(each[name][1] for each in rounds) for name in rounds[0]}
    whole = sum(least.values())
    costs = [_cost(name, rounds[0][name][0], least[name], whole) for name in least]
    return Profile(whole, tuple(sorted(costs, key=lambda one: -one.seconds)), *_steps(model, inputs))


def _cost(name: str, calls: int, seconds: float, whole: float) -> Cost:
    share = seconds / whole if whole else 0.0
    return Cost(name, calls, seconds, share, 1 / (1 - share) if share < 1 else math.inf)


def _round(model: Any, inputs: Sequence[Any]) -> dict[str, tuple[int, float]]:
    """Return calls and CPU seconds of each operation of one run."""
    found: dict[str, tuple[int, float]] = {}
    with _timed(found):
        model(*inputs)
    return found


def _timed(found: dict[str, tuple[int, float]]) -> AbstractContextManager[Any]:
    """Return a mode that adds up the CPU time of each operation below autograd."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Timed(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            begun = time.thread_time()
            result = func(*args, **(kwargs or {}))
            name = func.overloadpacket.__name__
            calls, seconds = found.get(name, (0, 0.0))
            found[name] = calls + 1, seconds + time.thread_time() - begun
            return result

    made: AbstractContextManager[Any] = Timed()
    return made


def _steps(model: Any, inputs: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    try:
        program = trace(model, inputs).program
    except KernelsError as error:
        return (), (f"nothing of it was traced: {error.message}",)
    libraries = tuple(f"{one.operation}: {one.why}" for one in program.steps if isinstance(one, Library))
    return tuple(_told(one) for one in program.steps if isinstance(one, Sweep)), libraries


def _told(sweep: Sweep) -> str:
    folds = ", ".join(one.fold.value for one in sweep.reductions)
    writes = ", ".join(dict.fromkeys(one.to.tensor for one in sweep.stores))
    reads = ", ".join(dict.fromkeys(access.tensor for _, access in sweep.reads))
    return f"{'x'.join(map(str, sweep.axes))}: {reads} -> {writes}{f' ({folds})' if folds else ''}"
