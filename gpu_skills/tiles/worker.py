"""A process with Triton, asked line by line, ended when it does not answer in time; the next question begins another.

Stops: a source that hangs, or that takes its process down. Does not stop: a source that reads or writes what this user
may; a candidate of somebody's own is run in a cell, where this worker is started as any other process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gpu_skills.errors import BuildFailed, BuildTookTooLong, CompilerMissing
from gpu_skills.graph import DType, Program, Role, numbers_of, parameters_of
from gpu_skills.tiles.model import Compiled, Target

Array = NDArray[Any]
_GUARD_BYTES, _GUARD = 256, 0xA5
_NUMPY = {DType.BF16: "uint16"}
_INTERPRETED_PROCESSORS = 3
_START_S = 120.0


class TritonWorker:
    """A process that has Triton: with ``interpret`` it runs sources on this processor, slowly; else on a GPU.

    Without a GPU and without ``interpret`` it compiles. Raises CompilerMissing where there is no torch or no Triton.
    """

    def __init__(self, *, interpret: bool = False, python: str = sys.executable, timeout_s: float = 120.0) -> None:
        self.interpret, self._python, self._timeout_s = interpret, python, timeout_s
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.about: Mapping[str, Any] = {}

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="steward-triton-")
        try:
            self._begin()
        except BaseException:
            self._end()
            raise
        return self

    def _begin(self) -> None:
        environ = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
        environ |= {"TRITON_CACHE_DIR": str(self._in("cache")), "OMP_NUM_THREADS": "1"}
        if self.interpret:
            environ["TRITON_INTERPRET"] = "1"
        command = (self._python, "-m", "gpu_skills.tiles.child")
        root = str(Path(__file__).parents[2])
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, cwd=root,
                                         stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
        try:
            self.about = self._asked({"do": "about"}, _START_S)
        except BuildFailed as failed:
            raise CompilerMissing("triton.missing", str(failed), hint="./steward setup gpu") from failed

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:  # fmt: skip
        self._end()

    def run(self, source: str, program: Program, given: Mapping[str, Array], device: str = "cpu") -> dict[str, Array]:
        """Run a source on values for its inputs and weights (bfloat16 as 16 bits) and return all of its tensors.

        What is not given is poisoned. Raises BuildFailed where the source fails, refuses the numbers, or writes beside
        its tensors or into its inputs.
        """
        arena = _Arena(program, given, self._in("arena"))
        asked = {"do": "run", "source": self._kept(source), "arena": str(arena.file), "tensors": arena.places,
                 "device": device, "processors": int(self.about["processors"] or _INTERPRETED_PROCESSORS),
                 **_numbers(program)}  # fmt: skip
        if self._asked(asked, self._timeout_s) != 0:
            raise BuildFailed("triton.refused", "It says that it was not made for these numbers.", hint="Make another.")
        return arena.read()

    def compile(self, source: str, program: Program, target: Target) -> tuple[Compiled, ...]:
        """Return what the kernels of a source come to on a target. Raises BuildFailed where they do not compile."""
        asked = {"do": "compile", "source": self._kept(source), "capability": target.capability,
                 "processors": target.processors, "dtypes": [one.dtype.value for one in program.tensors],
                 **_numbers(program)}  # fmt: skip
        found = self._asked(asked, self._timeout_s)
        if found is None:
            raise BuildFailed("triton.refused", "It says that it was not made for these numbers.", hint="Make another.")
        return tuple(Compiled(**one) for one in found)

    def _in(self, name: str) -> Path:
        assert self._folder is not None, "the worker is entered first"
        return Path(self._folder.name) / name

    def _kept(self, source: str) -> str:
        """Write a source where Triton finds its lines again."""
        place = self._in(f"k{hashlib.sha256(source.encode()).hexdigest()[:20]}.py")
        place.write_text(source, encoding="utf-8")
        return str(place)

    def _asked(self, asked: Mapping[str, Any], timeout_s: float) -> Any:
        """Return the answer; where the process was ended, or ended by itself, another one is asked."""
        if self._process is None:
            self._begin()
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # it ended: there is no line to read, either
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
        if not select.select([process.stdout], [], [], timeout_s)[0]:
            self._stop()
            raise BuildTookTooLong("triton.slow", f"Triton did not answer in {timeout_s:g} s.", hint="Make another.")
        line = process.stdout.readline()
        if not line:
            self._stop()
            raise BuildFailed("triton.failed", "The process with Triton ended.", hint="Make another.")
        answer = json.loads(line)
        if "error" in answer:
            raise BuildFailed("triton.failed", answer["error"], hint="Make another.")
        return answer["answer"]

    def _stop(self) -> None:
        """End the process with those that it started: one of them would hold its output open, and be waited for."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()
            self._process = None

    def _end(self) -> None:
        self._stop()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _numbers(program: Program) -> dict[str, Sequence[float]]:
    return {"numbers": numbers_of(program), "parameters": [float(one.value) for one in parameters_of(program)]}


class _Arena:
    """The tensors of a program in one file, each between guards: inputs filled, everything else poisoned."""

    def __init__(self, program: Program, given: Mapping[str, Array], file: Path) -> None:
        self.file, self._program = file, program
        self.places: list[tuple[int, str, tuple[int, ...]]] = []
        size = _GUARD_BYTES
        for one in program.tensors:
            self.places.append((size, one.dtype.value, one.shape))
            taken = math.prod(one.shape) * _kind(one.dtype).itemsize
            size += -(-taken // _GUARD_BYTES) * _GUARD_BYTES + _GUARD_BYTES
        self._before = np.full(size, _GUARD, np.uint8)
        for one, array in zip(program.tensors, self._arrays(self._before), strict=True):
            if one.name in given:
                array[...] = given[one.name]
        self._before.tofile(file)

    def read(self) -> dict[str, Array]:
        """Return the tensors as they are now. Raises BuildFailed where something else was written than results."""
        now = np.fromfile(self.file, np.uint8)
        found = dict(zip((one.name for one in self._program.tensors), self._arrays(now), strict=True))
        whole = now.copy()
        for one, after, before in zip(
            self._program.tensors, self._arrays(whole), self._arrays(self._before), strict=True
        ):
            if one.role in (Role.OUTPUT, Role.SCRATCH):
                after[...] = before
        if not np.array_equal(whole, self._before):
            raise BuildFailed("triton.wrote", "It wrote beside its results.", hint="Make another.")
        return found

    def _arrays(self, whole: Array) -> list[Array]:
        found = []
        for (offset, _, shape), one in zip(self.places, self._program.tensors, strict=True):
            kind = _kind(one.dtype)
            taken = math.prod(shape) * kind.itemsize
            found.append(whole[offset : offset + taken].view(kind).reshape(shape))
        return found


def _kind(dtype: DType) -> np.dtype[Any]:
    return np.dtype(_NUMPY.get(dtype, dtype.value))
