"""Making a library callable in this process: for tests and for kernels that were judged."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_skills.errors import NotLoadable
from gpu_skills.graph import Program, numbers_of, parameters_of
from gpu_skills.model import Built

Kernel = Callable[[Program, Mapping[str, NDArray[Any]], int], int]


def load(built: Built) -> Kernel:
    """Return the kernel of a library: called with a program, its tensors by name and how many threads it may use.

    The arrays are contiguous, hold the dtype of their tensor (bfloat16 as uint16) and begin at multiples of 64 bytes.
    It returns what ``steward_kernel`` returns. Raises NotLoadable.
    """
    try:
        entry = ctypes.CDLL(str(built.library)).steward_kernel
    except (OSError, AttributeError) as error:
        raise NotLoadable(
            "build.not_loadable",
            f"{built.library.name} cannot be loaded: {error}",
            hint="Build it again on this machine.",
        ) from error
    entry.restype = ctypes.c_int

    def kernel(program: Program, tensors: Mapping[str, NDArray[Any]], threads: int = 1) -> int:
        pointers = _pointers([tensors[one.name] for one in program.tensors])
        numbers = np.array(numbers_of(program), dtype=np.int64)
        parameters = np.array([one.value for one in parameters_of(program)], dtype=np.float64)
        return int(entry(pointers, _address(numbers), _address(parameters), ctypes.c_int(threads)))

    return kernel


def _pointers(arrays: Sequence[NDArray[Any]]) -> ctypes.Array[ctypes.c_void_p]:
    for one in arrays:
        if not one.flags.c_contiguous or one.ctypes.data % 64:
            raise NotLoadable(
                "build.not_loadable",
                "A tensor is not contiguous or does not begin at a multiple of 64 bytes.",
                hint="Copy it.",
            )
    return (ctypes.c_void_p * len(arrays))(*(one.ctypes.data for one in arrays))


def _address(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
