"""Limits of CPU time that hold on a busy machine too: each is held against a fixed piece of work done beside it.

Where other programs share a core and its caches, the same work costs two or three times the CPU time. What a limit
means is the time on an idle machine, so a measurement is divided by how much slower the fixed work is just before and
just after, whichever was less.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

IDLE_S = 0.0032
"""CPU time of ``_work`` on the idle machine that the limits were set on."""

_LINE = "find the three largest files in ~/Downloads from last week and save their names as a note called big files. "
_WORD = re.compile(r"[^\W\d_]+|\d+|\S")


def idle_s(work: Callable[[], object], rounds: int = 5, *, limit_s: float = 0.0) -> float:
    """Return the CPU time in seconds that ``work`` would take on an idle machine; the best of ``rounds``.

    A round below ``limit_s`` is the last one: no later one can make the best of them miss that limit.
    The garbage collector waits: what a pass costs depends on what all tests before have left in this process.
    """
    gc.disable()
    try:
        return _best(work, rounds, limit_s)
    finally:
        gc.enable()


@contextmanager
def less_than(limit_s: float) -> Iterator[None]:
    """Fail when what is done inside takes more CPU time of this thread, in s, than ``limit_s`` on an idle machine."""
    gc.disable()
    try:
        before, began = _cpu_s(_work), time.thread_time()
        yield
        spent, after = time.thread_time() - began, _cpu_s(_work)
    finally:
        gc.enable()
    spent = _on_an_idle_machine(spent, before, after)
    assert spent < limit_s, f"{spent:.2f} s of {limit_s}"


def _best(work: Callable[[], object], rounds: int, limit_s: float) -> float:
    best = _idle_s(work)
    for _ in range(rounds - 1):
        if best < limit_s:
            break
        best = min(best, _idle_s(work))
    return best


def _idle_s(work: Callable[[], object]) -> float:
    before, measured, after = _cpu_s(_work), _cpu_s(work), _cpu_s(_work)
    return _on_an_idle_machine(measured, before, after)


def _on_an_idle_machine(spent: float, before: float, after: float) -> float:
    """Return CPU time as it would be there, by that of ``_work`` before it and after it."""
    return spent / max(1.0, min(before, after) / IDLE_S)


def _cpu_s(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _work() -> int:
    seen: dict[str, list[tuple[int, str]]] = {}
    for start in [*range(60)] * 4:
        for found in _WORD.finditer(_LINE, start):
            seen.setdefault(found.group().casefold(), []).append((found.start(), found.group()))
    return sum(len(places) for places in seen.values())
