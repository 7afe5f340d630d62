"""The process in which the user's own torch function runs in a race, as it is or compiled. It is told what to call.

It speaks as ``racer`` does, and hands a call's outputs over when it is told to, after the lap: torch puts them where it
wants. All outputs of a lap are kept until the next one, so that each call has memory of its own, as on every side.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gpu_skills.judge.racer import DONE, OPEN, READY, RUN, SAID, Start, mapped


def main() -> None:
    """Follow orders until the judge closes the socket."""
    told = json.loads(sys.argv[1])
    wish = told.pop("torch")
    start = Start(**told)
    libc = ctypes.CDLL(None)
    bases = (mapped(libc, start.given, 1, 1), mapped(libc, start.taken, 3, 1))
    os.write(start.orders, OPEN)
    torch = importlib.import_module("torch")
    torch.set_num_threads(start.threads)
    function = _function(torch, wish)
    os.write(start.orders, READY)
    with torch.no_grad():
        _Racer(torch, function, wish, bases).follow(start.orders)


def _function(torch: Any, wish: dict[str, Any]) -> Callable[..., Any]:
    place = Path(wish["file"])
    spec = importlib.util.spec_from_file_location(f"_raced_{place.stem}", place)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{place} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, wish["entry"])
    return torch.compile(function, dynamic=False) if wish["compiled"] else function  # type: ignore[no-any-return]


class _Racer:
    def __init__(self, torch: Any, function: Callable[..., Any], wish: dict[str, Any], bases: Sequence[int]) -> None:
        self._torch, self._function, self._bases = torch, function, bases
        self._tensors: list[tuple[str, str, list[int]]] = wish["tensors"]
        self._calls: list[tuple[list[Any], list[Any]]] = []
        self._kept: list[Any] = []
        self._first = 0

    def follow(self, orders: int) -> None:
        while order := os.read(orders, 1 << 20):
            if order[:4] == b"call":
                self._calls += [self._call(one) for one in json.loads(order[4:])]
                answer = len(self._calls)
            else:
                answer = self._ordered(*RUN.unpack(order))
            os.write(orders, SAID.pack(DONE, answer))

    def _ordered(self, word: bytes, first: int, count: int) -> int:
        if word == b"hand":
            return self._hand_over(first)
        function = self._function
        kept: list[Any] = []
        self._kept, self._first = kept, first
        for given, _ in self._calls[first : first + count]:
            kept.append(function(*given))
        return 0

    def _hand_over(self, index: int) -> int:
        made = self._kept[index - self._first]
        for to, one in zip(self._calls[index][1], made if isinstance(made, tuple | list) else (made,), strict=True):
            to.copy_(one.reshape(to.shape))
        return 0

    def _call(self, asked: dict[str, Any]) -> tuple[list[Any], list[Any]]:
        """Return the tensors of one call: inputs and weights, and where outputs are handed over."""
        given, taken = [], []
        for (role, dtype, shape), (in_taken, offset, size) in zip(self._tensors, asked["tensors"], strict=True):
            memory = (ctypes.c_char * size).from_address(self._bases[in_taken] + offset)
            one = self._torch.frombuffer(memory, dtype=getattr(self._torch, dtype)).reshape(shape)
            if role in ("input", "weight"):
                given.append(one)
            elif role == "output":
                taken.append(one)
        return given, taken


if __name__ == "__main__":
    main()
