"""The process in which a model runs with its kernels: verified in float64, timed in turn with itself as it was.

Run as a module by ``gpu_skills.intake.asked``. It runs the user's file and the judged libraries, as the user would.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gpu_skills.errors import BadFolder, NotApplied
from gpu_skills.intake.child import Request, main, one_thread
from gpu_skills.intake.likeness import likeness
from gpu_skills.intake.loading import Loaded, loaded
from gpu_skills.trace import in_float64
from gpu_skills.trace.checking import array_of, error_of

_ROUNDS, _MOST_S, _ROUND_NS = 15, 20.0, 5e6


def applied(request: Request, _folder: Path) -> dict[str, Any]:
    """Patch the model of a file where its kernels fit, hold it against itself in float64, and time both."""
    one_thread()
    import torch

    wrapper = _wrapper(Path(request["wrapper"]))
    found = loaded(Path(request["file"]), request["entry"], request["shapes"])
    if isinstance(found.called, torch.nn.Module) and not request["training"]:
        found.called.eval()
    with torch.no_grad():
        before, wanted = _flat(found.called(*found.inputs)), in_float64(found.called, found.inputs)
        places, fasts, run, undo = _patched(wrapper, found, request["places"])
        run()
        after = _flat(run())
        errors = [[error_of(array_of(one), right) for one in each] for each, right in _by_output(before, after, wanted)]
        ratio, ours, theirs = _timed(found, run, undo, lambda: _patched(wrapper, found, places))
    counts = {key: sum(one.counts[key] for one in fasts) for key in ("kernel", "original")}
    why = {key: value for one in fasts for key, value in one.why_not.items()}
    return {"places": places, "counts": counts, "why_not": why, "errors": errors, "ratio": ratio, "ns": ours,
            "original_ns": theirs}  # fmt: skip


def _wrapper(file: Path) -> Any:
    spec = importlib.util.spec_from_file_location("_steward_wrapper", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise BadFolder("output.no_wrapper", f"{file.parent.name} holds no wrapper: nothing in it was worth it.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # a file of somebody's folder: whatever it raises, the folder is not what it was
        said = f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')}"
        raise BadFolder("output.broken_wrapper", f"The wrapper in {file.parent.name} cannot be loaded: {said}",
                        hint="Run ./steward kernels optimize again.") from error  # fmt: skip
    return module


def _patched(
    wrapper: Any, found: Loaded, places: Sequence[str]
) -> tuple[list[str], list[Any], Callable[[], Any], Callable[[], None]]:
    """Return where it was patched, the wrappers, a run of the whole, and what takes the patches back."""
    called = found.called
    if not hasattr(called, "named_modules"):
        fast = wrapper.wrap(called)
        _fits(fast)
        return [""], [fast], lambda: fast(*found.inputs), lambda: None
    chosen = list(places) or [name for name, one in called.named_modules() if likeness(one) == wrapper.SPEC["likeness"]]
    if not chosen:
        raise NotApplied("output.no_place", f"Nothing in {found.name} is what this kernel was made for.",
                         hint="Optimize that module itself, or name its place: --at layers.0.norm")  # fmt: skip
    fasts = [wrapper.patch(called, _there(called, place)) for place in chosen]
    for one in fasts:
        _fits(one)

    def undo() -> None:
        for one in chosen:
            wrapper.unpatch(called, one)

    return chosen, fasts, lambda: called(*found.inputs), undo


def _there(called: Any, place: str) -> str:
    try:
        called.get_submodule(place)
    except AttributeError as error:
        raise NotApplied("output.no_place", f"The model has no module {place}.",
                         hint="Its places are those of named_modules().") from error  # fmt: skip
    return place


def _fits(fast: Any) -> None:
    if fast._never:
        raise NotApplied("output.unlike", f"The kernel does not fit: {fast._never}.",
                         hint="It fits the function that it was made from, as it was then.")  # fmt: skip


def _flat(made: Any) -> list[Any]:
    import torch

    return [one for one in torch.utils._pytree.tree_leaves(made) if hasattr(one, "shape")]


def _by_output(before: list[Any], after: list[Any], wanted: list[Any]) -> list[tuple[tuple[Any, Any], Any]]:
    return [((one, other), right) for one, other, right in zip(before, after, wanted, strict=True)]


def _timed(
    found: Loaded, run: Callable[[], Any], undo: Callable[[], None], again: Callable[[], tuple[Any, ...]]
) -> tuple[float, float, float]:
    """Return original / patched of the least processor time of one call each, in turn; and both in nanoseconds."""
    ours, theirs = list[float](), list[float]()
    until = time.monotonic() + _MOST_S
    undo()
    calls = max(1, int(_ROUND_NS / _cpu_ns(lambda: found.called(*found.inputs), 1)))
    for turn in range(_ROUNDS):
        theirs.append(_cpu_ns(lambda: found.called(*found.inputs), calls))
        _, _, run, undo = again()
        run()  # the check at first use is not counted
        ours.append(_cpu_ns(run, calls))
        undo()
        if time.monotonic() > until and turn >= 2:
            break
    return min(theirs) / min(ours), min(ours), min(theirs)


def _cpu_ns(act: Callable[[], Any], calls: int) -> float:
    began = time.thread_time_ns()
    for _ in range(calls):
        act()
    return max(time.thread_time_ns() - began, 1) / calls


if __name__ == "__main__":
    main({"apply": applied})
