"""The process in which a candidate runs. It is told what to call and says when it is done; it measures nothing.

It maps the shared memory, closes the wall, loads the library behind it, and follows orders on a socket that keeps
messages apart. Nothing here is trusted once the library is loaded: the judge, another process, owns the clock, the
values and the results, and takes what comes back for no more than "it says that it is done".
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

WALLED, OPEN, READY, DONE = b"walled", b"open", b"ready", b"done"
RUN = struct.Struct("<4sII")
SAID = struct.Struct("<4sI")
_READ, _WRITE, _SHARED, _PRIVATE, _DIE_WITH_PARENT, _KILL = 1, 2, 1, 2, 1, 9
_ANONYMOUS, _PAGE = 0x20, 1 << 16
_MOST_PACKET = 1 << 20
Call = tuple[Any, Any, Any, int]


@dataclass(frozen=True, slots=True)
class Start:
    """What a racer is started with. ``library`` is empty for one that does nothing; ``exact`` has every tensor copied
    to a block of exactly its size, for a sanitizer, or, ``fenced``, to one with forbidden pages around it; ``private``
    lets a kernel write into inputs of its own."""

    library: str
    entry: str
    orders: int
    given: tuple[int, int]
    taken: tuple[int, int]
    address_bytes: int | None
    cpu_s: int
    threads: int
    exact: bool = False
    private: bool = False
    fenced: bool = False


def main() -> None:
    """Follow orders until the judge closes the socket."""
    start = Start(**json.loads(sys.argv[1]))
    libc = ctypes.CDLL(None)
    libc.prctl(_DIE_WITH_PARENT, _KILL, 0, 0, 0)
    inputs = (_READ | _WRITE, _PRIVATE) if start.private else (_READ, _SHARED)
    bases = (mapped(libc, start.given, *inputs), mapped(libc, start.taken, _READ | _WRITE, _SHARED))
    _confine(start)
    os.write(start.orders, WALLED)
    kernel = _loaded(start, libc)
    os.write(start.orders, READY)
    _follow(start, kernel, _Exact(libc, bases, fenced=start.fenced) if start.exact else _InPlace(bases))


def _confine(start: Start) -> None:
    from skills.sdk.alone import compute_alone

    readable = [start.library] if start.library else []
    compute_alone(readable, address_bytes=start.address_bytes, cpu_s=start.cpu_s, threads=start.threads - 1)


def mapped(libc: Any, memory: tuple[int, int], protection: int, flags: int) -> int:
    """Map shared memory and close its descriptor; return the address. Raises OSError."""
    fd, size = memory
    libc.mmap.restype = ctypes.c_size_t
    libc.mmap.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    address = int(libc.mmap(0, size, protection, flags, fd, 0))
    if address == ctypes.c_size_t(-1).value:
        raise OSError("the shared memory cannot be mapped")
    os.close(fd)
    return address


def _loaded(start: Start, libc: Any) -> Callable[..., int]:
    kernel = getattr(ctypes.CDLL(start.library), start.entry) if start.library else libc.labs
    kernel.restype = ctypes.c_int
    return kernel  # type: ignore[no-any-return]


class _InPlace:
    """Calls on the shared memory itself."""

    def __init__(self, bases: tuple[int, int]) -> None:
        self._bases = bases

    def call(self, asked: dict[str, Any]) -> Call:
        """Return the arguments of one call."""
        places = [self._bases[taken] + offset for taken, offset, _ in asked["tensors"]]
        return (
            (ctypes.c_void_p * max(len(places), 1))(*places),
            (ctypes.c_int64 * max(len(asked["numbers"]), 1))(*asked["numbers"]),
            (ctypes.c_double * max(len(asked["parameters"]), 1))(*asked["parameters"]),
            int(asked["threads"]),
        )

    def before(self, call: Call) -> None:
        """Do nothing."""

    def after(self, call: Call) -> None:
        """Do nothing."""


class _Exact(_InPlace):
    """Calls on blocks of exactly a tensor's size, so that a sanitizer sees the first byte beyond."""

    def __init__(self, libc: Any, bases: tuple[int, int], *, fenced: bool = False) -> None:
        super().__init__(bases)
        self._libc, self._fenced = libc, fenced
        libc.malloc.restype = ctypes.c_size_t
        self._moves: dict[int, list[tuple[int, int, int, bool]]] = {}

    def call(self, asked: dict[str, Any]) -> Call:
        call = super().call(asked)
        moves = []
        for index, (taken, _, size) in enumerate(asked["tensors"]):
            block = self._between_fences(size) if self._fenced else self._of_its_size(size)
            moves.append((call[0][index], block, size, bool(taken)))
            call[0][index] = block
        self._moves[id(call[0])] = moves
        return call

    def _of_its_size(self, size: int) -> int:
        block = ctypes.c_void_p()
        self._libc.posix_memalign(ctypes.byref(block), 64, max(size, 1))
        return block.value or 0

    def _between_fences(self, size: int) -> int:
        """Return memory whose last 64 bytes, to which a tensor is aligned, end where no byte may be touched."""
        inside = -(-max(size, 1) // _PAGE) * _PAGE
        base = int(self._libc.mmap(0, inside + 2 * _PAGE, _READ | _WRITE, _PRIVATE | _ANONYMOUS, -1, 0))
        if base == ctypes.c_size_t(-1).value:
            raise MemoryError
        for fence in (base, base + _PAGE + inside):
            self._libc.mprotect(ctypes.c_void_p(fence), ctypes.c_size_t(_PAGE), 0)
        return base + _PAGE + inside - -(-max(size, 1) // 64) * 64

    def before(self, call: Call) -> None:
        for shared, block, size, _ in self._moves[id(call[0])]:
            ctypes.memmove(block, shared, size)

    def after(self, call: Call) -> None:
        for shared, block, size, taken in self._moves[id(call[0])]:
            if taken:
                ctypes.memmove(shared, block, size)


def _follow(start: Start, kernel: Callable[..., int], memory: _InPlace) -> None:
    calls: list[Call] = []
    gc.disable()
    while order := os.read(start.orders, _MOST_PACKET):
        if order[:4] == b"call":
            calls += [memory.call(one) for one in json.loads(order[4:])]
            os.write(start.orders, SAID.pack(DONE, len(calls)))
            continue
        _, first, count = RUN.unpack(order)
        declined = 0
        for call in calls[first : first + count]:
            if start.exact:
                memory.before(call)
            declined += kernel(*call) != 0
            if start.exact:
                memory.after(call)
        os.write(start.orders, SAID.pack(DONE, declined))


if __name__ == "__main__":
    main()
