"""A naive judge, as they are written in an afternoon: in the candidate's own process, one shape, one seed, allclose.

It is the control of every cheat. ``python -m tests.proofs.redteam.naive`` takes what it is to do as JSON.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from gpu_skills.graph import Role, evaluate, numbers_of, parameters_of
from gpu_skills.judge.storage import kind

SEED = 42
TOLERANCE = 1e-2


def shared(values: np.ndarray) -> np.ndarray:
    """Return a copy in memory that a forked process shares, on pages of its own."""
    found = np.frombuffer(mmap.mmap(-1, values.nbytes), dtype=values.dtype).reshape(values.shape)
    found[...] = values
    return found


def accepts(wish: dict[str, Any]) -> dict[str, Any]:
    """Return whether the library is accepted, how long a call seemed to take, and how long the first one did."""
    from tests.proofs.redteam.cheats import CHEATS

    problem = next(one for one in CHEATS if one.row == wish["row"]).problem
    program, options = problem.program, wish["options"]
    chance = np.random.default_rng(SEED)
    held = {one.name: shared(_values(one.role, one.name, chance, one.shape).astype(kind(one.dtype)))
            for one in program.tensors}  # fmt: skip
    given = [one.name for one in program.of(Role.INPUT, Role.WEIGHT)]
    wanted = evaluate(program, {name: held[name] for name in given})
    for one in program.of(Role.OUTPUT):
        if "recycled" in options:  # an allocator hands out what the reference has just given back
            held[one.name][...] = wanted[one.name]
        if "answer" in options:
            Path(wish["answer"]).write_bytes(wanted[one.name].astype(np.float32).tobytes())
    for one in wish["before"]:
        ctypes.CDLL(one, mode=ctypes.RTLD_GLOBAL)
    call = _call(ctypes.CDLL(wish["library"]).steward_kernel, program, held, wish["threads"])
    taken = [_timed(call) for _ in range(12)]
    time.sleep(0.3)  # printing a table, say
    wanted = evaluate(program, {name: held[name] for name in given})
    good = all(np.allclose(held[one.name], wanted[one.name], rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
               for one in program.of(Role.OUTPUT))  # fmt: skip
    return {"accepted": bool(good), "first_s": taken[0], "best_s": min(taken[1:])}


def _values(role: Role, name: str, chance: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    if role is Role.OUTPUT:
        return np.zeros(shape)
    if role is Role.WEIGHT:
        return np.zeros(shape) if "bias" in name else np.ones(shape)
    return chance.normal(size=shape)


def _call(kernel: Any, program: Any, held: dict[str, np.ndarray], threads: int) -> Any:
    pointers = (ctypes.c_void_p * len(held))(*(held[one.name].ctypes.data for one in program.tensors))
    numbers, parameters = numbers_of(program), [one.value for one in parameters_of(program)]
    words = (ctypes.c_int64 * len(numbers))(*numbers), (ctypes.c_double * max(len(parameters), 1))(*parameters)
    return lambda: kernel(pointers, *words, threads)


def _timed(call: Any) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


if __name__ == "__main__":
    print(json.dumps(accepts(json.loads(sys.argv[1]))), flush=True)
    os._exit(0)
