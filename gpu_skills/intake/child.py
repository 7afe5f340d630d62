"""The process that runs the user's file: reads request.json in its folder, writes answer.json. Run as a module."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gpu_skills.errors import BadProblem, KernelsError
from gpu_skills.model import Origin

Request = Mapping[str, Any]


Act = Callable[[Request, Path], dict[str, Any]]


def main(acts: Mapping[str, Act]) -> None:
    """Do what the request says; what goes wrong is part of the answer."""
    folder = Path(sys.argv[1])
    request = json.loads((folder / "request.json").read_text())
    try:
        answer = acts[request["act"]](request, folder)
    except KernelsError as error:
        answer = {"wrong": [error.code, error.message, error.hint]}
    except MemoryError:
        answer = {"wrong": ["intake.memory", "it takes more memory than it may", "give smaller shapes"]}
    made = folder / "answer.part"
    made.write_text(json.dumps(answer))
    made.replace(folder / "answer.json")
    sys.stdout.flush()
    os._exit(0)  # threads and exit handlers of the user's file do not get the last word


def _read(request: Request, _folder: Path) -> dict[str, Any]:
    from gpu_skills.intake.outline import outline_to_json
    from gpu_skills.intake.reading import read_here
    from gpu_skills.intake.wire import problem_to_json

    one_thread()
    found = read_here(Path(request["file"]), request["entry"], request["shapes"])
    return {"problem": problem_to_json(found.problem), "notes": list(found.notes), "error": found.error,
            "error_held_out": found.error_held_out, "outline": outline_to_json(found.outline)}  # fmt: skip


def _reference(request: Request, folder: Path) -> dict[str, Any]:
    from gpu_skills.intake.referring import computed

    one_thread()
    values = {
        name: np.load(folder / f"in{place}.npy", allow_pickle=False) for place, name in enumerate(request["values"])
    }
    inputs, weights = (tuple((old, new) for old, new in request[key]) for key in ("inputs", "weights"))
    outputs = computed(Origin(Path(request["file"]), request["entry"], inputs, weights), values)
    for name, value in outputs.items():
        np.save(folder / f"{name}.npy", value, allow_pickle=False)
    return {"outputs": list(outputs)}


def _concerns(request: Request, _folder: Path) -> dict[str, Any]:
    from gpu_skills.intake.filtering import concerns_here

    one_thread()
    found = concerns_here(Path(request["file"]), request["entry"], request["shapes"])
    return {"concerns": [[one.reason.value, one.detail] for one in found]}


def _shrink(request: Request, _folder: Path) -> dict[str, Any]:
    from gpu_skills.intake.loading import loaded
    from gpu_skills.intake.shrinking import counted, shrunk

    file = Path(request["file"])
    text = shrunk(file.read_text(), int(request["most"]), counted(lambda source: loaded(file, source=source)))
    return {"source": text}


def _profile(request: Request, _folder: Path) -> dict[str, Any]:
    from gpu_skills.intake.profiling import profile_here

    one_thread()
    found = profile_here(Path(request["file"]), request["entry"], request["shapes"])
    costs = [[one.operation, one.calls, one.seconds, one.share, min(one.gain, 1e9)] for one in found.costs]
    return {"seconds": found.seconds, "costs": costs, "sweeps": list(found.sweeps), "libraries": list(found.libraries)}


def one_thread() -> None:
    """Have torch, on one thread. Raises BadProblem where it is not installed."""
    try:
        import torch
    except ImportError as error:
        raise BadProblem("intake.torch", "PyTorch is not installed", hint="./steward setup kernels") from error
    torch.set_num_threads(1)


_ACTS: dict[str, Act] = {
    "read": _read, "reference": _reference, "concerns": _concerns, "shrink": _shrink,
    "profile": _profile,
}  # fmt: skip

if __name__ == "__main__":
    main(_ACTS)
