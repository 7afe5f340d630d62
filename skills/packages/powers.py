"""What a skill may do by its manifest, and what another version wants beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skills.model import EffectClass, ParamRole, Skill, ToolId
from skills.packages.model import Powers, Widening

_ORDER = (EffectClass.PURE, EffectClass.IDEMPOTENT, EffectClass.ONCE)
_TREE = "/**"


def powers_of(skill: Skill) -> Powers:
    """Return what the manifest of ``skill`` asks for."""
    tools = skill.tools
    sinks, others = ([(tool.id, one.name) for tool in tools for one in tool.parameters
                      if (one.role is ParamRole.SINK) is wanted] for wanted in (True, False))  # fmt: skip
    return Powers(
        rights=frozenset((tool.id, one.action, one.scope) for tool in tools for one in tool.rights),
        effects={tool.id: tool.effect for tool in tools},
        sinks=frozenset(sinks),
        free=frozenset(others),
        works_in=frozenset((tool.id, name) for tool in tools for name in tool.works_in),
        programs=frozenset(tool.id for tool in tools if tool.runs_programs),
        reminds=bool(skill.reminds),
    )


def widened(old: Powers, new: Powers) -> tuple[Widening, ...]:
    """Return everything that ``new`` may do and ``old`` could not: tools, rights and hosts, effects, sinks, programs.

    A right that another tool of the same skill had already is nothing new; a tool that is new always is.
    """
    found = [Widening(tool, "tool", "", str(new.effects[tool])) for tool in sorted(new.effects.keys() - old.effects)]
    found += [*_rights(old, new), *_flows(old, new), *_effects(old, new), *_sinks(old, new)]
    found += [Widening(tool, "works in", "", name) for tool, name in sorted(new.works_in - old.works_in)]
    found += [Widening(tool, "programs", "", "runs programs") for tool in sorted(new.programs - old.programs)]
    if new.reminds and not old.reminds:
        found.append(Widening(min(new.effects, default=ToolId("")), "reminds", "", "tells you something at a time"))
    return tuple(found)


def _rights(old: Powers, new: Powers) -> Iterator[Widening]:
    had = {(action, scope) for _, action, scope in old.rights}
    for tool, action, scope in sorted(new.rights):
        if not any(action == other and _holds(wide, scope) for other, wide in had):
            yield Widening(tool, action, _nearest(had, action), scope)


def _holds(wide: str, narrow: str) -> bool:
    """Whether a scope of a manifest means all that another means, whatever its parameters come to."""
    if wide == narrow or wide == narrow + _TREE:
        return True
    top = wide.removesuffix(_TREE)
    return wide.endswith(_TREE) and "{" not in top and narrow.startswith(f"{top}/") and ".." not in narrow


def _flows(old: Powers, new: Powers) -> Iterator[Widening]:
    """A tool that reads files and reaches a host, where none did both: what two tools did met only in a plan."""
    if _carries_out(old):
        return
    yield from (Widening(tool, "flow", "", "reads files and reaches a host") for tool in sorted(_carries_out(new)))


def _carries_out(powers: Powers) -> set[ToolId]:
    reads, reaches = (
        {tool for tool, action, _ in powers.rights if action.startswith(kind)} for kind in ("fs.read", "net.")
    )
    return reads & reaches


def _nearest(had: Iterable[tuple[str, str]], action: str) -> str:
    return ", ".join(sorted(scope for other, scope in had if other == action)[:3])


def _effects(old: Powers, new: Powers) -> Iterator[Widening]:
    for tool, effect in sorted(new.effects.items()):
        before = old.effects.get(tool, effect)
        if _ORDER.index(effect) > _ORDER.index(before):
            yield Widening(tool, "effect", str(before), str(effect))


def _sinks(old: Powers, new: Powers) -> Iterator[Widening]:
    """A new place to which something may go, and a guarded place that is not guarded any more."""
    yield from (Widening(tool, "sink", "", name) for tool, name in sorted(new.sinks - old.sinks))
    freed = {tool for tool, _ in new.free - old.free}  # also under another name
    for tool, name in sorted(old.sinks - new.sinks):
        if tool in freed:
            yield Widening(tool, "sink", name, "not guarded any more")
