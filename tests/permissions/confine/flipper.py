"""Exchange names, as fast as the machine can, until the parent goes: the first one with each of the others in turn."""

from __future__ import annotations

import ctypes
import os
import sys
from itertools import cycle

_LIBC = ctypes.CDLL(None, use_errno=True)
_HERE, _EXCHANGE = -100, 2


def exchange(one: str, other: str) -> None:
    """Exchange two names at once: at no moment is there none of the first (``renameat2(2)``)."""
    if _LIBC.renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), one)


if __name__ == "__main__":
    name, *others = sys.argv[1:]
    parent = os.getppid()
    print("flipping", flush=True)
    for other in cycle(others):
        exchange(name, other)
        exchange(name, other)
        if os.getppid() != parent:
            break
