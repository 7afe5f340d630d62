"""Which values a tool may hand on to where something is decided (a sink): those that somebody answers for.

What this stops: a value of untrusted code deciding where something goes, what runs or who gets it.
What it does not: ask anybody. What fills a sink of the caller itself was said by a person, or vouched for, before that
one ran (``kernel.flow.checking``); a file that one of Steward's own tools found is the file itself, as in a plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kernel.authorize import path_of
from kernel.flow.found import THINGS, are_found, things_in
from skills.model import Parameter, ParamRole, Tool, ValueKind

_PLACES = THINGS | {ValueKind.NEW_FILE}

Sinks = frozenset[tuple[ValueKind, str]]
"""Values that a person answers for, each with the kind of value that they saw it as."""


def sinks_of(tool: Tool, values: Mapping[str, Any]) -> Sinks:
    """Return what fills the sinks of a call: whoever made it answers for that."""
    return frozenset(
        (one.type.kind, key)
        for one in tool.parameters
        if one.role is ParamRole.SINK and values.get(one.name) is not None
        for key in _keys(one.type.kind, values[one.name])
    )


@dataclass(slots=True)
class Answered:
    """What a call may hand on to a sink: the values of its own ``sinks``, and the things that its steps found."""

    sinks: Sinks
    found: set[str] = field(default_factory=set)

    def note(self, tool: Tool, value: Any) -> None:
        """Take in what one of Steward's own tools gave back."""
        self.found |= set(things_in(value, tool.result))

    def for_all_of(self, parameter: Parameter, value: Any) -> bool:
        """Tell whether somebody answers for every part of a value."""
        kind = parameter.type.kind
        if value is None:
            return True
        if kind in THINGS and are_found(value, frozenset(self.found)):
            return True
        keys = list(_keys(kind, value))
        return bool(keys) and all((kind, key) in self.sinks for key in keys)


def _keys(kind: ValueKind, value: Any) -> Iterator[str]:
    for item in value if isinstance(value, list | tuple) else [value]:
        yield path_of(item) if kind in _PLACES else json.dumps(item, sort_keys=True, default=str)
