"""What a call is shown: the paths of its rights, what earlier tasks staged of them, its own folders, and its limits.

What this stops: a call being shown a path that none of its rights names, or what an earlier task staged elsewhere.
What it does not: hold what it names; dispatch does (``permissions.policy.Places``), and the wall compares.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kernel.connections import hosts_of
from kernel.effects import beside
from permissions import covers, holds_path
from permissions.model import Action, CellSpec, Layer, Limits, Right
from skills.model import EffectClass, Tool


@dataclass(frozen=True, slots=True)
class Staged:
    """The writable folder of one task, what earlier tasks of the plan have staged, and the trees it works in.

    In those it sees what is staged by itself, so the view is of everywhere else.
    """

    folder: str | None
    view: tuple[Mapping[str, Any], ...]
    layers: tuple[Layer, ...] = ()

    def beside_layers(self) -> tuple[Mapping[str, Any], ...]:
        """Return the effects of ``view`` that touch none of the trees."""
        return tuple(
            effect
            for effect in self.view
            if not any(self.holds(str(effect[k])) for k in ("path", "source") if k in effect)
        )

    def holds(self, path: str) -> bool:
        """Tell whether ``path`` is one of the trees, or lies in one."""
        return any(holds_path(layer.tree, path) for layer in self.layers)


def limits_of(tool: Tool, timeout_s: float) -> Limits:
    """Return what a call of ``tool`` may use by its manifest, for at most ``timeout_s`` seconds."""
    return Limits(
        wall_s=min(tool.limits.wall_s, timeout_s), memory_bytes=tool.limits.memory_bytes,
        cpu_s=max(1, round(tool.limits.wall_s)),
    )  # fmt: skip


def shown_to(
    tool: Tool, needs: tuple[Right, ...], staged: Staged, code: str, private: tuple[str, ...],
    resolve: Callable[[str], str],
) -> CellSpec:  # fmt: skip
    """Return what a call of ``tool`` with the rights ``needs`` is shown, before it was allotted anything.

    ``code`` is the folder of its skill; ``private`` places are hidden from it.
    """
    reads = {right.scope for right in needs if right.action is Action.FS_READ and os.path.lexists(right.scope)}
    reads = {path for path in reads if not staged.holds(path)}
    blobs = contents_for(needs, staged.beside_layers(), resolve)
    return CellSpec(
        read_paths=(*sorted(reads), *sorted(blobs), code), write_paths=(staged.folder,) if staged.folder else (),
        hidden_paths=private, hosts=hosts_of(tool, needs), changes_hosts=tool.effect is EffectClass.ONCE,
        layers=staged.layers, runs_programs=tool.runs_programs,
    )  # fmt: skip


def contents_for(
    needs: tuple[Right, ...], view: tuple[Mapping[str, Any], ...], resolve: Callable[[str], str]
) -> set[str]:
    """Return the folders of staged contents, and the files, that now belong to places where this call has a right.

    No others. What an earlier task copies or moves still lies at its source until the commit.
    """
    places: dict[str, set[str]] = {}
    for effect in view:
        path = beside(str(effect["path"]), resolve)
        if effect.get("blob_path"):
            places.setdefault(os.path.dirname(effect["blob_path"]), set()).add(path)
        elif effect["op"] in ("move", "copy"):
            source = beside(str(effect["source"]), resolve)
            if os.path.lexists(source):
                places.setdefault(source, set()).add(path)
            for held in places.values():
                held |= {path + one[len(source) :] for one in held if one == source or one.startswith(f"{source}/")}
    return {
        folder
        for folder, held in places.items()
        if any(covers(need, Right(need.action, place)) for need in needs for place in held)
    }
