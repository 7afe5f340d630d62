"""Runs the user's file in a child: with limits, a deadline and bounded output, and brings back data.

What this stops: a file that hangs, forks, allocates without end, prints without end, crashes, or leaves processes or
files in its own folder behind; each is a BadProblem that says so. What comes back is JSON and arrays, checked on the
way in, never a pickle. What it does not stop: see ``keeper``; the walls are those of the cell that this runs in.
"""

from __future__ import annotations

import io
import json
import math
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_skills.errors import BadFolder, BadProblem, KernelsError, NotApplied, NotTraced
from gpu_skills.intake.outline import Outline, outline_from_json
from gpu_skills.intake.wire import problem_from_json
from gpu_skills.model import Origin, Problem

Array = NDArray[Any]
_MOST_ANSWERED = 64 << 20
CHILD = "gpu_skills.intake.child"
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may take. ``ram_bytes`` is address space; torch alone takes about 2 GiB of it."""

    deadline_s: float = 120.0
    ram_bytes: int = 12 << 30
    file_bytes: int = 1 << 30
    printed_bytes: int = 4 << 20


@dataclass(frozen=True, slots=True)
class Reading:
    """A problem as it was read, and what there is to say about it.

    ``error`` is how far its program is from its file at full size, None where that is too large to be checked;
    ``error_held_out`` the largest of the programs to hold out, None where there are none. ``outline`` is what a wrapper
    must know beside the program.
    """

    problem: Problem
    notes: tuple[str, ...] = ()
    error: float | None = None
    error_held_out: float | None = None
    outline: Outline = field(default_factory=Outline)


def read_problem(
    file: Path, entry: str = "", shapes: str = "", *, unchecked: bool = False, limits: Limits | None = None
) -> Reading:
    """Return the problem of a file, and what there is to say about it.

    ``entry`` names a function or an nn.Module; ``shapes`` reads "4096x4096,4096" or "x=64x128:bf16,t=64:i64<1000". A
    file in the KernelBench contract needs neither. Raises BadProblem and NotTraced; NotTraced also where nothing of
    it could be held against the file, unless it may be ``unchecked``.
    """
    data = asked({"act": "read", "file": str(Path(file).resolve()), "entry": entry, "shapes": shapes}, limits)
    try:
        error, held_out = (None if data[key] is None else float(data[key]) for key in ("error", "error_held_out"))
        found = Reading(problem_from_json(data["problem"]), tuple(str(one) for one in data["notes"]), error, held_out,
                        outline_from_json(data["outline"]))  # fmt: skip
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as wrong:
        raise BadProblem("intake.answer", f"reading {Path(file).name} gave no problem: {wrong}") from wrong
    if found.error is None and found.error_held_out is None and not unchecked:
        raise NotTraced("trace.unchecked", f"{found.problem.name} is too large to be held against {Path(file).name}",
                        hint="Give smaller shapes.")  # fmt: skip
    return found


def reference(origin: Origin, values: Mapping[str, Array], *, limits: Limits | None = None) -> dict[str, Array]:
    """Return what the user's own file computes in float64 for all inputs and weights, by the names of its program.

    Raises BadProblem where the file fails on them, one is missing, or one is nothing that the file can be given.
    """
    request = {"act": "reference", "file": str(origin.file), "entry": origin.entry, "values": list(values),
               "inputs": origin.inputs, "weights": origin.weights}  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="steward-reference-", ignore_cleanup_errors=True) as folder:
        for place, value in enumerate(values.values()):
            np.save(Path(folder) / f"in{place}.npy", np.asarray(value), allow_pickle=False)
        data = asked(request, limits, folder=folder)
        most = (limits or Limits()).file_bytes
        return {name: _array(Path(folder) / f"{name}.npy", most) for name in _names(data["outputs"])}


def shrink(file: Path, most: int = 400_000, *, limits: Limits | None = None) -> str:
    """Return the text of a file in the KernelBench contract with sizes of at most ``most`` elements in all.

    Raises BadProblem where it does not load.
    """
    return str(asked({"act": "shrink", "file": str(Path(file).resolve()), "most": most}, limits)["source"])


def _array(file: Path, most: int) -> Array:
    """Return the array in a file that the child left: its header may not promise more than the file has."""
    try:
        data = left(file, most)
        stream = io.BytesIO(data)
        version = np.lib.format.read_magic(stream)
        read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, _, dtype = read(stream)
        whole = dtype.kind in "biuf" and math.prod(shape) * dtype.itemsize == len(data) - stream.tell()
        found = np.asarray(np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)) if whole else None
    except (OSError, ValueError, KeyError) as error:
        raise BadProblem("intake.answer", f"the reference gave no array {file.stem}: {error}") from error
    if found is None:
        raise BadProblem("intake.answer", f"the reference gave no array {file.stem}: its header and its size differ")
    return found


def left(file: Path, most: int) -> bytes:
    """Return a file that a child left behind: never a link, a pipe or more than ``most`` bytes. Raises OSError."""
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as stream:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            raise OSError(f"{file.name} is no file of at most {most} bytes")
        return stream.read(most)


def _names(found: Any) -> list[str]:
    if not isinstance(found, list) or not all(isinstance(one, str) and one.isidentifier() for one in found):
        raise BadProblem("intake.answer", "the reference gave no outputs")
    return found


def asked(
    request: Mapping[str, Any], limits: Limits | None = None, *, folder: str = "", module: str = CHILD
) -> dict[str, Any]:
    """Return what a child answers to a request. Raises BadProblem and NotTraced."""
    if folder:
        return _asked(request, limits or Limits(), Path(folder), module)
    with tempfile.TemporaryDirectory(prefix="steward-intake-", ignore_cleanup_errors=True) as made:
        return _asked(request, limits or Limits(), Path(made), module)


def _asked(request: Mapping[str, Any], limits: Limits, folder: Path, module: str) -> dict[str, Any]:
    name = Path(str(request.get("file", "the file"))).name
    (folder / "request.json").write_text(json.dumps(dict(request)))
    verdict = _kept(limits, folder, name, module)
    if verdict["why"]:
        raise _stopped(verdict["why"], name, limits)
    return _answer(folder / "answer.json", verdict, name, limits)


def _kept(limits: Limits, folder: Path, name: str, module: str) -> dict[str, Any]:
    keeper = str(Path(__file__).with_name("keeper.py"))
    command = [sys.executable, "-P", "-W", "ignore", "-m", module, str(folder)]
    job = {
        "command": command, "folder": str(folder), "environment": _environment(folder),
        "deadline_s": limits.deadline_s, "most_printed": limits.printed_bytes, "limits": _limits(limits),
    }  # fmt: skip
    try:
        done = subprocess.run([sys.executable, "-I", keeper], input=json.dumps(job).encode(), capture_output=True,
                              timeout=limits.deadline_s + 30, check=False)  # fmt: skip
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise BadProblem("intake.crashed", f"reading {name} ended without a word") from error
    except ValueError as error:
        last = (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["without a word"])[-1]
        raise BadProblem("intake.crashed", f"reading {name} ended: {last[:200]}") from error
    if not isinstance(found, dict):
        raise BadProblem("intake.crashed", f"reading {name} ended without a word")
    return found


def _limits(limits: Limits) -> dict[str, int]:
    return {"RLIMIT_AS": limits.ram_bytes, "RLIMIT_FSIZE": limits.file_bytes, "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 512,
            "RLIMIT_CPU": int(limits.deadline_s * 4) + 1}  # fmt: skip


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of ours but where programs and packages are; caches and temporary files go into the child's folder."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
    paths = [str(_ROOT), *(one for one in sys.path if one and "site-packages" in one)]
    home = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR"), str(folder))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return kept | home | threads | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}


def _stopped(why: str, name: str, limits: Limits) -> BadProblem:
    said = {
        "deadline": ("intake.hang", f"{name} did not end within {limits.deadline_s:g} s", "give it smaller shapes"),
        "output": ("intake.output", f"{name} prints more than {limits.printed_bytes >> 20} MiB", "print less"),
        "processes": ("intake.forks", f"{name} starts processes without end", "a problem computes in its own process"),
    }
    code, message, hint = said.get(why, ("intake.crashed", f"reading {name} was ended: {why}", ""))
    return BadProblem(code, message, hint=hint)


def _answer(file: Path, verdict: Mapping[str, Any], name: str, limits: Limits) -> dict[str, Any]:
    try:
        data = json.loads(left(file, _MOST_ANSWERED))
    except (OSError, ValueError, RecursionError) as error:
        last = (str(verdict.get("tail", "")).strip().splitlines() or ["it said nothing"])[-1]
        if "MemoryError" in last or "std::bad_alloc" in last:
            raise BadProblem("intake.memory", f"{name} takes more than {limits.ram_bytes >> 30} GiB") from error
        how = _how(verdict.get("code"))
        raise BadProblem("intake.crashed", f"reading {name} ended {how}: {last[:200]}") from error
    if not isinstance(data, dict):
        raise BadProblem("intake.answer", f"reading {name} gave no answer")
    if "wrong" in data:
        raise _again(data["wrong"])
    return data


_RAISED: Mapping[str, type[KernelsError]] = {
    "trace.": NotTraced, "output.no_wrapper": BadFolder, "output.broken_wrapper": BadFolder, "output.": NotApplied,
}  # fmt: skip


def _how(code: Any) -> str:
    return f"by signal {-code}" if isinstance(code, int) and code < 0 else f"with code {code}"


def _again(wrong: Any) -> KernelsError:
    """Return the error that the child raised; its words are data."""
    if not isinstance(wrong, Sequence) or len(wrong) != 3:
        return BadProblem("intake.answer", "the child failed and did not say why")
    code, message, hint = (str(one)[:2000] for one in wrong)
    kind = next((kind for start, kind in _RAISED.items() if code.startswith(start)), BadProblem)
    return kind(code, message, hint=hint)
