"""What decides in a call of a tool that nobody here wrote: its parameters, and the values inside of a record.

What this stops: an address that stands in ``options`` or in a list of records passing where it would be asked about as
a parameter of its own.
What it does not: look into a text that is a record written down (JSON in a string); such a text decides as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from permissions.model import Action
from skills.model import EffectClass, Parameter, ParamRole, Tool, ValueKind
from skills.roles import decides, says_it_takes_away

_KINDS = ((bool, ValueKind.BOOLEAN), (str, ValueKind.TEXT), (int, ValueKind.INTEGER), (float, ValueKind.NUMBER))
_ADDRESSES = frozenset(
    {"uri", "uri-reference", "iri", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6"}
)
_MOMENTS = frozenset({"date-time", "date", "time", "duration"})
_DEEPEST = 40


def role_by_schema(
    tool: str, one: Parameter, form: object, beside: Iterable[str] = (), *, safe: bool = False
) -> ParamRole:
    """Return the role of a parameter of a server's tool; ``form`` is the format that its schema names."""
    kind = one.type.kind
    if kind in (ValueKind.TEXT, ValueKind.NEW_FILE) and form in _ADDRESSES:
        return ParamRole.SINK
    moment = kind is ValueKind.TEXT and form in _MOMENTS
    others = [name for name in beside if name != one.name]
    found = decides(tool, one.name, ValueKind.DATE if moment else kind, others, safe=safe)
    return ParamRole.SINK if found else ParamRole.NEUTRAL


def takes_away(tool: Tool) -> bool:
    """Tell whether something may no longer be where it was after a call.

    All tools of a server may do in its folders what the server may: which of them take something away is told by their
    names, and by the word that their descriptions begin with.
    """
    if not any(right.action == Action.FS_DELETE for right in tool.rights):
        return False
    return tool.served is None or says_it_takes_away(f"{tool.function} {tool.summary.split(maxsplit=1)[0]}")


def may_decide(parameter: Parameter) -> bool:
    """Tell whether a parameter decides something, or may hold what does."""
    return parameter.role is ParamRole.SINK or _has_parts(parameter)


def deciding_parts(tool: Tool, name: str, value: Any) -> tuple[tuple[str, Any], ...]:
    """Return what decides in the record, or the records, that a parameter takes: the way to each value, and the value.

    A parameter that is no record, or of which a manifest says what it is, has no parts.
    """
    parameter = tool.parameter(name)
    if not _has_parts(parameter):
        return ()
    safe = tool.effect is EffectClass.PURE or (tool.served is not None and tool.effect is EffectClass.IDEMPOTENT)
    leaves = parts_of(value, name)
    beside = {*(one.name for one in tool.parameters if one.name != name), *(way for way, _ in leaves)}
    return tuple(
        (way, leaf)
        for way, leaf in leaves
        if isinstance(leaf, Mapping | list) or decides(tool.function, way, _kind_of(leaf), beside - {way}, safe=safe)
    )


def parts_of(value: Any, name: str) -> tuple[tuple[str, Any], ...]:
    """Return all that stands in the record, or the records, that the parameter ``name`` takes, as ways and values."""
    return tuple(_leaves(_bare(value), name))


def _has_parts(parameter: Parameter) -> bool:
    return parameter.type.kind is ValueKind.RECORD and parameter.role is ParamRole.NEUTRAL


def _bare(value: Any) -> Any:
    """Return the fields of a record of ours."""
    if isinstance(value, list):
        return [_bare(one) for one in value]
    inner = value.get("fields") if isinstance(value, Mapping) else None
    return inner if isinstance(inner, Mapping) else value


def _leaves(value: Any, way: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield every single value with the way to it; what lies too deep for one is whole."""
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for name, one in value.items():
            yield from _leaves(one, f"{way}.{name}", depth + 1)
    elif isinstance(value, list | tuple) and depth < _DEEPEST:
        for one in value:
            yield from _leaves(one, way, depth + 1)
    elif value is not None:
        yield way, value


def _kind_of(leaf: Any) -> ValueKind:
    return next((kind for python, kind in _KINDS if isinstance(leaf, python)), ValueKind.TEXT)
