"""Permissions: what a call may do, decided, enforced and taken back.

Four sub-rooms: ``policy`` decides over an immutable tree and explains itself, ``confine`` is the wall that one call
runs behind (namespaces, a new root, Landlock, seccomp, limits), ``egress`` performs and counts what a call may fetch
from the network, ``transactions`` stages what a plan wants to change, seals it, commits it by compare-and-swap and can
undo it. ``labels`` is the lattice every value carries.

It promises: absent means deny; a cell serves one call; nothing of the user's changes before a commit, and a commit
happens whole or not at all. It never asks a person anything and never imports another room.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from permissions.confine import Capability, Cells, WallTest, machine_level, spare_bytes, survey, try_wall
    from permissions.policy import (
        Grant,
        Policy,
        covers,
        default_policy,
        holds_path,
        new_grant,
        parse_right,
        private_places,
    )
    from permissions.transactions import Staging, Transactions

__all__ = [
    "Capability",
    "Cells",
    "Grant",
    "Policy",
    "Staging",
    "Transactions",
    "WallTest",
    "covers",
    "default_policy",
    "holds_path",
    "machine_level",
    "new_grant",
    "parse_right",
    "private_places",
    "spare_bytes",
    "survey",
    "try_wall",
]

_ROOMS = {
    "confine": {"Capability", "Cells", "WallTest", "machine_level", "spare_bytes", "survey", "try_wall"},
    "transactions": {"Staging", "Transactions"},
    "policy": {"Grant", "Policy", "covers", "default_policy", "holds_path", "new_grant", "parse_right",
               "private_places"},
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for room, names in _ROOMS.items():  # the worker comes through this door too, and must stay small
        if name in names:
            return getattr(import_module(f"permissions.{room}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
