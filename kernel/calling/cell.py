"""From a tool, concrete values and decided rights to what a cell is given: the call, and what the wall enforces."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kernel.allotting import Allotment
from kernel.authorize import Reach
from kernel.calling.floor import Floor
from kernel.calling.strength import least_level
from kernel.dispatching.connections import hosts_of
from kernel.dispatching.effects import beside
from kernel.mailing.describing import may_mail
from kernel.paths import whole
from permissions import covers, holds_path
from permissions.model import HOST_ACTIONS, Action, CellSpec, Identity, Layer, Limits, Right
from skills.model import Call, EffectClass, Tool, ValueKind

_ENDS = ("path", "source")
_ASKED = frozenset({Action.SKILL_CALL, *HOST_ACTIONS})
"""For what a call asks the daemon."""


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
            effect for effect in self.view if not any(self.holds(str(effect[k])) for k in _ENDS if k in effect)
        )

    def holds(self, path: str) -> bool:
        """Tell whether ``path`` is one of the trees, or lies in one."""
        return any(holds_path(layer.tree, path) for layer in self.layers)


def visible(view: Sequence[Mapping[str, Any]], needs: Sequence[Right]) -> tuple[Mapping[str, Any], ...]:
    """Return of what earlier tasks have staged that which a call with the rights ``needs`` may know of.

    A staged path is shown where it lies in a scope of the call, or a scope lies below it; with it goes how what stands
    there came there. What was moved from there to somewhere else is gone.
    """
    scopes = [(right.scope, right.tree) for right in needs if right.action.startswith("fs.")]
    origins: list[str] = []

    def is_seen(path: str) -> bool:
        held = any(holds_path(path, scope) or (tree and holds_path(scope, path)) for scope, tree in scopes)
        return held or any(holds_path(path, one) or holds_path(one, path) for one in origins)

    shown: list[Mapping[str, Any]] = []
    for effect in reversed(view):
        source = str(effect.get("source", ""))
        if is_seen(str(effect["path"])):
            origins += [source] if source else []
            shown.append(effect)
        elif effect["op"] == "move" and is_seen(source):
            shown.append({"op": "delete", "path": source})
    return tuple(reversed(shown))


def settled(tool: Tool, values: Mapping[str, Any], resolve: Callable[[str], str]) -> dict[str, Any]:
    """Give every path its real form: inside the cell only that exists. What is moved or deleted keeps its own name."""
    pure = tool.effect is EffectClass.PURE
    leaving = {right.scope.strip("{}") for right in tool.rights if right.action == Action.FS_DELETE}

    def real(value: Any, follow: bool) -> Any:
        if isinstance(value, list):
            return [real(item, follow) for item in value]
        if isinstance(value, Mapping) and value.get("path"):
            return {**value, "path": resolve(value["path"]) if follow else beside(str(value["path"]), resolve)}
        if isinstance(value, Mapping) and value.get("source"):
            return {**value, "source": resolve(value["source"])}
        return value

    def follows(name: str) -> bool:
        return pure or (tool.parameter(name).type.kind is not ValueKind.FILE and name not in leaving)

    return {name: real(value, follows(name)) for name, value in values.items()}


def as_call(tool: Tool, values: Mapping[str, Any], floor: Floor, staged: Staged, *, called: bool = False) -> Call:
    """Return what a cell is asked to do; ``called`` by another tool."""
    now = floor.utterance.now
    code = floor.around.resolve(tool.code or floor.around.skill(tool.skill).folder)
    return Call(
        tool=tool.id, folder=code, function=tool.function, arguments=values, language=floor.language,
        home=floor.utterance.home, cwd=floor.utterance.cwd, now=now.isoformat(), timezone=str(now.tzinfo),
        seed=floor.seed, staging=staged.folder, view=staged.beside_layers(), programs=tool.runs_programs,
        called=called, own=floor.around.policy.own_folder(tool.skill),
        reminds=bool(floor.around.skill(tool.skill).reminds),
    )  # fmt: skip


def worked_in(tool: Tool, reaches: Mapping[str, Sequence[Reach]], floor: Floor) -> list[str]:
    """Return the real paths of the trees that a call of ``tool`` works in: arguments, and those of the tool itself."""
    fixed = [floor.around.resolve(whole(place, floor.utterance.home)) for place in tool.works_at]
    return [*(reach.path for name in tool.works_in for reach in reaches.get(name, ())), *fixed]


def limits_of(tool: Tool, timeout_s: float) -> Limits:
    """Return what a call of ``tool`` asks for by its manifest, for at most ``timeout_s`` seconds."""
    return Limits(
        wall_s=min(tool.limits.wall_s, timeout_s), memory_bytes=tool.limits.memory_bytes,
        cpu_s=max(1, round(tool.limits.wall_s)),
    )  # fmt: skip


def shown_to(tool: Tool, needs: tuple[Right, ...], staged: Staged, code: str, floor: Floor) -> CellSpec:
    """Return what a call of ``tool`` with the rights ``needs`` is shown, before it was allotted anything.

    ``code`` is the folder of its skill.
    """
    reads = {right.scope for right in needs if right.action is Action.FS_READ and os.path.lexists(right.scope)}
    reads = {path for path in reads if not staged.holds(path)}
    blobs = contents_for(needs, staged.beside_layers(), floor.around.resolve)
    hosts = hosts_of(tool, needs)
    least = least_level(floor.around.skill(tool.skill), floor.around.below_l3)
    return CellSpec(
        read_paths=(*sorted(reads), *sorted(blobs), code), write_paths=(staged.folder,) if staged.folder else (),
        hosts=hosts, changes_hosts=tool.effect is EffectClass.ONCE, layers=staged.layers, minimum=least,
        secrets=tuple(sorted({one.scope for one in needs if hosts and one.action is Action.SECRET_USE})),
        runs_programs=tool.runs_programs, relays=tool.runs_programs and bool(hosts),
        asks=may_mail(tool, needs) or any(one.action in _ASKED for one in needs),
    )  # fmt: skip


def spec_of(
    shown: CellSpec, allotted: Allotment, held: tuple[Identity, ...], hidden: tuple[str, ...],
    shut: tuple[str, ...] = (),
) -> CellSpec:  # fmt: skip
    """Return what is ``shown`` with what the call was allotted; ``held`` is what was decided on.

    Besides what is denied to itself, ``hidden`` places and ``shut`` hosts are out of its reach.
    """
    limits = _leaving(allotted.limits) if shown.asks else allotted.limits
    return replace(shown, hidden_paths=(*hidden, *allotted.hidden), limits=limits, held=held,
                   denied_hosts=(*shut, *allotted.shut))  # fmt: skip


def _leaving(limits: Limits) -> Limits:
    """Let a call that may ask for others begin with half of its memory at most: the rest is left to them."""
    return replace(limits, reserve_bytes=min(limits.reserve_bytes or limits.memory_bytes, limits.memory_bytes // 2))


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
