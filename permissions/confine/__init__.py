"""The wall: every tool call runs in a cell of its own, with the rights of that call and nothing else.

It promises: a call sees only the paths that its spec names, reaches no network and no other process, gains no
privilege, ends in time with all that it started, and leaves nothing behind. The level (L3, L2, L1) at which that was
enforced is in every outcome; it is measured by really building a cell, never assumed, and never lowered silently.
It never decides what a call may do (``policy`` does), never touches the user's files (``transactions`` does), and never
runs a skill's code outside a cell.

``Cells`` is the daemon's side, ``serve`` the worker's; ``survey`` and ``machine_level`` are for ``doctor``, and so is
``try_wall``, which tries in a real cell what one must refuse. ``spare_bytes`` is the memory that a call could be given,
``Asker`` the end that a call asks the daemon at. ``only_compute`` is for a process that runs code of its own which it
does not trust, in a cell or not; ``see_only`` for one that rehearses what a cell would let it see.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from permissions.confine.asker import Asker
    from permissions.confine.cells import Cells
    from permissions.confine.computing import Computing, only_compute
    from permissions.confine.machine import Capability, machine_level, survey
    from permissions.confine.narrowing import see_only
    from permissions.confine.reservation import spare_bytes
    from permissions.confine.selftest import WallTest, try_wall
    from permissions.confine.zygote import serve

__all__ = [
    "Asker",
    "Capability",
    "Cells",
    "Computing",
    "WallTest",
    "machine_level",
    "only_compute",
    "see_only",
    "serve",
    "spare_bytes",
    "survey",
    "try_wall",
]

_SIDES = {
    "Cells": "cells", "serve": "zygote", "Capability": "machine", "machine_level": "machine", "survey": "machine",
    "WallTest": "selftest", "try_wall": "selftest", "Asker": "asker", "spare_bytes": "reservation",
    "Computing": "computing", "only_compute": "computing", "see_only": "narrowing",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _SIDES:  # the worker needs its own side only, and must stay small
        return getattr(import_module(f"permissions.confine.{_SIDES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
