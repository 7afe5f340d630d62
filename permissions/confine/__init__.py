"""The wall: every tool call runs in a cell of its own, with the rights of that call and nothing else.

It promises: a call sees only the paths that its spec names, reaches no network and no other process, gains no
privilege, ends in time with all that it started, and leaves nothing behind. The level (L3, L2, L1) at which that was
enforced is in every outcome; it is measured by really building a cell, never assumed, and never lowered silently.
It never decides what a call may do (``policy`` does), never touches the user's files (``transactions`` does), and never
runs a skill's code outside a cell.

``Cells`` is the daemon's side, ``serve`` the worker's, ``survey`` and ``machine_level`` are for ``doctor``.
"""

from __future__ import annotations

from permissions.confine.cells import Cells
from permissions.confine.survey import Capability, machine_level, survey
from permissions.confine.zygote import serve

__all__ = ["Capability", "Cells", "machine_level", "serve", "survey"]
