"""What the cell of a server is given: of a call's rights what the server was allowed, and how it is started.

What this stops: a server seeing what only the call was given (its skill's folder, its staging); an argument that
names a place which the server cannot see reaching it, to fail there without a reason.
What it does not: widen. Whatever is in the spec was decided for the call.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kernel.serving.refusals import outside
from permissions import holds_path
from permissions.model import CellSpec
from skills.model import Tool, ValueKind

LONGEST_S, LONGEST_CPU_S = 12 * 3600.0, 4 * 3600
"""The cell of a server that is kept is begun anew after so long, and where one process of it has used so much.

That is beyond a call's own allotment, which counts for one that lives for its call. Where the tree allows less
processor time than the server's calls are made for, one process of a kept server has that in all, not for each call.
"""

_PLACES = (ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE)


def request(entry: Any, protocol: str = "", secrets: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what a cell is asked to start or reach; ``protocol`` is what it spoke when it was met before.

    ``secrets`` are told beside the rest: to a program in its environment, to an address in the headers.
    """
    told, headers = ({}, secrets or {}) if entry.url else (secrets or {}, {})
    return {"command": list(entry.command), "url": entry.url, "env": {**entry.env, **told}, "headers": dict(headers),
            "protocol": protocol}  # fmt: skip


def cell_spec(spec: CellSpec, entry: Any, home: str) -> CellSpec:
    """Return what a server's cell is shown, of what a call of its tool was given: nothing else of the call's."""
    shown = real_places((*entry.reads, *entry.writes), home)
    held = (*spec.read_paths, *(layer.tree for layer in spec.layers))
    wanted = real_places(entry.programs, home)
    programs = tuple(sorted(one for one in wanted if any(holds_path(path, one) for path in held)))
    reads = tuple(sorted(path for path in spec.read_paths if path in shown and path not in programs))
    kept = {*reads, *programs, *(path for layer in spec.layers for path in layer.opened_paths())}
    limits = replace(spec.limits, wall_s=LONGEST_S, cpu_s=_cpu_s(spec, entry))
    return replace(
        spec, read_paths=reads, program_paths=programs, write_paths=(), limits=limits, changes_hosts=bool(spec.hosts),
        runs_programs=True, relays=bool(spec.hosts), asks=True,
        held=tuple(one for one in spec.held if one.path in kept),
    )  # fmt: skip


def _cpu_s(spec: CellSpec, entry: Any) -> int:
    """Return the processor time of one process of a server: many calls' where it is kept and nobody allows less."""
    asked = getattr(entry, "limits", entry).wall_s  # as much as a call asks for: ``limits_of``
    return spec.limits.cpu_s if spec.layers or spec.limits.cpu_s < round(asked) else LONGEST_CPU_S


def real_places(places: Iterable[str], home: str) -> set[str]:
    """Return the real paths of places that may begin with ``~/``."""
    return {os.path.realpath(home + one[1:] if one.startswith("~/") else one) for one in places}


def check_places(tool: Tool, arguments: Mapping[str, Any], spec: CellSpec) -> None:
    """Raise TaskFailed where an argument names a place that the server cannot see."""
    seen = (*spec.read_paths, *spec.program_paths, *(layer.tree for layer in spec.layers))
    for name, value in arguments.items():
        if tool.parameter(name).type.kind not in _PLACES:
            continue
        for one in value if isinstance(value, list) else [value]:
            path = one.get("path") if isinstance(one, Mapping) else one
            if isinstance(path, str) and path.startswith("/") and not any(holds_path(tree, path) for tree in seen):
                raise outside(tool, path)
