"""Memory that is free: to have little of it, and to give it back to the system.

The C library gives each thread a heap of its own, and keeps there for later what is freed (malloc(3), mallopt(3)).
"""

from __future__ import annotations

from contextlib import suppress

_M_ARENA_MAX = -8  # <malloc.h>


def share_one_heap() -> None:
    """Have all threads to come take memory from one heap: what one frees, another takes; they run in turn anyway."""
    import ctypes

    with suppress(OSError, AttributeError):  # another C library has no heaps of threads
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Give it back (malloc_trim(3)). Any thread."""
    import ctypes  # no start waits for it

    with suppress(OSError, AttributeError):  # another C library has none
        ctypes.CDLL(None).malloc_trim(0)
