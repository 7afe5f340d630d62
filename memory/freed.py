"""Memory that is free, and that the C library keeps for later."""

from __future__ import annotations

from contextlib import suppress


def give_back() -> None:
    """Give it back to the system: glibc keeps tens of MB of small freed pieces (malloc_trim(3)). Any thread."""
    import ctypes  # no start waits for it

    with suppress(OSError, AttributeError):  # another C library has none
        ctypes.CDLL(None).malloc_trim(0)
